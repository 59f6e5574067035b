//! Reads bytes that Python code supplies in pieces: files, sockets, iterables.

use super::raised::Raised;
use pyo3::exceptions::{PyBlockingIOError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyString};
use std::io;

/// Reads from an object by repeated calls.
pub(crate) struct Chunks {
    asked: ReadCall,
    /// The bytes of the last piece that did not fit.
    rest: Vec<u8>,
    at: usize,
    ended: bool,
}

/// How to call the object.
pub(crate) enum ReadCall {
    /// Calls a method with the number of bytes; empty bytes mean the end. Includes the method's name, for errors.
    Method(Py<PyAny>, &'static str),
    /// Takes the next item, which may be empty.
    Iterator(Py<PyIterator>),
}

/// The minimum number of bytes to request.
const LEAST: usize = 16 * 1024;

impl Chunks {
    pub(crate) fn new(asked: ReadCall) -> Self {
        Self { asked, rest: Vec::new(), at: 0, ended: false }
    }

    pub(crate) fn read(&mut self, buffer: &mut [u8], raised: &Raised) -> io::Result<usize> {
        if self.at == self.rest.len() && !self.ended {
            let asked = Python::attach(|py| self.next(py, buffer));
            match asked {
                Ok(0) => {}
                Ok(read) => return Ok(read),
                Err(error) => {
                    self.ended = true;
                    return Err(raised.keep(error));
                }
            }
        }
        let len = (self.rest.len() - self.at).min(buffer.len());
        buffer[..len].copy_from_slice(&self.rest[self.at..self.at + len]);
        self.at += len;
        Ok(len)
    }

    /// Calls the object once. Bytes that fit are copied to the buffer; otherwise all are kept.
    fn next(&mut self, py: Python<'_>, buffer: &mut [u8]) -> PyResult<usize> {
        py.check_signals()?;
        loop {
            let (chunk, name) = match &self.asked {
                ReadCall::Method(method, name) => {
                    let chunk = method.bind(py).call1((buffer.len().max(LEAST),))?;
                    if chunk.is_none() {
                        let message = "the file has no bytes now and does not wait for any; read wants one that does";
                        return Err(PyBlockingIOError::new_err(message));
                    }
                    (chunk, *name)
                }
                ReadCall::Iterator(iterator) => {
                    let Some(chunk) = iterator.bind(py).clone().next() else {
                        self.ended = true;
                        return Ok(0);
                    };
                    (chunk?, "an item")
                }
            };
            let read = with_bytes(&chunk, name, |bytes| {
                if bytes.len() <= buffer.len() {
                    buffer[..bytes.len()].copy_from_slice(bytes);
                    return bytes.len();
                }
                self.rest.clear();
                self.rest.extend_from_slice(bytes);
                self.at = 0;
                bytes.len()
            })?;
            if read > buffer.len() {
                return Ok(0);
            }
            if read > 0 {
                return Ok(read);
            }
            if matches!(self.asked, ReadCall::Method(..)) {
                self.ended = true;
                return Ok(0);
            }
            py.check_signals()?;
        }
    }

    pub(crate) fn traverse(&self, visit: &pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        match &self.asked {
            ReadCall::Method(object, _) => visit.call(object),
            ReadCall::Iterator(object) => visit.call(object),
        }
    }
}

/// Passes the bytes of a piece to a function: those of a buffer, or the UTF-8 of a str.
pub(crate) fn with_bytes<T>(chunk: &Bound<'_, PyAny>, what: &str, then: impl FnOnce(&[u8]) -> T) -> PyResult<T> {
    if let Ok(bytes) = chunk.cast::<PyBytes>() {
        return Ok(then(bytes.as_bytes()));
    }
    if let Ok(text) = chunk.cast::<PyString>() {
        return Ok(then(text.to_str()?.as_bytes()));
    }
    if let Some(mut view) = super::buffer::Buffer::of(chunk)? {
        let mut copy = vec![0; view.len()];
        view.read(&mut copy);
        return Ok(then(&copy));
    }
    let found = chunk.get_type().name()?;
    Err(PyTypeError::new_err(format!("expected bytes or str of {what}, not {found}")))
}
