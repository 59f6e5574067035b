//! Makes `uuid.UUID` objects without a call of their constructor, which is Python code and takes most of the time.

use crate::known;
use crate::object::Object;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict};
use pyo3::{ffi, intern};

/// The value of `is_safe` of a UUID that the constructor makes of bytes; None if the class is not laid out as expected.
static UNKNOWN: PyOnceLock<Option<Py<PyAny>>> = PyOnceLock::new();

/// Returns the UUID of these bytes, most significant first.
///
/// # Errors
/// What the constructor raises; `MemoryError`.
pub(super) fn uuid_object(py: Python<'_>, bytes: [u8; 16]) -> PyResult<Object> {
    match UNKNOWN.get_or_init(py, || unknown(py)) {
        Some(unknown) => filled(py, bytes, unknown.bind(py)),
        None => constructed(py, bytes).map(|uuid| Object::of(&uuid)),
    }
}

/// By the constructor.
fn constructed(py: Python<'_>, bytes: [u8; 16]) -> PyResult<Bound<'_, PyAny>> {
    let arguments = PyDict::new(py);
    arguments.set_item(intern!(py, "bytes"), PyBytes::new(py, &bytes))?;
    known::uuid(py)?.call((), Some(&arguments))
}

/// An instance whose two attributes are set here. The class itself refuses to set any.
fn filled(py: Python<'_>, bytes: [u8; 16], unknown: &Bound<'_, PyAny>) -> PyResult<Object> {
    let class = known::uuid(py)?;
    // SAFETY: the class has no `__new__` of its own and no slots beyond attributes, so an empty instance is valid. The
    // number is made of 16 bytes that live.
    unsafe {
        let number = Bound::from_owned_ptr_or_err(py, ffi::_PyLong_FromByteArray(bytes.as_ptr(), bytes.len(), 0, 0))?;
        let uuid = Object::new(ffi::PyType_GenericAlloc(class.as_type_ptr(), 0))?;
        for (name, value) in [(intern!(py, "int"), number.as_ptr()), (intern!(py, "is_safe"), unknown.as_ptr())] {
            if ffi::PyObject_GenericSetAttr(uuid.as_ptr(), name.as_ptr(), value) != 0 {
                return Err(crate::object::fetch());
            }
        }
        Ok(uuid)
    }
}

/// Tries whether an instance that is made here equals one of the constructor, in all that the class stores.
fn unknown(py: Python<'_>) -> Option<Py<PyAny>> {
    let slots: Vec<String> = known::uuid(py).ok()?.getattr("__slots__").ok()?.extract().ok()?;
    if slots != ["int", "is_safe", "__weakref__"] {
        return None;
    }
    let bytes = *b"\xf8\x1d\x4f\xae\x7d\xec\x11\xd0\xa7\x65\x00\xa0\xc9\x1e\x6b\xf6";
    let expected = constructed(py, bytes).ok()?;
    let unknown = expected.getattr("is_safe").ok()?;
    let made = filled(py, bytes, &unknown).ok()?.into_bound(py);
    let same = made.eq(&expected).ok()? && made.getattr("is_safe").ok()?.is(&unknown);
    same.then(|| unknown.unbind())
}
