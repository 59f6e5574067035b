//! Routes that call Python functions.

use super::answered::shared;
use super::raised;
use demat_core::{Error, ErrorKind, Result};
use demat_http::{Answer, Call, Handler, Parameter};
use http::{Method, StatusCode};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

/// A function: its Python wrapper takes the request, and returns the status, the media type and the body.
pub(super) struct Function {
    call: Py<PyAny>,
    methods: Vec<Method>,
    parameters: Vec<Parameter>,
    about: String,
}

impl Function {
    pub(super) fn new(
        call: Py<PyAny>,
        methods: &[String],
        parameters: Vec<(String, bool, String)>,
        about: String,
    ) -> Result<Self> {
        let parameter = |(name, required, schema): (String, bool, String)| {
            Ok(Parameter { name, required, schema: demat_formats::json::decode(schema.as_bytes())? })
        };
        let parameters = parameters.into_iter().map(parameter).collect::<Result<_>>()?;
        let method = |name: &String| {
            Method::from_bytes(name.as_bytes())
                .map_err(|_| Error::new(ErrorKind::Store, format!("`{name}` is no method of HTTP")))
        };
        Ok(Self { call, methods: methods.iter().map(method).collect::<Result<_>>()?, parameters, about })
    }

    fn called(&self, py: Python<'_>, call: &Call) -> PyResult<Answer> {
        let names = PyDict::new(py);
        for (name, value) in &call.names {
            names.set_item(name, value)?;
        }
        let query = PyDict::new(py);
        for (name, value) in &call.query {
            query.set_item(name, value)?;
        }
        let body = call.body.as_ref().map(|(format, bytes)| (format.name(), PyBytes::new(py, bytes)));
        let told = self.call.bind(py).call1((call.method.as_str(), names, query, body, call.wanted.name()))?;
        let told = told.cast_into::<PyTuple>()?;
        let (status, media): (u16, Option<String>) = (told.get_item(0)?.extract()?, told.get_item(1)?.extract()?);
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = match media {
            Some(media) => Some((media, shared(&told.get_item(2)?.cast_into::<PyBytes>()?))),
            None => None,
        };
        Ok(Answer { status, body })
    }
}

impl Handler for Function {
    fn answer(&self, call: Call) -> Result<Answer> {
        Python::attach(|py| self.called(py, &call).map_err(|error| raised(py, &error)))
    }

    fn methods(&self) -> Vec<Method> {
        self.methods.clone()
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.parameters.clone()
    }

    fn about(&self) -> String {
        self.about.clone()
    }
}
