use super::giving::{Giving, Next};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{PyTraverseError, PyVisit, ffi};
use std::cell::{Cell, UnsafeCell};

/// The records of a place, one after the other, in bounded memory.
///
/// What `demat.json.read` and its like give: an iterator, and a context manager that closes what was opened.
#[pyclass(frozen, weakref, module = "demat")]
pub(crate) struct Reader {
    pub(super) giving: Guarded,
}

/// What is used by one at a time, who says so.
pub(crate) struct Guarded {
    own: UnsafeCell<Giving>,
    busy: Cell<bool>,
}

// SAFETY: the GIL is held wherever these are touched, but for the time of reading a place; then `busy` is set, and nobody
// else gets at what is inside.
unsafe impl Sync for Guarded {}
// SAFETY: as above.
unsafe impl Send for Guarded {}

impl Guarded {
    pub(super) fn new(giving: Giving) -> Self {
        Self { own: UnsafeCell::new(giving), busy: Cell::new(false) }
    }

    /// What is inside, for one at a time.
    ///
    /// # Errors
    /// `RuntimeError` where it is in use: in another thread, or further up in this one.
    #[inline(always)]
    pub(super) fn with<T>(&self, then: impl FnOnce(&mut Giving) -> T) -> PyResult<T> {
        if self.busy.get() {
            return Err(in_use());
        }
        let _free = Free(&self.busy);
        self.busy.set(true);
        // SAFETY: nobody else is at it, as `busy` was not set, and nobody comes before it is cleared.
        Ok(then(unsafe { &mut *self.own.get() }))
    }

    /// The next record, if one is ready, and nobody is at work.
    #[inline(always)]
    pub(super) fn ready(&self) -> *mut ffi::PyObject {
        if self.busy.get() {
            return std::ptr::null_mut();
        }
        // SAFETY: nobody else is at it, as `busy` is not set, and nothing here runs code of anybody else's.
        let giving = unsafe { &mut *self.own.get() };
        if giving.has_batches() {
            return std::ptr::null_mut();
        }
        let object = giving.ready.pop();
        giving.given += u64::from(!object.is_null());
        object
    }

    /// How many records were given, and how many bytes read. Where it is in use, that of before cannot be told.
    pub(super) fn counts(&self) -> PyResult<(u64, u64)> {
        self.with(|giving| (giving.given, giving.read))
    }

    pub(super) fn close(&self) -> PyResult<()> {
        // What is let go of may run code that comes back here.
        self.with(Giving::close).map(drop)
    }

    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        if self.busy.get() {
            return Ok(()); // who is at work with it holds it
        }
        // SAFETY: nobody else is at it, and it is only looked at.
        unsafe { &*self.own.get() }.traverse(visit)
    }

    pub(super) fn is_busy(&self) -> bool {
        self.busy.get()
    }
}

/// Says at the end that nobody is at work any more.
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

    /// The next record; null at the end.
    pub(super) fn advance(&self, py: Python<'_>) -> PyResult<*mut ffi::PyObject> {
        match self.giving.with(|giving| giving.next(py, || false))?? {
            Next::Object(object) => Ok(object),
            Next::Nothing | Next::Starved => Ok(std::ptr::null_mut()),
        }
    }
}

#[pymethods]
impl Reader {
    /// How many records were given so far.
    #[getter]
    fn record(&self) -> PyResult<u64> {
        self.giving.counts().map(|(given, _)| given)
    }

    /// How many bytes of the place were read so far, packed as they stand in it.
    #[getter]
    fn bytes_read(&self) -> PyResult<u64> {
        self.giving.counts().map(|(_, read)| read)
    }

    /// Ends the iteration, and closes what `read` opened; what was open before stays so. Closing twice is no error.
    fn close(&self) -> PyResult<()> {
        self.giving.close()
    }

    /// Whether nothing comes any more: all was given, an error was raised, or it was closed.
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
            let _ = self.giving.close(); // nobody is at work, so that it can't fail
        }
    }
}
