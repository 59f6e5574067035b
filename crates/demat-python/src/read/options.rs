//! The options of readers, besides those of decoding.

use super::on_error::OnError;
use crate::decode::{flag, one_of, wrong};
use crate::format::Format;
use demat_formats::codec::{Model, Records};
use demat_formats::stream::{RecordPath, RecordPaths, Window};
use demat_place::Compression;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping, PyString};

/// The options of a reader.
pub(crate) struct ReadOptions {
    /// The paths of the records in the document.
    pub(crate) at: Vec<RecordPath>,
    /// The type of the records of each path, where they were given together.
    pub(crate) types: Vec<Py<PyAny>>,
    /// Whether `at` was not set.
    pub(crate) at_unsaid: bool,
    /// Whether each record comes with its key.
    pub(crate) keys: bool,
    pub(crate) header: HeaderOption,
    pub(crate) recycle: bool,
    /// The number of records in a batch.
    pub(crate) batch: Option<usize>,
    pub(crate) progress: ProgressTarget,
    /// The maximum length of a record in bytes.
    pub(crate) limit: usize,
    pub(crate) compression: Packed,
    pub(crate) on_error: OnError,
}

/// Whether to keep the fields around the records.
#[derive(Debug)]
pub(crate) enum HeaderOption {
    No,
    /// As a dict.
    Dict,
    /// As a value of this type.
    Of(Py<PyAny>),
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
            at: vec![if is_single { RecordPath::whole() } else { RecordPath::items() }],
            types: Vec::new(),
            at_unsaid: !is_single,
            keys: false,
            header: HeaderOption::No,
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
        own.check(&rest)?;
        Ok((own, Some(rest)))
    }

    /// Checks options against each other.
    fn check(&self, decoding: &Bound<'_, PyDict>) -> PyResult<()> {
        if self.keys && !self.at.iter().all(RecordPath::has_keys) {
            let each = if self.at.len() > 1 { "for paths that each end" } else { "for a path that ends" };
            return Err(PyValueError::new_err(format!("keys=True is {each} in `.*`: each value of a dict")));
        }
        if self.keys && self.recycle {
            return Err(PyValueError::new_err("recycle=True is for records without their keys"));
        }
        if self.types.is_empty() {
            return Ok(());
        }
        if self.recycle {
            return Err(PyTypeError::new_err("recycle=True is for records of one type, not for `at` with a type each"));
        }
        for name in ["fields", "lazy"] {
            if decoding.get_item(name)?.is_some_and(|value| value.is_truthy().unwrap_or(true)) {
                let message = format!("{name}= is for records of one type, not for `at` with a type each");
                return Err(PyTypeError::new_err(message));
            }
        }
        Ok(())
    }

    /// Sets the paths: a str, or a mapping of them to types.
    fn set_at(&mut self, format: Format, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.at_unsaid = false;
        if value.is_instance_of::<PyString>() {
            self.at = vec![path(format, value)?];
            return Ok(());
        }
        let Ok(mapping) = value.cast::<PyMapping>() else {
            return Err(wrong("at", "a str, or a dict of paths and types", value));
        };
        self.at.clear();
        for pair in mapping.items()?.iter() {
            let (key, type_): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            self.at.push(path(format, &key)?);
            self.types.push(type_.unbind());
        }
        RecordPaths::new(&self.at).map_err(|error| PyValueError::new_err(format!("at: {error}")))?;
        Ok(())
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
            "at" => self.set_at(format, value)?,
            "header" if has_header(format) && value.is_none() => {
                return Err(wrong(name, "True, False or a type", value));
            }
            "header" if has_header(format) => {
                self.header = match value.cast::<PyBool>() {
                    Ok(flag) if flag.is_true() => HeaderOption::Dict,
                    Ok(_) => HeaderOption::No,
                    Err(_) => HeaderOption::Of(value.clone().unbind()),
                }
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

/// Parses the path of records.
fn path(format: Format, value: &Bound<'_, PyAny>) -> PyResult<RecordPath> {
    let text =
        value.cast::<PyString>().map_err(|_| wrong("at", "a str, or a dict of paths and types", value))?.to_cow()?;
    let (path, example) = match format.about().model {
        Model::Markup => (RecordPath::of_elements(&text), "catalog/book"),
        // Each line is a document.
        Model::JsonLines => (text.parse().map(RecordPath::in_each), "$.items[*]"),
        _ => (text.parse(), "$.items[*]"),
    };
    path.map_err(|error| {
        PyValueError::new_err(format!("at must be a path such as \"{example}\", not {text:?}: {error}"))
    })
}

/// Returns whether records may be anywhere in the documents of a format.
fn has_at(format: Format) -> bool {
    !matches!(format.about().model, Model::Cells | Model::Numbered | Model::Shaped)
}

/// Returns whether the documents of a format are dicts with fields around their records.
fn has_header(format: Format) -> bool {
    has_at(format) && format.about().model != Model::Markup
}

fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    match value.extract::<usize>() {
        Ok(count) if count > 0 && !value.is_instance_of::<PyBool>() => Ok(count),
        _ => Err(wrong(name, "an int from 1", value)),
    }
}
