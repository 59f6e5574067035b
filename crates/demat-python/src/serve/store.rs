//! Stores, composed by Python code.

use super::collection::{collected, collections};
use super::objects::Objects;
use super::postgres_table;
use super::program_store::ProgramStore;
use super::raised::{called, own_exception};
use super::table::{stored, whole_shape};
use crate::error::{Failure, exception};
use crate::lmdb::{Collection, Environment as LmdbEnvironment};
use crate::postgres::PostgresDatabase;
use crate::sqlite::Database;
use demat_core::{Shape, Value};
use demat_place::{Format, Host};
use demat_sqlite_store::TableOptions;
use demat_store::{
    Cache, Encoded, Environment, Folder, Log, Memory, Merge, Query, ReadOnly, Reference, Relative, Sequence, Switch,
    Timed, Typed, Verb, Verbs, When,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

/// A store; the base of `demat.store.Store`.
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct Store {
    own: Arc<dyn demat_store::Store>,
    cache: Option<Arc<Cache>>,
    timed: Option<Arc<Timed>>,
}

impl Store {
    pub(super) fn own(&self) -> Arc<dyn demat_store::Store> {
        Arc::clone(&self.own)
    }
}

impl From<Arc<dyn demat_store::Store>> for Store {
    fn from(own: Arc<dyn demat_store::Store>) -> Self {
        Self { own, cache: None, timed: None }
    }
}

/// Releases the GIL while a store works; a store of Python objects acquires it again.
pub(super) fn detached<T: Send>(py: Python<'_>, act: impl FnOnce() -> demat_core::Result<T> + Send) -> PyResult<T> {
    crate::signals::detached(py, || called(act))?
        .map_err(|error| own_exception(py, &error).unwrap_or_else(|| exception(py, Failure::from(error))))
}

pub(super) fn reference(py: Python<'_>, at: &str) -> PyResult<Reference> {
    at.parse().map_err(|error| exception(py, Failure::from(error)))
}

fn format_of(name: &str) -> PyResult<Format> {
    name.parse().map_err(|error: demat_place::UnknownFormat| PyValueError::new_err(error.to_string()))
}

/// Returns a store of the value of a document, or of none.
fn memory(json: Option<Vec<u8>>) -> demat_core::Result<Arc<dyn demat_store::Store>> {
    let value = json.map(|json| demat_formats::json::decode::<Value>(&json)).transpose()?;
    Ok(Arc::new(value.map_or_else(Memory::new, Memory::of)))
}

/// Wraps a store so that it logs a line for each call of these verbs.
fn logged(below: Arc<dyn demat_store::Store>, names: &[String], tell: Py<PyAny>) -> Log {
    let verbs = Verb::ALL.into_iter().filter(|verb| names.iter().any(|name| name == verb.name()));
    let told = move |logged: &demat_store::Logged<'_>| {
        let line = logged.to_string();
        Python::attach(|py| {
            if let Err(error) = tell.call1(py, (line,)) {
                error.write_unraisable(py, None);
            }
        });
    };
    Log::over(below, verbs.fold(Verbs::NONE, Verbs::and), told)
}

