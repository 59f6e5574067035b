//! Files that are objects of Python's, or anything else that has a `write`.

use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// What code of the user's has raised, which the standard library's errors can't carry.
#[derive(Debug, Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// The exception, if there was one.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether there was one that nobody has taken.
    pub(crate) fn is_set(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Keeps an exception, if it is the first, and gives what stands for it.
    pub(crate) fn keep(&self, raised: PyErr) -> io::Error {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
        io::Error::other("an exception of the program's own")
    }
}

/// An object with a `write` that takes bytes, as a writer.
#[derive(Debug)]
pub(crate) struct FileObject {
    write: Py<PyAny>,
    object: Py<PyAny>,
    raised: Raised,
}

impl FileObject {
    /// The writer that an object is; `raised` gets what it raises.
    ///
    /// # Errors
    /// `TypeError` where it takes text.
    pub(crate) fn new(object: &Bound<'_, PyAny>, raised: Raised) -> PyResult<Self> {
        let py = object.py();
        let text = py.import(intern!(py, "io"))?.getattr(intern!(py, "TextIOBase"))?;
        if object.is_instance(&text)? {
            return Err(PyTypeError::new_err("the file takes text, and bytes are written: open it with mode \"wb\""));
        }
        let write = object.getattr(intern!(py, "write"))?.unbind();
        Ok(Self { write, object: object.clone().unbind(), raised })
    }
}

impl io::Write for FileObject {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let given = PyBytes::new(py, bytes);
            let written = self.write.bind(py).call1((given,)).map_err(|raised| self.raised.keep(raised))?;
            // Raw files may take less than they are given, or nothing for now; those that return nothing take all.
            if written.is_none() {
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
