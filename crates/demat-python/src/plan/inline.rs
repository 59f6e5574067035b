//! Reads and stores the attributes of instances with a `__dict__` directly in their memory.
//!
//! Since Python 3.11, an instance stores its attributes in an array of values, and gets a dict only when one is
//! accessed. The class knows the index of each attribute, which is the same for all its instances. Looking an attribute
//! up by name takes ten times as long as reading it there. The memory layout is an implementation detail that differs
//! between versions. So it is only used for tested versions, and for a class after it was verified with instances of
//! it.
//!
//! If the value is not there (the attribute was deleted, the dict was accessed, the class was changed), the attribute
//! is looked up by name, and set by name.

use super::instance_dict::{InstanceDict, Place};
use crate::object::Object;
use core::cell::Cell;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use pyo3::{Borrowed, intern};

/// The positions of attributes in the instances of a class.
#[derive(Debug)]
pub(crate) struct Attributes {
    class: *mut ffi::PyTypeObject,
    /// The class's version number when the attributes were seen to be plain values. The interpreter assigns a new
    /// number after each change to the class, and never the same twice.
    seen: Cell<u32>,
    names: Box<[Py<PyString>]>,
    /// By name: the offset of its value from the first value, in bytes.
    offsets: Box<[isize]>,
    /// How the values are found in a dict, if that is known.
    dict: Option<InstanceDict>,
}

// SAFETY: only used with the GIL held; the plan that owns this keeps the class alive.
unsafe impl Send for Attributes {}
// SAFETY: as above.
unsafe impl Sync for Attributes {}

/// Whether the interpreter's version was tested.
const KNOWN: bool = cfg!(all(target_pointer_width = "64", Py_3_11, not(Py_3_14), not(Py_GIL_DISABLED)));
/// `Py_TPFLAGS_MANAGED_DICT`: the values, or a pointer to them, precede the instance.
const MANAGED_DICT: core::ffi::c_ulong = 1 << 4;
/// `Py_TPFLAGS_INLINE_VALUES`: the values follow the instance.
#[cfg(Py_3_13)]
const INLINE_VALUES: core::ffi::c_ulong = 1 << 2;

unsafe extern "C" {
    /// Looks a name up in a class and its bases. Returns a borrowed reference; null without an exception if there is
    /// none.
    fn _PyType_Lookup(class: *mut ffi::PyTypeObject, name: *mut ffi::PyObject) -> *mut ffi::PyObject;
}

impl Attributes {
    /// Determines the positions of the attributes with these names; `None` if that is not possible.
    pub(super) fn of(class: &Bound<'_, PyType>, names: &[Py<PyString>]) -> Option<Self> {
        let own = class.as_ptr().cast::<ffi::PyTypeObject>();
        // SAFETY: the class is alive.
        let suits = unsafe {
            KNOWN
                && ffi::PyType_HasFeature(own, MANAGED_DICT) != 0
                && ffi::PyType_HasFeature(own, ffi::Py_TPFLAGS_IS_ABSTRACT) == 0
                // The instance that is created here must be deallocated without running user code.
                && (*own).tp_finalize.is_none()
                && (*own).tp_del.is_none()
        };
        #[cfg(Py_3_13)]
        // SAFETY: as above.
        let suits = suits && unsafe { ffi::PyType_HasFeature(own, INLINE_VALUES) != 0 };
        // SAFETY: as above; the GIL is held.
        if !suits || names.is_empty() || !unsafe { is_plain(own, names) } {
            return None;
        }
        let offsets = learn(class, names).ok()??;
        let names = names.iter().map(|name| name.clone_ref(class.py())).collect();
        let mut attributes = Self { class: own, seen: Cell::new(0), names, offsets, dict: None };
        attributes.are_stored(class).ok()?.then_some(attributes)
    }

