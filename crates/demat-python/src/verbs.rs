use crate::decode::{self, DecodeOptions};
use crate::encode::{self, EncodeOptions};
use crate::format::Format;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A format's verbs, of which its module is made.
#[pyclass(frozen, name = "Format", module = "demat._native")]
pub(crate) struct Verbs {
    format: Format,
    usual: DecodeOptions,
    usual_writing: EncodeOptions,
}

impl Verbs {
    /// The verbs of a format.
    ///
    /// # Errors
    /// None, in truth: the options that are usual are options.
    pub(crate) fn new(format: Format) -> PyResult<Self> {
        Ok(Self { format, usual: DecodeOptions::new(format), usual_writing: EncodeOptions::parse(format, None)? })
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
        decode::decode(py, data, plan.as_ref().map(Bound::get), options)
    }

    /// Encodes a value.
    #[pyo3(signature = (value, /, **options))]
    fn encode<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        match options {
            None => encode::encode(self.format, value, &self.usual_writing),
            Some(given) => encode::encode(self.format, value, &EncodeOptions::parse(self.format, Some(given))?),
        }
    }

    /// Writes a value into a bytearray, from an offset on.
    #[pyo3(signature = (value, buffer, offset=0, /, **options))]
    fn encode_into(
        &self,
        value: &Bound<'_, PyAny>,
        buffer: &Bound<'_, PyAny>,
        offset: isize,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        match options {
            None => encode::encode_into(self.format, value, buffer, offset, &self.usual_writing),
            Some(given) => {
                let options = EncodeOptions::parse(self.format, Some(given))?;
                encode::encode_into(self.format, value, buffer, offset, &options)
            }
        }
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
