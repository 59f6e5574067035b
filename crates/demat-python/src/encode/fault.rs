//! What can be wrong with an object, and the path to it.

use super::Engine;
use crate::error::Failure;
use demat_core::{Error, ErrorKind};
use pyo3::exceptions::{PyException, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use pyo3::{Borrowed, ffi};

/// Text without a UTF-8 form; the exception that says so is set, and taken away here.
#[cold]
#[inline(never)]
pub(super) fn surrogates() -> Error {
    let raised = crate::object::fetch();
    // SAFETY: engines run with the GIL held.
    let py = unsafe { Python::assume_attached() };
    let place = raised.value(py).getattr("start").map_or_else(|_| String::new(), |start| format!(" at index {start}"));
    Error::mismatch(ErrorKind::Encode, "text that is Unicode", format!("a lone surrogate{place}"))
}

/// A container that does not hold any more what it held when it was begun.
#[cold]
#[inline(never)]
pub(super) fn changed(what: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("the {what} changed while it was encoded"))
}

/// An object of a class that nothing is known about.
///
/// # Safety
/// The pointer is to a living class.
#[cold]
#[inline(never)]
pub(super) unsafe fn unknown(class: *mut ffi::PyTypeObject) -> Error {
    // SAFETY: a living class, as the caller says; the GIL is held.
    let name = unsafe { class_name(class) };
    let short = name.rsplit('.').next().unwrap_or_default();
    let help = format!("say how with `demat.hook({short}, encode=…)` or with `default=`");
    Error::new(ErrorKind::Encode, format!("can't encode an object of the class `{name}`; {help}"))
}

/// The name of a class as a program would write it: with its module, unless it is a builtin.
///
/// # Safety
/// The pointer is to a living class.
#[cold]
pub(super) unsafe fn class_name(class: *mut ffi::PyTypeObject) -> String {
    // SAFETY: the GIL is held, and the class lives, as the caller says.
    let class = unsafe { Borrowed::from_ptr(Python::assume_attached(), class.cast()) };
    let Ok(class) = class.cast::<PyType>() else { return String::new() };
    let name = class.qualname().map(|name| name.to_string()).unwrap_or_default();
    match class.module().map(|module| module.to_string()).as_deref() {
        Ok("builtins" | "__main__") | Err(_) => name,
        Ok(module) => format!("{module}.{name}"),
    }
}

/// A key, as a path shows it.
///
/// # Safety
/// The pointer is to a living object.
#[cold]
#[inline(never)]
pub(super) unsafe fn key_name(key: *mut ffi::PyObject) -> String {
    // SAFETY: the GIL is held, and the object lives, as the caller says.
    let key = unsafe { Borrowed::from_ptr(Python::assume_attached(), key) };
    let text = match key.cast::<PyString>() {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => key.str(),
    };
    // A path is for people: surrogates are shown as they can be, and a key that can't be shown not at all.
    text.map_or_else(|_| "?".to_string(), |text| text.to_string_lossy().into_owned())
}

impl<K> Engine<'_, K> {
    /// What the user's own code raised: the error that goes up in its place.
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

    /// Turns what eager decoding refuses in a view into an encode error, with the path within the view.
    #[cold]
    #[inline(never)]
    pub(super) fn wrong(&mut self, failure: Failure) -> Error {
        // SAFETY: engines run with the GIL held.
        let (error, raised) = failure.into_parts(unsafe { Python::assume_attached() });
        self.went_wrong(error, raised)
    }

    /// The same of an error and its exception.
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

    /// The exception that is set was raised by the user's own code.
    #[cold]
    #[inline(never)]
    pub(super) fn raised_now(&mut self) -> Error {
        self.raised(crate::object::fetch())
    }
}