    /// Stores values in a temporary instance, and returns whether the interpreter finds them, in the same order.
    fn are_stored(&mut self, class: &Bound<'_, PyType>) -> PyResult<bool> {
        let py = class.py();
        let probe = blank(class)?;
        let mut values = Vec::with_capacity(self.names.len());
        // In another order than the class has, with one value that replaces another.
        for index in (0..self.names.len()).rev().chain([0]) {
            let value = pyo3::types::PyList::empty(py).into_any();
            // SAFETY: a live instance of the class.
            if unsafe { self.store(probe.as_ptr(), index, Object::of(&value)) }.is_some() {
                return Ok(false);
            }
            values.push((index, value));
        }
        values.swap_remove(self.names.len() - 1);
        let by_name = |index: usize| {
            // SAFETY: both are alive.
            let found = unsafe { ffi::PyObject_GenericGetAttr(probe.as_ptr(), self.names[index].as_ptr()) };
            // SAFETY: a new reference, or null with an exception.
            unsafe { Bound::from_owned_ptr_or_err(py, found) }
        };
        for (index, value) in &values {
            if !by_name(*index)?.is(value) {
                return Ok(false);
            }
        }
        // SAFETY: both are alive; the probe has a dict.
        let dict = unsafe {
            Bound::from_owned_ptr_or_err(py, ffi::PyObject_GenericGetDict(probe.as_ptr(), core::ptr::null_mut()))?
        };
        // SAFETY: the dict is the probe's.
        self.dict = unsafe { InstanceDict::of(probe.as_ptr(), dict.as_ptr(), self.names.len()) };
        let found: Vec<_> = dict.cast::<pyo3::types::PyDict>()?.iter().collect();
        Ok(found.len() == self.names.len()
            && found.iter().zip(self.names.iter().rev()).all(|((name, _), own)| name.is(own.bind(py)))
            && values.iter().all(|(index, value)| found[self.names.len() - 1 - index].1.is(value)))
    }

    /// Returns the first value of an object, which stays there until user code runs.
    ///
    /// # Safety
    /// The GIL is held, and the object is alive.
    #[inline(always)]
    unsafe fn values(&self, object: *mut ffi::PyObject) -> Option<*mut *mut ffi::PyObject> {
        // SAFETY: as the caller guarantees; the class is the one that was verified.
        unsafe { if self.are_plain(object) { first(object) } else { None } }
    }

    /// Returns where the values of an object are, and their offsets from there, by name. They stay there until user code
    /// runs. A value that is not set is null.
    ///
    /// # Safety
    /// The GIL is held, and the object is alive.
    #[inline(always)]
    pub(crate) unsafe fn place(&self, object: *mut ffi::PyObject) -> Option<(*const u8, &[isize])> {
        // SAFETY: as the caller guarantees; the class is the one that was verified.
        unsafe {
            if !self.are_plain(object) {
                return None;
            }
            match first(object) {
                Some(values) => Some((values.cast_const().cast(), &self.offsets)),
                None => self.place_in_dict(object),
            }
        }
    }

    /// As [`place`](Self::place), for an instance that has a dict.
    ///
    /// # Safety
    /// The GIL is held, and the object is a live instance of the class.
    #[inline(never)]
    unsafe fn place_in_dict(&self, object: *mut ffi::PyObject) -> Option<(*const u8, &[isize])> {
        let dict = self.dict.as_ref()?;
        // SAFETY: as the caller guarantees.
        match unsafe { dict.place(object, &self.names) }? {
            Place::Values(begin) => Some((begin, &self.offsets)),
            Place::Entries(begin) => Some((begin, dict.offsets())),
        }
    }

    /// Returns whether an object is of the class, and the class leaves the attributes to it.
    ///
    /// # Safety
    /// The GIL is held, and the object is alive.
    #[inline(always)]
    unsafe fn are_plain(&self, object: *mut ffi::PyObject) -> bool {
        // SAFETY: as the caller guarantees.
        unsafe {
            let class = ffi::Py_TYPE(object);
            if class != self.class {
                return false;
            }
            let version = (*class).tp_version_tag;
            version == self.seen.get() && version != 0 || self.look()
        }
    }

