use crate::format::Format;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};

/// A value kept as its bytes stand in a document, undecoded.
///
/// As a field's type it defers decoding; it is written back as it was, and into another format as that has it.
#[pyclass(frozen, eq, hash, module = "demat")]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Raw {
    bytes: Vec<u8>,
    pub(crate) format: Format,
}

impl Raw {
    /// Keeps a span of a document.
    pub(crate) fn new(_: Python<'_>, span: &[u8], format: Format) -> Self {
        // A line of NDJSON is JSON; so is whatever stands in it.
        let format = if format == Format::Ndjson { Format::Json } else { format };
        Self { bytes: span.to_vec(), format }
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

#[pymethods]
impl Raw {
    #[new]
    #[pyo3(signature = (data, format="json"))]
    fn py_new(data: &Bound<'_, PyAny>, format: &str) -> PyResult<Self> {
        let format =
            Format::named(format).ok_or_else(|| PyValueError::new_err(format!("no format is called {format:?}")))?;
        let bytes = if let Ok(bytes) = data.cast::<PyBytes>() {
            bytes.as_bytes().to_vec()
        } else if let Ok(text) = data.cast::<PyString>() {
            text.to_cow()?.as_bytes().to_vec()
        } else if let Ok(bytes) = data.extract::<Vec<u8>>() {
            bytes
        } else {
            return Err(PyTypeError::new_err(format!("Raw takes bytes or str, not {}", data.get_type().name()?)));
        };
        Ok(Self { bytes, format })
    }

    /// Decodes the value.
    #[pyo3(signature = (r#type=None))]
    fn decode<'py>(&self, py: Python<'py>, r#type: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        crate::decode::bytes(py, self.format, &self.bytes, r#type)
    }

    /// The name of the format that the bytes are in.
    #[getter]
    fn format(&self) -> &'static str {
        self.format.name()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    fn __len__(&self) -> usize {
        self.bytes.len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Raw({}, {:?})", PyBytes::new(py, &self.bytes).repr()?, self.format.name()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Bound<'py, PyBytes>, &'static str)) {
        (py.get_type::<Self>(), (PyBytes::new(py, &self.bytes), self.format.name()))
    }
}
