//! Reads from a buffer in memory.

use pyo3::ffi;
use pyo3::prelude::*;

/// A buffer that is held while it is read.
pub(crate) struct Buffer {
    view: Box<ffi::Py_buffer>,
    at: usize,
}

// SAFETY: one thread at a time uses a reader, and so the view; it is released with the GIL held.
unsafe impl Send for Buffer {}

impl Buffer {
    /// Borrows the bytes of an object; `None` if it has no buffer.
    ///
    /// # Errors
    /// The exception that the object raises when its buffer is requested.
    pub(crate) fn of(data: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        // SAFETY: a live object.
        if unsafe { ffi::PyObject_CheckBuffer(data.as_ptr()) } == 0 {
            return Ok(None);
        }
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: a live object, and a view to fill.
        if unsafe { ffi::PyObject_GetBuffer(data.as_ptr(), &raw mut *view, ffi::PyBUF_SIMPLE) } < 0 {
            return Err(PyErr::fetch(data.py()));
        }
        Ok(Some(Self { view, at: 0 }))
    }

    /// Returns the number of bytes.
    pub(crate) fn len(&self) -> usize {
        self.view.len as usize
    }

    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> usize {
        let len = (self.len() - self.at).min(buffer.len());
        if len == 0 {
            return 0;
        }
        // SAFETY: the view is held, so its memory stays in place and has at least `at + len` bytes.
        let copy = |to: &mut [u8]| unsafe {
            std::ptr::copy_nonoverlapping(self.view.buf.cast::<u8>().add(self.at), to.as_mut_ptr(), len);
        };
        if self.view.readonly == 0 {
            // The buffer is writable: the GIL keeps Python code from writing to it meanwhile.
            Python::attach(|_| copy(buffer));
        } else {
            copy(buffer);
        }
        self.at += len;
        len
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // A reader of columns may be dropped without the GIL. If the interpreter has ended, the object is gone, too.
        // SAFETY: a view that was filled, released once, with the GIL held.
        Python::try_attach(|_| unsafe { ffi::PyBuffer_Release(&raw mut *self.view) });
    }
}
