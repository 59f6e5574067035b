//! Errors about objects, and the paths to them.

use super::{Engine, ObjectRef, text};
use crate::error::Failure;
use demat_core::{Error, ErrorKind};
use pyo3::exceptions::{PyException, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use pyo3::{Borrowed, ffi};

/// Returns the error for a `str` whose UTF-8 can't be had. No user code runs here.
///
/// # Safety
/// The object is a live instance of `str` or a subclass.
#[cold]
#[inline(never)]
pub(super) unsafe fn no_utf8(text: ObjectRef) -> Error {
    // SAFETY: as the caller guarantees.
    match unsafe { text::surrogate_in(text.as_ptr()) } {
        Some(index) => {
            let found = format!("a lone surrogate at index {index}");
            Error::mismatch(ErrorKind::Encode, "text that is Unicode", found)
        }
        None => Error::new(ErrorKind::Limit, "there is no memory for the UTF-8 of a text, or it is none of Unicode"),
    }
}

/// Returns the error for a container that changed while it was encoded.
#[cold]
#[inline(never)]
pub(super) fn changed(what: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("the {what} changed while it was encoded"))
}

/// Returns the error for an object of an unknown class.
///
/// # Safety
/// The pointer is to a live class.
#[cold]
#[inline(never)]
pub(super) unsafe fn unknown(class: *mut ffi::PyTypeObject) -> Error {
    // SAFETY: a live class, as the caller guarantees; the GIL is held.
    let name = unsafe { class_name(class) };
    let short = name.rsplit('.').next().unwrap_or_default();
    let help = format!("say how with `demat.hook({short}, encode=…)` or with `default=`");
    Error::new(ErrorKind::Encode, format!("can't encode an object of the class `{name}`; {help}"))
}

/// Returns the name of a class as in source code: with its module, unless it is a builtin.
///
/// # Safety
/// The pointer is to a live class.
#[cold]
pub(super) unsafe fn class_name(class: *mut ffi::PyTypeObject) -> String {
    // Its class may define how it is named, and let go of it there.
    // SAFETY: the GIL is held, and the class is alive, as the caller guarantees.
    let class = unsafe { Borrowed::from_ptr(Python::assume_attached(), class.cast()) }.to_owned();
    let Ok(class) = class.cast::<PyType>() else { return String::new() };
    let name = class.qualname().map(|name| name.to_string()).unwrap_or_default();
    match class.module().map(|module| module.to_string()).as_deref() {
        Ok("builtins" | "__main__") | Err(_) => name,
        Ok(module) => format!("{module}.{name}"),
    }
}

/// Returns a key as shown in a path.
///
/// # Safety
/// The pointer is to a live object.
#[cold]
#[inline(never)]
pub(super) unsafe fn key_name(key: *mut ffi::PyObject) -> String {
    // SAFETY: the GIL is held, and the object is alive, as the caller guarantees.
    let key = unsafe { Borrowed::from_ptr(Python::assume_attached(), key) };
    let text = match key.cast::<PyString>() {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => key.str(),
    };
    // Paths are for people: surrogates are replaced, and a key without a text form becomes `?`.
    text.map_or_else(|_| "?".to_string(), |text| text.to_string_lossy().into_owned())
}

impl<K> Engine<'_, K> {
    /// Keeps an exception of user code, and returns an error in its place.
    #[cold]
    #[inline(never)]
    pub(super) fn raised(&mut self, raised: PyErr) -> Error {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let value = raised.value(py);
        let mut message = value.str().map(|text| text.to_string_lossy().into_owned()).unwrap_or_default();
        if message.is_empty() {
            message = value.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        }
        self.raised = Some(Box::new(raised));
        Error::new(ErrorKind::Encode, message)
    }

    /// Turns an error that eager decoding finds in a view into an encode error, with the path within the view.
    #[cold]
    #[inline(never)]
    pub(super) fn wrong(&mut self, failure: Failure) -> Error {
        // SAFETY: engines run with the GIL held.
        let (error, raised) = failure.into_parts(unsafe { Python::assume_attached() });
        self.went_wrong(error, raised)
    }

    /// As [`wrong`](Self::wrong), with the error and its exception as separate arguments.
    #[cold]
    pub(super) fn went_wrong(&mut self, error: Error, raised: PyErr) -> Error {
        self.raised = Some(Box::new(raised));
        error.with_kind(ErrorKind::Encode)
    }

    /// Turns an exception from a scalar's own class, raised while reading its value, into an error about the value.
    #[cold]
    #[inline(never)]
    pub(super) fn no_scalar(&mut self, raised: PyErr) -> Error {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        if !raised.is_instance_of::<PyException>(py)
            || raised.is_instance_of::<PyMemoryError>(py)
            || crate::error::is_about_the_value(py, &raised)
        {
            return self.raised(raised);
        }
        let about = PyValueError::new_err(raised.to_string());
        about.set_cause(py, Some(raised));
        self.raised(about)
    }

    /// Takes the exception that user code has set.
    #[cold]
    #[inline(never)]
    pub(super) fn raised_now(&mut self) -> Error {
        self.raised(crate::object::fetch())
    }
}
