use arrow_buffer::Buffer;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::os::raw::c_int;

/// Memory of Arrow's, to be looked at and not to be written to.
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
    /// As the interpreter calls it: `view` is one to be filled.
    #[allow(clippy::needless_pass_by_value)] // so the interpreter calls it
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let bytes = slf.get().buffer.as_slice();
        let (start, len) = (bytes.as_ptr().cast_mut().cast(), bytes.len().cast_signed());
        // SAFETY: the memory lives as long as the object, which the view holds; it is read only, and said to be.
        let filled = unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, len, 1, flags) };
        if filled == 0 {
            Ok(())
        } else {
            Err(PyErr::take(slf.py()).unwrap_or_else(|| PyBufferError::new_err("no view")))
        }
    }
}
