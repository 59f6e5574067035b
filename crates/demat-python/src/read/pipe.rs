//! Reads the raw bytes of a place, and counts them.

use super::buffer::Buffer;
use super::chunks::Chunks;
use super::feed::Fed;
use super::raised::Raised;
use demat_place::Unpacked;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A place open for reading; decompresses if necessary.
pub(crate) type Pipe = Unpacked<Counted>;

/// Counts the bytes read from a place.
pub(crate) struct Counted {
    raw: Raw,
    pub(crate) read: u64,
    raised: Raised,
}

pub(crate) enum Raw {
    File(File, PathBuf),
    Buffer(Buffer),
    Chunks(Chunks),
    Fed(Fed),
}

impl Counted {
    pub(crate) fn new(raw: Raw, raised: Raised) -> Self {
        Self { raw, read: 0, raised }
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Raw::Chunks(chunks) = &self.raw { chunks.traverse(visit) } else { Ok(()) }
    }
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.raised.again()?;
        let read = match &mut self.raw {
            Raw::File(file, path) => read_file(file, path, &self.raised, buffer)?,
            Raw::Buffer(own) => own.read(buffer),
            Raw::Chunks(chunks) => chunks.read(buffer, &self.raised)?,
            Raw::Fed(fed) => fed.read(buffer)?,
        };
        self.read += read as u64;
        Ok(read)
    }
}

fn read_file(file: &mut File, path: &Path, raised: &Raised, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        let cause = match file.read(buffer) {
            Ok(read) => return Ok(read),
            Err(cause) => cause,
        };
        // A signal arrived: Python handles it now, and if its handler raises nothing, reading continues.
        if cause.kind() == io::ErrorKind::Interrupted {
            Python::attach(|py| py.check_signals().map_err(|error| raised.keep(error)))?;
            continue;
        }
        return Err(raised.keep(refused(path, &cause)));
    }
}

/// Converts an error of the operating system to Python's, such as `FileNotFoundError`, with the path.
pub(crate) fn refused(path: &Path, cause: &io::Error) -> PyErr {
    let Some(number) = cause.raw_os_error() else { return PyOSError::new_err(cause.to_string()) };
    Python::attach(|py| {
        let said = py.import("os").and_then(|os| os.call_method1("strerror", (number,))?.extract::<String>());
        let said = said.unwrap_or_else(|_| cause.to_string());
        PyOSError::new_err((number, said, path.as_os_str().to_owned()))
    })
}
