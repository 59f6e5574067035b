//! Bytes that Python code gives piece by piece: files, sockets, iterables.

use super::raised::Raised;
use pyo3::exceptions::{PyBlockingIOError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyString};
use std::io;

/// An object that is asked for bytes, again and again.
pub(crate) struct Chunks {
    asked: ReadCall,
    /// What was given and not yet read.
    rest: Vec<u8>,
    at: usize,
    ended: bool,
}

/// How it is asked.
pub(crate) enum ReadCall {
    /// By a call with the number of bytes; nothing ends it. With the method's name, for errors.
    Method(Py<PyAny>, &'static str),
    /// By the next item, which may be empty.
    Iterator(Py<PyIterator>),
}

/// So many bytes are asked for at least.
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

    /// Asks once. What fits the buffer is put there; else all is kept.
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

/// The bytes of what was given: those of a buffer, or the UTF-8 of text.
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
