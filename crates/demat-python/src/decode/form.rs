//! A dict to copy, and where in a copy's memory the values belong.
//!
//! The interpreter has no way to say "a dict of these keys and those values", and its own way to put one value after the
//! other looks for each key. But a copy of a dict is laid out as the dict is, and one whose values are known shows where
//! they stand: that is looked for once, and each copy's values are put straight there.

use crate::object::{self, Object};
use pyo3::ffi;
use pyo3::prelude::*;

/// A dict of keys, each with itself as value.
pub(super) struct Form {
    dict: Object,
    /// The keys in their order. The dict holds them, so that an address is that of the same key for as long as this lives.
    keys: Box<[*mut ffi::PyObject]>,
    /// How far behind the start of its table the first key stands. The other keys and values follow by turns.
    first: usize,
}

impl Form {
    /// The form of these keys, which have values between them. None where a key comes twice, or where the interpreter
    /// does not lay out dicts as is expected here.
    #[cold]
    #[inline(never)]
    pub(super) fn of(entries: &[Object]) -> Option<Self> {
        let keys: Box<[_]> = entries.chunks_exact(2).map(|entry| entry[0].as_ptr()).collect();
        // SAFETY: the GIL is held; a dict of our own, and living objects. Making a dict of text runs no other code but,
        // where a hook has turned it on, the collector's, which does not come here.
        unsafe {
            let dict = Object::new(ffi::PyDict_New()).ok()?;
            for &key in &keys {
                if ffi::PyDict_SetItem(dict.as_ptr(), key, key) < 0 {
                    drop(object::fetch());
                    return None;
                }
            }
            if ffi::PyDict_Size(dict.as_ptr()) as usize != keys.len() {
                return None;
            }
            // Once copied, as it will be each time: what a copy is like depends on the dict alone.
            let copy = Object::new(ffi::PyDict_Copy(dict.as_ptr())).ok()?;
            let first = entries_at(&dict, &keys)?;
            (table(copy.as_ptr()) != table(dict.as_ptr()) && entries_at(&copy, &keys)? == first).then_some(Self {
                dict,
                keys,
                first,
            })
        }
    }

    /// Whether the keys among these are its own.
    #[inline(always)]
    pub(super) fn is_of(&self, entries: &[Object]) -> bool {
        self.keys.len() * 2 == entries.len()
            && self.keys.iter().zip(entries.chunks_exact(2)).all(|(key, entry)| *key == entry[0].as_ptr())
    }

    /// What it takes to make a dict of these keys, whatever becomes of the form.
    #[inline(always)]
    pub(super) fn blank(&self) -> Blank {
        Blank { dict: self.dict.clone(), first: self.first }
    }
}

/// A dict that is yet to be copied and filled.
pub(super) struct Blank {
    dict: Object,
    first: usize,
}

impl Blank {
    /// A dict of these keys and values, which go over to it; none, and nothing is taken, where memory is out.
    ///
    /// # Safety
    /// The GIL is held. `entries` are owned references to living objects, keys and values by turns, and the keys are the
    /// form's own, in its order; if a dict comes back, they are owned no more.
    #[inline(always)]
    pub(super) unsafe fn filled(self, entries: &[Object], tracked: bool) -> Option<Object> {
        // SAFETY: a dict of our own; `first` and what follows is where a copy's entries were found, in a table that is
        // this one's alone. Nobody has seen the copy yet, so that to write there changes nothing that anybody knows.
        unsafe {
            let copy = ffi::PyDict_Copy(self.dict.as_ptr());
            if copy.is_null() {
                drop(object::fetch()); // it is tried the other way, which will say so as well
                return None;
            }
            let mut place = table(copy).add(self.first).cast::<*mut ffi::PyObject>();
            for entry in entries.chunks_exact(2) {
                let key = entry[0].as_ptr();
                debug_assert!(*place == key && *place.add(1) == key);
                place.add(1).write(entry[1].as_ptr());
                // The reference that the copy had in place of the value, and the caller's.
                ffi::Py_DECREF(key);
                ffi::Py_DECREF(key);
                place = place.add(2);
            }
            if tracked && ffi::PyObject_GC_IsTracked(copy) == 0 {
                ffi::PyObject_GC_Track(copy.cast());
            }
            Some(Object::owned(copy))
        }
    }
}

/// The memory that a dict keeps its keys and values in.
///
/// # Safety
/// A living dict.
#[inline(always)]
unsafe fn table(dict: *mut ffi::PyObject) -> *mut u8 {
    // SAFETY: as the caller says; the field is one of those that the interpreter's headers show.
    unsafe { (*dict.cast::<ffi::PyDictObject>()).ma_keys.cast() }
}

/// How far behind the start of a dict's table these keys stand, one behind the other, each with itself as value.
///
/// What else is in a table is the interpreter's own affair, and differs from version to version. So it is looked for
/// within the size that the dict says it has.
///
/// # Safety
/// The GIL is held.
unsafe fn entries_at(dict: &Object, keys: &[*mut ffi::PyObject]) -> Option<usize> {
    // SAFETY: a living dict, whose `__sizeof__` is the interpreter's own: that of the object itself, and of its table.
    let (size, table) = unsafe {
        let py = Python::assume_attached();
        let all: usize = dict.clone().into_bound(py).call_method0("__sizeof__").ok()?.extract().ok()?;
        let own = (*ffi::Py_TYPE(dict.as_ptr())).tp_basicsize as usize;
        (all.checked_sub(own)?, table(dict.as_ptr()))
    };
    const WORD: usize = size_of::<usize>();
    if table.is_null() || table.align_offset(WORD) != 0 {
        return None;
    }
    // SAFETY: so many bytes are the table's, as the dict says.
    let word = |index: usize| unsafe { table.cast::<usize>().add(index).read() };
    let last = (size / WORD).checked_sub(2 * keys.len())?;
    let stands = |at: &usize| {
        keys.iter().enumerate().all(|(index, key)| {
            let at = at + 2 * index;
            word(at) == *key as usize && word(at + 1) == *key as usize
        })
    };
    (0..=last).find(stands).map(|at| at * WORD)
}
