//! Converts errors to Python exceptions.

use demat_core::{Error, ErrorKind};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The failure of an engine: errors with a path and a position, each with the exception of user code that caused it, if
/// any. An exception that is unrelated to the data is raised unchanged.
#[derive(Debug)]
pub(crate) struct Failure {
    /// Never empty; the first error is the one that is raised.
    errors: Vec<(Error, Option<PyErr>)>,
}

impl Failure {
    /// Combines errors with their exceptions, which are identified by the indices of the errors.
    pub(crate) fn of(errors: Vec<Error>, causes: Vec<(usize, PyErr)>) -> Self {
        let mut errors: Vec<_> = errors.into_iter().map(|error| (error, None)).collect();
        for (index, raised) in causes {
            if let Some((_, cause)) = errors.get_mut(index) {
                *cause = Some(raised);
            }
        }
        Self { errors }
    }

    /// Changes each error.
    pub(crate) fn map(self, change: impl Fn(Error) -> Error) -> Self {
        Self { errors: self.errors.into_iter().map(|(error, cause)| (change(error), cause)).collect() }
    }

    /// Returns the first error, and the exception for it.
    pub(crate) fn into_parts(mut self, py: Python<'_>) -> (Error, PyErr) {
        let (error, cause) = self.errors.swap_remove(0);
        let raised = match cause {
            Some(raised) if !is_about_the_value(py, &raised) => raised,
            cause => {
                let made = exception_for(py, &error);
                made.set_cause(py, cause);
                made
            }
        };
        (error, crate::signals::raised().unwrap_or(raised))
    }

    /// Returns whether it is about the data alone: not about the system, nor an unrelated exception of user code.
    pub(crate) fn is_about_the_data(&self, py: Python<'_>) -> bool {
        self.errors.iter().all(|(error, raised)| {
            let foreign = matches!(error.kind(), ErrorKind::Io | ErrorKind::Store | ErrorKind::Internal);
            !foreign && raised.as_ref().is_none_or(|raised| is_about_the_value(py, raised))
        })
    }

    /// A failure with one error.
    pub(crate) fn one(error: Error, raised: Option<PyErr>) -> Self {
        Self { errors: vec![(error, raised)] }
    }
}

impl Failure {
    /// Returns the first error, for callers outside Python. If the last one is an exception unrelated to the value,
    /// converts that instead, by [`error_of`].
    pub(crate) fn into_error(self, py: Python<'_>) -> Error {
        let own = |(_, raised): &(Error, Option<PyErr>)| {
            raised.as_ref().filter(|raised| !is_about_the_value(py, raised)).map(|raised| raised.clone_ref(py))
        };
        if let Some(raised) = self.errors.last().and_then(own) {
            return error_of(py, &raised);
        }
        let first = self.errors.into_iter().next();
        first.map_or_else(|| Error::new(ErrorKind::Io, "the program failed"), |(error, _)| error)
    }
}

/// Converts a Python exception to an error, for callers outside Python.
///
/// A `demat.Error` keeps its message. Any other exception goes to `sys.unraisablehook` and becomes a generic error.
pub(crate) fn error_of(py: Python<'_>, raised: &PyErr) -> Error {
    let family = py.import(intern!(py, "demat._errors"));
    let is = |name: &str| {
        let class = family.as_ref().ok().and_then(|family| family.getattr(name).ok());
        class.is_some_and(|class| raised.is_instance(py, &class))
    };
    if is("Error") {
        return Error::new(ErrorKind::Constraint, raised.value(py).to_string());
    }
    raised.clone_ref(py).write_unraisable(py, None);
    Error::new(ErrorKind::Io, "the program failed")
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::one(error, None)
    }
}

/// Returns the exception for a failure.
///
/// A `ValueError` or `TypeError` of a hook means that the value is invalid, and becomes part of the error with the path
/// to the value. Any other exception of a hook is raised unchanged.
#[cold]
pub(crate) fn exception(py: Python<'_>, failure: Failure) -> PyErr {
    if let Some(raised) = crate::signals::raised() {
        return raised;
    }
    // An unrelated exception ends the work, so it is always the last one.
    if let Some((error, Some(raised))) = failure.errors.last()
        && !is_about_the_value(py, raised)
    {
        let note = format!("while Demat was at `{}`", error.path());
        let _ = raised.value(py).call_method1(intern!(py, "add_note"), (note,)); // a missing note does no harm
        return raised.clone_ref(py);
    }
    // If the exception classes can't be loaded, raises that error instead.
    build(py, failure.errors).unwrap_or_else(|error| error)
}

