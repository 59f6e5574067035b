//! The house's one error, as Python's exceptions.

use demat_core::{Error, ErrorKind};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// What an engine has to say when it failed: an error with a path and a position, or an exception of the user's own code
/// that goes through as it is.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The first is the one that is raised; there is always one.
    pub(crate) errors: Vec<Error>,
    /// What a hook raised.
    pub(crate) raised: Option<PyErr>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { errors: vec![error], raised: None }
    }
}

/// The exception for a failure.
///
/// A `ValueError` or `TypeError` that a hook raised says that the value is bad, and becomes part of the error with the
/// path to it; anything else that a hook raised is the program's own affair.
#[cold]
pub(crate) fn exception(py: Python<'_>, failure: Failure) -> PyErr {
    let Failure { errors, raised } = failure;
    if let Some(raised) = &raised
        && !is_about_the_value(py, raised)
    {
        if let Some(error) = errors.first() {
            let note = format!("while Demat was at `{}`", error.path());
            let _ = raised.value(py).call_method1(intern!(py, "add_note"), (note,)); // a note less is no harm
        }
        return raised.clone_ref(py);
    }
    match build(py, &errors) {
        Ok(exception) => {
            exception.set_cause(py, raised);
            exception
        }
        // The exception family itself could not be loaded: better that than nothing.
        Err(error) => error,
    }
}

/// Whether an exception says that a value is bad: it is the same as an error of ours then.
pub(crate) fn is_about_the_value(py: Python<'_>, raised: &PyErr) -> bool {
    raised.is_instance_of::<pyo3::exceptions::PyValueError>(py)
        || raised.is_instance_of::<pyo3::exceptions::PyTypeError>(py)
}

fn build(py: Python<'_>, errors: &[Error]) -> PyResult<PyErr> {
    let family = py.import(intern!(py, "demat._errors"))?;
    let mut made = Vec::new();
    for error in errors {
        let class = family.getattr(class_of(error.kind()))?;
        made.push(class.call((message(error),), Some(&attributes(py, error)?))?);
    }
    let Some(first) = made.first() else { return Ok(pyo3::exceptions::PySystemError::new_err("no error")) };
    if made.len() == 1 {
        return Ok(PyErr::from_value(first.clone()));
    }
    let attributes = attributes(py, &errors[0])?;
    attributes.set_item(intern!(py, "errors"), PyTuple::new(py, &made)?)?;
    let more = format!("{} (and {} more)", message(&errors[0]), made.len() - 1);
    Ok(PyErr::from_value(first.get_type().call((more,), Some(&attributes))?))
}

fn class_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Syntax => "DecodeError",
        ErrorKind::Type | ErrorKind::Constraint => "ValidationError",
        ErrorKind::Encode => "EncodeError",
        ErrorKind::Limit => "LimitError",
        ErrorKind::Io | ErrorKind::Store => "StoreError",
    }
}

fn attributes<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyDict>> {
    let given = PyDict::new(py);
    let position = error.position();
    given.set_item(intern!(py, "path"), error.path())?;
    given.set_item(intern!(py, "offset"), position.offset)?;
    given.set_item(intern!(py, "line"), position.line)?;
    given.set_item(intern!(py, "column"), position.column)?;
    given.set_item(intern!(py, "record"), position.record)?;
    given.set_item(intern!(py, "expected"), error.expectation().map(in_python))?;
    given.set_item(intern!(py, "found"), error.found().map(in_python))?;
    given.set_item(intern!(py, "reason"), reason(error))?;
    Ok(given)
}

/// What went wrong, in Python's words for kinds.
fn reason(error: &Error) -> String {
    match (error.expectation(), error.found()) {
        (Some(expected), Some(found)) => Error::expected(in_python(expected), in_python(found)).reason(),
        _ => error.reason(),
    }
}

/// The whole message: what, and where.
fn message(error: &Error) -> String {
    let whole = error.to_string();
    // What follows the reason is the where.
    let place = whole.strip_prefix(&error.reason()).unwrap_or_default();
    format!("{}{place}", reason(error))
}

/// A kind, as Python's programmers call it.
fn in_python(kind: &str) -> String {
    match kind {
        "text" => "str",
        "null" => "None",
        "map" | "record" => "dict",
        "instant" => "datetime",
        "duration" => "timedelta",
        "decimal" => "Decimal",
        "uuid" => "UUID",
        "int64" | "uint64" => "int",
        "instant as RFC 3339" => "datetime as RFC 3339",
        "duration as ISO 8601" => "timedelta as ISO 8601",
        other => other,
    }
    .to_string()
}
