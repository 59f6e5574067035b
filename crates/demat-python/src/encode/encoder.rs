use super::{EncodeOptions, encode, encode_into};
use crate::format::Format;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pyo3::{PyTraverseError, PyVisit};

/// Encodes values with options that are read once.
///
/// `demat.json.Encoder(**options)` takes the options of `demat.json.encode`, and so in each format. It can be used by more
/// than one thread, and pickled where its options can.
///
/// >>> import demat
/// >>> encoder = demat.json.Encoder(sort_keys=True)
/// >>> encoder.encode({"b": 1, "a": 2})
/// b'{"a":2,"b":1}'
#[pyclass(frozen, module = "demat._native")]
#[derive(Debug)]
pub(crate) struct Encoder {
    format: Format,
    options: EncodeOptions,
    /// What the options were read from.
    given: Py<PyDict>,
}

impl Encoder {
    /// An encoder of a format with the options that were given by name.
    ///
    /// # Errors
    /// As [`EncodeOptions::parse`].
    pub(crate) fn new(py: Python<'_>, format: Format, given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let options = EncodeOptions::parse(format, given)?;
        let given = given.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?;
        Ok(Self { format, options, given: given.unbind() })
    }
}

/// What makes it again, and from what.
type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, Py<PyDict>));

#[pymethods]
impl Encoder {
    /// The value as bytes.
    ///
    /// Raises `demat.EncodeError` where a part of it can't be written, with the path to it; `demat.LimitError` where it nests
    /// deeper than `depth`.
    ///
    /// >>> import demat
    /// >>> demat.json.Encoder().encode([1, 2.5, None])
    /// b'[1,2.5,null]'
    #[pyo3(signature = (value, /))]
    fn encode<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        encode(self.format, value, &self.options)
    }

    /// Writes the value into a bytearray, from `offset` on (in bytes; -1 is the end), and cuts off what stood behind it.
    ///
    /// What stands before the offset stays. Raises what `encode` raises, and the bytearray ends at the offset then;
    /// `TypeError` where it is no bytearray, `ValueError` where the offset is beyond its end, `BufferError` where a memoryview
    /// looks at it.
    ///
    /// >>> import demat
    /// >>> buffer = bytearray(b"head")
    /// >>> demat.json.Encoder().encode_into([1], buffer, 4)
    /// >>> buffer
    /// bytearray(b'head[1]')
    #[pyo3(signature = (value, buffer, offset = 0, /))]
    fn encode_into(&self, value: &Bound<'_, PyAny>, buffer: &Bound<'_, PyAny>, offset: isize) -> PyResult<()> {
        encode_into(self.format, value, buffer, offset, &self.options)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let given = self.given.bind(py).iter().map(|(name, value)| Ok(format!("{name}={}", value.repr()?)));
        let given = given.collect::<PyResult<Vec<_>>>()?.join(", ");
        Ok(format!("demat.{}.Encoder({given})", self.format.name()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let made_again = py.import("demat._native")?.getattr("_encoder")?;
        Ok((made_again, (self.format.name(), self.given.clone_ref(py))))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.given)?;
        self.options.traverse(&visit)
    }
}

/// An encoder of the format with this name: what pickles call.
#[pyfunction]
#[pyo3(name = "_encoder")]
pub(crate) fn encoder_of(py: Python<'_>, format: &str, given: &Bound<'_, PyDict>) -> PyResult<Encoder> {
    let named = Format::named(format);
    let format = named.ok_or_else(|| PyValueError::new_err(format!("no format is called {format:?}")))?;
    Encoder::new(py, format, Some(given))
}