#[pymethods]
impl Store {
    /// Creates a store of a kind from the arguments of that kind.
    #[new]
    #[pyo3(signature = (kind, *said))]
    fn new(py: Python<'_>, kind: &str, said: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let failed = |error| exception(py, Failure::from(error));
        let store = |index: usize| -> PyResult<Arc<dyn demat_store::Store>> {
            Ok(said.get_item(index)?.cast::<Self>()?.get().own())
        };
        let all = |index: usize| -> PyResult<Vec<Arc<dyn demat_store::Store>>> {
            let stores: Vec<Bound<'_, Self>> = said.get_item(index)?.extract()?;
            Ok(stores.iter().map(|store| store.get().own()).collect())
        };
        let hosted = |index: usize| -> PyResult<Option<(Shape, Host)>> {
            let root = said.get_item(index)?;
            if root.is_none() { Ok(None) } else { whole_shape(&root, &said.get_item(index + 1)?).map(Some) }
        };
        let shape = |index: usize| hosted(index).map(|hosted| hosted.map(|(shape, _)| shape));
        let own: Arc<dyn demat_store::Store> = match kind {
            "memory" => memory(said.get_item(0)?.extract()?).map_err(failed)?,
            "table" => {
                let name: Option<String> = said.get_item(1)?.extract()?;
                let database = said.get_item(0)?;
                stored(
                    py,
                    database.cast::<Database>()?,
                    name.as_deref(),
                    hosted(2)?.as_ref(),
                    &TableOptions::default(),
                )?
            }
            "postgres" => {
                let (database, name) = (said.get_item(0)?, said.get_item(1)?.extract::<Option<String>>()?);
                postgres_table::stored(py, database.cast::<PostgresDatabase>()?, name.as_deref(), hosted(2)?.as_ref())?
            }
            "collection" => {
                let collection = said.get_item(0)?;
                collected(py, collection.cast::<Collection>()?, hosted(1)?.as_ref())?
            }
            "collections" => collections(py, said.get_item(0)?.cast::<LmdbEnvironment>()?)?,
            "objects" => {
                let (shape, host) = hosted(1)?.unwrap_or((Shape::Any, Host::default()));
                let objects = Objects::new(said.get_item(0)?.unbind(), shape, &host);
                Arc::new(objects.map_err(|error| exception(py, Failure::from(error)))?)
            }
            "program" => Arc::new(ProgramStore::new(&said.get_item(0)?)?),
            "folder" => {
                let (path, raw): (PathBuf, bool) = (said.get_item(0)?.extract()?, said.get_item(1)?.extract()?);
                let suffix: Option<String> = said.get_item(2)?.extract()?;
                let folder = if raw { Folder::raw(path) } else { Folder::of(path) };
                let folder = folder.and_then(|folder| match suffix {
                    Some(suffix) => folder.with_suffix(&suffix),
                    None => Ok(folder),
                });
                Arc::new(folder.map_err(failed)?)
            }
            "remote" => super::called::remote(said, shape(1)?)?.map_err(failed)?,
            "template" => super::called::template(said)?.map_err(failed)?,
            "mapped" => super::called::mapped(store(0)?, said)?,
            "environment" => Arc::new(Environment::new().with_prefix(&said.get_item(0)?.extract::<String>()?)),
            "cache" => {
                let (below, limit) = (store(0)?, said.get_item(1)?.extract()?);
                let back: bool = said.get_item(2)?.extract()?;
                let cache = Arc::new(if back { Cache::write_back(below, limit) } else { Cache::over(below, limit) });
                return Ok(Self { own: Arc::clone(&cache) as _, cache: Some(cache), timed: None });
            }
            "timed" => {
                let timed = Arc::new(Timed::over(store(0)?));
                return Ok(Self { own: Arc::clone(&timed) as _, cache: None, timed: Some(timed) });
            }
            "log" => {
                Arc::new(logged(store(0)?, &said.get_item(1)?.extract::<Vec<String>>()?, said.get_item(2)?.unbind()))
            }
            "read_only" => Arc::new(ReadOnly::over(store(0)?)),
            "relative" => Arc::new(Relative::over(store(0)?, reference(py, &said.get_item(1)?.extract::<String>()?)?)),
            "typed" => {
                let format = format_of(&said.get_item(1)?.extract::<String>()?)?;
                let (shape, host) = hosted(2)?.unwrap_or((Shape::Any, Host::default()));
                Arc::new(Typed::over(store(0)?, format, shape).held_to(host).map_err(failed)?)
            }
            "switch" => {
                let names: Vec<String> = said.get_item(0)?.extract()?;
                let named = names.into_iter().zip(all(1)?);
                let switch = named.map(Ok).try_fold(Switch::new(), |switch, named: demat_core::Result<_>| {
                    let (name, store) = named?;
                    switch.with(&name, store)
                });
                Arc::new(switch.map_err(failed)?)
            }
            "sequence" | "merge" => {
                let mut stores = all(0)?;
                if stores.is_empty() {
                    return Err(PyValueError::new_err("there must be one store at least"));
                }
                let first = stores.remove(0);
                if kind == "merge" { Arc::new(Merge::of(first, stores)) } else { Arc::new(Sequence::of(first, stores)) }
            }
            other => return Err(PyValueError::new_err(format!("no store is of the kind {other:?}"))),
        };
        Ok(own.into())
    }

    /// Encodes the value at a reference in a format.
    fn encode<'py>(&self, py: Python<'py>, at: &str, query: &str, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let (at, format) = (reference(py, at)?, format_of(format)?);
        let query = Query::parse(query).map_err(|error| exception(py, Failure::from(error)))?;
        let bytes = detached(py, || self.own.encoded(&at, &query, format, usize::MAX))?;
        Ok(PyBytes::new(py, &bytes.unwrap_or_default()))
    }

    /// Puts, patches or posts a value; returns the resulting reference.
    fn give(&self, py: Python<'_>, verb: &str, at: &str, value: &[u8], format: &str) -> PyResult<String> {
        let (at, format) = (reference(py, at)?, format_of(format)?);
        detached(py, || {
            let mut given = Encoded::new(format, value);
            match verb {
                "put" => self.own.put(&at, &mut given, &When::Always).map(|_| at),
                "patch" => self.own.patch(&at, &mut given, &When::Always).map(|()| at),
                _ => self.own.post(&at, &mut given),
            }
        })
        .map(|at| at.to_string())
    }

    /// Deletes a value.
    fn delete(&self, py: Python<'_>, at: &str) -> PyResult<()> {
        let at = reference(py, at)?;
        detached(py, || self.own.delete(&at, &When::Always))
    }

    /// Returns the names below a reference.
    fn children(&self, py: Python<'_>, at: &str) -> PyResult<Vec<String>> {
        let at = reference(py, at)?;
        detached(py, || {
            let mut names = Vec::new();
            self.own.children(&at, &mut |name| {
                names.push(name.to_string());
                Ok(())
            })?;
            Ok(names)
        })
    }

    /// Describes the composition of the store: as text, for Graphviz, or as an SVG image.
    fn described(&self, form: &str) -> String {
        let node = self.own.describe();
        match form {
            "dot" => node.to_dot(),
            "svg" => node.to_svg(),
            _ => node.to_string(),
        }
    }

    /// Returns the number of calls of a verb, their total time, and the longest time, in seconds. `None` without a
    /// timer.
    fn times(&self, verb: &str) -> Option<(u64, f64, f64)> {
        let verb = Verb::ALL.into_iter().find(|own| own.name() == verb)?;
        let times = self.timed.as_ref()?.times(verb);
        Some((times.count, times.total.as_secs_f64(), times.longest.as_secs_f64()))
    }

    /// Executes the deferred writes of a cache.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.cache.as_ref().map_or(Ok(()), |cache| cache.flush()))
    }
}
