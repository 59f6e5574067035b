//! The values of attributes in the `__dict__` of an instance.
//!
//! An instance has its attributes inline until somebody asks for its `__dict__`, as `vars()`, `pickle` and other libraries
//! do. From then on they are in a dict: with the keys that all instances of the class share, or with its own.

use crate::encode::{Pairs, entries_of};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// How the values of some attributes are found in the dicts of a class's instances.
#[derive(Debug)]
pub(super) struct InstanceDict {
    /// The address of the keys that the dicts share; 0 if there is none.
    shared: usize,
    /// By name: the offset of its value from the first entry, in bytes, where the names come first and in this order.
    offsets: Box<[isize]>,
}

/// Where the values of an instance are.
#[derive(Debug)]
pub(super) enum Place {
    /// At the offsets of values, from here.
    Values(*const u8),
    /// At the [offsets](InstanceDict::offsets) of entries, from here.
    Entries(*const u8),
}

impl InstanceDict {
    /// Learns about dicts from a temporary instance of the class and its dict. `None` if they are not where they are
    /// expected.
    ///
    /// # Safety
    /// The GIL is held. The instance is of a class with a managed dict, and this is its dict.
    pub(super) unsafe fn of(probe: *mut ffi::PyObject, dict: *mut ffi::PyObject, names: usize) -> Option<Self> {
        // SAFETY: as the caller guarantees.
        let shared = unsafe {
            if dict_of(probe) != dict {
                return None;
            }
            let dict = dict.cast::<ffi::PyDictObject>();
            if (*dict).ma_values.is_null() { 0 } else { (*dict).ma_keys.addr() }
        };
        Some(Self { shared, offsets: (0..names).map(Pairs::value_offset).collect() })
    }

    /// Returns the offsets of values in entries.
    pub(super) fn offsets(&self) -> &[isize] {
        &self.offsets
    }

    /// Returns where the values of an instance with a dict are.
    ///
    /// # Safety
    /// The GIL is held, and the object is a live instance of the class.
    pub(super) unsafe fn place(&self, object: *mut ffi::PyObject, names: &[Py<PyString>]) -> Option<Place> {
        // SAFETY: as the caller guarantees. The instance keeps its dict alive until user code runs.
        unsafe {
            let dict = dict_of(object);
            if dict.is_null() {
                return None;
            }
            let fields = dict.cast::<ffi::PyDictObject>();
            if !(*fields).ma_values.is_null() {
                let is_shared = (*fields).ma_keys.addr() == self.shared;
                return is_shared.then_some(Place::Values((*fields).ma_values.cast_const().cast()));
            }
            let entries = entries_of(dict)?;
            let is_in_order = !entries.of_any_keys() && entries.begin_with(names.iter().map(Py::as_ptr));
            is_in_order.then_some(Place::Entries(entries.address()))
        }
    }
}

/// Returns the dict of an instance, or null if it has none.
///
/// # Safety
/// The object is a live instance of a class with a managed dict.
unsafe fn dict_of(object: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees. The layout is that of `pycore_object.h` in each version.
    let word = unsafe { *object.cast::<*mut ffi::PyObject>().sub(3) };
    // In Python 3.12, a pointer to values has its lowest bit set.
    if word.addr() & 1 == 1 { core::ptr::null_mut() } else { word }
}
