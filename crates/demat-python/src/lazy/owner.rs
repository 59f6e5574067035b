//! Keeps the bytes of views in place.

use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3::{PyTraverseError, PyVisit, ffi};
use std::cell::{Cell, UnsafeCell};

/// An acquired buffer, shared by all views over it. It is released when the last view is dropped, or by
/// [`release`](Owner::release).
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct Owner {
    view: UnsafeCell<Box<ffi::Py_buffer>>,
    released: Cell<bool>,
    /// The number of buffers exported from this one, which prevent its release.
    exports: Cell<usize>,
}

// SAFETY: only accessed with the GIL held.
unsafe impl Sync for Owner {}
// SAFETY: as above.
unsafe impl Send for Owner {}

/// The bytes of an object, and the object to hold while they are used.
pub(super) struct Held {
    /// A `bytes` or a `str` itself, or an [`Owner`].
    pub(super) owner: Py<PyAny>,
    pub(super) data: *const u8,
    pub(super) len: usize,
    /// Whether the owner is an [`Owner`], which can be released.
    pub(super) is_owner: bool,
}

impl Held {
    /// Borrows the bytes of an object; with `takes_text` also the UTF-8 of a `str`, which the `str` caches.
    ///
    /// # Errors
    /// `TypeError` if it has none.
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
        // SAFETY: a live object, and a view to fill.
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

impl Held {
    /// Returns whether the bytes begin as compressed data does.
    pub(super) fn is_packed(&self) -> bool {
        // SAFETY: the owner is held, and has that many bytes.
        let bytes = unsafe { core::slice::from_raw_parts(self.data, self.len) };
        bytes.starts_with(b"\x1f\x8b\x08") || bytes.starts_with(b"\x28\xb5\x2f\xfd")
    }
}

impl Owner {
    /// Returns an owner of bytes that stay in place as long as an object lives.
    pub(crate) fn of_pages(keeper: Bound<'_, PyAny>) -> Self {
        let mut view = Box::new(ffi::Py_buffer::new());
        // A buffer without bytes, behind all others: so offsets in errors count from the start of a record. Its release
        // releases the object, which exports no buffer and so has nothing else to do.
        view.buf = core::ptr::without_provenance_mut(usize::MAX);
        view.obj = keeper.into_ptr();
        Owner { view: UnsafeCell::new(view), released: Cell::new(false), exports: Cell::new(0) }
    }

    /// Returns whether the bytes were released, and must not be accessed.
    #[inline(always)]
    pub(crate) fn is_released(&self) -> bool {
        self.released.get()
    }

    /// Returns the address of the bytes.
    pub(super) fn start(&self) -> usize {
        // SAFETY: only `release` changes the view, and it leaves the address as it is.
        unsafe { (*self.view.get()).buf.addr() }
    }

    /// Releases the buffer: views over it are invalid from then on.
    ///
    /// # Errors
    /// `BufferError` if a buffer was exported from it.
    pub(crate) fn release(&self) -> PyResult<()> {
        if self.exports.get() > 0 {
            return Err(PyBufferError::new_err(
                "a lazy record is being encoded, or its numbers are still looked at, by a NumPy array or the like",
            ));
        }
        if !self.released.replace(true) {
            // SAFETY: a view that was filled, and is released once, as checked above. The GIL is held, as `&self` is
            // only used then.
            unsafe { ffi::PyBuffer_Release(&raw mut **self.view.get()) };
        }
        Ok(())
    }

    /// Counts an exported buffer, or its release.
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
        // SAFETY: the view is unchanged until it is released; `obj` lives as long as the view holds it.
        let object = unsafe { (*self.view.get()).obj };
        if object.is_null() {
            return Ok(());
        }
        // SAFETY: the object is alive, and the view owns the reference: it is only borrowed here.
        let object =
            core::mem::ManuallyDrop::new(unsafe { Bound::from_owned_ptr(Python::assume_attached(), object).unbind() });
        visit.call(&*object)
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        if !self.released.get() {
            // SAFETY: a view that was filled, and is released only here; the GIL is held.
            Python::try_attach(|_| unsafe { ffi::PyBuffer_Release(&raw mut **self.view.get()) });
        }
    }
}

/// Returns the error for an access to released bytes.
#[cold]
pub(crate) fn released() -> PyErr {
    PyValueError::new_err("the buffer of this record was released: its reader was closed, or its transaction has ended")
}
