use crate::decode::{self, DecodeOptions};
use crate::format::Format;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A format's verbs, of which its module is made.
#[pyclass(frozen, name = "Format", module = "demat._native")]
pub(crate) struct Verbs {
    format: Format,
    usual: DecodeOptions,
}

impl Verbs {
    /// The verbs of a format.
    pub(crate) fn new(format: Format) -> Self {
        Self { format, usual: DecodeOptions::new(format) }
    }
}

#[pymethods]
impl Verbs {
    /// Decodes a document.
    #[pyo3(signature = (data, /, r#type=None, **options))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        r#type: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let parsed;
        let options = match options {
            None => &self.usual,
            Some(given) => {
                parsed = DecodeOptions::parse(self.format, Some(given))?;
                &parsed
            }
        };
        let plan = decode::planned(py, r#type, options)?;
        decode::decode(py, data, plan.as_ref().map(|plan| plan.get()), options)
    }

    /// The format's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.format.name()
    }

    fn __repr__(&self) -> String {
        format!("<the verbs of demat.{}>", self.format.name())
    }
}
