//! The bytes of a buffer, which are the place themselves.

use pyo3::ffi;
use pyo3::prelude::*;

/// A buffer that is held while it is read.
pub(crate) struct Buffer {
    view: Box<ffi::Py_buffer>,
    at: usize,
}

// SAFETY: the view is looked at by one thread at a time, as a reader is; it is released with the GIL held.
unsafe impl Send for Buffer {}

impl Buffer {
    /// Borrows the bytes of an object; none where it has no buffer.
    ///
    /// # Errors
    /// What the object says where it won't lend them.
    pub(crate) fn of(data: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        // SAFETY: a living object.
        if unsafe { ffi::PyObject_CheckBuffer(data.as_ptr()) } == 0 {
            return Ok(None);
        }
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: a living object, and a view to fill.
        if unsafe { ffi::PyObject_GetBuffer(data.as_ptr(), &raw mut *view, ffi::PyBUF_SIMPLE) } < 0 {
            return Err(PyErr::fetch(data.py()));
        }
        Ok(Some(Self { view, at: 0 }))
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> usize {
        self.view.len as usize
    }

    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> usize {
        let len = (self.len() - self.at).min(buffer.len());
        if len == 0 {
            return 0;
        }
        // SAFETY: the view is held, so the memory stays where it is, and has so many bytes from there on.
        let copy = |to: &mut [u8]| unsafe {
            std::ptr::copy_nonoverlapping(self.view.buf.cast::<u8>().add(self.at), to.as_mut_ptr(), len);
        };
        if self.view.readonly == 0 {
            // Nobody writes to it then in Python.
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
        // Whoever reads columns may let go of them without the GIL. Where the interpreter is gone, so is the object.
        // SAFETY: a view that was filled, released once, with the GIL held.
        Python::try_attach(|_| unsafe { ffi::PyBuffer_Release(&raw mut *self.view) });
    }
}
