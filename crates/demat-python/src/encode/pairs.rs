//! Iterates over the entries of a dict directly in its memory.
//!
//! Calling the interpreter for each entry takes longer than encoding it. The layout is an implementation detail that
//! has not changed since Python 3.11. It is only used for known versions, and after it was verified at startup.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyDictMethods};
use std::sync::atomic::{AtomicBool, Ordering};

/// An entry of a dict.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) key: *mut ffi::PyObject,
    /// Null if the entry was deleted.
    pub(crate) value: *mut ffi::PyObject,
}

/// The remaining entries. After user code has run, they must not be read before a check that they [are](Self::are_of)
/// still the dict's.
#[derive(Clone, Copy)]
pub(crate) struct Pairs {
    next: *const Pair,
    end: *const Pair,
    /// The size of an entry in bytes.
    step: usize,
}

impl Pairs {
    /// Returns the next entry that was not deleted.
    ///
    /// # Safety
    /// No user code has run since the lookup, or the entries [are](Self::are_of) still those of the dict.
    #[inline(always)]
    pub(crate) unsafe fn next(&mut self) -> Option<Pair> {
        while self.next != self.end {
            // SAFETY: it is before the end.
            let pair = unsafe { *self.next };
            // SAFETY: as above.
            self.next = unsafe { self.next.byte_add(self.step) };
            if !pair.value.is_null() {
                return Some(pair);
            }
        }
        None
    }

    /// Returns whether the next keys are these, with no deleted entry among them.
    ///
    /// # Safety
    /// As [`next`](Self::next).
    pub(crate) unsafe fn begin_with(mut self, keys: impl ExactSizeIterator<Item = *mut ffi::PyObject>) -> bool {
        let (begin, count) = (self.next.addr(), keys.len());
        for key in keys {
            // SAFETY: as the caller guarantees.
            if unsafe { self.next() }.is_none_or(|pair| pair.key != key) {
                return false;
            }
        }
        self.next.addr() - begin == count * self.step
    }

    /// Returns where the next entry is.
    pub(crate) fn address(&self) -> *const u8 {
        self.next.cast()
    }

    /// Returns the offset of a value from the first entry in bytes, of entries whose keys are `str`.
    pub(crate) fn value_offset(index: usize) -> isize {
        (index * size_of::<Pair>() + core::mem::offset_of!(Pair, value)).cast_signed()
    }

    /// Returns whether keys may be other than `str`.
    #[inline(always)]
    pub(crate) fn of_any_keys(&self) -> bool {
        self.step != size_of::<Pair>()
    }

    /// Returns whether these are still the last entries of the dict.
    ///
    /// # Safety
    /// The object is an instance of `dict`.
    #[inline(always)]
    pub(crate) unsafe fn are_of(self, dict: *mut ffi::PyObject) -> bool {
        // SAFETY: as the caller guarantees.
        unsafe { at(dict) }.is_some_and(|now| now.end == self.end && now.next <= self.next && now.step == self.step)
    }
}

/// The header of a dict's table of keys.
#[repr(C)]
struct Keys {
    references: isize,
    log2_size: u8,
    /// The binary logarithm of the size in bytes of the index table, which is between this header and the entries.
    log2_index_bytes: u8,
    kind: u8,
    version: u32,
    usable: isize,
    /// The number of entries, including deleted ones.
    entries: isize,
}

/// The kind for keys of any class: an entry begins with the key's hash. Dicts that were created for many entries are
/// also of this kind, whatever their keys are.
const ANY: u8 = 0;
/// The kind for keys whose class is exactly `str`.
const TEXT: u8 = 1;

/// Whether the layout is as expected here.
static KNOWN_LAYOUT: AtomicBool = AtomicBool::new(false);

/// Returns the entries of a dict, including deleted ones, if the layout is known.
///
/// # Safety
/// The object is an instance of `dict`.
#[inline(always)]
pub(crate) unsafe fn of(dict: *mut ffi::PyObject) -> Option<Pairs> {
    // SAFETY: as the caller guarantees; the layout was verified.
    if KNOWN_LAYOUT.load(Ordering::Relaxed) { unsafe { at(dict) } } else { None }
}

/// # Safety
/// The object is an instance of `dict`, and the layout is this one.
#[inline(always)]
unsafe fn at(dict: *mut ffi::PyObject) -> Option<Pairs> {
    let dict = dict.cast::<ffi::PyDictObject>();
    // SAFETY: as the caller guarantees. Dicts with separate values, those of instance attributes, are excluded.
    unsafe {
        let keys = (*dict).ma_keys.cast::<Keys>();
        let kind = (*keys).kind;
        if !(*dict).ma_values.is_null() || kind > TEXT {
            return None;
        }
        let hash = if kind == ANY { size_of::<ffi::Py_hash_t>() } else { 0 };
        let step = hash + size_of::<Pair>();
        let start = keys.add(1).byte_add(1 << (*keys).log2_index_bytes).byte_add(hash).cast::<Pair>();
        Some(Pairs { next: start, end: start.byte_add(step * (*keys).entries.cast_unsigned()), step })
    }
}

/// Verifies that the layout is the one expected here.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn know_layout(py: Python<'_>) -> PyResult<()> {
    let written_for = cfg!(all(target_pointer_width = "64", Py_3_11, not(Py_3_15), not(Py_GIL_DISABLED)));
    // Few entries and many, with indices of one byte and of two; with gaps; none; and of the other kind.
    let mut known = written_for;
    for (len, gap) in [(0, 1), (1, 2), (5, 7), (6, 2), (100, 3), (150, 200), (1000, 7)] {
        let dict = PyDict::new(py);
        for index in 0..len {
            dict.set_item(format!("key {index}"), index)?;
        }
        for index in (0..len).step_by(gap).skip(1) {
            dict.del_item(format!("key {index}"))?;
        }
        // SAFETY: a dict, of a version for which the layout is defined here.
        let own = |dict: &Bound<'_, PyDict>| unsafe { at(dict.as_ptr()) };
        known = known && own(&dict).is_some_and(|pairs| !pairs.of_any_keys() && is_what_is_in(&dict, pairs));
        dict.set_item(1, 1)?;
        known = known && own(&dict).is_some_and(|pairs| pairs.of_any_keys() && is_what_is_in(&dict, pairs));
    }
    KNOWN_LAYOUT.store(known, Ordering::Relaxed);
    Ok(())
}

fn is_what_is_in(dict: &Bound<'_, PyDict>, mut pairs: Pairs) -> bool {
    let told = dict.iter().all(|(key, value)| {
        // SAFETY: no user code runs.
        unsafe { pairs.next() }.is_some_and(|pair| (pair.key, pair.value) == (key.as_ptr(), value.as_ptr()))
    });
    // SAFETY: as above.
    told && unsafe { pairs.next() }.is_none()
}
