//! The HTTP server, started and stopped by Python code.

use super::collection::{collected, collections};
use super::function::Function;
use super::objects::Objects;
use super::postgres_table;
use super::table::{stored, whole_shape};
use crate::bounded::Bounded;
use crate::error::{Failure, exception};
use crate::lmdb::{Collection, Environment};
use crate::postgres::PostgresDatabase;
use crate::sqlite::Database;
use demat_core::Value;
use demat_http::{Files, Mount, Options, Route, Stopper, Token};
use demat_place::Host;
use demat_sqlite_store::TableOptions;
use http::Method;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// A server that runs on its own thread; the base of `demat.Server`.
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct Server {
    stopper: Stopper,
    #[pyo3(get)]
    host: String,
    #[pyo3(get)]
    port: u16,
    thread: Mutex<Option<JoinHandle<demat_core::Result<()>>>>,
    ended: Arc<(Mutex<bool>, Condvar)>,
}

/// The interval between two checks for signals.
const LOOK: Duration = Duration::from_millis(50);

#[pymethods]
impl Server {
    /// Starts a server. A route consists of its path, its kind, and the arguments of that kind.
    #[new]
    #[pyo3(signature = (routes, host, port, cors, token, urls, title, browser, max_body, stop_timeout, log, tls, durable, wal, hosts,
        unrepresentable, schemas, tokens))]
    #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // one parameter per option
    #[allow(clippy::fn_params_excessive_bools)] // keyword arguments in Python
    fn new(
        py: Python<'_>,
        routes: Vec<Bound<'_, PyTuple>>,
        host: &str,
        port: Bounded<u16>,
        cors: Vec<String>,
        token: Option<String>,
        urls: Option<String>,
        title: String,
        browser: bool,
        max_body: Bounded<usize>,
        stop_timeout: f64,
        log: Option<Py<PyAny>>,
        tls: Option<(PathBuf, PathBuf)>,
        durable: bool,
        wal: bool,
        hosts: Vec<String>,
        unrepresentable: &str,
        schemas: &[u8],
        tokens: Option<Vec<(String, Vec<String>)>>,
    ) -> PyResult<Self> {
        let tables = TableOptions { durable, log: wal, ..TableOptions::default() };
        let mut mounts = Vec::new();
        for route in routes {
            mounts.push(routed(&route, &tables)?);
        }
        let host = if host == "localhost" { "127.0.0.1" } else { host };
        let host = host.parse().map_err(|_| PyValueError::new_err(format!("host must be an address, not {host:?}")))?;
        let stop_timeout = Duration::try_from_secs_f64(stop_timeout)
            .map_err(|_| PyValueError::new_err("stop_timeout must be seconds from 0 on"))?;
        let log = log.map(|log| -> demat_http::Log {
            Arc::new(move |access| {
                let line = access.to_string();
                Python::attach(|py| {
                    if let Err(error) = log.call1(py, (line,)) {
                        error.write_unraisable(py, None);
                    }
                });
            })
        });
        let unrepresentable =
            unrepresentable.parse().map_err(|error| PyValueError::new_err(format!("unrepresentable: {error}")))?;
        if tokens.as_ref().is_some_and(Vec::is_empty) {
            return Err(PyValueError::new_err("tokens has no token; leave it out to serve everybody"));
        }
        let tokens = tokens.into_iter().flatten().map(|(secret, roles)| Token::new(secret, roles)).collect();
        let options = Options {
            host,
            port: port.0,
            cors,
            hosts,
            token,
            tokens,
            schemas: schemas_of(schemas).map_err(|error| exception(py, Failure::from(error)))?,
            urls,
            title,
            browser,
            max_body: max_body.0,
            stop_timeout,
            log,
            tls,
            unrepresentable,
            ..Options::default()
        };
        let server = py.detach(|| demat_http::Server::bind(mounts, options));
        let server = server.map_err(|error| exception(py, Failure::from(error)))?;
        let (address, stopper) = (server.address(), server.stopper());
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        let end = Ended(Arc::clone(&ended));
        let thread = std::thread::Builder::new().name("demat-serve".to_string()).spawn(move || {
            let _end = end;
            server.run()
        })?;
        let thread = Mutex::new(Some(thread));
        Ok(Self { stopper, host: address.ip().to_string(), port: address.port(), thread, ended })
    }

    /// Waits for the end of the server, and handles signals meanwhile.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        loop {
            let ended = py.detach(|| {
                let (ended, told) = &*self.ended;
                let ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
                *told.wait_timeout_while(ended, LOOK, |ended| !*ended).unwrap_or_else(PoisonError::into_inner).0
            });
            if ended {
                return self.join(py);
            }
            py.check_signals()?;
        }
    }

    /// Stops accepting connections, completes the accepted requests, and waits for that.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.stopper.stop();
        self.join(py)
    }
}

