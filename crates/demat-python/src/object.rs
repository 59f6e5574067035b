use pyo3::ffi;
use pyo3::prelude::*;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// An owned Python object: one pointer wide, so that `Result<Object>` stays in registers.
///
/// Like PyO3's `Bound`, but without the token. The engines hold the GIL from beginning to end, and every `Object` is
/// created, kept and dropped inside an engine: that is what makes its methods sound.
#[derive(Debug)]
pub(crate) struct Object(NonNull<ffi::PyObject>);

impl Object {
    /// Takes ownership of a new reference. A null pointer means that a Python exception is set, which is returned.
    #[inline(always)]
    pub(crate) fn new(pointer: *mut ffi::PyObject) -> PyResult<Self> {
        match NonNull::new(pointer) {
            Some(pointer) => Ok(Self(pointer)),
            None => Err(fetch()),
        }
    }

    /// Takes ownership of a new reference that is known not to be null.
    ///
    /// # Safety
    /// The pointer must be a new reference and not null.
    #[inline(always)]
    pub(crate) unsafe fn owned(pointer: *mut ffi::PyObject) -> Self {
        // SAFETY: not null, as the caller guarantees.
        Self(unsafe { NonNull::new_unchecked(pointer) })
    }

    /// Takes a new reference to an object that is owned elsewhere.
    ///
    /// # Safety
    /// The pointer must point to a live object.
    #[inline(always)]
    pub(crate) unsafe fn shared(pointer: *mut ffi::PyObject) -> Self {
        // SAFETY: a live object; the GIL is held.
        unsafe { ffi::Py_INCREF(pointer) };
        // SAFETY: the object is alive, so the pointer is not null, and the reference is new.
        unsafe { Self::owned(pointer) }
    }

    /// Returns `None`.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        // SAFETY: `None` lives as long as the interpreter.
        unsafe { Self::shared(ffi::Py_None()) }
    }

    /// Returns `True` or `False`.
    #[inline(always)]
    pub(crate) fn bool(value: bool) -> Self {
        // SAFETY: both live as long as the interpreter.
        unsafe { Self::shared(if value { ffi::Py_True() } else { ffi::Py_False() }) }
    }

    /// Returns the pointer; this object keeps the reference.
    #[inline(always)]
    pub(crate) fn as_ptr(&self) -> *mut ffi::PyObject {
        self.0.as_ptr()
    }

    /// Returns the pointer and hands the reference over to the caller.
    #[inline(always)]
    pub(crate) fn into_ptr(self) -> *mut ffi::PyObject {
        ManuallyDrop::new(self).0.as_ptr()
    }

    /// Converts to PyO3's `Bound`.
    #[inline]
    pub(crate) fn into_bound(self, py: Python<'_>) -> Bound<'_, PyAny> {
        // SAFETY: an owned reference, which is handed over.
        unsafe { Bound::from_owned_ptr(py, self.into_ptr()) }
    }

    /// Takes a new reference to a PyO3 object.
    #[inline]
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> Self {
        // SAFETY: the object is alive, as it is borrowed.
        unsafe { Self::shared(object.as_ptr()) }
    }
}

impl Clone for Object {
    #[inline]
    fn clone(&self) -> Self {
        // SAFETY: the object is alive, as this holds a reference.
        unsafe { Self::shared(self.as_ptr()) }
    }
}

impl Drop for Object {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the reference is owned, and the GIL is held.
        unsafe { ffi::Py_DECREF(self.as_ptr()) }
    }
}

/// Takes the Python exception that is set.
#[cold]
#[inline(never)]
pub(crate) fn fetch() -> PyErr {
    // SAFETY: engines run with the GIL held.
    PyErr::fetch(unsafe { Python::assume_attached() })
}
