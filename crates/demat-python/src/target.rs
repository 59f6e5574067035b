//! Opens places for writing: paths, and objects that take bytes.

use crate::error::{Failure, exception};
use crate::file_object::{FileObject, Raised};
use crate::special_file;
use demat_core::{Error, ErrorKind};
use demat_place::{Compression, Place, Target};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::path::PathBuf;

/// A target, and the exception that its object raised.
pub(crate) struct Opened {
    pub(crate) target: Target,
    pub(crate) raised: Raised,
    /// Whether a compression keeps bytes back.
    pub(crate) is_packed: bool,
}

impl Opened {
    /// Opens a path (`-` is standard output), or an object that takes bytes.
    ///
    /// # Errors
    /// `TypeError` if it is neither; `demat.StoreError` if it can't be opened.
    pub(crate) fn new(place: &Bound<'_, PyAny>, compression: Packing) -> PyResult<Self> {
        let raised = Raised::default();
        let (opened, packed) = if let Some(path) = path(place)? {
            let named = Place::named(path.as_os_str());
            let compression = compression.of(&named);
            let special = match &named {
                Place::File(path) => special_file::open(place.py(), path, special_file::Way::Out)?,
                _ => None,
            };
            let opened = match special {
                Some(Ok(file)) => Target::over(file, named.to_string(), compression),
                Some(Err(cause)) => {
                    Err(Error::new(ErrorKind::Io, "can't be written").because(cause).in_place(named.to_string()))
                }
                None => Target::create_packed(&named, compression),
            };
            (opened, compression)
        } else {
            let file = FileObject::new(place, raised.clone())?;
            (Target::over(file, name_of(place), compression.asked()), compression.asked())
        };
        let target = opened.map_err(|error| exception(place.py(), Failure::from(error)))?;
        Ok(Self { target, raised, is_packed: packed.is_some() })
    }

    /// Writes bytes with the GIL released.
    ///
    /// # Errors
    /// Errors of the place, or the exception that its object raised.
    pub(crate) fn write(&mut self, py: Python<'_>, chunks: &[Vec<u8>]) -> PyResult<()> {
        let target = &mut self.target;
        let written = py.detach(|| chunks.iter().try_for_each(|chunk| target.write(chunk)));
        written.map_err(|error| self.failed(py, error))
    }

    /// Overwrites bytes that were written. Each patch has the distance of its first byte from the end.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn patch(&mut self, py: Python<'_>, patches: &[(u64, Vec<u8>)]) -> PyResult<()> {
        let target = &mut self.target;
        let patched = patches.iter().try_for_each(|(back, bytes)| target.patch(*back, bytes));
        patched.map_err(|error| self.failed(py, error))
    }

    /// Passes on all that was written, with the GIL released.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn flush(&mut self, py: Python<'_>) -> PyResult<()> {
        let target = &mut self.target;
        let flushed = py.detach(|| target.flush());
        flushed.map_err(|error| self.failed(py, error))
    }

    /// What a failure of the target was: an exception of the object behind it, if there is one.
    pub(crate) fn failed(&self, py: Python<'_>, error: Error) -> PyErr {
        failed(py, &self.raised, error)
    }

    /// Commits the target: a file appears.
    ///
    /// # Errors
    /// As for [`write`](Self::write).
    pub(crate) fn finish(self, py: Python<'_>) -> PyResult<()> {
        let Self { target, raised, .. } = self;
        py.detach(|| target.finish()).map_err(|error| failed(py, &raised, error))
    }
}

fn failed(py: Python<'_>, raised: &Raised, error: Error) -> PyErr {
    raised.take().unwrap_or_else(|| exception(py, Failure::from(error)))
}

/// Returns the path that an object represents, if it does.
///
/// # Errors
/// The exception that `__fspath__` raises.
pub(crate) fn path(place: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    if place.is_instance_of::<PyString>() || !place.is_instance_of::<PyBytes>() && place.hasattr("__fspath__")? {
        return place.extract().map(Some);
    }
    Ok(None)
}

/// Returns the name of a file object in errors.
pub(crate) fn name_of(file: &Bound<'_, PyAny>) -> String {
    let name = file.getattr("name").ok().and_then(|name| name.extract::<String>().ok());
    name.unwrap_or_else(|| file.get_type().name().map_or_else(|_| "file".to_string(), |class| class.to_string()))
}

/// The option `compression`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Packing {
    /// Determined by the path's suffix.
    #[default]
    Auto,
    Given(Option<Compression>),
}

impl Packing {
    /// Parses the option.
    ///
    /// # Errors
    /// `ValueError` for unknown values.
    pub(crate) fn parse(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_none() {
            return Ok(Self::Given(None));
        }
        match given.extract::<&str>().unwrap_or_default() {
            "auto" => Ok(Self::Auto),
            "gzip" => Ok(Self::Given(Some(Compression::Gzip))),
            "zstd" => Ok(Self::Given(Some(Compression::Zstd))),
            _ => {
                let message =
                    format!("compression must be \"auto\", \"gzip\", \"zstd\" or None, not {}", given.repr()?);
                Err(PyValueError::new_err(message))
            }
        }
    }

    pub(crate) fn of(self, place: &Place) -> Option<Compression> {
        match self {
            Self::Auto => place.compression(),
            Self::Given(compression) => compression,
        }
    }

    fn asked(self) -> Option<Compression> {
        match self {
            Self::Auto => None,
            Self::Given(compression) => compression,
        }
    }
}
