//! Raw values: encoded values that stay undecoded.

use crate::format::Format;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};
use std::hash::{DefaultHasher, Hash, Hasher};

/// An undecoded value: its bytes, and their format.
///
/// `Raw(data, format="json")` takes bytes, or a str, which is encoded as UTF-8. The bytes are validated when they are
/// decoded, or when the object is encoded as part of another value. In another format, they are converted.
///
/// Raises `TypeError` if `data` is neither, `ValueError` for an unknown format.
///
/// >>> import demat
/// >>> bytes(demat.Raw("[1, 2]"))
/// b'[1, 2]'
#[pyclass(frozen, module = "demat")]
#[derive(Debug)]
pub(crate) struct Raw {
    /// The bytes.
    pub(crate) bytes: Py<PyBytes>,
    /// The format of the bytes.
    pub(crate) format: Format,
}

impl Raw {
    /// Copies a span of a document.
    pub(crate) fn of_span(py: Python<'_>, span: &[u8], format: Format) -> Self {
        Self { bytes: PyBytes::new(py, span).unbind(), format: format.of_parts() }
    }
}

#[pymethods]
impl Raw {
    #[new]
    #[pyo3(signature = (data, format = "json"))]
    fn new(data: &Bound<'_, PyAny>, format: &str) -> PyResult<Self> {
        let named = crate::format::named(format);
        let format = named.ok_or_else(|| PyValueError::new_err(format!("no format is called {format:?}")))?;
        let bytes = if let Ok(bytes) = data.cast::<PyBytes>() {
            bytes.clone()
        } else if let Ok(text) = data.cast::<PyString>() {
            PyBytes::new(data.py(), text.to_str()?.as_bytes())
        } else if let Ok(buffer) = PyBuffer::<u8>::get(data) {
            PyBytes::new(data.py(), &buffer.to_vec(data.py())?)
        } else {
            let found = data.get_type().name()?;
            return Err(PyTypeError::new_err(format!("Raw takes bytes or str, not {found}")));
        };
        Ok(Self { bytes: bytes.unbind(), format })
    }

    /// Decodes the value, as a type if one is passed.
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    #[pyo3(signature = (r#type=None), text_signature = "($self, type=...)")]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = crate::decode::given_type)] r#type: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::decode::bytes(py, self.format, self.bytes.as_bytes(py), r#type.as_ref())
    }

    /// The format's name.
    #[getter]
    fn format(&self) -> &'static str {
        self.format.name()
    }

    fn __bytes__(&self, py: Python<'_>) -> Py<PyBytes> {
        self.bytes.clone_ref(py)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.bytes.as_bytes(py).len()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else { return false };
        let other = other.get();
        self.format == other.format && self.bytes.as_bytes(py) == other.bytes.as_bytes(py)
    }

    fn __hash__(&self, py: Python<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.format, self.bytes.as_bytes(py)).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let bytes = self.bytes.bind(py).repr()?;
        let named = |format: Format| format!("Raw({bytes}, {:?})", format.name());
        Ok(if self.format == Format::JSON { format!("Raw({bytes})") } else { named(self.format) })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let given = (self.bytes.clone_ref(py), self.format.name()).into_pyobject(py)?;
        Ok((py.get_type::<Self>(), given))
    }
}
