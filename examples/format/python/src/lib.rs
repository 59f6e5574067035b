//! The Python package's native module, with recfiles among its formats.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

#[pymodule]
fn demat_rec_native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    demat_rec::register().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    demat_python::install(module)
}
