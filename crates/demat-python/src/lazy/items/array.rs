//! Converts numbers to a NumPy array.
//!
//! NumPy is called through its C API, a table of functions that is found at the first use. Four entries are used that
//! have the same index and meaning in all versions 1 and 2. With any other table, `numpy.asarray` does the work.

use super::{Found, Inner, Items};
use crate::lazy::layout::OWNED;
use crate::lazy::number;
use crate::quick;
use demat_formats::proto::Form;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyCapsule};
use pyo3::{Borrowed, ffi, intern};
use std::ffi::{c_int, c_uint, c_void};

/// `PyArray_New`.
type New = unsafe extern "C" fn(
    class: *mut ffi::PyTypeObject,
    dimensions: c_int,
    shape: *const ffi::Py_ssize_t,
    kind: c_int,
    strides: *const ffi::Py_ssize_t,
    data: *mut c_void,
    size: c_int,
    flags: c_int,
    like: *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// `PyArray_SetBaseObject`, which takes over the reference.
type SetBase = unsafe extern "C" fn(array: *mut ffi::PyObject, base: *mut ffi::PyObject) -> c_int;

/// The parts of NumPy's C API that are used.
struct Numpy {
    class: *mut ffi::PyTypeObject,
    new: New,
    set_base: SetBase,
}

// SAFETY: addresses in a module that is never unloaded, used with the GIL held.
unsafe impl Send for Numpy {}
// SAFETY: as above.
unsafe impl Sync for Numpy {}

static NUMPY: PyOnceLock<Option<Numpy>> = PyOnceLock::new();

impl Numpy {
    /// Returns the API, if its version is known.
    fn find(py: Python<'_>) -> PyResult<Option<Self>> {
        const VERSION: usize = 0;
        const CLASS: usize = 2;
        const NEW: usize = 93;
        const SET_BASE: usize = 282;
        py.import(intern!(py, "numpy"))?;
        let module = py.import("numpy._core._multiarray_umath").or_else(|_| py.import("numpy.core._multiarray_umath"));
        let Ok(capsule) = module.and_then(|module| module.getattr("_ARRAY_API")) else { return Ok(None) };
        let Ok(capsule) = capsule.cast_into::<PyCapsule>() else { return Ok(None) };
        // SAFETY: the capsule has no name, and points to a static table of addresses. The first entry is a function
        // that returns the table's version; in versions 1 and 2 the other entries are as declared here.
        unsafe {
            let table = ffi::PyCapsule_GetPointer(capsule.as_ptr(), core::ptr::null()).cast::<*mut c_void>();
            if table.is_null() {
                ffi::PyErr_Clear();
                return Ok(None);
            }
            let version: unsafe extern "C" fn() -> c_uint = core::mem::transmute(*table.add(VERSION));
            if !(0x0100_0009..0x0300_0000).contains(&version()) {
                return Ok(None);
            }
            Ok(Some(Self {
                class: (*table.add(CLASS)).cast(),
                new: core::mem::transmute::<*mut c_void, New>(*table.add(NEW)),
                set_base: core::mem::transmute::<*mut c_void, SetBase>(*table.add(SET_BASE)),
            }))
        }
    }

    fn get(py: Python<'_>) -> PyResult<Option<&Self>> {
        NUMPY.get_or_try_init(py, || Self::find(py)).map(Option::as_ref)
    }
}

/// Returns NumPy's type number and type name for numbers of a form. The type numbers are those of C types.
const fn kind(form: Form) -> Option<(c_int, &'static str)> {
    const LONG_IS_WIDE: bool = size_of::<core::ffi::c_long>() == 8;
    Some(match form {
        Form::Bool => (0, "?"),
        Form::Int32 | Form::Sint32 | Form::Sfixed32 => (5, "<i4"),
        Form::Uint32 | Form::Fixed32 => (6, "<u4"),
        Form::Int64 | Form::Sint64 | Form::Sfixed64 => (if LONG_IS_WIDE { 7 } else { 9 }, "<i8"),
        Form::Uint64 | Form::Fixed64 => (if LONG_IS_WIDE { 8 } else { 10 }, "<u8"),
        Form::Float => (11, "<f4"),
        Form::Double => (12, "<f8"),
        _ => return None,
    })
}

/// Fast path of `Items.numpy`, for numbers in a `bytes` object, which the array then holds.
pub(super) unsafe extern "C" fn numpy(own: *mut ffi::PyObject, _: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls this with `Items`, and with the GIL held.
    unsafe {
        quick::run(|| {
            let py = Python::assume_attached();
            let inner = Borrowed::from_ptr(py, own).cast_unchecked::<Items>().get().inner();
            match at_once(inner) {
                Some(array) => Some(array).filter(|array| !array.is_null()),
                None => Some(super::usual_numpy(own)).filter(|array| !array.is_null()),
            }
        })
    }
}

/// Returns the array, or null with an exception. `None` if the fast path does not apply.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
unsafe fn at_once(inner: &mut Inner) -> Option<*mut ffi::PyObject> {
    // SAFETY: as the caller guarantees.
    let py = unsafe { Python::assume_attached() };
    let numpy = NUMPY.get(py)?.as_ref()?;
    if !inner.is_seen_at_once() {
        return None;
    }
    let (kind, _) = kind(inner.form())?;
    let Found::Run(start, count, copied) = &inner.found else { return None };
    if inner.flags & OWNED != 0 || !copied.is_empty() {
        return None;
    }
    // SAFETY: there are `count` numbers, in a `bytes` object or in the copy of a message joined from pieces. No code
    // writes to them, and the array keeps them alive. Without flags, the array is read-only.
    unsafe {
        let shape = (*count).cast_signed();
        let data = (*start).cast_mut().cast();
        let array =
            (numpy.new)(numpy.class, 1, &raw const shape, kind, core::ptr::null(), data, 0, 0, core::ptr::null_mut());
        if array.is_null() {
            return Some(array);
        }
        let base = inner.owner.as_ptr();
        ffi::Py_INCREF(base);
        if (numpy.set_base)(array, base) < 0 {
            ffi::Py_DECREF(array);
            return Some(core::ptr::null_mut());
        }
        Some(array)
    }
}

/// Returns the array for items of any number type.
///
/// # Errors
/// `TypeError` if the items are no numbers, `ModuleNotFoundError` without NumPy.
pub(super) fn array<'py>(items: &Bound<'py, Items>) -> PyResult<Bound<'py, PyAny>> {
    let py = items.py();
    let inner = items.get().inner();
    let form = inner.form();
    let Some((_, name)) = kind(form) else {
        let message = format!("the items of field `{}` are no numbers, and so no array", inner.field().label);
        return Err(PyTypeError::new_err(message));
    };
    let numpy = py.import(intern!(py, "numpy"))?;
    Numpy::get(py)?;
    inner.look(py)?;
    match &inner.found {
        Found::List(list, _) => numpy.getattr(intern!(py, "array"))?.call1((list.bind(py), name)),
        // An absent or empty field.
        found if is_empty(found) => numpy.getattr(intern!(py, "empty"))?.call1((0, name)),
        Found::Numbers(numbers) => {
            let mut bytes = Vec::with_capacity(8 * numbers.len());
            for bits in numbers {
                number::push(&mut bytes, *bits, form);
            }
            let bytes = PyByteArray::new(py, &bytes);
            numpy.getattr(intern!(py, "frombuffer"))?.call1((bytes, name))
        }
        _ => {
            inner.bytes(py)?;
            // SAFETY: the GIL is held.
            if let Some(array) = unsafe { at_once(inner) } {
                // SAFETY: a new reference, or null with an exception.
                return unsafe { Bound::from_owned_ptr_or_err(py, array) };
            }
            numpy.getattr(intern!(py, "asarray"))?.call1((items,))
        }
    }
}

fn is_empty(found: &Found) -> bool {
    match found {
        Found::Numbers(numbers) => numbers.is_empty(),
        Found::Run(_, count, _) => *count == 0,
        Found::Parts(parts) => parts.is_empty(),
        _ => false,
    }
}
