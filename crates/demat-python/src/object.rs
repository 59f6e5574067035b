use pyo3::ffi;
use pyo3::prelude::*;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// A Python object that is owned: one pointer wide, so that `Result<Object>` stays in registers.
///
/// What PyO3's `Bound` is, without the token that it carries. The engines hold the GIL from beginning to end, and every
/// `Object` is made, kept and dropped inside of an engine: that is what makes its methods sound.
#[derive(Debug)]
pub(crate) struct Object(NonNull<ffi::PyObject>);

impl Object {
    /// Takes over a new reference; null means that an exception is set.
    #[inline(always)]
    pub(crate) fn new(pointer: *mut ffi::PyObject) -> PyResult<Self> {
        match NonNull::new(pointer) {
            Some(pointer) => Ok(Self(pointer)),
            None => Err(fetch()),
        }
    }

    /// Takes over a new reference that is known to be there.
    ///
    /// # Safety
    /// The pointer is a new reference and not null.
    #[inline(always)]
    pub(crate) unsafe fn owned(pointer: *mut ffi::PyObject) -> Self {
        // SAFETY: not null, as the caller says.
        Self(unsafe { NonNull::new_unchecked(pointer) })
    }

    /// Shares an object that somebody else owns.
    ///
    /// # Safety
    /// The pointer is to a living object.
    #[inline(always)]
    pub(crate) unsafe fn shared(pointer: *mut ffi::PyObject) -> Self {
        // SAFETY: a living object; the GIL is held.
        unsafe { ffi::Py_INCREF(pointer) };
        // SAFETY: it lives, so it is not null, and the reference is new.
        unsafe { Self::owned(pointer) }
    }

    /// `None`.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        // SAFETY: None lives for as long as the interpreter.
        unsafe { Self::shared(ffi::Py_None()) }
    }

    /// `True` or `False`.
    #[inline(always)]
    pub(crate) fn bool(value: bool) -> Self {
        // SAFETY: both live for as long as the interpreter.
        unsafe { Self::shared(if value { ffi::Py_True() } else { ffi::Py_False() }) }
    }

    /// The pointer, still owned here.
    #[inline(always)]
    pub(crate) fn as_ptr(&self) -> *mut ffi::PyObject {
        self.0.as_ptr()
    }

    /// The pointer, with the reference.
    #[inline(always)]
    pub(crate) fn into_ptr(self) -> *mut ffi::PyObject {
        ManuallyDrop::new(self).0.as_ptr()
    }

    /// The same as PyO3 has it.
    #[inline]
    pub(crate) fn into_bound(self, py: Python<'_>) -> Bound<'_, PyAny> {
        // SAFETY: an owned reference, handed over.
        unsafe { Bound::from_owned_ptr(py, self.into_ptr()) }
    }

    /// Another reference to an object of PyO3's.
    #[inline]
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> Self {
        // SAFETY: it lives, as it is borrowed.
        unsafe { Self::shared(object.as_ptr()) }
    }
}

impl Clone for Object {
    #[inline]
    fn clone(&self) -> Self {
        // SAFETY: it lives, as this holds a reference.
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

/// The exception that is set.
#[cold]
#[inline(never)]
pub(crate) fn fetch() -> PyErr {
    // SAFETY: engines run with the GIL held.
    PyErr::fetch(unsafe { Python::assume_attached() })
}
