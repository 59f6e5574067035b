//! What readers can be told, besides how values are decoded.

use crate::decode::{flag, one_of, wrong};
use crate::format::Format;
use demat_formats::codec::Model;
use demat_formats::stream::{RecordPath, Window};
use demat_place::Compression;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

/// Everything that a reader was told.
pub(crate) struct ReadOptions {
    /// Where in the document the records are.
    pub(crate) at: RecordPath,
    /// Whether that was not said.
    pub(crate) at_unsaid: bool,
    pub(crate) recycle: bool,
    /// How many records a list has.
    pub(crate) batch: Option<usize>,
    pub(crate) progress: ProgressTarget,
    /// How many bytes a record has at most.
    pub(crate) limit: usize,
    pub(crate) compression: Packed,
}

/// Who is told of the progress.
pub(crate) enum ProgressTarget {
    Nobody,
    Bar,
    Function(Py<PyAny>),
}

impl ProgressTarget {
    /// What `progress` was given.
    ///
    /// # Errors
    /// `TypeError` where it is nothing that can be told.
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

/// How the data of a place is packed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Packed {
    /// As its first bytes say.
    Sniffed,
    Not,
    As(Compression),
}

impl ReadOptions {
    /// Reads keyword arguments; gives those that are the decoder's, too.
    ///
    /// # Errors
    /// `TypeError` for values of other types and what the format does not have, `ValueError` for other values.
    pub(crate) fn parse<'py>(
        format: Format,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Self, Option<Bound<'py, PyDict>>)> {
        let at = RecordPath::items();
        let mut own = Self {
            at,
            at_unsaid: true,
            recycle: false,
            batch: None,
            progress: ProgressTarget::Nobody,
            limit: Window::<&[u8]>::LIMIT,
            compression: Packed::Sniffed,
        };
        let Some(given) = given else { return Ok((own, None)) };
        let rest = PyDict::new(given.py());
        for (name, value) in given {
            let text = name.cast::<PyString>()?.to_cow()?.into_owned();
            if !own.set(format, &text, &value)? {
                rest.set_item(name, value)?;
            }
        }
        Ok((own, Some(rest)))
    }

    fn set(&mut self, format: Format, name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        match name {
            "at" if matches!(format.about().model, Model::Cells | Model::Numbered) => {
                let records = if format.is_table() { "rows" } else { "messages" };
                let message = format!("reading {format} has no option \"at\": its records are its {records}");
                return Err(PyTypeError::new_err(message));
            }
            "at" | "batch" if value.is_none() => {}
            "at" => {
                let text = value.cast::<PyString>().map_err(|_| wrong(name, "a str", value))?.to_cow()?;
                let at: RecordPath = text.parse().map_err(|error| {
                    PyValueError::new_err(format!("at must be a path such as \"$.items[*]\", not {text:?}: {error}"))
                })?;
                // A line is a document of its own.
                self.at = if format.about().model == Model::JsonLines { at.in_each() } else { at };
                self.at_unsaid = false;
            }
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

fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    match value.extract::<usize>() {
        Ok(count) if count > 0 && !value.is_instance_of::<PyBool>() => Ok(count),
        _ => Err(wrong(name, "an int from 1", value)),
    }
}