/// Returns whether an exception means that a value is invalid, like our own errors.
pub(crate) fn is_about_the_value(py: Python<'_>, raised: &PyErr) -> bool {
    raised.is_instance_of::<pyo3::exceptions::PyTypeError>(py)
        || raised.is_instance_of::<pyo3::exceptions::PyValueError>(py) && !is_of_the_call(py, raised)
}

/// Returns whether a hook's exception is a limit or an internal error of a nested call. Such an exception is passed on
/// as it is.
fn is_of_the_call(py: Python<'_>, raised: &PyErr) -> bool {
    let Ok(family) = py.import(intern!(py, "demat._errors")) else { return false };
    let is = |class: PyResult<Bound<'_, PyAny>>| class.is_ok_and(|class| raised.is_instance(py, &class));
    is(family.getattr(intern!(py, "LimitError"))) || is(family.getattr(intern!(py, "InternalError")))
}

/// Returns the exception for one error, which the caller keeps.
#[cold]
pub(crate) fn exception_for(py: Python<'_>, error: &Error) -> PyErr {
    build_one(py, error).unwrap_or_else(|error| error)
}

fn build(py: Python<'_>, errors: Vec<(Error, Option<PyErr>)>) -> PyResult<PyErr> {
    let mut made = Vec::new();
    for (error, raised) in errors {
        let exception = build_one(py, &error)?;
        exception.set_cause(py, raised);
        made.push(exception);
    }
    all_of(py, made, 0)
}

fn build_one(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let family = py.import(intern!(py, "demat._errors"))?;
    let given = (message(error),);
    let Some(code) = system(error) else {
        let fault = demat_store::fault_of(error);
        let class = match fault {
            Some(demat_store::Fault::NotFound) => "NotFound",
            _ => class_of(error.kind()),
        };
        let exception = family.getattr(class)?.call(given, Some(&attributes(py, error)?))?;
        let is = |own: &demat_store::Fault| {
            fault.is_some_and(|fault| core::mem::discriminant(own) == core::mem::discriminant(&fault))
        };
        if let Some((_, name)) = crate::serve::FAULTS.iter().find(|(own, _)| is(own)) {
            exception.setattr(intern!(py, "_fault"), *name)?;
        } else if demat_store::trouble_of(error) == Some(demat_store::Trouble::Busy) {
            exception.setattr(intern!(py, "_fault"), crate::serve::BUSY)?;
        }
        if let Some(failure) = sqlite(error) {
            exception.setattr(intern!(py, "sqlite_code"), failure.code)?;
            exception.setattr(intern!(py, "sqlite_name"), failure.name)?;
        }
        if let Some(failure) = postgres(error) {
            exception.setattr(intern!(py, "sqlstate"), &*failure.code)?;
            exception.setattr(intern!(py, "constraint"), failure.constraint.as_deref())?;
        }
        return Ok(PyErr::from_value(exception));
    };
    let class = family.getattr(intern!(py, "refusal"))?.call1((code,))?;
    let refusal = class.call(given, Some(&attributes(py, error)?))?;
    refusal.setattr(intern!(py, "errno"), code)?;
    let text = py.import(intern!(py, "os"))?.call_method1(intern!(py, "strerror"), (code,))?;
    refusal.setattr(intern!(py, "strerror"), text)?;
    refusal.setattr(intern!(py, "filename"), error.place())?;
    Ok(PyErr::from_value(refusal))
}

/// Returns the exception for a part that does not exist.
#[cold]
pub(crate) fn missing(py: Python<'_>, failure: Failure) -> PyErr {
    let Some((error, _)) = failure.errors.into_iter().next() else { return PyErr::fetch(py) };
    let made = || -> PyResult<PyErr> {
        let class = py.import(intern!(py, "demat._errors"))?.getattr(intern!(py, "MissingError"))?;
        Ok(PyErr::from_value(class.call((message(&error),), Some(&attributes(py, &error)?))?))
    };
    made().unwrap_or_else(|raised| raised)
}

