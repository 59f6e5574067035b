//! The attributes of instances that have a `__dict__`, where they lie.
//!
//! Since 3.11 an instance keeps its attributes in a row of values, and has no dict before somebody asks for it; which value
//! stands where its class knows, for all of its instances. To ask for an attribute by its name takes ten times as long as
//! to look there. Where the values are is the interpreter's own affair and differs by version; so it is only believed of
//! versions that were tried, and of a class after it was tried with an instance of that class.
//!
//! Where what is looked for is not there (an attribute was deleted, the dict was asked for, the class was changed), it is
//! asked for by its name, as ever.

use core::cell::Cell;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

/// Where the attributes of a class's instances are.
#[derive(Debug)]
pub(crate) struct Attributes {
    class: *mut ffi::PyTypeObject,
    /// The class's number when it was seen that nothing stands between an attribute and its value. The interpreter gives it
    /// another one after any change to it, and none twice.
    seen: Cell<u32>,
    names: Box<[Py<PyString>]>,
    /// Of each name, how many bytes from the first value its value is.
    offsets: Box<[isize]>,
}

// SAFETY: it is used with the GIL held; the class is kept alive by the plan that this belongs to.
unsafe impl Send for Attributes {}
// SAFETY: as above.
unsafe impl Sync for Attributes {}

/// Whether the interpreter is one of those that this was tried with.
const KNOWN: bool = cfg!(all(target_pointer_width = "64", Py_3_11, not(Py_3_14), not(Py_GIL_DISABLED)));
/// `Py_TPFLAGS_MANAGED_DICT`: values stand before the instance, or are told of there.
const MANAGED_DICT: core::ffi::c_ulong = 1 << 4;
/// `Py_TPFLAGS_INLINE_VALUES`: values stand behind the instance.
#[cfg(Py_3_13)]
const INLINE_VALUES: core::ffi::c_ulong = 1 << 2;

unsafe extern "C" {
    /// What a class or one of its bases has under a name, borrowed; null without an exception where there is nothing.
    fn _PyType_Lookup(class: *mut ffi::PyTypeObject, name: *mut ffi::PyObject) -> *mut ffi::PyObject;
}

