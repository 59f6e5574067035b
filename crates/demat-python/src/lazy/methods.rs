//! Methods of views: comparison, hash, repr, copy, pickle.

use super::class::ViewClass;
use super::class::{is_view_class, knowledge};
use super::layout::{INHERITED, OWNED};
use super::nested::look_into;
use super::{merge, open};
use crate::decode::DecodeOptions;
use crate::format;
use crate::plan::Role;
use crate::quick;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use std::ffi::c_int;

/// Compares with another instance of the user's class, view or not.
pub(super) unsafe extern "C" fn compare(
    one: *mut ffi::PyObject,
    other: *mut ffi::PyObject,
    how: c_int,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls this with live objects, the first a view, and with the GIL held.
    unsafe {
        called(|py| {
            let (one, other) = (Bound::from_borrowed_ptr(py, one), Bound::from_borrowed_ptr(py, other));
            let class = class(&one);
            let base = Bound::from_borrowed_ptr(py, class.base.cast());
            if how != ffi::Py_EQ && how != ffi::Py_NE {
                let name = ["__lt__", "__le__", "", "", "__gt__", "__ge__"][how.unsigned_abs() as usize];
                return base.getattr(name)?.call1((&one, &other));
            }
            let default = py.get_type::<PyAny>().getattr("__eq__")?;
            if !other.is_instance(&base)? || base.getattr("__eq__")?.is(&default) {
                if other.is(&one) {
                    return Ok((how == ffi::Py_EQ).into_pyobject(py)?.to_owned().into_any());
                }
                return Ok(py.NotImplemented().into_bound(py));
            }
            let same = look_into(py, || equal(&one, &other, class))?;
            Ok((same == (how == ffi::Py_EQ)).into_pyobject(py)?.to_owned().into_any())
        })
    }
}

fn equal(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>, class: &ViewClass) -> PyResult<bool> {
    if one.is(other) {
        return Ok(true);
    }
    let (plan, _) = class.planned();
    // Fields that the dataclass excludes from comparison are not compared here, either.
    let declared = one.getattr("__dataclass_fields__").ok();
    for write in plan.writes.iter().filter(|write| write.role != Role::Tag) {
        let name = write.name.bind(one.py());
        if let Some(declared) = &declared
            && let Ok(field) = declared.get_item(name)
            && !field.getattr("compare")?.is_truthy()?
        {
            continue;
        }
        if !one.getattr(name)?.eq(other.getattr(name)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Calls the hash function of the user's class.
pub(super) unsafe extern "C" fn hash(own: *mut ffi::PyObject) -> ffi::Py_hash_t {
    let mut found = -1;
    // SAFETY: as above.
    unsafe {
        called(|py| {
            let own = Bound::from_borrowed_ptr(py, own);
            let base: Bound<'_, PyAny> = Bound::from_borrowed_ptr(py, class(&own).base.cast());
            let hash = base.getattr("__hash__")?;
            if hash.is_none() {
                let name = base.getattr("__name__")?;
                return Err(PyTypeError::new_err(format!("unhashable type: '{name}'")));
            }
            let made: isize = look_into(py, || hash.call1((&own,))?.extract())?;
            found = made;
            Ok(own)
        });
    }
    found
}

/// Calls the `__repr__` of the user's class.
pub(super) unsafe extern "C" fn repr(own: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as above.
    unsafe {
        called(|py| {
            let own = Bound::from_borrowed_ptr(py, own);
            let base: Bound<'_, PyAny> = Bound::from_borrowed_ptr(py, class(&own).base.cast());
            look_into(py, || base.getattr("__repr__")?.call1((&own,)))
        })
    }
}

/// Creates an instance of the user's class rather than a view, which only decoding creates; `dataclasses.replace` needs
/// this.
pub(super) unsafe extern "C" fn new(
    class: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    named: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as above; the class is a view class.
    unsafe { ffi::PyObject_Call((*knowledge(class)).base.cast(), arguments, named) }
}

unsafe extern "C" fn reduce(own: *mut ffi::PyObject, _: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as above.
    unsafe {
        called(|py| {
            let own = Bound::from_borrowed_ptr(py, own);
            let base: Bound<'_, PyAny> = Bound::from_borrowed_ptr(py, class(&own).base.cast());
            let bytes = PyBytes::new(py, &merge::encoded(&own)?);
            let rebuild = py.import("demat._native")?.getattr("_rebuild_view")?;
            let format = class(&own).format.format().name();
            let view = merge::of(&own);
            let (depth, flags) = (*view.depth(), view.state().flags & INHERITED & !OWNED);
            Ok((rebuild, (base, bytes, format, depth, flags)).into_pyobject(py)?.into_any())
        })
    }
}

unsafe extern "C" fn deep_copy(own: *mut ffi::PyObject, _: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as above.
    unsafe {
        called(|py| {
            let own = Bound::from_borrowed_ptr(py, own);
            let bytes = PyBytes::new(py, &merge::encoded(&own)?);
            let (data, class) = (bytes.as_bytes(), class(&own));
            let view = merge::of(&own);
            let flags = view.state().flags & INHERITED & !OWNED;
            let depth = *view.depth();
            Bound::from_owned_ptr_or_err(py, open::view_of(class, bytes.as_ptr(), data, flags, depth))
        })
    }
}

unsafe extern "C" fn shallow_copy(own: *mut ffi::PyObject, _: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as above.
    unsafe { deep_copy(own, core::ptr::null_mut()) }
}

/// Returns the methods of view classes, with a terminator.
pub(super) fn table() -> Vec<ffi::PyMethodDef> {
    let method = |name: &'static core::ffi::CStr, function: ffi::PyCFunction, flags| ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: function },
        ml_flags: flags,
        ml_doc: core::ptr::null(),
    };
    vec![
        method(c"__reduce_ex__", reduce, ffi::METH_O),
        method(c"__copy__", shallow_copy, ffi::METH_NOARGS),
        method(c"__deepcopy__", deep_copy, ffi::METH_O),
        ffi::PyMethodDef::zeroed(),
    ]
}

/// Creates a view over copied bytes: for pickles and copies.
#[pyfunction]
#[pyo3(signature = (class, data, format = "proto", depth = None, flags = 0))]
pub(crate) fn _rebuild_view<'py>(
    class: &Bound<'py, PyType>,
    data: &Bound<'py, PyBytes>,
    format: &str,
    depth: Option<u32>,
    flags: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let plan = crate::plan::plan_of(class.as_any())?;
    let how = open::How::of(&DecodeOptions::new(format::find(format)?)).ok_or_else(|| super::no_views(format))?;
    let how = how.with(depth, flags & INHERITED & !OWNED);
    open::decode(class.py(), data.as_any(), Some(&plan), how)
}

fn class<'v>(view: &'v Bound<'_, PyAny>) -> &'v ViewClass {
    debug_assert!(is_view_class(view.get_type_ptr()));
    // SAFETY: the slots are those of view classes.
    unsafe { merge::of(view) }.class
}

/// Runs the body of a slot. Returns its result, or null with its exception.
///
/// # Safety
/// The GIL is held.
unsafe fn called<'py>(body: impl FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>>) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        quick::run(|| {
            Python::attach(|_| match body(Python::assume_attached()) {
                Ok(made) => Some(made.into_ptr()),
                Err(raised) => {
                    raised.restore(Python::assume_attached());
                    None
                }
            })
        })
    }
}
