//! Entries of dicts, by their order or by their keys.

use super::Straight;
use crate::encode::{ObjectRef, Pairs, dict_class, entries_of, text_class};
use crate::object::{self, Object};
use crate::plan::Node;
use pyo3::ffi;

/// The entries of a dict whose keys are all exactly `str`.
pub(super) enum Entries {
    /// In the memory of the dict.
    Pairs(Pairs),
    Each(Each),
}

impl Entries {
    /// Returns the entries of a dict; `None` if its keys may be other than `str`.
    ///
    /// The object is a dict, and no user code runs.
    #[inline(always)]
    pub(super) fn of(dict: ObjectRef) -> Option<Self> {
        debug_assert!(dict.is_exactly(dict_class()));
        // SAFETY: a dict.
        match unsafe { entries_of(dict.as_ptr()) } {
            Some(pairs) if !pairs.of_any_keys() => Some(Self::Pairs(pairs)),
            _ => all_texts(dict).then(|| Self::Each(Each::of(dict))),
        }
    }

    /// Returns the next key and its value.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(ObjectRef, ObjectRef)> {
        match self {
            // SAFETY: no user code runs; the dict owns both.
            Self::Pairs(pairs) => unsafe {
                pairs.next().map(|pair| (ObjectRef::new(pair.key), ObjectRef::new(pair.value)))
            },
            Self::Each(each) => each.next(),
        }
    }
}

/// Looks a key up in a dict whose keys are all `str`.
#[inline(never)]
pub(super) fn found(dict: ObjectRef, key: &Object) -> Option<ObjectRef> {
    // SAFETY: a dict and a `str`, whose comparison with others runs no user code and raises nothing.
    let found = unsafe { ffi::PyDict_GetItemWithError(dict.as_ptr(), key.as_ptr()) };
    // SAFETY: as above.
    (!found.is_null()).then(|| unsafe { ObjectRef::new(found) })
}

/// Iterates over a dict by the interpreter's own function.
pub(super) struct Each {
    dict: ObjectRef,
    at: ffi::Py_ssize_t,
}

impl Each {
    fn of(dict: ObjectRef) -> Self {
        Self { dict, at: 0 }
    }

    fn next(&mut self) -> Option<(ObjectRef, ObjectRef)> {
        let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: a dict that nobody changes; it owns what is found.
        unsafe {
            if ffi::PyDict_Next(self.dict.as_ptr(), &raw mut self.at, &raw mut key, &raw mut value) == 0 {
                return None;
            }
            Some((ObjectRef::new(key), ObjectRef::new(value)))
        }
    }
}

/// Whether all keys of a dict are exactly `str`.
#[cold]
pub(super) fn all_texts(dict: ObjectRef) -> bool {
    let mut entries = Each::of(dict);
    while let Some((key, _)) = entries.next() {
        if !key.is_exactly(text_class()) {
            return false;
        }
    }
    true
}

/// Whether two texts are the same object, or equal ones in ASCII. Of other equal ones it does not know.
#[inline(always)]
pub(super) fn is_key(found: ObjectRef, key: *mut ffi::PyObject) -> bool {
    let found = found.as_ptr();
    if found == key {
        return true;
    }
    #[cfg(not(Py_3_14))]
    // SAFETY: both are live `str`, and in ASCII when their characters are compared.
    unsafe {
        ffi::PyUnicode_IS_COMPACT_ASCII(found) != 0
            && ffi::PyUnicode_IS_COMPACT_ASCII(key) != 0
            && crate::encode::ascii(found) == crate::encode::ascii(key)
    }
    #[cfg(Py_3_14)]
    false
}

impl<'e> Straight<'e, '_, '_> {
    /// Converts a dict with text keys; values are of one node.
    ///
    /// It is copied whole, which is a copy of its table, and only values that become other objects are set.
    #[inline(never)]
    pub(super) fn map(&mut self, node: &'e Node, value: ObjectRef) -> Option<Object> {
        if !value.is_exactly(dict_class()) {
            return None;
        }
        self.engine.descend().ok()?;
        // SAFETY: a dict.
        let dict = unsafe { ffi::PyDict_Copy(value.as_ptr()) };
        let dict = self.engine.made(dict).ok()?;
        let mut entries = Each::of(value);
        while let Some((key, value)) = entries.next() {
            let key = self.text(key)?;
            let made = self.value(node, value)?;
            if made.as_ptr() == value.as_ptr() {
                continue;
            }
            // SAFETY: a dict of our own, and live objects; the key is an exact `str`.
            if unsafe { ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), made.as_ptr()) } < 0 {
                drop(object::fetch());
                return None;
            }
        }
        Some(dict)
    }
}
