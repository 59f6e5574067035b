//! Creates instances of classes with `model_validate`: those of pydantic by their validator itself, without a call of
//! the Python function in between.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// Returns what `model_validate` of a class makes of values by their names.
///
/// # Errors
/// What it raises.
pub(super) fn validated<'py>(class: &Bound<'py, PyType>, given: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    let method = class.getattr(intern!(py, "model_validate"))?;
    let is_own = |own: &Py<PyAny>| method.getattr(intern!(py, "__func__")).is_ok_and(|function| function.is(own));
    if own(py).is_ok_and(is_own) {
        let validator = class.getattr(intern!(py, "__pydantic_validator__"))?;
        return validator.call_method1(intern!(py, "validate_python"), (given,));
    }
    method.call1((given,))
}

/// Returns the function of pydantic's models, which passes its argument to the model's validator; another class may have
/// one of its own.
///
/// # Errors
/// If pydantic is not imported.
fn own(py: Python<'_>) -> PyResult<&Py<PyAny>> {
    static OWN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    OWN.get_or_try_init(py, || {
        let modules = py.import("sys")?.getattr("modules")?;
        let model = modules.get_item("pydantic")?.getattr("BaseModel")?;
        Ok(model.getattr("model_validate")?.getattr("__func__")?.unbind())
    })
}
