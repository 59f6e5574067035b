use super::{EncodeOptions, encode, encode_into, encode_quickly};
use crate::bounded::Bounded;
use crate::decode::format_of;
use crate::format::Format;
use crate::quick;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use pyo3::{Borrowed, PyTraverseError, PyVisit, ffi};

/// Encodes values with options that are parsed once.
///
/// `demat.json.Encoder(**options)` takes the options of `demat.json.encode`; likewise for each format. Several threads
/// can share it. It can be pickled if its options can.
///
/// >>> import demat
/// >>> encoder = demat.json.Encoder(sort_keys=True)
/// >>> encoder.encode({"b": 1, "a": 2})
/// b'{"a":2,"b":1}'
#[pyclass(frozen, subclass, weakref, module = "demat._native")]
#[derive(Debug)]
pub(crate) struct Encoder {
    format: Format,
    options: EncodeOptions,
    /// The options as passed.
    given: Py<PyDict>,
}

/// The result of `__reduce__`: the function that creates the encoder again, and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyType>, Py<PyDict>));

#[pymethods]
impl Encoder {
    #[new]
    #[classmethod]
    #[pyo3(signature = (**options))]
    fn new(class: &Bound<'_, PyType>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let format = format_of(class)?;
        let given = options.map_or_else(|| Ok(PyDict::new(class.py())), PyDictMethods::copy)?.unbind();
        Ok(Self { format, options: EncodeOptions::parse(format, options)?, given })
    }

    /// Returns the encoded value as bytes.
    ///
    /// Raises `demat.EncodeError` if a part of it can't be encoded, with the path to that part, and `demat.LimitError`
    /// if it is nested deeper than `depth`.
    ///
    /// >>> import demat
    /// >>> demat.json.Encoder().encode([1, 2.5, None])
    /// b'[1,2.5,null]'
    #[pyo3(signature = (value, /))]
    fn encode<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        encode(self.format, value, &self.options)
    }

    /// Writes the value into a bytearray, at `offset` in bytes (-1 is the end), and truncates the bytearray after it.
    ///
    /// The bytes before the offset stay. Raises what `encode` raises; then nothing is written, and the bytearray ends
    /// at the offset. `TypeError` if it is no bytearray, `ValueError` if the offset is beyond its end, `BufferError` if
    /// a memoryview of it exists.
    ///
    /// >>> import demat
    /// >>> buffer = bytearray(b"head")
    /// >>> demat.json.Encoder().encode_into([1], buffer, 4)
    /// >>> buffer
    /// bytearray(b'head[1]')
    #[pyo3(signature = (value, buffer, offset = Bounded(0), /), text_signature = "($self, value, buffer, offset=0, /)")]
    fn encode_into(&self, value: &Bound<'_, PyAny>, buffer: &Bound<'_, PyAny>, offset: Bounded<isize>) -> PyResult<()> {
        encode_into(self.format, value, buffer, offset.0, &self.options)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let given = self.given.bind(py).iter().map(|(name, value)| Ok(format!("{name}={}", value.repr()?)));
        let given = given.collect::<PyResult<Vec<_>>>()?.join(", ");
        Ok(format!("demat.{}.Encoder({given})", self.format.name()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let rebuild = slf.py().import("demat._native")?.getattr("_rebuild")?;
        Ok((rebuild, (slf.get_type(), slf.get().given.clone_ref(slf.py()))))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.given)?;
        self.options.traverse(&visit)
    }
}

/// Installs the fast path of `encode` for small messages.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn be_quick(py: Python<'_>) -> PyResult<()> {
    quick::of_one(&py.get_type::<Encoder>(), "encode", encode_one)
}

/// `Encoder.encode`.
unsafe extern "C" fn encode_one(own: *mut ffi::PyObject, value: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls it with the GIL held, an instance of the class and a live object.
    unsafe {
        quick::run(|| {
            let own = Borrowed::from_ptr(Python::assume_attached(), own).cast_unchecked::<Encoder>().get();
            encode_quickly(own.format, value, &own.options)
        })
    }
}
