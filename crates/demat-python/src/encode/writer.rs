use super::EncodeOptions;
use super::list_writer::ListWriter;
use crate::columns::{is_arrow, reader_of};
use crate::format::Format;
use crate::target::{Opened, Packing};
use demat_core::Shape;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{
    PyByteArray, PyBytes, PyDict, PyFrozenSet, PyIterator, PyList, PyMapping, PyMemoryView, PySet, PyString, PyTuple,
};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Writes values to a place one by one. A file appears only when the writer finishes.
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct Writer {
    options: EncodeOptions,
    open: Mutex<Option<ListWriter>>,
}

impl Writer {
    /// Opens a writer, for records of a type if one is passed.
    ///
    /// # Errors
    /// `TypeError` and `ValueError` for unknown options and types, and for objects that are no place;
    /// `demat.StoreError` if the place can't be opened.
    pub(crate) fn open(
        format: Format,
        place: &Bound<'_, PyAny>,
        record: Option<&Bound<'_, PyAny>>,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let py = place.py();
        let mut packing = Packing::default();
        let given = given.map(|given| -> PyResult<_> {
            let given = given.copy()?;
            if let Some(compression) = given.get_item("compression")? {
                packing = Packing::parse(&compression)?;
                given.del_item("compression")?;
            }
            Ok(given)
        });
        let given = given.transpose()?.unwrap_or_else(|| PyDict::new(py));
        if let Some(record) = record {
            given.set_item("type", record)?;
        }
        let mut options = EncodeOptions::parse(format, Some(&given))?;
        // The whole is a list of the given type.
        options.shape = options.shape.take().map(Shape::list);
        let opened = Opened::new(place, packing)?;
        let open = ListWriter::new(py, format, &options, opened)?;
        Ok(Self { options, open: Mutex::new(Some(open)) })
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Option<ListWriter>>> {
        match self.open.try_lock() {
            Ok(open) => Ok(open),
            Err(TryLockError::Poisoned(open)) => Ok(open.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the place is being written to, by a hook further up or another thread"))
            }
        }
    }

    /// Calls a function with the open list; if it fails, abandons the place.
    fn with<T>(&self, work: impl FnOnce(&mut ListWriter) -> PyResult<T>) -> PyResult<T> {
        let mut locked = self.lock()?;
        let Some(open) = locked.as_mut() else {
            return Err(PyRuntimeError::new_err("the place is closed"));
        };
        let done = work(open);
        if done.is_err() {
            *locked = None;
        }
        done
    }

    /// Writes all values of an iterable.
    ///
    /// # Errors
    /// `TypeError` if the argument is no iterable of values; errors as for `encode`; exceptions of the iterable or the
    /// place.
    pub(crate) fn tell_all(&self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        if is_arrow(values)? {
            let reader = reader_of(values);
            return self.with(|told| told.copy(values.py(), &self.options, reader?));
        }
        let in_order =
            if self.options.sorts_sets && (values.cast::<PySet>().is_ok() || values.cast::<PyFrozenSet>().is_ok()) {
                match self.options.in_order(values) {
                    Ok(items) => items.into_any(),
                    Err(raised) => {
                        self.abort()?;
                        return Err(raised);
                    }
                }
            } else {
                values.clone()
            };
        let values = &in_order;
        let len = known_len(values);
        let mut values = match items(values) {
            Ok(values) => values,
            Err(raised) => {
                self.abort()?;
                return Err(raised);
            }
        };
        self.with(|told| {
            told.begin(values.py(), &self.options, len)?;
            told.tell(values.py(), &self.options, || values.next().transpose())
        })
    }
}

#[pymethods]
impl Writer {
    /// Writes one value.
    #[pyo3(signature = (value, /))]
    fn tell(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut one = Some(value.clone());
        self.with(|told| {
            told.begin(value.py(), &self.options, None)?;
            told.tell(value.py(), &self.options, || Ok(one.take()))
        })
    }

    /// Ends the list and commits the place. Returns the number of values written.
    pub(crate) fn finish(&self, py: Python<'_>) -> PyResult<u64> {
        let Some(told) = self.lock()?.take() else {
            return Err(PyRuntimeError::new_err("the place is closed"));
        };
        told.finish(py, &self.options)
    }

    /// Abandons the place; an existing file stays unchanged.
    fn abort(&self) -> PyResult<()> {
        let given_up = self.lock()?.take();
        drop(given_up);
        Ok(())
    }
}

/// How many values a list or a tuple has. The length of any other object says less.
fn known_len(values: &Bound<'_, PyAny>) -> Option<usize> {
    let list = values.cast_exact::<PyList>().map(PyListMethods::len).ok();
    list.or_else(|| values.cast_exact::<PyTuple>().map(PyTupleMethods::len).ok())
}

/// The values of an iterable, where it is not one of those that are one value themselves.
pub(super) fn items<'py>(values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    let one = values.is_instance_of::<PyString>()
        || values.is_instance_of::<PyBytes>()
        || values.is_instance_of::<PyByteArray>()
        || values.is_instance_of::<PyMemoryView>()
        || values.cast::<PyMapping>().is_ok();
    if !one && (values.hasattr("__iter__")? || values.hasattr("__getitem__")?) {
        return values.try_iter();
    }
    let class = values.get_type().name()?;
    let message = format!("what is written is an iterable of records, and {class} is one value: put it into a list");
    Err(PyTypeError::new_err(message))
}
