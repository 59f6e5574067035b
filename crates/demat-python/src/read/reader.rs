use super::giving::{Giving, Next};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{PyTraverseError, PyVisit, ffi};
use std::cell::{Cell, UnsafeCell};

/// Iterates over the records of a place, in bounded memory.
///
/// Returned by `demat.json.read` and the `read` of other formats: an iterator, and a context manager that closes what
/// was opened.
#[pyclass(frozen, weakref, module = "demat")]
pub(crate) struct Reader {
    pub(super) giving: Guarded,
}

/// An iteration with exclusive access, guarded by a flag.
pub(crate) struct Guarded {
    own: UnsafeCell<Giving>,
    busy: Cell<bool>,
}

// SAFETY: the GIL is held at each access, except while a place is read; then `busy` is set, which prevents other
// accesses.
unsafe impl Sync for Guarded {}
// SAFETY: as above.
unsafe impl Send for Guarded {}

impl Guarded {
    pub(super) fn new(giving: Giving) -> Self {
        Self { own: UnsafeCell::new(giving), busy: Cell::new(false) }
    }

    /// Calls a function with exclusive access.
    ///
    /// # Errors
    /// `RuntimeError` if it is in use: in another thread, or by a caller in this one.
    #[inline(always)]
    pub(super) fn with<T>(&self, then: impl FnOnce(&mut Giving) -> T) -> PyResult<T> {
        if self.busy.get() {
            return Err(in_use());
        }
        let _free = Free(&self.busy);
        self.busy.set(true);
        // SAFETY: exclusive, as `busy` was not set before and is set until the end.
        Ok(then(unsafe { &mut *self.own.get() }))
    }

    /// Returns the next record, if one is ready and the iteration is not in use; else null.
    #[inline(always)]
    pub(super) fn ready(&self) -> *mut ffi::PyObject {
        if self.busy.get() {
            return std::ptr::null_mut();
        }
        // SAFETY: exclusive, as `busy` is not set, and nothing here runs foreign code.
        let giving = unsafe { &mut *self.own.get() };
        if giving.has_batches() {
            return std::ptr::null_mut();
        }
        let object = giving.ready.pop();
        giving.given += u64::from(!object.is_null());
        object
    }

    /// Returns the numbers of records returned and of bytes read. An error while it is in use.
    pub(super) fn counts(&self) -> PyResult<(u64, u64)> {
        self.with(|giving| (giving.given, giving.read))
    }

    pub(super) fn close(&self) -> PyResult<()> {
        // Dropped after the access has ended: it may run code that calls this object again.
        self.with(Giving::close).map(drop)
    }

    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        if self.busy.get() {
            return Ok(()); // its current user holds it
        }
        // SAFETY: not in use, and only read.
        unsafe { &*self.own.get() }.traverse(visit)
    }

    pub(super) fn is_busy(&self) -> bool {
        self.busy.get()
    }
}

/// Clears the flag when dropped.
struct Free<'b>(&'b Cell<bool>);

impl Drop for Free<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

#[cold]
fn in_use() -> PyErr {
    PyRuntimeError::new_err("this reader is at work: in another thread, or in what called this")
}

impl Reader {
    pub(crate) fn new(giving: Giving) -> Self {
        Self { giving: Guarded::new(giving) }
    }

    /// Returns the next record; null at the end.
    pub(super) fn advance(&self, py: Python<'_>) -> PyResult<*mut ffi::PyObject> {
        match self.giving.with(|giving| giving.next(py, || false))?? {
            Next::Object(object) => Ok(object),
            Next::Nothing | Next::Starved => Ok(std::ptr::null_mut()),
        }
    }
}

#[pymethods]
impl Reader {
    /// The number of records returned so far.
    #[getter]
    fn record(&self) -> PyResult<u64> {
        self.giving.counts().map(|(given, _)| given)
    }

    /// The fields around the records that were passed so far, for `header=True` or a type.
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.giving.with(|giving| giving.header(py))?
    }

    /// The number of records left out so far.
    #[getter]
    fn rejected(&self) -> PyResult<u64> {
        self.giving.with(|giving| giving.rejected)
    }

    /// The number of bytes of the place read so far, before decompression.
    #[getter]
    fn bytes_read(&self) -> PyResult<u64> {
        self.giving.counts().map(|(_, read)| read)
    }

    /// Ends the iteration, and closes what `read` opened; a file object from the caller stays open. Closing twice is no
    /// error.
    fn close(&self) -> PyResult<()> {
        self.giving.close()
    }

    /// Whether the iteration has ended: after the last record or an error, or by `close`.
    #[getter]
    fn closed(&self) -> PyResult<bool> {
        self.giving.with(|giving| giving.has_ended())
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, _raised: &Bound<'_, PyAny>) -> PyResult<()> {
        self.giving.close()
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let object = self.advance(py)?;
        // SAFETY: a new reference, or null.
        Ok(unsafe { Bound::from_owned_ptr_or_opt(py, object) })
    }

    #[classmethod]
    #[pyo3(signature = (item, /))]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        super::alias(class, item)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.giving.traverse(&visit)
    }

    fn __clear__(&self) {
        if !self.giving.is_busy() {
            let _ = self.giving.close(); // not in use, so this can't fail
        }
    }
}
