//! Writes an object part by part, as its class says: `__demat_encode__(self, sink)`.

mod written;

use super::hint::Anything;
use super::{EncodeSink, Engine, ObjectRef};
use crate::error::{Failure, exception};
use crate::known;
use demat_core::{Error, ErrorKind, Result};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString};
use std::cell::{Cell, RefCell};
use std::ptr::NonNull;
use std::thread::ThreadId;
use written::{Container, Written};

/// Writes the parts of one value: the argument of `__demat_encode__(self, sink)`.
#[pyclass(frozen, module = "demat")]
pub(crate) struct PartSink {
    /// `None` after the call that it was made for.
    target: Cell<Option<NonNull<dyn Target>>>,
    /// Whether one of its methods is at work.
    busy: Cell<bool>,
    thread: ThreadId,
    written: RefCell<Written>,
}

// SAFETY: the cells are accessed with the GIL held, and by one thread alone: all methods check that first.
unsafe impl Sync for PartSink {}
// SAFETY: as above.
unsafe impl Send for PartSink {}

/// A part of a value.
enum Part<'p> {
    Null,
    Bool(bool),
    /// An instance of `int`, of `str`.
    Int(&'p Bound<'p, PyAny>),
    Text(&'p Bound<'p, PyAny>),
    Float(f64),
    Bytes(&'p [u8]),
    /// An object of any class.
    Value(&'p Bound<'p, PyAny>),
    List,
    Map,
    Item,
    Key(&'p str),
    EndList,
    EndMap,
}

/// An engine, whatever its sink is.
trait Target {
    /// Writes a part.
    fn write(&mut self, part: &Part<'_>) -> Result<()>;

    /// Takes the exception that user code raised.
    fn exception(&mut self, error: Error) -> (Error, Option<PyErr>);

    /// Returns an exception that was taken.
    fn put_back(&mut self, raised: PyErr);
}

impl<K: EncodeSink> Target for Engine<'_, K> {
    fn write(&mut self, part: &Part<'_>) -> Result<()> {
        // SAFETY: each is held by the caller of the sink's method.
        let object = |object: &Bound<'_, PyAny>| unsafe { ObjectRef::new(object.as_ptr()) };
        match *part {
            Part::Null => self.sink.null(),
            Part::Bool(value) => self.sink.bool(value),
            Part::Int(value) => self.int(object(value)),
            Part::Text(value) => self.text(object(value)),
            Part::Float(value) => self.sink.float(value),
            Part::Bytes(value) => self.sink.bytes(value),
            Part::Value(value) => self.value(Anything, object(value)),
            Part::List => {
                self.deeper()?;
                self.sink.begin_list(None)
            }
            Part::Map => {
                self.deeper()?;
                self.sink.begin_map(None)
            }
            Part::Item => self.sink.item(),
            Part::Key(key) => self.sink.key(key),
            Part::EndList => {
                self.back();
                self.sink.end_list()
            }
            Part::EndMap => {
                self.back();
                self.sink.end_map()
            }
        }
    }

    fn exception(&mut self, error: Error) -> (Error, Option<PyErr>) {
        (error, self.raised.take().map(|raised| *raised))
    }

    fn put_back(&mut self, raised: PyErr) {
        self.raised = Some(Box::new(raised));
    }
}

impl<K: EncodeSink> Engine<'_, K> {
    /// Encodes an object by a function that writes its parts.
    ///
    /// # Errors
    /// The first error of a part; the exception of the function; an error if what it wrote is not one value.
    #[inline(never)]
    pub(super) fn parts(&mut self, function: &Py<PyAny>, object: ObjectRef) -> Result<()> {
        // The function may encode, too.
        self.check_depth()?;
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let object = object.hold().into_bound(py);
        let target: NonNull<dyn Target + '_> = NonNull::from(&mut *self);
        // SAFETY: only the lifetime changes. The sink forgets the engine before this function returns, and the engine is
        // used by nothing else meanwhile: the function is called by it, and it waits.
        let target = unsafe { core::mem::transmute::<NonNull<dyn Target + '_>, NonNull<dyn Target + 'static>>(target) };
        let sink = PartSink {
            target: Cell::new(Some(target)),
            busy: Cell::new(false),
            thread: std::thread::current().id(),
            written: RefCell::default(),
        };
        let sink = Bound::new(py, sink).map_err(|raised| self.raised(raised))?;
        let ended = Ended(&sink);
        let returned = function.bind(py).call1((&object, &sink));
        drop(ended);
        let written = sink.get().written.take();
        if let Some((error, told)) = written.failed {
            // It may have been caught and answered by an exception of the function's own.
            return match returned {
                Err(raised) if !raised.value(py).is(&told) => Err(self.raised(raised)),
                _ => {
                    if let Ok(Some(raised)) = foreign(py, &told) {
                        self.put_back(raised);
                    }
                    Err(error)
                }
            };
        }
        let returned = returned.map_err(|raised| self.raised(raised))?;
        if !returned.is_none() {
            let class = returned.get_type().name().map(|name| name.to_string()).unwrap_or_default();
            return Err(wrong(format!("`__demat_encode__` with a sink has to return None, not `{class}`")));
        }
        match written.open.last() {
            None if written.done => Ok(()),
            None => Err(wrong("`__demat_encode__` wrote no value to its sink".to_string())),
            Some(Container::Map { key, awaits: true, .. }) => {
                Err(wrong(format!("`__demat_encode__` wrote the key `{key}` without a value")))
            }
            Some(_) => {
                let open = written.open.len();
                Err(wrong(format!("`__demat_encode__` left {open} of its lists and maps open: `end` is missing")))
            }
        }
    }
}

