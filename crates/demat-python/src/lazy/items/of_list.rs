//! The methods of a list that are not operators.

use super::Items;
use crate::quick;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

/// Defines a function for each method of a list.
macro_rules! methods {
    ($($of:ident: $($name:ident),*;)*) => {
        /// The methods and their names.
        fn table() -> Vec<(&'static core::ffi::CStr, ffi::PyCFunctionWithKeywords)> {
            vec![$($({
                unsafe extern "C" fn $name(
                    own: *mut ffi::PyObject,
                    arguments: *mut ffi::PyObject,
                    named: *mut ffi::PyObject,
                ) -> *mut ffi::PyObject {
                    // SAFETY: the interpreter calls this with `Items`, a tuple, and a dict or null.
                    unsafe { called(own, arguments, named, stringify!($name), On::$of) }
                }
                let name = core::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes());
                (name.unwrap_or_default(), $name as ffi::PyCFunctionWithKeywords)
            }),*),*]
        }
    };
}

methods! {
    List: append, clear, extend, insert, pop, remove, reverse, sort;
    Copy: copy, count, index;
}

/// The list on which a method is called.
#[derive(Debug, Clone, Copy)]
enum On {
    /// The list that replaces the items.
    List,
    /// A temporary copy, as the method changes nothing.
    Copy,
}

/// # Safety
/// The arguments are those of a method call by the interpreter.
unsafe fn called(
    own: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    named: *mut ffi::PyObject,
    name: &str,
    on: On,
) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees; attached, as PyO3 objects are dropped.
    unsafe {
        quick::run(|| {
            Python::attach(|py| {
                let items = Bound::from_borrowed_ptr(py, own).cast_into_unchecked::<Items>();
                let arguments = Bound::from_borrowed_ptr(py, arguments).cast_into_unchecked::<PyTuple>();
                let named =
                    Bound::from_borrowed_ptr_or_opt(py, named).map(|named| named.cast_into_unchecked::<PyDict>());
                let inner = items.get().inner();
                let list = match on {
                    On::List => inner.list(py),
                    On::Copy => inner.copy(py),
                };
                let found = list.and_then(|list| list.getattr(name)?.call(arguments, named.as_ref()));
                found.map_err(|raised| raised.restore(py)).ok().map(Bound::into_ptr)
            })
        })
    }
}

/// Installs these methods in the class.
///
/// # Errors
/// Never fails in practice.
pub(super) fn install(class: &Bound<'_, PyType>) -> PyResult<()> {
    for (name, function) in table() {
        let definition = Box::leak(Box::new(ffi::PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: ffi::PyMethodDefPointer { PyCFunctionWithKeywords: function },
            ml_flags: ffi::METH_VARARGS | ffi::METH_KEYWORDS,
            ml_doc: core::ptr::null(),
        }));
        // SAFETY: the definition is never freed; the function has the signature that the flags demand.
        let method = unsafe {
            let method = ffi::PyDescr_NewMethod(class.as_ptr().cast(), definition);
            Bound::from_owned_ptr_or_err(class.py(), method)?
        };
        class.setattr(name.to_string_lossy().as_ref(), method)?;
    }
    Ok(())
}