impl Server {
    fn join(&self, py: Python<'_>) -> PyResult<()> {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return Ok(()) };
        match py.detach(|| thread.join()) {
            Ok(served) => served.map_err(|error| exception(py, Failure::from(error))),
            Err(panic) => Err(exception(py, Failure::from(demat_core::panicked(&*panic)))),
        }
    }
}

/// Signals the end of the server when dropped.
struct Ended(Arc<(Mutex<bool>, Condvar)>);

impl Drop for Ended {
    fn drop(&mut self) {
        let (ended, told) = &*self.0;
        *ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        told.notify_all();
    }
}

/// Returns the schemas of classes that functions take and return.
fn schemas_of(json: &[u8]) -> demat_core::Result<Vec<(String, Value)>> {
    let Value::Map(entries) = demat_formats::json::decode(json)? else { return Ok(Vec::new()) };
    let named = |(name, schema)| match name {
        Value::Text(name) => Some((name.into(), schema)),
        _ => None,
    };
    Ok(entries.into_iter().filter_map(named).collect())
}

/// Converts a route from its Python tuple: path, methods (None for all), options, kind and arguments.
fn routed(route: &Bound<'_, PyTuple>, tables: &TableOptions) -> PyResult<Route> {
    let (path, methods): (String, Option<Vec<String>>) = (route.get_item(0)?.extract()?, route.get_item(1)?.extract()?);
    type Options = (bool, Option<usize>, Option<Vec<String>>, Option<Vec<String>>);
    let (bulk, max_body, readers, writers): Options = route.get_item(2)?.extract()?;
    let mut own = Route::new(path, mount(route, tables)?).bulk(bulk);
    if let Some(max_body) = max_body {
        own = own.max_body(max_body);
    }
    if let Some(readers) = readers {
        own = own.readers(readers);
    }
    if let Some(writers) = writers {
        own = own.writers(writers);
    }
    let Some(methods) = methods else { return Ok(own) };
    let method = |name: &String| {
        Method::from_bytes(name.as_bytes()).map_err(|_| PyValueError::new_err(format!("`{name}` is no method of HTTP")))
    };
    Ok(own.methods(methods.iter().map(method).collect::<PyResult<Vec<_>>>()?))
}

fn mount(route: &Bound<'_, PyTuple>, tables: &TableOptions) -> PyResult<Mount> {
    let py = route.py();
    let kind: String = route.get_item(3)?.extract()?;
    let said = |index: usize| route.get_item(index + 4);
    let shape = |root: Bound<'_, PyAny>, records: Bound<'_, PyAny>| {
        (!root.is_none()).then(|| whole_shape(&root, &records)).transpose()
    };
    Ok(match &*kind {
        "table" => {
            let name: Option<String> = said(1)?.extract()?;
            let shape = shape(said(2)?, said(3)?)?;
            Mount::Store(stored(py, said(0)?.cast::<Database>()?, name.as_deref(), shape.as_ref(), tables)?)
        }
        "postgres" => {
            let name: Option<String> = said(1)?.extract()?;
            let (shape, database) = (shape(said(2)?, said(3)?)?, said(0)?);
            let database = database.cast::<PostgresDatabase>()?;
            Mount::Store(postgres_table::stored(py, database, name.as_deref(), shape.as_ref())?)
        }
        "collection" => {
            let shape = shape(said(1)?, said(2)?)?;
            Mount::Store(collected(py, said(0)?.cast::<Collection>()?, shape.as_ref())?)
        }
        "collections" => Mount::Store(collections(py, said(0)?.cast::<Environment>()?)?),
        "store" => Mount::Store(said(0)?.cast::<super::Store>()?.get().own()),
        "objects" => {
            let (shape, host) = shape(said(1)?, said(2)?)?.unwrap_or((demat_core::Shape::Any, Host::default()));
            let objects = Objects::new(said(0)?.unbind(), shape, &host);
            Mount::Store(Arc::new(objects.map_err(|error| exception(py, Failure::from(error)))?))
        }
        "function" => {
            let methods: Vec<String> = said(1)?.extract()?;
            let operation = said(2)?;
            let function =
                Function::new(said(0)?.unbind(), &methods, operation.extract()?, said(3)?.cast::<PyDict>()?)?;
            Mount::Handler(Arc::new(function))
        }
        "files" => {
            let (folder, is_public): (PathBuf, bool) = (said(0)?.extract()?, said(1)?.extract()?);
            let files = Files::new(&folder).map_err(|error| exception(py, Failure::from(error)))?;
            Mount::Files(Arc::new(if is_public { files.public() } else { files }))
        }
        other => return Err(PyValueError::new_err(format!("no route is of the kind {other:?}"))),
    })
}
