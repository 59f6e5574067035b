//! The entries of a dict, where they lie.
//!
//! To be given them one by one by the interpreter takes longer than to write them. Where they lie is its own affair, and
//! has been the same since 3.11; so it is only believed of versions that are known, and only after it was tried.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyDictMethods};
use std::sync::atomic::{AtomicBool, Ordering};

/// An entry of a dict.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) key: *mut ffi::PyObject,
    /// Null where the entry was deleted.
    pub(super) value: *mut ffi::PyObject,
}

/// Those that are still to come, where they lie. They can't be read any more after code of the user's has run, unless it is
/// seen that the dict has others of its own nowhere else.
#[derive(Clone, Copy)]
pub(super) struct Pairs {
    next: *const Pair,
    end: *const Pair,
    /// From one to the next, in bytes.
    step: usize,
}

impl Pairs {
    /// The next one that was not deleted.
    ///
    /// # Safety
    /// No code of the user's has run since they were looked up, or they [are](Self::are_of) still those of the dict.
    #[inline(always)]
    pub(super) unsafe fn next(&mut self) -> Option<Pair> {
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

    /// Whether there may be keys that are no text.
    #[inline(always)]
    pub(super) fn of_any_keys(&self) -> bool {
        self.step != size_of::<Pair>()
    }

    /// Whether these are still the last of a dict's entries.
    ///
    /// # Safety
    /// The object is an instance of `dict`.
    #[inline(always)]
    pub(super) unsafe fn are_of(self, dict: *mut ffi::PyObject) -> bool {
        // SAFETY: as the caller says.
        unsafe { at(dict) }.is_some_and(|now| now.end == self.end && now.next <= self.next && now.step == self.step)
    }
}

/// What stands before the entries.
#[repr(C)]
struct Keys {
    references: isize,
    log2_size: u8,
    /// How many bytes the table of indices has, which stands between this and the entries.
    log2_index_bytes: u8,
    kind: u8,
    version: u32,
    usable: isize,
    /// How many entries there are, with the deleted ones.
    entries: isize,
}

/// The kind whose keys may be of any class: an entry begins with the key's hash. What was made for many entries is of
/// this kind, too, whatever its keys are.
const ANY: u8 = 0;
/// The kind of which all keys are of the class `str` itself.
const TEXT: u8 = 1;

/// Whether entries lie where they are looked for.
static KNOWN_LAYOUT: AtomicBool = AtomicBool::new(false);

/// The entries of a dict, with the deleted ones, if they are known to lie in one piece.
///
/// # Safety
/// The object is an instance of `dict`.
#[inline(always)]
pub(super) unsafe fn of(dict: *mut ffi::PyObject) -> Option<Pairs> {
    // SAFETY: as the caller says; the layout was tried.
    if KNOWN_LAYOUT.load(Ordering::Relaxed) { unsafe { at(dict) } } else { None }
}

/// # Safety
/// The object is an instance of `dict`, and the layout is this one.
#[inline(always)]
unsafe fn at(dict: *mut ffi::PyObject) -> Option<Pairs> {
    let dict = dict.cast::<ffi::PyDictObject>();
    // SAFETY: as the caller says. Values that lie apart are those of an instance's attributes.
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

/// Finds out whether the layout is the one that this was written for.
///
/// # Errors
/// None that can be helped.
pub(super) fn know_layout(py: Python<'_>) -> PyResult<()> {
    let written_for = cfg!(all(target_pointer_width = "64", Py_3_11, not(Py_3_15), not(Py_GIL_DISABLED)));
    // Few entries and many, where indices are of one byte and of two; with gaps; none; and what is of another kind.
    let mut known = written_for;
    for (len, gap) in [(0, 1), (1, 2), (5, 7), (6, 2), (100, 3), (150, 200), (1000, 7)] {
        let dict = PyDict::new(py);
        for index in 0..len {
            dict.set_item(format!("key {index}"), index)?;
        }
        for index in (0..len).step_by(gap).skip(1) {
            dict.del_item(format!("key {index}"))?;
        }
        // SAFETY: a dict, and one of a version that was looked at.
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
        // SAFETY: nothing of the user's runs.
        unsafe { pairs.next() }.is_some_and(|pair| (pair.key, pair.value) == (key.as_ptr(), value.as_ptr()))
    });
    // SAFETY: as above.
    told && unsafe { pairs.next() }.is_none()
}
