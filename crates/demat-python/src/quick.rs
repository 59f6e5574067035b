//! Fast paths for methods on small messages: functions that the interpreter calls without PyO3's overhead.
//!
//! Tracking attachment, parsing arguments and checking the class of `self` take a good part of the time for a message
//! of some fifty bytes. So the usual call (one or two positional arguments) goes to a function of its own. That
//! replaces PyO3's method, and forwards any other call to it.

use crate::error;
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Replaces a method of a class by one with exactly one argument.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn of_one(class: &Bound<'_, PyType>, name: &str, function: ffi::PyCFunction) -> PyResult<()> {
    replace(class, name, ffi::PyMethodDefPointer { PyCFunction: function }, ffi::METH_O).map(drop)
}

/// Replaces a method of a class by one that takes an array of arguments. Returns the original method.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn of_many(
    class: &Bound<'_, PyType>,
    name: &str,
    function: ffi::PyCFunctionFastWithKeywords,
) -> PyResult<Py<PyAny>> {
    let pointer = ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: function };
    replace(class, name, pointer, ffi::METH_FASTCALL | ffi::METH_KEYWORDS)
}

/// Replaces a method of a class by one without arguments. Returns the original method.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn of_none(class: &Bound<'_, PyType>, name: &str, function: ffi::PyCFunction) -> PyResult<Py<PyAny>> {
    replace(class, name, ffi::PyMethodDefPointer { PyCFunction: function }, ffi::METH_NOARGS)
}

fn replace(
    class: &Bound<'_, PyType>,
    name: &str,
    ml_meth: ffi::PyMethodDefPointer,
    ml_flags: core::ffi::c_int,
) -> PyResult<Py<PyAny>> {
    let usual = class.getattr(name)?;
    // SAFETY: a static of the interpreter, which is only compared with.
    let is_method = unsafe { ffi::Py_TYPE(usual.as_ptr()) == &raw mut ffi::PyMethodDescr_Type };
    if !is_method {
        return Err(PyRuntimeError::new_err("a method that is to be replaced is none"));
    }
    // SAFETY: it is a method, and its definition lives as long as the module. The new definition is never freed; the
    // function has the signature that the flags demand, as the callers' types ensure.
    let method = unsafe {
        let old = (*usual.as_ptr().cast::<ffi::PyMethodDescrObject>()).d_method;
        let (ml_name, ml_doc) = ((*old).ml_name, (*old).ml_doc);
        let new = Box::leak(Box::new(ffi::PyMethodDef { ml_name, ml_meth, ml_flags, ml_doc }));
        let method = ffi::PyDescr_NewMethod(class.as_ptr().cast(), new);
        Bound::from_owned_ptr_or_err(class.py(), method)?
    };
    class.setattr(name, method)?;
    Ok(usual.unbind())
}

/// Runs the body of such a function. Returns its result, or null with an exception.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub(crate) unsafe fn run(body: impl FnOnce() -> Option<*mut ffi::PyObject>) -> *mut ffi::PyObject {
    // A panic must not unwind into C. Borrowed data is not used after one.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(made) => made.unwrap_or(core::ptr::null_mut()),
        Err(panic) => {
            raise(|py| error::exception_for(py, &demat_core::panicked(&*panic)));
            core::ptr::null_mut()
        }
    }
}

/// Sets the exception that `make` returns. It may use all of PyO3.
#[cold]
#[inline(never)]
pub(crate) fn raise(make: impl FnOnce(Python<'_>) -> PyErr) {
    Python::attach(|py| make(py).restore(py));
}

/// Calls PyO3's method with the same arguments.
///
/// # Safety
/// The arguments are those with which a function of [`of_many`] was called.
#[cold]
#[inline(never)]
pub(crate) unsafe fn call_usual(
    usual: Option<&Py<PyAny>>,
    own: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let Some(usual) = usual else {
        raise(|_| PyRuntimeError::new_err("the module is not complete"));
        return core::ptr::null_mut();
    };
    // SAFETY: there are `count` positional arguments, followed by those with names.
    unsafe {
        let named = if names.is_null() { 0 } else { ffi::PyTuple_GET_SIZE(names) };
        let mut all = vec![own];
        for index in 0..count + named {
            all.push(*arguments.offset(index));
        }
        ffi::PyObject_Vectorcall(usual.as_ptr(), all.as_ptr(), (count + 1).cast_unsigned(), names)
    }
}