/// Makes a sink forget its engine.
struct Ended<'s, 'py>(&'s Bound<'py, PartSink>);

impl Drop for Ended<'_, '_> {
    fn drop(&mut self) {
        self.0.get().target.set(None);
    }
}

/// Returns an exception that is none of Demat's own: user code raised it, and it comes out as it is.
fn foreign(py: Python<'_>, told: &Py<PyAny>) -> PyResult<Option<PyErr>> {
    let own = known::error(py)?;
    let told = told.bind(py);
    Ok((!told.is_instance(own.as_any())?).then(|| PyErr::from_value(told.clone())))
}

#[cold]
fn wrong(message: String) -> Error {
    Error::new(ErrorKind::Encode, message)
}

impl PartSink {
    /// Calls the engine with a part, after a check that the part may stand here.
    fn put(&self, py: Python<'_>, part: &Part<'_>) -> PyResult<()> {
        if self.thread != std::thread::current().id() {
            return Err(PyRuntimeError::new_err("this sink is for the thread in which `__demat_encode__` was called"));
        }
        let Some(mut target) = self.target.get() else {
            let message =
                "this sink is no longer of use: the call of `__demat_encode__` that it was made for has ended";
            return Err(PyRuntimeError::new_err(message));
        };
        if self.busy.get() {
            return Err(PyRuntimeError::new_err("this sink is at work: in what called this"));
        }
        if let Some((_, told)) = &self.written.borrow().failed {
            return Err(PyErr::from_value(told.bind(py).clone()));
        }
        self.busy.set(true);
        let _free = Free(&self.busy);
        // SAFETY: the engine that made this sink waits for its function, and `busy` excludes another use.
        let target = unsafe { target.as_mut() };
        let step = self.written.borrow_mut().begin(part);
        let outcome = step.and_then(|item| {
            if item {
                target.write(&Part::Item)?;
            }
            target.write(part)
        });
        match outcome {
            Ok(()) => {
                self.written.borrow_mut().finish(part);
                Ok(())
            }
            Err(error) => Err(self.fail(py, target, error)),
        }
    }

    /// Keeps an error, and returns the exception for it.
    #[cold]
    fn fail(&self, py: Python<'_>, target: &mut dyn Target, error: Error) -> PyErr {
        let (error, raised) = target.exception(error);
        let mut written = self.written.borrow_mut();
        let error = written.within(error);
        let raised = raised.unwrap_or_else(|| {
            let told = Error::new(error.kind(), error.to_string());
            exception(py, Failure::one(told, None))
        });
        written.failed = Some((error, raised.value(py).clone().into_any().unbind()));
        raised
    }
}

/// Clears a flag when dropped.
struct Free<'b>(&'b Cell<bool>);

impl Drop for Free<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

#[cold]
fn not_of(method: &str, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let class = found.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!("{method} takes {expected}, not {class}"))
}

#[pymethods]
impl PartSink {
    /// Writes None.
    fn null(&self, py: Python<'_>) -> PyResult<()> {
        self.put(py, &Part::Null)
    }

    /// Writes a bool.
    fn bool(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let flag = value.cast::<PyBool>().map_err(|_| not_of("bool", "a bool", value))?;
        self.put(value.py(), &Part::Bool(flag.is_true()))
    }

    /// Writes an int of any size.
    fn int(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if !value.is_instance_of::<PyInt>() || value.is_instance_of::<PyBool>() {
            return Err(not_of("int", "an int", value));
        }
        self.put(value.py(), &Part::Int(value))
    }

    /// Writes a float; an int is converted.
    fn float(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let is_int = value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>();
        if !is_int && !value.is_instance_of::<PyFloat>() {
            return Err(not_of("float", "a float", value));
        }
        self.put(value.py(), &Part::Float(value.extract()?))
    }

    /// Writes a str.
    fn text(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if !value.is_instance_of::<PyString>() {
            return Err(not_of("text", "a str", value));
        }
        self.put(value.py(), &Part::Text(value))
    }

    /// Writes bytes.
    fn bytes(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = value.cast::<PyBytes>().map_err(|_| not_of("bytes", "bytes", value))?;
        self.put(value.py(), &Part::Bytes(bytes.as_bytes()))
    }

    /// Writes an object of any class, as it would be encoded by itself.
    fn value(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.put(value.py(), &Part::Value(value))
    }

    /// Begins a list: what is written up to its `end` are its items.
    fn list(&self, py: Python<'_>) -> PyResult<()> {
        self.put(py, &Part::List)
    }

    /// Begins a map: what is written up to its `end` are keys, each with a value behind it.
    fn map(&self, py: Python<'_>) -> PyResult<()> {
        self.put(py, &Part::Map)
    }

    /// Writes the key of the value that comes next.
    fn key(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let text = key.cast::<PyString>().map_err(|_| not_of("key", "a str", key))?.to_cow()?;
        self.put(key.py(), &Part::Key(&text))
    }

    /// Ends the innermost list or map.
    fn end(&self, py: Python<'_>) -> PyResult<()> {
        let is_list = matches!(self.written.borrow().open.last(), Some(Container::List(_)));
        self.put(py, if is_list { &Part::EndList } else { &Part::EndMap })
    }
}
