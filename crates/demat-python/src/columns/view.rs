use arrow_buffer::Buffer;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::os::raw::c_int;

/// A read-only view of Arrow memory, as a Python buffer.
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct View {
    buffer: Buffer,
}

impl View {
    pub(super) fn new(buffer: Buffer) -> Self {
        Self { buffer }
    }
}

#[pymethods]
impl View {
    /// # Safety
    /// `view` must be a view to fill, as in every call of the interpreter.
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes the object by value
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let bytes = slf.get().buffer.as_slice();
        let (start, len) = (bytes.as_ptr().cast_mut().cast(), bytes.len().cast_signed());
        // SAFETY: the memory lives as long as the object, which the view holds; the view is marked read-only.
        let filled = unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, len, 1, flags) };
        if filled == 0 {
            Ok(())
        } else {
            Err(PyErr::take(slf.py()).unwrap_or_else(|| PyBufferError::new_err("no view")))
        }
    }
}
