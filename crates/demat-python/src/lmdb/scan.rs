//! Iterates over records in a range.

use super::held::Held;
use super::key;
use super::transaction::{Reading, State, Transaction};
use super::{collection::Collection, failed};
use crate::decode;
use crate::lazy::{Owner, PageViews, released};
use crate::quick;
use demat_core::Result;
use demat_lmdb::{OwnEntry, Query, read_some};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{Borrowed, PyTraverseError, PyVisit, ffi};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// A native scan, which the end of its transaction takes away.
pub(super) struct Cell(RefCell<Option<demat_lmdb::Scan>>);

impl Cell {
    pub(super) fn end(&self) {
        // Nothing runs user code while a scan is borrowed.
        if let Ok(mut scan) = self.0.try_borrow_mut() {
            *scan = None;
        }
    }
}

/// What a scan gives of each record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gives {
    Views,
    Recycled,
    Objects,
    Keys,
}

/// Iterates over the records of a range.
#[pyclass(frozen, weakref, name = "LmdbScan", module = "demat._native")]
pub(crate) struct Scan {
    inner: Held<Inner>,
}

pub(super) struct Inner {
    source: From,
    gives: Gives,
    views: Option<PageViews>,
    collection: Py<Collection>,
}

enum From {
    /// The pages of a snapshot.
    Pages {
        scan: Rc<Cell>,
        owner: Py<Owner>,
    },
    /// Copies within a transaction that writes.
    Copies(Box<Copies>),
    Ended,
}

struct Copies {
    transaction: Py<Transaction>,
    collection: demat_lmdb::Collection,
    /// What is left behind the last record.
    query: Query,
    ready: VecDeque<OwnEntry>,
    /// The number of changes when they were read.
    changes: u64,
}

/// As many records are read ahead within a transaction that writes.
const AHEAD: u64 = 64;

impl Copies {
    /// Returns the next record. What was read ahead is read again after a change.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<OwnEntry>> {
        let Self { transaction, collection, query, ready, changes } = self;
        transaction.get().with(py, |state| {
            let State::Writing(writing, _) = state else { return Ok(()) };
            if *changes != writing.changes() {
                ready.clear();
            }
            if ready.is_empty() {
                *ready = read_some(writing, collection, query, AHEAD).map_err(|error| failed(py, error))?.into();
                *changes = writing.changes();
            }
            Ok(())
        })?;
        let Some(next) = ready.pop_front() else { return Ok(None) };
        query.range = core::mem::take(&mut query.range).after(&next.0);
        query.limit = query.limit.map(|limit| limit.saturating_sub(1));
        Ok(Some(next))
    }
}

impl Scan {
    /// Begins a scan: in a transaction, or in a snapshot of its own.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub(super) fn new(
        collection: &Bound<'_, Collection>,
        transaction: Option<&Bound<'_, Transaction>>,
        query: &Query,
        gives: Gives,
    ) -> PyResult<Self> {
        let py = collection.py();
        let own = collection.get();
        let pages = |reading: &mut Reading| -> PyResult<From> {
            let scan = demat_lmdb::Scan::new(reading.snapshot.clone(), own.native(), query);
            let scan = Rc::new(Cell(RefCell::new(Some(scan.map_err(|error| failed(py, error))?))));
            reading.scans.retain(|scan| scan.strong_count() > 0);
            reading.scans.push(Rc::downgrade(&scan));
            Ok(From::Pages { scan, owner: reading.owner.clone_ref(py) })
        };
        let source = match transaction {
            None => {
                let snapshot = own.native().environment().read().map_err(|error| failed(py, error))?;
                pages(&mut Reading::new(py, snapshot)?)?
            }
            Some(transaction) => transaction.get().with(py, |state| match state {
                State::Reading(reading) => pages(reading),
                _ => Ok(From::Copies(Box::new(Copies {
                    transaction: transaction.clone().unbind(),
                    collection: own.native().clone(),
                    query: query.clone(),
                    ready: VecDeque::new(),
                    changes: u64::MAX,
                }))),
            })?,
        };
        let inner = Inner { source, gives, views: own.views(py), collection: collection.clone().unbind() };
        Ok(Self { inner: Held::new(inner) })
    }
}

