//! The options of readers, besides those of decoding.

use super::on_error::OnError;
use crate::decode::{flag, one_of, wrong};
use crate::format::Format;
use demat_formats::codec::{Model, Records};
use demat_formats::stream::{RecordPath, Window};
use demat_place::Compression;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

/// The options of a reader.
pub(crate) struct ReadOptions {
    /// The path of the records in the document.
    pub(crate) at: RecordPath,
    /// Whether `at` was not set.
    pub(crate) at_unsaid: bool,
    /// Whether each record comes with its key.
    pub(crate) keys: bool,
    pub(crate) recycle: bool,
    /// The number of records in a batch.
    pub(crate) batch: Option<usize>,
    pub(crate) progress: ProgressTarget,
    /// The maximum length of a record in bytes.
    pub(crate) limit: usize,
    pub(crate) compression: Packed,
    pub(crate) on_error: OnError,
}

/// Where to show the progress.
pub(crate) enum ProgressTarget {
    Nobody,
    Bar,
    Function(Py<PyAny>),
}

impl ProgressTarget {
    /// Parses `progress`.
    ///
    /// # Errors
    /// `TypeError` if it is neither a bool nor callable.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_none() {
            return Ok(Self::Nobody);
        }
        match given.extract::<bool>() {
            Ok(true) => Ok(Self::Bar),
            Ok(false) => Ok(Self::Nobody),
            Err(_) if given.is_callable() => Ok(Self::Function(given.clone().unbind())),
            Err(_) => Err(wrong("progress", "True, False or a function", given)),
        }
    }
}

/// The compression of the input.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Packed {
    /// Detected from the first bytes.
    Sniffed,
    Not,
    As(Compression),
}

impl ReadOptions {
    /// Parses keyword arguments. Also returns those for the decoder.
    ///
    /// # Errors
    /// `TypeError` for values of wrong types and options that the format lacks; `ValueError` for invalid values.
    pub(crate) fn parse<'py>(
        format: Format,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Self, Option<Bound<'py, PyDict>>)> {
        let is_single = format.about().records == Records::Single;
        let mut own = Self {
            at: if is_single { RecordPath::whole() } else { RecordPath::items() },
            at_unsaid: !is_single,
            keys: false,
            recycle: false,
            batch: None,
            progress: ProgressTarget::Nobody,
            limit: Window::<&[u8]>::LIMIT,
            compression: Packed::Sniffed,
            on_error: OnError::Stop,
        };
        let Some(given) = given else { return Ok((own, None)) };
        let rest = PyDict::new(given.py());
        for (name, value) in given {
            let text = name.cast::<PyString>()?.to_cow()?.into_owned();
            if !own.set(format, &text, &value)? {
                rest.set_item(name, value)?;
            }
        }
        own.on_error = OnError::parse(given)?;
        own.on_error.check(&own.at)?;
        if own.keys && !own.at.has_keys() {
            return Err(PyValueError::new_err("keys=True is for a path that ends in `.*`: each value of a dict"));
        }
        if own.keys && own.recycle {
            return Err(PyValueError::new_err("recycle=True is for records without their keys"));
        }
        Ok((own, Some(rest)))
    }

    fn set(&mut self, format: Format, name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        match name {
            "at" if !has_at(format) => {
                let records = match format.about().model {
                    Model::Cells => "rows",
                    Model::Numbered => "messages",
                    _ => "items",
                };
                let message = format!("reading {format} has no option \"at\": its records are its {records}");
                return Err(PyTypeError::new_err(message));
            }
            "keys" if has_at(format) && format.about().model != Model::Markup => self.keys = flag(name, value)?,
            "at" | "batch" if value.is_none() => {}
            "at" if format.about().model == Model::Markup => {
                let text = value.cast::<PyString>().map_err(|_| wrong(name, "a str", value))?.to_cow()?;
                self.at = RecordPath::of_elements(&text).map_err(|error| {
                    PyValueError::new_err(format!("at must be a path such as \"catalog/book\", not {text:?}: {error}"))
                })?;
                self.at_unsaid = false;
            }
            "at" => {
                let text = value.cast::<PyString>().map_err(|_| wrong(name, "a str", value))?.to_cow()?;
                let at: RecordPath = text.parse().map_err(|error| {
                    PyValueError::new_err(format!("at must be a path such as \"$.items[*]\", not {text:?}: {error}"))
                })?;
                // Each line is a document.
                self.at = if format.about().model == Model::JsonLines { at.in_each() } else { at };
                self.at_unsaid = false;
            }
            "on_error" | "rejects" if format.about().records == Records::Single && !has_at(format) => {
                let message = format!("reading {format} has no option {name:?}: a document is one record");
                return Err(PyTypeError::new_err(message));
            }
            // Parsed together.
            "on_error" | "rejects" => {}
            "recycle" => self.recycle = flag(name, value)?,
            "batch" => self.batch = Some(count(name, value)?),
            "limit" => self.limit = count(name, value)?,
            "progress" => self.progress = ProgressTarget::of(value)?,
            "compression" if value.is_none() => self.compression = Packed::Not,
            "compression" => {
                self.compression = match one_of(name, value, &["auto", "gzip", "zstd"])? {
                    0 => Packed::Sniffed,
                    1 => Packed::As(Compression::Gzip),
                    _ => Packed::As(Compression::Zstd),
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Returns whether records may be anywhere in the documents of a format.
fn has_at(format: Format) -> bool {
    !matches!(format.about().model, Model::Cells | Model::Numbered | Model::Shaped)
}

fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    match value.extract::<usize>() {
        Ok(count) if count > 0 && !value.is_instance_of::<PyBool>() => Ok(count),
        _ => Err(wrong(name, "an int from 1", value)),
    }
}
