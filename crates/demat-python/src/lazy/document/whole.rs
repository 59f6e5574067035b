//! The document that lazy values are in.

use super::super::owner::{Held, Owner};
use super::super::reader::mapped;
use super::LazyValue;
use crate::decode::{DecodeOptions, Repeats};
use crate::format::{self, Format};
use crate::signals;
use demat_core::Result;
use demat_formats::codec::ReadOptions;
use demat_formats::lookup::{self, Spot, Visit};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};
use std::cell::Cell;
use std::ops::Deref;

/// The bytes of a document, and how to read them. All lazy values of a document share it.
#[pyclass(frozen, name = "LazyDocument", module = "demat._native")]
pub(crate) struct Document {
    held: Held,
    /// The owner that can be released.
    owner: Option<Py<Owner>>,
    /// Whether Python code can write to the bytes.
    is_writable: bool,
    pub(super) format: Format,
    pub(super) read: ReadOptions,
    pub(super) repeats: Repeats,
    is_closed: Cell<bool>,
}

// SAFETY: the cell is only accessed with the GIL held; the bytes are not written to here.
unsafe impl Sync for Document {}
// SAFETY: as above.
unsafe impl Send for Document {}

/// Part of a document from which on walks let other threads run, and hear signals.
const MUCH: usize = 64 * 1024;

/// Opens a document.
///
/// # Errors
/// `TypeError` for a format without lazy values, for what has no bytes, and for unknown options; `OSError` if a file can't
/// be opened.
pub(crate) fn open<'py>(
    py: Python<'py>,
    format: Format,
    data: Option<&Bound<'py, PyAny>>,
    path: Option<&Bound<'py, PyAny>>,
    given: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, LazyValue>> {
    let about = format.about();
    let Some(whole) = Spot::whole(format) else {
        let others: Vec<_> = format::modules().filter(|one| Spot::whole(*one).is_some()).map(Format::name).collect();
        let message = format!("{} has no lazy values; formats with them: {}", about.name, others.join(", "));
        return Err(PyTypeError::new_err(message));
    };
    for name in given.into_iter().flat_map(PyDictMethods::keys) {
        let name = name.extract::<String>()?;
        if format.read_setting(&name).is_none() {
            let known: Vec<_> = about.read.iter().map(|setting| setting.name).collect();
            let message = format!(
                "lazy values of {} have no option {name:?}: here are {}; those about a type are options of their `decode`",
                about.name,
                known.join(", "),
            );
            return Err(PyTypeError::new_err(message));
        }
    }
    let options = DecodeOptions::parse(format, given)?;
    if options.read.accepts_single() {
        return Err(PyTypeError::new_err("a lazy value is what stands there: accept_single is not for it"));
    }
    let held = match (data, path) {
        (Some(data), None) => Held::of(data, true).map_err(|raised| no_bytes(py, raised, data))?,
        (None, Some(path)) => {
            let path = crate::target::path(path)?
                .ok_or_else(|| PyTypeError::new_err("path must be a str or an os.PathLike"))?;
            let held = Held::of(&mapped(path.into_pyobject(py)?.as_any())?, false)?;
            if held.is_packed() {
                return Err(PyValueError::new_err(
                    "a document is looked into where it stands, and this file is compressed: unpack it first",
                ));
            }
            held
        }
        _ => return Err(PyTypeError::new_err("lazy takes the data or path=, one of them")),
    };
    let owner = held.owner.bind(py).cast::<Owner>().ok().map(|owner| owner.clone().unbind());
    // A view that can't be written to may be of memory that can.
    let is_writable = path.is_none() && owner.is_some();
    let document = Document {
        held,
        owner,
        is_writable,
        format,
        read: options.read,
        repeats: options.manner.repeats,
        is_closed: Cell::new(false),
    };
    Bound::new(py, LazyValue::new(Py::new(py, document)?, whole))
}

fn no_bytes(py: Python<'_>, raised: PyErr, data: &Bound<'_, PyAny>) -> PyErr {
    if !raised.is_instance_of::<PyTypeError>(py) {
        return raised;
    }
    let found = data.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected bytes, another buffer or str to look into, not {found}"))
}

/// The bytes of a document, which can't be released meanwhile.
pub(super) struct Lent<'d> {
    document: &'d Document,
}

impl Deref for Lent<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the document holds the owner of the bytes, and this prevents its release.
        unsafe { core::slice::from_raw_parts(self.document.held.data, self.document.held.len) }
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        if let Some(owner) = &self.document.owner {
            owner.get().export(false);
        }
    }
}

impl Document {
    /// Lends the bytes.
    ///
    /// # Errors
    /// `ValueError` if the document was closed.
    pub(super) fn lent(&self) -> PyResult<Lent<'_>> {
        if self.is_closed.get() {
            return Err(PyValueError::new_err("the document of this lazy value was closed"));
        }
        if let Some(owner) = &self.owner {
            owner.get().export(true);
        }
        Ok(Lent { document: self })
    }

    /// Releases the bytes.
    ///
    /// # Errors
    /// `BufferError` while they are read.
    pub(super) fn close(&self) -> PyResult<()> {
        if let Some(owner) = &self.owner {
            owner.get().release()?;
        }
        self.is_closed.set(true);
        Ok(())
    }

    /// Returns whether Python code can write to the bytes.
    pub(super) fn is_writable(&self) -> bool {
        self.is_writable
    }

    /// Works at the container around a value.
    ///
    /// # Errors
    /// If the document was closed. The inner result is that of the work.
    pub(super) fn at<V: Visit>(&self, spot: Spot, visitor: V) -> PyResult<Result<V::Output>> {
        Ok(lookup::open(self.format, &self.read, spot, &self.lent()?, visitor))
    }

    /// Works at a value.
    ///
    /// # Errors
    /// As [`at`](Self::at).
    pub(super) fn inside<V: Visit>(&self, spot: Spot, visitor: V) -> PyResult<Result<V::Output>> {
        Ok(lookup::open_inside(self.format, &self.read, spot, &self.lent()?, visitor))
    }

    /// Works at a value, perhaps for long: other threads run meanwhile, or signals are heard at least.
    ///
    /// # Errors
    /// As [`at`](Self::at), and exceptions of signal handlers.
    pub(super) fn long_inside<V, T>(&self, py: Python<'_>, spot: Spot, visitor: V) -> PyResult<Result<T>>
    where
        V: Visit<Output = Result<T>> + Send,
        T: Send,
    {
        let lent = self.lent()?;
        let bytes: &[u8] = &lent;
        let (format, read) = (self.format, &self.read);
        let work = || lookup::open_inside(format, read, spot, bytes, visitor).and_then(|done| done);
        if bytes.len() - spot.start().min(bytes.len()) < MUCH {
            return Ok(work());
        }
        match (&self.owner, self.is_writable) {
            // Nothing can change the bytes of these objects.
            (None, _) => signals::detached(py, work),
            (Some(_), false) => signals::attached(py, work),
            // A signal handler could change the bytes.
            (Some(_), true) => Ok(work()),
        }
    }
}

#[pymethods]
impl Document {
    fn __traverse__(&self, visit: PyVisit<'_>) -> core::result::Result<(), PyTraverseError> {
        visit.call(&self.held.owner)?;
        visit.call(&self.owner)
    }
}
