//! A range of records as bytes, in the format that they are encoded in.

use super::collection::Collection;
use super::failed;
use super::held::Held;
use super::transaction::{State, Transaction};
use demat_core::Record;
use demat_lmdb::{Document, Query, read_some};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::{Cursor, Read};

/// A file object with a list of records.
#[pyclass(frozen, weakref, name = "LmdbStream", module = "demat._native")]
pub(crate) struct Stream {
    inner: Held<Inner>,
}

enum Inner {
    Pages(Document),
    /// What a transaction that writes sees.
    Copy(Cursor<Vec<u8>>),
}

impl Stream {
    /// Opens a range. `wanted`: the fields that its reader looks at; None: all.
    pub(super) fn new(
        py: Python<'_>,
        collection: &Collection,
        transaction: Option<&Bound<'_, Transaction>>,
        query: &Query,
        wanted: Option<&Record>,
    ) -> PyResult<Self> {
        let native = collection.native();
        let document = |snapshot| {
            let document = Document::new(snapshot, native, query).map_err(|error| failed(py, error))?;
            Ok(match wanted {
                Some(wanted) => document.projected(wanted),
                None => document,
            })
        };
        let inner = match transaction {
            None => {
                let snapshot = native.environment().read().map_err(|error| failed(py, error))?;
                Inner::Pages(document(snapshot)?)
            }
            Some(transaction) => transaction.get().with(py, |state| match state {
                State::Reading(reading) => document(reading.snapshot.clone()).map(Inner::Pages),
                State::Writing(writing, _) => {
                    let records = read_some(writing, native, query, u64::MAX);
                    let joined =
                        records.and_then(|records| native.join(records.iter().map(|(_, _, record)| &**record)));
                    Ok(Inner::Copy(Cursor::new(joined.map_err(|error| failed(py, error))?)))
                }
                State::Ended => Ok(Inner::Copy(Cursor::default())),
            })?,
        };
        Ok(Self { inner: Held::new(inner) })
    }
}

#[pymethods]
impl Stream {
    /// Returns up to `size` bytes; none at the end.
    #[pyo3(signature = (size = -1))]
    fn read<'py>(&self, py: Python<'py>, size: isize) -> PyResult<Bound<'py, PyBytes>> {
        let mut inner = self.inner.get(py)?;
        let reader: &mut dyn Read = match &mut *inner {
            Inner::Pages(document) => document,
            Inner::Copy(copy) => copy,
        };
        let most = u64::try_from(size).unwrap_or(u64::MAX);
        let mut bytes = Vec::with_capacity(usize::try_from(most).unwrap_or(usize::MAX).min(1 << 20));
        match reader.take(most).read_to_end(&mut bytes) {
            Ok(_) => Ok(PyBytes::new(py, &bytes)),
            Err(error) => match error.downcast::<demat_core::Error>() {
                Ok(own) => Err(failed(py, own)),
                Err(other) => Err(failed(py, other.into())),
            },
        }
    }
}
