//! Creates stores that call Python functions, and stores that wrap other ones.

use super::raised;
use demat_core::{Result, Shape, Value};
use demat_http::{Remote, RemoteOptions};
use demat_store::{Mapped, Query, Reference, RouteRequest, Store, Template, Verb, Verbs, shown};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::sync::Arc;
use std::time::Duration;

/// Wraps a Python function that maps a value, which it receives and returns as JSON.
fn changed(function: Py<PyAny>) -> impl Fn(&[String], Value) -> Result<Value> + Send + Sync + 'static {
    move |at, value| {
        let json = demat_formats::json::encode(&value)?;
        let told = Python::attach(|py| {
            let told = function.bind(py).call1((shown(at), PyBytes::new(py, &json)));
            told.and_then(|told| told.extract::<Vec<u8>>()).map_err(|error| raised(py, &error))
        });
        demat_formats::json::decode(&told?)
    }
}

/// Wraps a store with functions that map references, written values and read values.
pub(super) fn mapped(below: Arc<dyn Store>, said: &Bound<'_, PyTuple>) -> PyResult<Arc<dyn Store>> {
    let function = |index: usize| -> PyResult<Option<Py<PyAny>>> {
        let function = said.get_item(index)?;
        Ok((!function.is_none()).then(|| function.unbind()))
    };
    let mut mapped = Mapped::over(below);
    if let Some(lead) = function(1)? {
        mapped = mapped.with_reference(move |at| {
            let led = Python::attach(|py| {
                let led = lead.bind(py).call1((shown(at),));
                led.and_then(|led| led.extract::<String>()).map_err(|error| raised(py, &error))
            });
            led?.parse::<Reference>()
        });
    }
    if let Some(given) = function(2)? {
        mapped = mapped.with_written(changed(given));
    }
    if let Some(told) = function(3)? {
        mapped = mapped.with_read(changed(told));
    }
    Ok(Arc::new(mapped))
}

/// Creates a store from functions by route: each with its verbs, whether it takes the query, and the function.
pub(super) fn template(said: &Bound<'_, PyTuple>) -> PyResult<Result<Arc<dyn Store>>> {
    let routes: Vec<(String, Vec<String>, bool, Py<PyAny>)> = said.get_item(0)?.extract()?;
    let with = |template: Template, (route, names, queried, call): (String, Vec<String>, bool, Py<PyAny>)| {
        let verbs = Verb::ALL.into_iter().filter(|verb| names.iter().any(|name| name == verb.name()));
        template.with(&route, verbs.fold(Verbs::NONE, Verbs::and), move |asked| answered(asked, queried, &call))
    };
    let template = routes.into_iter().try_fold(Template::new(), with);
    Ok(template.map(|template| Arc::new(template) as Arc<dyn Store>))
}

fn answered(request: &mut RouteRequest<'_>, queried: bool, call: &Py<PyAny>) -> Result<Option<Value>> {
    let value = request.value(&Shape::Any)?;
    let json = value.as_ref().map(demat_formats::json::encode).transpose()?;
    let query = if queried { Query::pairs(&request.query().to_string()).collect::<Result<_>>()? } else { Vec::new() };
    let told: Option<Vec<u8>> = Python::attach(|py| {
        let told = || -> PyResult<Option<Vec<u8>>> {
            let (names, asks) = (PyDict::new(py), PyDict::new(py));
            for (name, value) in request.names() {
                names.set_item(name, value)?;
            }
            for (name, value) in query {
                asks.set_item(name, value)?;
            }
            let body = json.as_ref().map(|json| ("json", PyBytes::new(py, json)));
            call.bind(py).call1((names, asks, body))?.extract()
        };
        told().map_err(|error| raised(py, &error))
    })?;
    told.map(|told| demat_formats::json::decode(&told)).transpose()
}

/// Creates a store that is a client of another server.
pub(super) fn remote(said: &Bound<'_, PyTuple>, shape: Option<Shape>) -> PyResult<Result<Arc<dyn Store>>> {
    let timeout: f64 = said.get_item(4)?.extract()?;
    let timeout = Duration::try_from_secs_f64(timeout);
    let options = RemoteOptions {
        shape,
        token: said.get_item(3)?.extract()?,
        timeout: timeout.map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?,
        packed: said.get_item(5)?.extract()?,
        roots: said.get_item(6)?.extract()?,
        ..RemoteOptions::default()
    };
    let url: String = said.get_item(0)?.extract()?;
    Ok(Remote::new(&url, options).map(|remote| Arc::new(remote) as Arc<dyn Store>))
}
