//! Dicts with the same keys in the same order as another one had.
//!
//! A dict that grows key by key is laid out anew at 6 keys, 11, 22 and so on. Of records that are alike, the second one and
//! all later begin as a copy of an empty form, laid out once, in which values only need to be put.

use crate::object::Object;
use pyo3::ffi;

/// The forms that were met lately.
pub(super) struct Alike {
    slots: [Slot; SLOTS],
}

#[derive(Default)]
struct Slot {
    /// A digest of the keys that were met here last: a form is made of keys that come twice.
    met: usize,
    /// A dict of the keys, each with `None`, and the keys in their order.
    form: Option<(Object, Box<[usize]>)>,
}

const SLOTS: usize = 64;
/// More are hardly those of a record.
const MANY: usize = 256;

impl Alike {
    /// So many keys fit a dict as it is made.
    pub(super) const FEW: usize = 5;

    pub(super) fn new() -> Self {
        Self { slots: std::array::from_fn(|_| Slot::default()) }
    }

    /// A dict with these keys (and values, by turns), which has them already with values that are to be replaced; none
    /// where no form of it is known, or it would not pay.
    pub(super) fn dict(&mut self, entries: &[Object], count: usize) -> Option<Object> {
        if count > MANY {
            return None;
        }
        let address = |index: usize| entries[2 * index].as_ptr() as usize;
        let digest = (address(0) ^ address(count / 2).rotate_left(20) ^ address(count - 1).rotate_left(40))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(count);
        let slot = &mut self.slots[digest >> 32 & (SLOTS - 1)];
        if slot.met != digest {
            *slot = Slot { met: digest, form: None };
            return None;
        }
        if slot.form.is_none() {
            slot.form = form(entries);
        }
        let (form, keys) = slot.form.as_ref()?;
        // Objects that a form holds are alive, so that an address is that of the same key.
        if keys.len() != count || (0..count).any(|index| keys[index] != address(index)) {
            return None;
        }
        // SAFETY: a dict of our own.
        let copy = unsafe { ffi::PyDict_Copy(form.as_ptr()) };
        if copy.is_null() {
            drop(crate::object::fetch()); // it is tried the other way, which will say so as well
            return None;
        }
        // SAFETY: a new reference, and not null.
        Some(unsafe { Object::owned(copy) })
    }
}

/// The form of these keys; none where one comes twice.
#[cold]
fn form(entries: &[Object]) -> Option<(Object, Box<[usize]>)> {
    // SAFETY: the GIL is held; living objects, keys that are exact text.
    unsafe {
        let form = Object::new(ffi::PyDict_New()).ok()?;
        for entry in entries.chunks_exact(2) {
            if ffi::PyDict_SetItem(form.as_ptr(), entry[0].as_ptr(), ffi::Py_None()) < 0 {
                drop(crate::object::fetch());
                return None;
            }
        }
        let keys: Box<[usize]> = entries.chunks_exact(2).map(|entry| entry[0].as_ptr() as usize).collect();
        (ffi::PyDict_Size(form.as_ptr()) as usize == keys.len()).then_some((form, keys))
    }
}
