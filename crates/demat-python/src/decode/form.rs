//! A template dict, and the positions of the values in the memory of its copies.
//!
//! Python's C API can't create a dict from arrays of keys and values, and inserting them one by one looks up each key.
//! But a copy of a dict has the same memory layout. A dict with known values reveals their positions: these are
//! searched once, and the values of each copy are written there directly.

use crate::object::{self, Object};
use pyo3::ffi;
use pyo3::prelude::*;

/// A template dict, with each key also as its value.
#[derive(Debug)]
pub(crate) struct Form {
    dict: Object,
    /// The keys in their order. The dict owns them, so their addresses stay valid and identify them.
    keys: Box<[*mut ffi::PyObject]>,
    /// The offset in bytes of the first key in the dict's table. Keys and values alternate from there.
    first: usize,
}

impl Form {
    /// Creates the template from alternating keys and values. Returns `None` if a key comes twice, or if the
    /// interpreter does not lay out dicts as expected here.
    #[cold]
    #[inline(never)]
    pub(crate) fn of(entries: &[Object]) -> Option<Self> {
        let keys: Box<[_]> = entries.chunks_exact(2).map(|entry| entry[0].as_ptr()).collect();
        // SAFETY: the GIL is held; a dict of our own, and live objects. Creating a dict of `str` keys runs no other
        // code except, if a hook has enabled it, the collector, which does not call this.
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
            // Copies it once to verify the layout: all copies have the same one, as it depends on the dict alone.
            let copy = Object::new(ffi::PyDict_Copy(dict.as_ptr())).ok()?;
            let first = entries_at(&dict, &keys)?;
            (table(copy.as_ptr()) != table(dict.as_ptr()) && entries_at(&copy, &keys)? == first).then_some(Self {
                dict,
                keys,
                first,
            })
        }
    }

    /// Returns whether these entries have exactly the template's keys.
    #[inline(always)]
    pub(super) fn is_of(&self, entries: &[Object]) -> bool {
        self.keys.len() * 2 == entries.len()
            && self.keys.iter().zip(entries.chunks_exact(2)).all(|(key, entry)| *key == entry[0].as_ptr())
    }

    /// Returns a new dict, in which each value is still its key. `None` if memory runs out.
    #[inline(always)]
    pub(crate) fn copy(&self) -> Option<Filling> {
        // SAFETY: the GIL is held, and the template is a live dict.
        let dict = Object::new(unsafe { ffi::PyDict_Copy(self.dict.as_ptr()) });
        let Ok(dict) = dict else {
            drop(object::fetch());
            return None;
        };
        // SAFETY: `first` is where a copy's entries were found.
        let values = unsafe { table(dict.as_ptr()).add(self.first).cast::<*mut ffi::PyObject>().add(1) };
        Some(Filling { dict, values, len: self.keys.len(), tracked: false })
    }

    /// Returns what is needed to create a dict with these keys, even if the template is dropped meanwhile.
    #[inline(always)]
    pub(super) fn blank(&self) -> Blank {
        Blank { dict: self.dict.clone(), first: self.first }
    }
}

/// A dict that gets its values one by one.
pub(crate) struct Filling {
    dict: Object,
    /// Where the first value is; between two of them is a key.
    values: *mut *mut ffi::PyObject,
    len: usize,
    tracked: bool,
}

impl Filling {
    /// Sets the value of the key with this index.
    #[inline(always)]
    pub(crate) fn set(&mut self, index: usize, value: Object) {
        debug_assert!(index < self.len);
        // SAFETY: the table belongs to this copy alone, and no other code has seen it. What is replaced is a key, which the
        // template owns as well, or a value that the caller has set. The class of a live object is alive.
        unsafe {
            self.tracked |= ffi::PyType_HasFeature(ffi::Py_TYPE(value.as_ptr()), ffi::Py_TPFLAGS_HAVE_GC) != 0;
            let old = self.values.add(2 * index).replace(value.into_ptr());
            drop(Object::owned(old));
        }
    }

    /// Returns the dict.
    #[inline(always)]
    pub(crate) fn done(self) -> Object {
        // SAFETY: a live dict.
        unsafe {
            if self.tracked && ffi::PyObject_GC_IsTracked(self.dict.as_ptr()) == 0 {
                ffi::PyObject_GC_Track(self.dict.as_ptr().cast());
            }
        }
        self.dict
    }
}

/// A template to copy and fill.
pub(super) struct Blank {
    dict: Object,
    first: usize,
}

impl Blank {
    /// Builds a dict of these keys and values, and takes over their references. Returns `None` and takes nothing if
    /// memory runs out.
    ///
    /// # Safety
    /// The GIL is held. `entries` are owned references to live objects, alternating keys and values, and the keys are
    /// the template's, in its order. If a dict is returned, the caller no longer owns them.
    #[inline(always)]
    pub(super) unsafe fn filled(self, entries: &[Object], tracked: bool) -> Option<Object> {
        // SAFETY: a dict of our own. `first` is where a copy's entries were found, and the table belongs to this copy
        // alone. No other code has seen the copy yet, so writing to it changes nothing that others rely on.
        unsafe {
            let copy = ffi::PyDict_Copy(self.dict.as_ptr());
            if copy.is_null() {
                drop(object::fetch()); // the caller falls back to inserting key by key, which reports it
                return None;
            }
            let mut place = table(copy).add(self.first).cast::<*mut ffi::PyObject>();
            for entry in entries.chunks_exact(2) {
                let key = entry[0].as_ptr();
                debug_assert!(*place == key && *place.add(1) == key);
                place.add(1).write(entry[1].as_ptr());
                // Drops the copy's reference to the key in the value's slot, and the caller's.
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

/// Returns the memory in which a dict keeps its keys and values.
///
/// # Safety
/// `dict` must be a live dict.
#[inline(always)]
unsafe fn table(dict: *mut ffi::PyObject) -> *mut u8 {
    // SAFETY: as the caller guarantees; the field is declared in the interpreter's headers.
    unsafe { (*dict.cast::<ffi::PyDictObject>()).ma_keys.cast() }
}

/// Returns the offset in bytes of these keys in a dict's table, if they are adjacent, each with itself as value.
///
/// The rest of the table is internal to the interpreter and differs between versions. So the search covers the whole
/// size that the dict reports.
///
/// # Safety
/// The GIL is held.
unsafe fn entries_at(dict: &Object, keys: &[*mut ffi::PyObject]) -> Option<usize> {
    // SAFETY: a live dict, whose `__sizeof__` is the interpreter's own: the sizes of the object and of its table.
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
    // SAFETY: within the table's size, as the dict reports it.
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
