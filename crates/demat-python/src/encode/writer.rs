use super::EncodeOptions;
use super::list_writer::ListWriter;
use crate::columns::{is_arrow, reader_of_any};
use crate::copy::target_format;
use crate::format::Format;
use crate::target::{Opened, Packing};
use demat_core::Shape;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{
    PyByteArray, PyBytes, PyDict, PyFrozenSet, PyIterator, PyList, PyMapping, PyMemoryView, PySet, PyString, PyTuple,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Writes values to a place, one by one, as `demat.writer` returns it.
///
/// A file appears when the writer is closed; before, and after an error that leaves a `with`, it is as it was. A file
/// object or a pipe gets what each call writes as the call returns. A value that is refused is not written, and the
/// writer goes on, unless it holds a `Raw`, columns or lazy records; then, and where the place fails, the writer is
/// closed and the place is given up.
///
/// - `count`: the number of values written
/// - `closed`: whether it takes no more
///
/// >>> import demat, io
/// >>> file = io.BytesIO()
/// >>> with demat.writer(file, format="json") as writer:
/// ...     writer.write({"id": 1})
/// ...     writer.write_all({"id": id} for id in range(2, 4))
/// 2
/// >>> file.getvalue()
/// b'[{"id":1},{"id":2},{"id":3}]\n'
/// >>> writer.count, writer.closed
/// (3, True)
#[pyclass(frozen, module = "demat")]
pub(crate) struct Writer {
    options: EncodeOptions,
    open: Mutex<Option<ListWriter>>,
    /// The number of values, once it is closed.
    written: AtomicU64,
    /// Whether the program holds it.
    held: bool,
    /// Whether the place was given up after an error.
    failed: AtomicBool,
}

impl Writer {
    /// Opens a writer, for records of a type if one is passed. `held`: the program holds it.
    ///
    /// # Errors
    /// `TypeError` and `ValueError` for unknown options and types, and for objects that are no place;
    /// `demat.StoreError` if the place can't be opened.
    pub(crate) fn open(
        format: Format,
        place: &Bound<'_, PyAny>,
        record: Option<&Bound<'_, PyAny>>,
        given: Option<&Bound<'_, PyDict>>,
        held: bool,
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
        let open = ListWriter::new(py, format, &options, opened, held)?;
        Ok(Self {
            options,
            open: Mutex::new(Some(open)),
            written: AtomicU64::new(0),
            held,
            failed: AtomicBool::new(false),
        })
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

    /// Calls a function with the open list; if it fails, abandons the place, unless the list can go on.
    fn with<T>(&self, work: impl FnOnce(&mut ListWriter) -> PyResult<T>) -> PyResult<T> {
        let mut locked = self.lock()?;
        let Some(open) = locked.as_mut() else {
            return Err(PyRuntimeError::new_err("the place is closed"));
        };
        let done = work(open);
        self.written.store(open.count(), Ordering::Relaxed);
        if done.is_err() && !open.goes_on() {
            *locked = None;
            self.failed.store(true, Ordering::Relaxed);
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
            if self.held {
                let message = "columns are a whole list: write them with `write`, or their rows one by one";
                return Err(PyTypeError::new_err(message));
            }
            let reader = reader_of_any(values);
            return self.with(|told| told.copy(values.py(), &self.options, reader?));
        }
        let found = self.in_order(values).and_then(|values| Ok((known_len(&values), items(&values)?)));
        let (len, mut values) = match found {
            Ok(found) => found,
            Err(raised) => {
                if !self.held {
                    self.abort()?;
                }
                return Err(raised);
            }
        };
        let len = len.filter(|_| !self.held);
        self.with(|told| {
            told.begin(values.py(), &self.options, len)?;
            told.tell(values.py(), &self.options, || values.next().transpose())
        })
    }

    /// Returns the items of a set in their order, if that is wanted; else the values as they are.
    fn in_order<'py>(&self, values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let is_set = values.cast::<PySet>().is_ok() || values.cast::<PyFrozenSet>().is_ok();
        if !(self.options.sorts_sets && is_set) {
            return Ok(values.clone());
        }
        self.options.in_order(values).map(Bound::into_any)
    }
}

#[pymethods]
impl Writer {
    /// Writes one value.
    ///
    /// Raises what `encode` raises; `RuntimeError` if the writer is closed.
    #[pyo3(signature = (value, /))]
    fn write(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let mut one = Some(value.clone());
        self.with(|told| {
            told.begin(py, &self.options, None)?;
            told.tell(py, &self.options, || Ok(one.take()))?;
            if self.held { told.deliver(py, false) } else { Ok(()) }
        })
    }

    /// Writes the values of an iterable, and returns their number. Those before one that is refused are written.
    ///
    /// Raises what `encode` raises, and what the iterable raises; `RuntimeError` if the writer is closed.
    #[pyo3(signature = (values, /))]
    fn write_all(&self, values: &Bound<'_, PyAny>) -> PyResult<u64> {
        let before = self.written.load(Ordering::Relaxed);
        let told = self.tell_all(values);
        if self.lock()?.is_some() {
            self.with(|told| told.deliver(values.py(), false))?;
        }
        told?;
        Ok(self.written.load(Ordering::Relaxed) - before)
    }

    /// Passes on all that was written to a file object, a pipe or a socket. A file appears at the end.
    ///
    /// Raises what the place raises; `RuntimeError` if the writer is closed.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        self.with(|told| told.deliver(py, true))
    }

    /// Ends the list, lets a file appear, and returns the number of values written. Again it does nothing.
    ///
    /// Raises what the place raises; then nothing appears.
    pub(crate) fn close(&self, py: Python<'_>) -> PyResult<u64> {
        if let Some(told) = self.lock()?.take() {
            self.failed.store(true, Ordering::Relaxed);
            let count = told.finish(py, &self.options)?;
            self.failed.store(false, Ordering::Relaxed);
            self.written.store(count, Ordering::Relaxed);
        }
        if self.failed.load(Ordering::Relaxed) {
            return Err(PyRuntimeError::new_err(
                "the place was given up after an error: nothing more was written there",
            ));
        }
        Ok(self.written.load(Ordering::Relaxed))
    }

    /// Gives the place up: a file that is there stays as it was. Again it does nothing.
    fn abort(&self) -> PyResult<()> {
        self.failed.store(false, Ordering::Relaxed);
        let given_up = self.lock()?.take();
        drop(given_up);
        Ok(())
    }

    /// The number of values written.
    #[getter]
    fn count(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Whether it takes no more.
    #[getter]
    fn closed(&self) -> PyResult<bool> {
        Ok(self.lock()?.is_none())
    }

    fn __enter__(own: Bound<'_, Self>) -> Bound<'_, Self> {
        own
    }

    #[pyo3(signature = (kind, _raised, _traceback, /))]
    fn __exit__(
        &self,
        kind: &Bound<'_, PyAny>,
        _raised: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        if kind.is_none() { self.close(kind.py()).map(drop) } else { self.abort() }?;
        Ok(false)
    }
}

/// Opens a place for values that are written one by one: what `demat.writer` returns.
///
/// # Errors
/// As [`Writer::open`]; `ValueError` if neither the place nor `format` says what to write.
#[pyfunction]
#[pyo3(signature = (place, r#type, format, options))]
pub(crate) fn open_writer(
    place: &Bound<'_, PyAny>,
    r#type: Option<&Bound<'_, PyAny>>,
    format: Option<&str>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Writer> {
    let format = target_format(place, format)?;
    Writer::open(format, place, r#type, Some(options), true)
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
    if values.hasattr("__aiter__")? {
        let message =
            format!("{class} is iterated over by `async for`: write each record as it comes, or a list of all");
        return Err(PyTypeError::new_err(message));
    }
    let message = format!("what is written is an iterable of records, and {class} is one value: put it into a list");
    Err(PyTypeError::new_err(message))
}