    /// Returns whether the class is looked at again before the place of its values is told, which may run user code.
    ///
    /// # Safety
    /// The GIL is held, and the object is alive.
    #[inline(always)]
    pub(crate) unsafe fn needs_look(&self, object: *mut ffi::PyObject) -> bool {
        // SAFETY: as the caller guarantees.
        unsafe { (*ffi::Py_TYPE(object)).tp_version_tag != self.seen.get() }
    }

    /// Returns the value of an attribute of an object; null if it must be looked up by name.
    ///
    /// # Safety
    /// As [`place`](Self::place).
    #[inline(always)]
    pub(crate) unsafe fn value(&self, object: *mut ffi::PyObject, index: usize) -> *mut ffi::PyObject {
        // SAFETY: as the caller guarantees; the offset is that of one of the values there.
        unsafe {
            self.place(object)
                .map_or(core::ptr::null_mut(), |(begin, offsets)| *begin.byte_offset(offsets[index]).cast())
        }
    }

    /// Stores the value of an attribute in an object. Returns the value if it must be set by name.
    ///
    /// # Safety
    /// As [`values`](Self::values).
    #[inline(always)]
    pub(crate) unsafe fn store(&self, object: *mut ffi::PyObject, index: usize, value: Object) -> Option<Object> {
        // SAFETY: as the caller guarantees; the offset is that of one of the class's values, which own their objects.
        // The names and their order are those of the class, so only the order of the instance is to be kept. The old
        // value is dropped last, as that may run user code.
        unsafe {
            let Some(first) = self.values(object) else { return Some(value) };
            let offset = self.offsets[index];
            let old = first.byte_offset(offset).replace(value.into_ptr());
            if old.is_null() {
                append_place(first, offset.cast_unsigned() / size_of::<*mut ffi::PyObject>());
            } else {
                drop(Object::owned(old));
            }
            None
        }
    }

    /// Returns whether attributes are plain values of the instance, not overridden by the class.
    #[cold]
    #[inline(never)]
    fn look(&self) -> bool {
        // SAFETY: callers hold the GIL; the class is alive.
        unsafe {
            let plain = is_plain(self.class, &self.names);
            // The lookup has assigned a version number to the class, if it had none.
            let version = (*self.class).tp_version_tag;
            self.seen.set(if plain { version } else { 0 });
            plain && version != 0
        }
    }
}

/// Returns whether the class leaves attributes with these names to its instances.
///
/// # Safety
/// The GIL is held, and the class is alive.
unsafe fn is_plain(class: *mut ffi::PyTypeObject, names: &[Py<PyString>]) -> bool {
    // SAFETY: as the caller guarantees; an object found in the class is borrowed, and its class is read at once.
    unsafe {
        let (own, usual) = ((*class).tp_getattro, ffi::PyBaseObject_Type.tp_getattro);
        own.zip(usual).is_some_and(|(own, usual)| core::ptr::fn_addr_eq(own, usual))
            && names.iter().all(|name| {
                let found = _PyType_Lookup(class, name.as_ptr());
                found.is_null() || (*ffi::Py_TYPE(found)).tp_descr_set.is_none()
            })
    }
}

/// Returns the first value of an object.
///
/// # Safety
/// The object is of a class with a managed dict, and from Python 3.13 on with inline values.
#[inline(always)]
unsafe fn first(object: *mut ffi::PyObject) -> Option<*mut *mut ffi::PyObject> {
    // SAFETY: as the caller guarantees. The layout is that of `Objects/dictobject.c` and `pycore_object.h` in each
    // version.
    unsafe {
        #[cfg(not(Py_3_12))]
        let values = *object.cast::<*mut *mut ffi::PyObject>().sub(4);
        // One word is either a pointer to a dict or, with its lowest bit set, a pointer to the values.
        #[cfg(all(Py_3_12, not(Py_3_13)))]
        let values = {
            let word = *object.cast::<*mut u8>().sub(3);
            if word.addr() & 1 == 1 { word.add(1).cast() } else { core::ptr::null_mut() }
        };
        // Four bytes: the capacity, the size, whether the values are embedded, and whether they are valid.
        #[cfg(Py_3_13)]
        let values: *mut *mut ffi::PyObject = {
            let head = object.cast::<u8>().byte_offset((*ffi::Py_TYPE(object)).tp_basicsize);
            if *head.add(3) == 1 { head.add(8).cast() } else { core::ptr::null_mut() }
        };
        (!values.is_null()).then_some(values)
    }
}