/// Combines exceptions into one: the first, with all in its list; `more` is the number of those not kept.
///
/// # Errors
/// If the interpreter can't create it.
pub(crate) fn all_of(py: Python<'_>, mut made: Vec<PyErr>, more: u64) -> PyResult<PyErr> {
    if made.len() < 2 && more == 0 {
        return Ok(made.pop().unwrap_or_else(|| pyo3::exceptions::PySystemError::new_err("no error")));
    }
    let first = made[0].value(py);
    let given = PyDict::new(py);
    for name in ["path", "offset", "line", "column", "record", "expected", "found", "value", "reason"] {
        given.set_item(name, first.getattr(name)?)?;
    }
    let cause = made[0].cause(py);
    let message = format!("{} (and {} more)", first.str()?, made.len() as u64 - 1 + more);
    let class = made[0].get_type(py);
    given.set_item(intern!(py, "errors"), PyTuple::new(py, made.into_iter().map(|one| one.into_value(py)))?)?;
    let whole = PyErr::from_value(class.call((message,), Some(&given))?);
    whole.set_cause(py, cause);
    Ok(whole)
}

/// Returns the system's error number, if an I/O error is the cause.
fn system(error: &Error) -> Option<i32> {
    let mut cause: &(dyn std::error::Error + 'static) = error;
    while let Some(inner) = cause.source() {
        if let Some(io) = inner.downcast_ref::<std::io::Error>() {
            // An attempt to open a directory is detected without a system call, so it has no error number.
            let seen = (io.kind() == std::io::ErrorKind::IsADirectory).then_some(libc::EISDIR);
            if let Some(code) = io.raw_os_error().or(seen) {
                return Some(code);
            }
        }
        cause = inner;
    }
    None
}

/// Returns SQLite's error, if it is the cause.
fn sqlite(error: &Error) -> Option<&demat_sqlite::SqliteFailure> {
    std::error::Error::source(error)?.downcast_ref()
}

/// Returns the error of a PostgreSQL server, if it is the cause.
fn postgres(error: &Error) -> Option<&demat_postgres::PostgresFailure> {
    std::error::Error::source(error)?.downcast_ref()
}

fn class_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Syntax => "DecodeError",
        ErrorKind::Type | ErrorKind::Constraint => "ValidationError",
        ErrorKind::Encode => "EncodeError",
        ErrorKind::Limit => "LimitError",
        ErrorKind::Io | ErrorKind::Store => "StoreError",
        ErrorKind::Internal => "InternalError",
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
    given.set_item(intern!(py, "expected"), error.expectation().map(|text| bare(&named(error, text))))?;
    given.set_item(intern!(py, "found"), error.found().map(|text| bare(&named(error, text))))?;
    given.set_item(intern!(py, "value"), value(error))?;
    given.set_item(intern!(py, "reason"), reason(error))?;
    Ok(given)
}

/// Returns an error's term in Python's words; for syntax errors, in the format's words.
fn named(error: &Error, text: &str) -> String {
    if error.kind() == ErrorKind::Syntax { text.to_string() } else { in_python(text) }
}

/// Removes the backticks that messages put around literals.
fn bare(text: &str) -> String {
    let inner = text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    inner.filter(|inner| !inner.contains('`')).unwrap_or(text).to_string()
}

/// Returns the reason, in Python's words for kinds.
fn reason(error: &Error) -> String {
    match (error.expectation(), error.found()) {
        (Some(expected), Some(found)) => {
            let reason = Error::expected(named(error, expected), named(error, found)).showing(value(error)).reason();
            let cause = std::error::Error::source(error).map_or_else(String::new, |cause| format!(": {cause}"));
            reason + &cause
        }
        _ => error.reason(),
    }
}

/// Returns the value that was found, as Python writes it.
fn value(error: &Error) -> Option<String> {
    let value = error.value()?;
    Some(match (error.found(), value) {
        (Some("bool"), "true") => "True".to_owned(),
        (Some("bool"), "false") => "False".to_owned(),
        _ => value.to_owned(),
    })
}

/// Returns the whole message: the reason and the location.
fn message(error: &Error) -> String {
    let whole = error.to_string();
    // The location follows the reason.
    let place = whole.strip_prefix(&error.reason()).unwrap_or_default();
    format!("{}{place}", reason(error))
}

/// Returns the Python name of a kind.
pub(crate) fn in_python(kind: &str) -> String {
    match kind {
        "text" => "str",
        "null" => "None",
        "map" | "record" => "dict",
        "a record" => "an object of its class",
        "instant" => "datetime",
        "duration" => "timedelta",
        "decimal" => "Decimal",
        "uuid" => "UUID",
        "int64" | "uint64" => "int",
        "float64" => "float",
        "`instant` as RFC 3339" => "`datetime` as RFC 3339",
        "`duration` as ISO 8601" => "`timedelta` as ISO 8601",
        other => other,
    }
    .to_string()
}
