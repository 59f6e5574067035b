//! What keeps the bytes of views where they are.

use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3::{PyTraverseError, PyVisit, ffi};
use std::cell::{Cell, UnsafeCell};

/// The export of a buffer, shared by all views over it: the buffer is let go of when the last of them is gone, or when it is
/// [released](Owner::release).
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct Owner {
    view: UnsafeCell<Box<ffi::Py_buffer>>,
    released: Cell<bool>,
    /// How many buffers of others stand on this one, so that it can't be released.
    exports: Cell<usize>,
}

// SAFETY: it is looked at and changed with the GIL held only.
unsafe impl Sync for Owner {}
// SAFETY: as above.
unsafe impl Send for Owner {}

/// The bytes of an object, and what is to be held as long as they are looked at.
pub(super) struct Held {
    /// A `bytes` or a `str` itself, or an [`Owner`].
    pub(super) owner: Py<PyAny>,
    pub(super) data: *const u8,
    pub(super) len: usize,
    /// Whether it is an owner, which can be released.
    pub(super) is_owner: bool,
}

impl Held {
    /// Borrows the bytes of an object; of a text, if that may be, its UTF-8, which it keeps.
    ///
    /// # Errors
    /// `TypeError` where it has none.
    pub(super) fn of(data: &Bound<'_, PyAny>, takes_text: bool) -> PyResult<Self> {
        if takes_text && let Ok(text) = data.cast_exact::<PyString>() {
            let utf8 = crate::input::utf8(text)?;
            let (data, len) = (utf8.as_ptr(), utf8.len());
            return Ok(Self { owner: text.clone().into_any().unbind(), data, len, is_owner: false });
        }
        if let Ok(bytes) = data.cast_exact::<PyBytes>() {
            let content = bytes.as_bytes();
            let (data, len) = (content.as_ptr(), content.len());
            return Ok(Self { owner: bytes.clone().into_any().unbind(), data, len, is_owner: false });
        }
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: a living object, and a view to fill.
        if unsafe { ffi::PyObject_GetBuffer(data.as_ptr(), &raw mut *view, ffi::PyBUF_SIMPLE) } < 0 {
            return Err(PyErr::fetch(data.py()));
        }
        let (start, len) = (view.buf.cast::<u8>().cast_const(), view.len.unsigned_abs());
        let owner = Owner { view: UnsafeCell::new(view), released: Cell::new(false), exports: Cell::new(0) };
        let owner = Py::new(data.py(), owner)?.into_any();
        let data = if start.is_null() { [].as_ptr() } else { start };
        Ok(Self { owner, data, len, is_owner: true })
    }
}

impl Owner {
    /// Whether the bytes are no more to be looked at.
    #[inline(always)]
    pub(super) fn is_released(&self) -> bool {
        self.released.get()
    }

    /// Where the bytes begin.
    pub(super) fn start(&self) -> usize {
        // SAFETY: nobody changes the view but `release`, which leaves it where it is.
        unsafe { (*self.view.get()).buf.addr() }
    }

    /// Lets go of the buffer: views over it are invalid from then on.
    ///
    /// # Errors
    /// `BufferError` where a buffer of somebody else's stands on it.
    pub(super) fn release(&self) -> PyResult<()> {
        if self.exports.get() > 0 {
            return Err(PyBufferError::new_err(
                "a lazy record is being encoded, or its numbers are still looked at, by a NumPy array or the like",
            ));
        }
        if !self.released.replace(true) {
            // SAFETY: a view that was filled; released once, as was just noted. The GIL is held, as whoever has `&self` has.
            unsafe { ffi::PyBuffer_Release(&raw mut **self.view.get()) };
        }
        Ok(())
    }

    /// Somebody else looks at the bytes, or does so no more.
    pub(super) fn export(&self, one: bool) {
        let count = self.exports.get();
        self.exports.set(if one { count + 1 } else { count.saturating_sub(1) });
    }
}

#[pymethods]
impl Owner {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if self.released.get() {
            return Ok(());
        }
        // SAFETY: the view stays as it was filled until it is released; `obj` lives as long as the view holds it.
        let object = unsafe { (*self.view.get()).obj };
        if object.is_null() {
            return Ok(());
        }
        // SAFETY: it lives, and the reference is the view's: it is looked at and not given back.
        let object =
            core::mem::ManuallyDrop::new(unsafe { Bound::from_owned_ptr(Python::assume_attached(), object).unbind() });
        visit.call(&*object)
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        if !self.released.get() {
            // SAFETY: a view that was filled, and is released here and never again; the GIL is held.
            Python::try_attach(|_| unsafe { ffi::PyBuffer_Release(&raw mut **self.view.get()) });
        }
    }
}

/// What the owner of bytes says of them that it has let go of.
#[cold]
pub(super) fn released() -> PyErr {
    PyValueError::new_err("the buffer of this record was released: its reader was closed")
}
