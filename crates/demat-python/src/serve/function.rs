//! Routes that call Python functions.

use super::answered::shared;
use super::raised;
use crate::error::{Failure, exception};
use demat_core::Result;
use demat_http::{Answer, Call, Field, FieldValue, Handler, Operation, Sent, Spool, Takes};
use demat_place::Format;
use http::{HeaderName, HeaderValue, Method, StatusCode};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

/// A function: its Python wrapper takes the request, and returns the status, the media type, the body and headers.
pub(super) struct Function {
    call: Py<PyAny>,
    methods: Vec<Method>,
    operation: Operation,
    /// Whether the wrapper wants the headers, and what else the head says.
    head: bool,
}

impl Function {
    /// `operation` is the description as JSON. `takes` says what the function takes: `query`, `headers`, `body`,
    /// `formats`, `fields`, `answers` and `head`.
    pub(super) fn new(
        call: Py<PyAny>,
        methods: &[String],
        operation: &[u8],
        takes: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let py = takes.py();
        let said = |name: &str| takes.as_any().get_item(name);
        let method = |name: &String| {
            Method::from_bytes(name.as_bytes())
                .map_err(|_| PyValueError::new_err(format!("`{name}` is no method of HTTP")))
        };
        let formats =
            |names: Vec<String>| -> Vec<Format> { names.iter().filter_map(|name| name.parse().ok()).collect() };
        let kind: String = said("body")?.extract()?;
        let body = match &*kind {
            "none" => Takes::Nothing,
            "any" => Takes::Bytes,
            "form" => {
                let fields: Vec<(String, bool, bool)> = said("fields")?.extract()?;
                Takes::Form(fields.into_iter().map(|(name, many, file)| Field { name, many, file }).collect())
            }
            _ => Takes::Value(formats(said("formats")?.extract()?)),
        };
        let description = demat_formats::json::decode(operation);
        let operation = Operation {
            description: description.map_err(|error| exception(py, Failure::from(error)))?,
            query: said("query")?.extract()?,
            headers: said("headers")?.extract()?,
            body,
            formats: formats(said("answers")?.extract()?),
            is_open: said("is_open")?.extract()?,
        };
        let methods = methods.iter().map(method).collect::<PyResult<_>>()?;
        Ok(Self { call, methods, operation, head: said("head")?.extract()? })
    }

    fn called(&self, py: Python<'_>, call: Call) -> PyResult<Answer> {
        let names = PyDict::new(py);
        for (name, value) in &call.names {
            names.set_item(name, value)?;
        }
        let head = if self.head { Some(head(py, &call)?) } else { None };
        let body = call.body.map(|body| sent(py, body)).transpose()?;
        let told = self.call.bind(py).call1((names, call.query, body, head, call.wanted.name()))?;
        let told = told.cast_into::<PyTuple>()?;
        let (status, media): (u16, Option<String>) = (told.get_item(0)?.extract()?, told.get_item(1)?.extract()?);
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = match media {
            Some(media) => Some((media, shared(&told.get_item(2)?.cast_into::<PyBytes>()?))),
            None => None,
        };
        let headers: Vec<(String, String)> = told.get_item(3)?.extract()?;
        let header = |(name, value): (String, String)| {
            // The wrapper has checked them.
            let name = HeaderName::try_from(name).map_err(|error| PyValueError::new_err(error.to_string()))?;
            let value = HeaderValue::try_from(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
            Ok((name, value))
        };
        let headers = headers.into_iter().map(header).collect::<PyResult<_>>()?;
        Ok(Answer { status, body, headers })
    }
}

/// Method, path, query, headers, address of the client, and roles.
fn head<'py>(py: Python<'py>, call: &Call) -> PyResult<Bound<'py, PyTuple>> {
    let headers = call.headers.iter().map(|(name, value)| (name.as_str(), PyBytes::new(py, value.as_bytes())));
    let headers = PyList::new(py, headers.collect::<Vec<_>>())?;
    let (path, query) = (call.target.path(), call.target.query().unwrap_or_default());
    let from = call.from.to_string();
    (call.method.as_str(), path, query, headers, from, &call.roles).into_pyobject(py)
}

/// The body: its format (None for bytes) and bytes, or a list of fields.
fn sent(py: Python<'_>, body: Sent) -> PyResult<Bound<'_, PyAny>> {
    Ok(match body {
        Sent::Value(format, bytes) => (format.name(), PyBytes::new(py, &bytes)).into_pyobject(py)?.into_any(),
        Sent::Bytes(bytes) => (py.None(), PyBytes::new(py, &bytes)).into_pyobject(py)?.into_any(),
        Sent::Form(fields) => {
            let list = PyList::empty(py);
            for (name, value) in fields {
                let value = match value {
                    FieldValue::Text(text) => text.into_pyobject(py)?.into_any(),
                    FieldValue::File { name, media_type, data } => {
                        let len = data.len();
                        (name, media_type, len, held(py, data)?).into_pyobject(py)?.into_any()
                    }
                };
                list.append((name, value))?;
            }
            list.into_any()
        }
    })
}

/// The bytes, or the handle of the file, which the caller has to close.
fn held(py: Python<'_>, data: Spool) -> PyResult<Bound<'_, PyAny>> {
    match data {
        Spool::Memory(bytes) => Ok(PyBytes::new(py, &bytes).into_any()),
        #[cfg(unix)]
        Spool::File(file, _) => Ok(std::os::fd::IntoRawFd::into_raw_fd(file).into_pyobject(py)?.into_any()),
        #[cfg(windows)]
        Spool::File(file, _) => {
            let handle = std::os::windows::io::IntoRawHandle::into_raw_handle(file).expose_provenance();
            Ok(handle.into_pyobject(py)?.into_any())
        }
    }
}

impl Handler for Function {
    fn answer(&self, call: Call) -> Result<Answer> {
        Python::attach(|py| self.called(py, call).map_err(|error| raised(py, &error)))
    }

    fn methods(&self) -> Vec<Method> {
        self.methods.clone()
    }

    fn operation(&self) -> &Operation {
        &self.operation
    }
}
