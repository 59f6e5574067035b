use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The bytes to decode: a buffer or the UTF-8 of a `str`, borrowed for as long as this lives.
pub(crate) struct Input<'py> {
    owner: Owner<'py>,
}

enum Owner<'py> {
    Bytes(Bound<'py, PyBytes>),
    /// A `str` with its cached UTF-8.
    Text(*const u8, usize, #[allow(dead_code)] Bound<'py, PyAny>), // keeps the UTF-8 alive
    View(Box<ffi::Py_buffer>),
    Copy(Vec<u8>),
}

/// Input up to this size is decoded without a check for signals.
const SHORT: isize = 2048;

impl<'py> Input<'py> {
    /// Borrows the bytes of an object.
    ///
    /// With `guarded`, copies writable memory first, as hooks could write to it while it is read.
    ///
    /// # Errors
    /// `TypeError` for objects without bytes, or the exception that the object raises when its buffer is requested.
    #[inline]
    pub(crate) fn of(data: &Bound<'py, PyAny>, guarded: bool) -> PyResult<Self> {
        if let Ok(bytes) = data.cast_exact::<PyBytes>() {
            return Ok(Self { owner: Owner::Bytes(bytes.clone()) });
        }
        Self::of_other(data, guarded)
    }

    fn of_other(data: &Bound<'py, PyAny>, guarded: bool) -> PyResult<Self> {
        if let Ok(text) = data.cast::<PyString>() {
            let utf8 = utf8(text)?;
            return Ok(Self { owner: Owner::Text(utf8.as_ptr(), utf8.len(), data.clone()) });
        }
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: a live object, and a view to fill.
        if unsafe { ffi::PyObject_GetBuffer(data.as_ptr(), &raw mut *view, ffi::PyBUF_SIMPLE) } < 0 {
            let raised = PyErr::fetch(data.py());
            if !raised.is_instance_of::<PyTypeError>(data.py()) {
                return Err(raised);
            }
            let name = data.get_type().name()?;
            return Err(PyTypeError::new_err(format!("expected bytes, another buffer or str to decode, not {name}")));
        }
        let input = Self { owner: Owner::View(view) };
        let Owner::View(view) = &input.owner else { return Ok(input) };
        // Long input is decoded with checks for signals, and a signal handler could change the buffer. So writable
        // buffers are copied.
        if view.readonly == 0 && (guarded || view.len > SHORT) {
            return Ok(Self { owner: Owner::Copy(input.bytes().to_vec()) });
        }
        Ok(input)
    }

    /// The bytes.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.owner {
            Owner::Bytes(bytes) => bytes.as_bytes(),
            // SAFETY: the `str` is held, and with it its cached UTF-8.
            Owner::Text(data, len, _) => unsafe { std::slice::from_raw_parts(*data, *len) },
            Owner::View(view) if view.len > 0 => {
                // SAFETY: the view is held, so its memory stays in place and has `view.len` contiguous bytes.
                unsafe { std::slice::from_raw_parts(view.buf.cast(), view.len as usize) }
            }
            Owner::View(_) => &[],
            Owner::Copy(bytes) => bytes,
        }
    }
}

impl Drop for Input<'_> {
    fn drop(&mut self) {
        if let Owner::View(view) = &mut self.owner {
            // SAFETY: a view that was filled and is released once; the GIL is held, as `'py` proves.
            unsafe { ffi::PyBuffer_Release(&raw mut **view) };
        }
    }
}

/// Returns the UTF-8 of a `str`, which the `str` caches for its lifetime.
///
/// # Errors
/// `demat.DecodeError` for a `str` with a lone surrogate, which has no UTF-8.
pub(crate) fn utf8<'t>(text: &'t Bound<'_, PyString>) -> PyResult<&'t [u8]> {
    let mut len = 0;
    // SAFETY: a `str`; the result points to `len` bytes that live as long as the `str` does.
    unsafe {
        let utf8 = ffi::PyUnicode_AsUTF8AndSize(text.as_ptr(), &raw mut len);
        if utf8.is_null() {
            return Err(lone_surrogate(text.py(), PyErr::fetch(text.py())));
        }
        Ok(std::slice::from_raw_parts(utf8.cast(), len as usize))
    }
}

/// Returns the error for a `str` with a lone surrogate: it has no UTF-8, so no format can represent it.
#[cold]
fn lone_surrogate(py: Python<'_>, raised: PyErr) -> PyErr {
    let error = demat_core::Error::mismatch(demat_core::ErrorKind::Syntax, "UTF-8", "a lone surrogate in the str");
    let exception = crate::error::exception(py, error.into());
    exception.set_cause(py, Some(raised));
    exception
}
