//! Exceptions of the program's own code, as errors of a store.

use super::{BUSY, FAULTS};
use demat_core::{Error, ErrorKind, Result, Trouble};
use demat_store::{Fault, fault_of, trouble_of};
use pyo3::exceptions::PyPermissionError;
use pyo3::intern;
use pyo3::prelude::*;
use std::cell::Cell;

/// Converts a Python exception to an error for the client: missing or forbidden resources, and our own errors with
/// their messages. Any other exception is a bug of the program: it goes to Python's hook for unraisable exceptions.
pub(super) fn raised(py: Python<'_>, raised: &PyErr) -> Error {
    refusal(py, raised).unwrap_or_else(|| {
        raised.clone_ref(py).write_unraisable(py, None);
        broken()
    })
}

/// What raised an exception, on the way to a store that the program wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The decoding of the value that the client sent.
    Value,
    /// A method that got such a value.
    Change,
    /// A method without a value.
    Method,
}

/// As [`raised`], for a store that the program wrote. Python code that called the store gets a bug's exception itself;
/// for other callers, its traceback goes to standard error.
pub(super) fn raised_by_store(py: Python<'_>, at: &[String], raised: PyErr, origin: Origin) -> Error {
    if let Some(error) = refusal(py, &raised) {
        let refuses_value = match origin {
            Origin::Value => true,
            Origin::Change => is_own_refusal(py, &raised),
            Origin::Method => false,
        };
        match fault_of(&error) {
            // An exception without words, such as a KeyError.
            Some(fault) if raised.value(py).to_string().is_empty() => return fault.about(at),
            None if !refuses_value && trouble_of(&error).is_none() => {}
            _ => return error,
        }
    }
    if CALLS.get() > 0 {
        return broken().because(raised);
    }
    raised.display(py);
    broken()
}

thread_local! {
    /// The number of calls by Python code in progress on this thread.
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Runs a call of Python code to a store.
pub(super) fn called<T>(act: impl FnOnce() -> Result<T>) -> Result<T> {
    struct Call;
    impl Drop for Call {
        fn drop(&mut self) {
            CALLS.set(CALLS.get() - 1);
        }
    }
    CALLS.set(CALLS.get() + 1);
    let _call = Call;
    act()
}

/// Returns the exception that the program's store raised, if it caused an error.
pub(super) fn own_exception(py: Python<'_>, error: &Error) -> Option<PyErr> {
    let cause: &PyErr = std::error::Error::source(error)?.downcast_ref()?;
    Some(cause.clone_ref(py))
}

fn broken() -> Error {
    Error::new(ErrorKind::Io, "the program failed")
}

/// Returns the error for the client, unless the exception is a bug of the program.
fn refusal(py: Python<'_>, raised: &PyErr) -> Option<Error> {
    let message = raised.value(py).to_string();
    // An errno means that the operating system raised it: an internal failure, not a refusal.
    if raised.is_instance_of::<PyPermissionError>(py) && is_said(py, raised) {
        return Some(Fault::Forbidden.because(message));
    }
    let family = py.import(intern!(py, "demat._errors"));
    let is = |name: &str| {
        let class = family.as_ref().ok().and_then(|family| family.getattr(name).ok());
        class.is_some_and(|class| raised.is_instance(py, &class))
    };
    if let Some(fault) = fault_named(raised, py) {
        let said = message.strip_suffix(&format!(": {fault}")).unwrap_or(&message);
        return Some(fault.because(said.to_string()));
    }
    if own_fault(raised, py).is_some_and(|name| name == BUSY) {
        return Some(Error::new(ErrorKind::Io, message).because(Trouble::Busy));
    }
    // A StoreError of the program's own store is not about the data that the client sent.
    if is("Error") && !is("StoreError") {
        // The first match: some classes are subclasses of others.
        let kinds = [
            ("ValidationError", ErrorKind::Constraint),
            ("DecodeError", ErrorKind::Syntax),
            ("LimitError", ErrorKind::Limit),
            ("EncodeError", ErrorKind::Encode),
        ];
        let kind = kinds.into_iter().find(|(name, _)| is(name)).map_or(ErrorKind::Constraint, |(_, kind)| kind);
        return Some(Error::new(kind, message));
    }
    None
}

/// Returns whether the program itself raised a ValidationError to refuse a value. Those of a decoder, which the method
/// may have called with data of its own, have a place.
fn is_own_refusal(py: Python<'_>, raised: &PyErr) -> bool {
    let class = py.import(intern!(py, "demat._errors")).and_then(|own| own.getattr(intern!(py, "ValidationError")));
    let has_none = |name: &str| raised.value(py).getattr(name).is_ok_and(|place| place.is_none());
    class.is_ok_and(|class| raised.is_instance(py, &class)) && has_none("path") && has_none("offset")
}

/// Returns the fault that an exception carries in `_fault`.
fn fault_named(raised: &PyErr, py: Python<'_>) -> Option<Fault> {
    let name = own_fault(raised, py)?;
    FAULTS.into_iter().find(|(_, own)| *own == name).map(|(fault, _)| fault)
}

fn own_fault(raised: &PyErr, py: Python<'_>) -> Option<String> {
    raised.value(py).getattr("_fault").ok()?.extract().ok()?
}

/// Returns whether Python code raised the exception, and not the operating system.
fn is_said(py: Python<'_>, raised: &PyErr) -> bool {
    raised.value(py).getattr("errno").is_ok_and(|errno| errno.is_none())
}
