//! Python classes that are imported at their first use.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// `decimal.Decimal`.
pub(crate) fn decimal(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "decimal", "Decimal")
}

/// `uuid.UUID`.
pub(crate) fn uuid(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "uuid", "UUID")
}

/// `demat.Hook`.
pub(crate) fn hook(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "demat._hook", "Hook")
}

/// The class of functions that write parts to a sink: `demat._hook.WritesParts`.
pub(crate) fn writes_parts(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "demat._hook", "WritesParts")
}

/// `demat.Error`.
pub(crate) fn error(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "demat._errors", "Error")
}

/// `typing.Any`.
pub(crate) fn any(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static ANY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    ANY.get_or_try_init(py, || Ok(py.import("typing")?.getattr("Any")?.unbind())).map(|any| any.bind(py))
}
