//! `demat.edit`: gives the records of a file to Python, and puts what it returns in their place.

use crate::decode::{DecodeOptions, Engine, Stopped, planned, untyped};
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::plan::Plan;
use crate::signals;
use crate::target::path;
use demat_core::{Error, ErrorKind, Result, Shape, Source};
use demat_formats::Rewrite;
use demat_formats::stream::{Change, Edited, Found};
use demat_place::{EditJob, Place, Where, record_path};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Edits the records of a file. `change` is called with each record, its bytes, and the names of the columns of a table; it
/// returns the bytes to have in their place, or None. Returns the number of records that it was called with, and of those that it changed.
#[pyfunction]
#[pyo3(signature = (place, r#type, change, *, format, to, at, r#where, read))]
#[allow(clippy::too_many_arguments)] // those of the function in Python
pub(crate) fn edit(
    place: &Bound<'_, PyAny>,
    r#type: &Bound<'_, PyAny>,
    change: &Bound<'_, PyAny>,
    format: &str,
    to: Option<&Bound<'_, PyAny>>,
    at: Option<&str>,
    r#where: Option<&str>,
    read: Option<&Bound<'_, PyDict>>,
) -> PyResult<(u64, u64)> {
    let py = place.py();
    let format: Format =
        format.parse().map_err(|error: demat_place::UnknownFormat| PyValueError::new_err(error.to_string()))?;
    let options = DecodeOptions::parse(format, read)?;
    if options.lazy {
        return Err(PyTypeError::new_err("lazy: records to edit are read whole"));
    }
    let plan = planned(py, Some(r#type), &options)?;
    let wrong = |name: &str| {
        let name = name.to_string();
        move |error: Error| PyValueError::new_err(format!("{name}: {error}"))
    };
    let mut job = EditJob::new(file(place)?, format).read_options(options.read.clone());
    if let Some(text) = at {
        job = job.at(record_path(format, text).map_err(wrong("at"))?);
    }
    if let Some(text) = r#where {
        job = job.matching(text.parse::<Where>().map_err(wrong("where"))?);
        if let Some(plan) = &plan {
            job = job.shape(shape(plan, format)?);
        }
    }
    if let Some(to) = to {
        job = job.to(file(to)?);
    }
    let plan = plan.map(Bound::unbind);
    let name = path(place)?.map_or_else(String::new, |path| path.display().to_string());
    let mut calling = Calling { change: change.clone().unbind(), plan, options, name, raised: None };
    let done = signals::detached(py, || job.run(&mut calling))?;
    match (calling.raised, done) {
        (Some(raised), _) => Err(raised),
        (None, Ok(Edited { records, changed })) => Ok((records, changed)),
        (None, Err(error)) => Err(exception(py, Failure::from(error))),
    }
}

/// Returns the bytes of a changed record of a format that keeps those of all that has not changed; None of any other
/// format. `before` and `after` are documents of the record.
#[pyfunction]
#[pyo3(signature = (format, old, before, after, columns, read))]
#[allow(clippy::needless_pass_by_value, reason = "arguments of Python are owned")]
pub(crate) fn rewritten<'py>(
    py: Python<'py>,
    format: &str,
    old: &[u8],
    before: &[u8],
    after: &[u8],
    columns: Vec<String>,
    read: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let format: Format =
        format.parse().map_err(|error: demat_place::UnknownFormat| PyValueError::new_err(error.to_string()))?;
    let Some(codec) = format.codec().filter(|codec| codec.rewrites()) else { return Ok(None) };
    let options = DecodeOptions::parse(format, read)?;
    let record = Rewrite { old, columns: &columns, before, after };
    let new = codec.rewrite(&options.read, &record).map_err(|error| exception(py, Failure::from(error)))?;
    Ok(Some(PyBytes::new(py, &new)))
}

/// Returns the place of a path.
fn file(place: &Bound<'_, PyAny>) -> PyResult<Place> {
    match path(place)? {
        Some(path) => Ok(Place::named(path.as_os_str())),
        None => {
            Err(PyTypeError::new_err(format!("expected the path of a file to edit, not {}", place.get_type().name()?)))
        }
    }
}

/// Returns the shape of the records, whose fields a condition names.
fn shape(plan: &Bound<'_, Plan>, format: Format) -> PyResult<Shape> {
    plan.get().program.shape_copied(plan.py(), format, &[], false)
}

/// Calls a function of Python with each record.
struct Calling {
    change: Py<PyAny>,
    plan: Option<Py<Plan>>,
    options: DecodeOptions,
    /// The name of the file, for errors.
    name: String,
    /// The exception that ended the edit.
    raised: Option<PyErr>,
}

impl Calling {
    fn call(&self, py: Python<'_>, source: &mut dyn Source<'_>, record: &Found<'_>) -> PyResult<Option<Vec<u8>>> {
        let program = match &self.plan {
            Some(plan) => &plan.get().program,
            None => untyped(),
        };
        let mut engine = Engine::<&mut dyn Source<'_>, true>::new(py, source, program, &self.options.manner);
        let object = match engine.each(None) {
            Ok(object) => object.into_bound(py),
            Err(Stopped::Failed(failure)) => {
                return Err(exception(py, failure.map(|error| self.located(record, error))));
            }
            Err(Stopped::Incomplete) => {
                let error = Error::new(ErrorKind::Syntax, "the record is not complete");
                return Err(exception(py, self.located(record, error).into()));
            }
        };
        let returned = self.change.bind(py).call1((object, PyBytes::new(py, record.bytes), record.columns));
        returned.and_then(|returned| returned.extract()).inspect_err(|raised| {
            let at = self.located(record, Error::new(ErrorKind::Constraint, ""));
            let note = format!("while Demat edited `{}` (record {})", at.path(), record.number);
            let _ = raised.value(py).call_method1(intern!(py, "add_note"), (note,)); // a missing note does no harm
        })
    }

    fn located(&self, record: &Found<'_>, error: Error) -> Error {
        record.explain(error).in_place(self.name.clone())
    }
}

impl Change for Calling {
    fn change(&mut self, source: &mut dyn Source<'_>, record: &Found<'_>) -> Result<Option<Vec<u8>>> {
        Python::attach(|py| {
            self.call(py, source, record).map_err(|raised| {
                self.raised = Some(raised);
                Error::new(ErrorKind::Io, "the edit was ended")
            })
        })
    }
}