impl Attributes {
    /// Finds out where the attributes of these names are; nothing where that can't be known.
    pub(super) fn of(class: &Bound<'_, PyType>, names: &[Py<PyString>]) -> Option<Self> {
        let own = class.as_ptr().cast::<ffi::PyTypeObject>();
        // SAFETY: the class lives.
        let suits = unsafe {
            KNOWN
                && ffi::PyType_HasFeature(own, MANAGED_DICT) != 0
                && ffi::PyType_HasFeature(own, ffi::Py_TPFLAGS_IS_ABSTRACT) == 0
                // What is made here must go without anybody's notice.
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
        Some(Self { class: own, seen: Cell::new(0), names, offsets })
    }

    /// Where the first value of an object is, as long as nothing of the user's runs.
    ///
    /// # Safety
    /// The GIL is held, and the object lives.
    #[inline(always)]
    pub(crate) unsafe fn values(&self, object: *mut ffi::PyObject) -> Option<*mut *mut ffi::PyObject> {
        // SAFETY: as the caller says; the class is the one that was tried.
        unsafe {
            let class = ffi::Py_TYPE(object);
            if class != self.class {
                return None;
            }
            let version = (*class).tp_version_tag;
            if (version != self.seen.get() || version == 0) && !self.look() {
                return None;
            }
            first(object)
        }
    }

    /// The value of an attribute of an object; null where it has to be asked for by its name.
    ///
    /// # Safety
    /// As [`values`](Self::values).
    #[inline(always)]
    pub(crate) unsafe fn value(&self, object: *mut ffi::PyObject, index: usize) -> *mut ffi::PyObject {
        // SAFETY: as the caller says; the offset is one of the class's values.
        unsafe { self.values(object).map_or(core::ptr::null_mut(), |first| *first.byte_offset(self.offsets[index])) }
    }

    /// Of each attribute, how many bytes from the first value its value is.
    #[inline(always)]
    pub(crate) fn offsets(&self) -> &[isize] {
        &self.offsets
    }

    /// Looks whether an instance's own value is what its attribute is: nothing that the class has comes first.
    #[cold]
    #[inline(never)]
    fn look(&self) -> bool {
        // SAFETY: the GIL is held by whoever reads attributes; the class lives.
        unsafe {
            let plain = is_plain(self.class, &self.names);
            // Looking has given the class its number, if it had none.
            let version = (*self.class).tp_version_tag;
            self.seen.set(if plain { version } else { 0 });
            plain && version != 0
        }
    }
}

/// Whether attributes of these names are what instances have of them.
///
/// # Safety
/// The GIL is held, and the class lives.
unsafe fn is_plain(class: *mut ffi::PyTypeObject, names: &[Py<PyString>]) -> bool {
    // SAFETY: as the caller says; what is found in the class is borrowed, and its class looked at at once.
    unsafe {
        let (own, usual) = ((*class).tp_getattro, ffi::PyBaseObject_Type.tp_getattro);
        own.zip(usual).is_some_and(|(own, usual)| core::ptr::fn_addr_eq(own, usual))
            && names.iter().all(|name| {
                let found = _PyType_Lookup(class, name.as_ptr());
                found.is_null() || (*ffi::Py_TYPE(found)).tp_descr_set.is_none()
            })
    }
}

/// Where the first value of an object is.
///
/// # Safety
/// The object is of a class with a managed dict, and of 3.13 with inline values.
#[inline(always)]
unsafe fn first(object: *mut ffi::PyObject) -> Option<*mut *mut ffi::PyObject> {
    // SAFETY: as the caller says: so it is in `Objects/dictobject.c` and `pycore_object.h` of each version.
    unsafe {
        #[cfg(not(Py_3_12))]
        let values = *object.cast::<*mut *mut ffi::PyObject>().sub(4);
        // One word is either a dict or, one byte before them, values.
        #[cfg(all(Py_3_12, not(Py_3_13)))]
        let values = {
            let word = *object.cast::<*mut u8>().sub(3);
            if word.addr() & 1 == 1 { word.add(1).cast() } else { core::ptr::null_mut() }
        };
        // Four bytes say how many there may be, how many there are, where they belong, and whether they are good.
        #[cfg(Py_3_13)]
        let values: *mut *mut ffi::PyObject = {
            let head = object.cast::<u8>().byte_offset((*ffi::Py_TYPE(object)).tp_basicsize);
            if *head.add(3) == 1 { head.add(8).cast() } else { core::ptr::null_mut() }
        };
        (!values.is_null()).then_some(values)
    }
}

/// Which value was set as the last of so many.
///
/// # Safety
/// The values are of an instance of which so many attributes were set.
unsafe fn place_of(values: *mut *mut ffi::PyObject, count: usize) -> usize {
    // SAFETY: as the caller says; the interpreter remembers in which order attributes were set, so that a dict that is asked
    // for later has that order.
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

/// Sets the attributes of an instance that nobody has seen, and looks where they are.
fn learn(class: &Bound<'_, PyType>, names: &[Py<PyString>]) -> PyResult<Option<Box<[isize]>>> {
    let py = class.py();
    let none = PyTuple::empty(py);
    // SAFETY: `object` makes instances of the class, or says that it does not; the result is owned.
    let probe = unsafe {
        let new =
            ffi::PyBaseObject_Type.tp_new.map(|new| new(class.as_ptr().cast(), none.as_ptr(), core::ptr::null_mut()));
        Bound::from_owned_ptr_or_err(py, new.unwrap_or_default())?
    };
    let mut offsets = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        // There is but one of it.
        let value = pyo3::types::PyList::empty(py);
        // SAFETY: both live; no name is that of a data descriptor, so nothing of the user's runs.
        if unsafe { ffi::PyObject_GenericSetAttr(probe.as_ptr(), name.as_ptr(), value.as_ptr()) } != 0 {
            return Err(PyErr::fetch(py));
        }
        // SAFETY: the class was seen to be one of those.
        let Some(values) = (unsafe { first(probe.as_ptr()) }) else { return Ok(None) };
        // SAFETY: so many attributes were set, each another one.
        let place = unsafe { place_of(values, index + 1) };
        // No class shares more names than that among its instances.
        if place >= 30 {
            return Ok(None);
        }
        // SAFETY: it is the place of a value.
        if unsafe { *values.add(place) } != value.as_ptr() {
            return Ok(None);
        }
        offsets.push((place * size_of::<*mut ffi::PyObject>()).cast_signed());
    }
    Ok(Some(offsets.into()))
}
