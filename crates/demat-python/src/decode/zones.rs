//! A cache of timezones by their offset: data rarely has more than a few, and making one takes longer than all else of a
//! datetime.

use super::cached::Guarded;
use pyo3::ffi;

/// The cache. A new timezone replaces an old one in its slot.
static ZONES: Guarded<[Slot; SLOTS]> = Guarded::new([const { Slot { seconds: 0, zone: std::ptr::null_mut() } }; SLOTS]);

const SLOTS: usize = 64;

struct Slot {
    /// The offset east of UTC in seconds.
    seconds: i32,
    /// An owned reference; null in an empty slot.
    zone: *mut ffi::PyObject,
}

/// Returns a new reference to the timezone of an offset, which is less than a day. Null if a Python exception is set.
///
/// The C API of `datetime` must be imported.
#[inline]
pub(super) fn zone(seconds: i32) -> *mut ffi::PyObject {
    let at = index(seconds);
    // SAFETY: the GIL is held, and nothing else runs while the reference exists. The slot owns what it has.
    unsafe {
        let slot = &ZONES.get()[at];
        if slot.seconds == seconds && !slot.zone.is_null() {
            ffi::Py_INCREF(slot.zone);
            return slot.zone;
        }
    }
    made(seconds, at)
}

/// Most offsets are whole quarters of an hour: those get slots of their own as far as there are any.
fn index(seconds: i32) -> usize {
    seconds.div_euclid(900).cast_unsigned() as usize % SLOTS
}

/// Makes a timezone and keeps it.
#[inline(never)]
fn made(seconds: i32, at: usize) -> *mut ffi::PyObject {
    // SAFETY: the C API is imported; an offset is less than a day. A timezone that is replaced is of exactly the
    // builtin class, so that releasing it runs no other code; it is released once the cache is not borrowed.
    unsafe {
        let delta = ffi::PyDelta_FromDSU(0, seconds, 0);
        if delta.is_null() {
            return delta;
        }
        let zone = ffi::PyTimeZone_FromOffset(delta);
        ffi::Py_DECREF(delta);
        if zone.is_null() {
            return zone;
        }
        ffi::Py_INCREF(zone);
        let old = std::mem::replace(&mut ZONES.get()[at], Slot { seconds, zone });
        ffi::Py_XDECREF(old.zone);
        zone
    }
}