impl Inner {
    /// Returns a new reference to what is given of the next record; null at the end, or with an exception.
    ///
    /// # Safety
    /// The GIL is held.
    #[inline(always)]
    unsafe fn next(&mut self, py: Python<'_>) -> PyResult<*mut ffi::PyObject> {
        let Self { source, gives, views, collection } = self;
        match source {
            From::Pages { scan, owner } => {
                let mut scan = scan.0.borrow_mut();
                let Some(scan) = &mut *scan else { return Err(released()) };
                let next: Result<_> = scan.next();
                match next.map_err(|error| failed(py, error))? {
                    None => {}
                    Some(entry) => {
                        if let (Gives::Views | Gives::Recycled, Some(views), std::borrow::Cow::Borrowed(bytes)) =
                            (*gives, &mut *views, &entry.record)
                        {
                            // SAFETY: the scan is there, so its transaction has not ended, and the owner has not been
                            // released; it keeps the snapshot, and so the page, until it is.
                            return Ok(unsafe { views.of_page(owner, bytes, *gives == Gives::Recycled) });
                        }
                        return given(py, *gives, views.as_ref(), collection, entry.entry, &entry.record);
                    }
                }
            }
            From::Copies(copies) => {
                if let Some((entry, _, record)) = copies.next(py)? {
                    return given(py, *gives, views.as_ref(), collection, &entry, &record);
                }
            }
            From::Ended => {}
        }
        self.source = From::Ended;
        Ok(core::ptr::null_mut())
    }
}

/// Returns what is given of a record that is no page's.
#[inline(never)]
fn given(
    py: Python<'_>,
    gives: Gives,
    views: Option<&PageViews>,
    collection: &Py<Collection>,
    entry: &[u8],
    record: &[u8],
) -> PyResult<*mut ffi::PyObject> {
    let object = match (gives, views) {
        (Gives::Keys, _) => key::object_of(py, entry)?,
        (Gives::Views | Gives::Recycled, Some(views)) => views.of_copy(py, record)?,
        _ => collection.get().decoded(py, record)?,
    };
    Ok(object.into_ptr())
}

#[pymethods]
impl Scan {
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> Bound<'py, Self> {
        slf.clone()
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // SAFETY: the GIL is held; a new reference, or null, with or without an exception.
        unsafe {
            let next = self.inner.get(py)?.next(py)?;
            if next.is_null() && !ffi::PyErr_Occurred().is_null() {
                return Err(PyErr::fetch(py));
            }
            Ok(Bound::from_owned_ptr_or_opt(py, next))
        }
    }

    /// Ends the scan. A snapshot of its own ends with the last view of it.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.inner.get(py)?.source = From::Ended;
        Ok(())
    }

    fn __enter__<'py>(slf: &Bound<'py, Self>) -> Bound<'py, Self> {
        slf.clone()
    }

    #[pyo3(signature = (class_, value, trace, /))]
    fn __exit__(
        &self,
        py: Python<'_>,
        class_: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let _ = (class_, value, trace);
        self.close(py)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> core::result::Result<(), PyTraverseError> {
        let Some(inner) = self.inner.peek() else { return Ok(()) };
        visit.call(&inner.collection)?;
        match &inner.source {
            From::Pages { owner, .. } => visit.call(owner)?,
            From::Copies(copies) => visit.call(&copies.transaction)?,
            From::Ended => {}
        }
        inner.views.as_ref().map_or(Ok(()), |views| views.traverse(&visit))
    }
}

/// Parses what a scan gives.
pub(super) fn gives(name: &str) -> PyResult<Gives> {
    match name {
        "views" => Ok(Gives::Views),
        "recycled" => Ok(Gives::Recycled),
        "objects" => Ok(Gives::Objects),
        "keys" => Ok(Gives::Keys),
        other => Err(PyValueError::new_err(format!("a scan gives no {other}"))),
    }
}

/// Decodes a record of a class.
///
/// # Errors
/// Errors of the record.
pub(super) fn decoded<'py>(
    py: Python<'py>,
    format: crate::format::Format,
    record: &[u8],
    type_: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    decode::bytes(py, format, record, Some(type_))
}

/// The `tp_iternext` slot, which `for` calls.
///
/// # Safety
/// Called by the interpreter, with a scan, and with the GIL held.
unsafe extern "C" fn next(scan: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        quick::run(|| {
            let py = Python::assume_attached();
            let scan = Borrowed::from_ptr(py, scan).cast_unchecked::<Scan>();
            let next = scan.get().inner.get(py).and_then(|mut inner| inner.next(py));
            match next {
                Ok(object) => Some(object),
                Err(error) => {
                    error.restore(py);
                    None
                }
            }
        })
    }
}

/// Installs the slot in the class.
pub(super) fn install(py: Python<'_>) {
    let class = py.get_type::<Scan>().as_type_ptr();
    // SAFETY: a class of this module, without instances yet. The function behaves like the one that it replaces, and
    // the interpreter is notified of the change.
    unsafe {
        (*class).tp_iternext = Some(next);
        ffi::PyType_Modified(class);
    }
}
