//! Writes to Python's file objects, or to any other object with a `write` method.

use crate::read::is_coroutine_function;
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Holds the exception that user code raised, as a `std::io::Error` can't carry it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Takes the exception, if there is one.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns whether an exception is held.
    pub(crate) fn is_set(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Keeps an exception, if it is the first, and returns an I/O error in its place.
    pub(crate) fn keep(&self, raised: PyErr) -> io::Error {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
        io::Error::other("an exception of the program's own")
    }
}

/// Adapts an object with a `write` that takes bytes to a Rust writer.
#[derive(Debug)]
pub(crate) struct FileObject {
    write: Py<PyAny>,
    /// Whether `write` says how many bytes it took, as that of a file.
    counts: bool,
    object: Py<PyAny>,
    raised: Raised,
}

impl FileObject {
    /// Wraps an object that [takes](Self::takes) bytes; its exceptions are kept in `raised`.
    ///
    /// # Errors
    /// `TypeError` if the object is none, or takes text of any encoding.
    pub(crate) fn new(object: &Bound<'_, PyAny>, raised: Raised) -> PyResult<Self> {
        let py = object.py();
        let own = object.getattr_opt(intern!(py, "write"))?;
        let counts = own.is_some();
        let write = match own {
            Some(write) => {
                let io = py.import(intern!(py, "io"))?;
                if object.is_instance(&io.getattr(intern!(py, "StringIO"))?)? {
                    let text = py.import(intern!(py, "demat._text"))?.getattr(intern!(py, "writes"))?;
                    text.call1((write,))?
                } else if object.is_instance(&io.getattr(intern!(py, "TextIOBase"))?)? {
                    let message = "the file takes text, and bytes are written: open it with mode \"wb\"";
                    return Err(PyTypeError::new_err(message));
                } else {
                    write
                }
            }
            // Of sockets: `send` may take a part.
            None => match object.getattr_opt(intern!(py, "sendall"))? {
                Some(send) => send,
                None if is_called(object) => object.clone(),
                None => return Err(no_place(object)?),
            },
        };
        Ok(Self { write: write.unbind(), counts, object: object.clone().unbind(), raised })
    }

    /// Whether an object takes bytes: it has a `write` or is a socket, or it is called with them.
    pub(crate) fn takes(object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = object.py();
        Ok(object.hasattr(intern!(py, "write"))? || object.hasattr(intern!(py, "sendall"))? || is_called(object))
    }
}

/// Whether an object is a function, or like one, that can be called with bytes: calling a class makes something else, and
/// nobody would await a coroutine.
fn is_called(object: &Bound<'_, PyAny>) -> bool {
    object.is_callable() && !object.is_instance_of::<PyType>() && !is_coroutine_function(object)
}

/// Returns the error for an object that is no place to write to.
pub(crate) fn no_place(object: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let class = object.get_type().name()?;
    let message = format!("a place to write to is a path or an open file, a socket, or a callable, not {class}");
    Ok(PyTypeError::new_err(message))
}

impl io::Write for FileObject {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let given = PyBytes::new(py, bytes);
            let written = self.write.bind(py).call1((given,)).map_err(|raised| self.raised.keep(raised))?;
            // Raw files may write fewer bytes than passed, or none for now. `None` is taken to mean all.
            if written.is_none() || !self.counts {
                return Ok(bytes.len());
            }
            match written.extract::<usize>() {
                Ok(len) if len <= bytes.len() => Ok(len),
                _ => {
                    let message = format!("the file says that it has written {written} of {} bytes", bytes.len());
                    Err(self.raised.keep(PyOSError::new_err(message)))
                }
            }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Python::attach(|py| {
            let object = self.object.bind(py);
            let name = intern!(py, "flush");
            let flushed = match object.getattr_opt(name) {
                Ok(Some(flush)) => flush.call0().map(drop),
                Ok(None) => Ok(()),
                Err(raised) => Err(raised),
            };
            flushed.map_err(|raised| self.raised.keep(raised))
        })
    }
}