/// Returns the index of the value that was set last, after `count` attributes were set.
///
/// # Safety
/// The values are of an instance of which exactly `count` attributes were set.
unsafe fn place_of(values: *mut *mut ffi::PyObject, count: usize) -> usize {
    // SAFETY: as the caller guarantees. The interpreter records the order in which attributes were set, for a dict that
    // is created later.
    unsafe {
        #[cfg(not(Py_3_13))]
        let place = *values.cast::<u8>().sub(2 + count);
        #[cfg(Py_3_13)]
        let place = {
            let capacity = usize::from(*values.cast::<u8>().sub(8));
            *values.add(capacity).cast::<u8>().add(count - 1)
        };
        usize::from(place)
    }
}

/// Records that the value with an index was set last.
///
/// # Safety
/// The values are of an instance, and the value with this index was not set before.
#[inline(always)]
unsafe fn append_place(values: *mut *mut ffi::PyObject, index: usize) {
    // SAFETY: as the caller guarantees. The memory for the order has a place for each value.
    unsafe {
        #[cfg(not(Py_3_13))]
        {
            let size = values.cast::<u8>().sub(2);
            let count = *size + 1;
            size.sub(usize::from(count)).write(index as u8);
            size.write(count);
        }
        #[cfg(Py_3_13)]
        {
            let head = values.cast::<u8>().sub(8);
            let (capacity, size) = (usize::from(*head), *head.add(1));
            values.add(capacity).cast::<u8>().add(usize::from(size)).write(index as u8);
            head.add(1).write(size + 1);
        }
    }
}

/// Returns an instance without attributes.
///
/// # Errors
/// `TypeError` if a base in C has to make its own part of the instance: `object.__new__` refuses such classes.
fn blank<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    // SAFETY: a live class, as long as the interpreter.
    let object = unsafe { Borrowed::from_ptr(py, (&raw mut ffi::PyBaseObject_Type).cast()) };
    object.call_method1(intern!(py, "__new__"), (class,))
}

/// Sets the attributes of a temporary instance, and determines their positions.
fn learn(class: &Bound<'_, PyType>, names: &[Py<PyString>]) -> PyResult<Option<Box<[isize]>>> {
    let py = class.py();
    let probe = blank(class)?;
    let mut offsets = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        // A new object, so that its address identifies it.
        let value = pyo3::types::PyList::empty(py);
        // SAFETY: both are alive; no name is that of a data descriptor, so no user code runs.
        if unsafe { ffi::PyObject_GenericSetAttr(probe.as_ptr(), name.as_ptr(), value.as_ptr()) } != 0 {
            return Err(PyErr::fetch(py));
        }
        // SAFETY: the class was checked to have such values.
        let Some(values) = (unsafe { first(probe.as_ptr()) }) else { return Ok(None) };
        // SAFETY: `index + 1` different attributes were set.
        let place = unsafe { place_of(values, index + 1) };
        // A class shares at most this many names among its instances.
        if place >= 30 {
            return Ok(None);
        }
        // SAFETY: it is the index of a value.
        if unsafe { *values.add(place) } != value.as_ptr() {
            return Ok(None);
        }
        offsets.push((place * size_of::<*mut ffi::PyObject>()).cast_signed());
    }
    Ok(Some(offsets.into()))
}
