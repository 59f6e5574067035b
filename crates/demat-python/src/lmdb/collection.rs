//! Records of a class.

use super::environment::detached;
use super::scan::{self, Gives, Scan};
use super::stream::Stream;
use super::transaction::{State, Transaction};
use super::{failed, key, raised};
use crate::bounded::Bounded;
use crate::encode::{EncodeOptions, encode};
use crate::lazy::PageViews;
use crate::plan::plan_of;
use crate::shapes::{described, described_by_number};
use demat_core::{Error, ErrorKind, Result, Shape};
use demat_lmdb::{
    By, Encoding, IndexDefinition, Key, KeyFunction, Predicate, Put, Query, Range, Wanted, Writing, auto_key, count,
};
use demat_lmdb_store::predicate;
use demat_place::projected;
use demat_store::Fault;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use pyo3::{PyTraverseError, PyVisit};
use std::borrow::Cow;
use std::sync::Arc;

/// A collection; the base of `demat.lmdb.Collection`.
#[pyclass(frozen, weakref, name = "LmdbCollection", module = "demat._native")]
pub(crate) struct Collection {
    native: demat_lmdb::Collection,
    encoding: Encoding,
    key: Key,
    names: key::Names,
    type_: Option<Py<PyAny>>,
    /// How one record is encoded, and a list of records.
    options: (EncodeOptions, EncodeOptions),
    /// What makes keys.
    function: Option<Py<PyAny>>,
    /// `None` if the class has no lazy records.
    views: Option<PageViews>,
}

/// The range of a scan: index, lo, hi, prefix, include, reverse, limit, conditions.
type Asked<'py> = (
    Option<String>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    (bool, bool),
    bool,
    Option<Bounded<u64>>,
    Option<String>,
);

/// Parses what is asked of a collection.
///
/// # Errors
/// `TypeError` for what is no key; `demat.StoreError` for conditions that no record can meet.
fn query(
    py: Python<'_>,
    Collection { native: collection, names, .. }: &Collection,
    asked: &Asked<'_>,
) -> PyResult<Query> {
    let (index, lo, hi, prefix, include, reverse, limit, conditions) = asked;
    let names = match index {
        Some(index) => &key::Names::of(&collection.definition(), Some(index)),
        None => names,
    };
    let key_of = |object| key::key_of(object, names);
    let lo = lo.as_ref().map(key_of).transpose()?;
    let hi = hi.as_ref().map(key_of).transpose()?;
    let mut range = Range::between(lo.as_deref(), hi.as_deref(), *include);
    if let Some(prefix) = prefix {
        range = range.and(Range::prefix(&key::prefix_of(prefix, names)?));
    }
    let filter = conditions.as_deref().map(|text| filter(collection, text)).transpose();
    let filter = filter.map_err(|error| failed(py, error))?.flatten();
    let (range, limit) = (range.reversed(*reverse), limit.as_ref().map(|limit| limit.0));
    Ok(Query { index: index.clone(), range, filter, limit })
}

/// Parses conditions as a URL's query has them.
fn filter(collection: &demat_lmdb::Collection, text: &str) -> Result<Option<Arc<dyn Predicate>>> {
    let query = demat_store::Query::parse(text)?;
    if !query.is_all() && !query.is_filter() {
        return Err(Fault::BadQuery.because("`where` has conditions only: no order, limit, offset or fields"));
    }
    predicate(collection, &query)
}

impl Collection {
    pub(super) fn open(
        py: Python<'_>,
        environment: &demat_lmdb::Environment,
        name: &str,
        (type_, list): (Option<&Bound<'_, PyAny>>, Option<&Bound<'_, PyAny>>),
        key: Option<&Bound<'_, PyAny>>,
        function: Option<Py<PyAny>>,
        (encoding, compression): (Option<&str>, Option<&str>),
    ) -> PyResult<Self> {
        let located = |error| failed(py, error);
        let key = match key {
            None => None,
            Some(key) if key.is_instance_of::<PyString>() => Some(match key.extract::<&str>()? {
                "auto" => Key::Auto,
                _ => Key::Given,
            }),
            Some(names) => Some(Key::Fields(names.extract()?)),
        };
        let encoding = encoding.map(Encoding::named).transpose().map_err(located)?;
        let compression = compression.map(|name| match name {
            "none" => Ok(None),
            name => name.parse().map(Some),
        });
        let mut wanted = Wanted { shape: None, key, encoding, compression: compression.transpose().map_err(located)? };
        let plan = type_.map(plan_of).transpose()?;
        if let Some(plan) = &plan {
            plan.get().program.without_arrays("keys and indices")?;
        }
        if let Some(plan) = &plan {
            // The encoding of a collection that is there decides which shape the class has in it.
            let there = match wanted.encoding {
                Some(encoding) => encoding,
                None => existing(environment, name).unwrap_or_default(),
            };
            let program = &plan.get().program;
            wanted.shape = Some(program.shape_read_of(py, &program.root, there.is_numbered())?);
        }
        let native = detached(py, || environment.collection(name, &wanted))?;
        let definition = native.definition();
        let views = plan.as_ref().and_then(|plan| PageViews::new(plan, definition.encoding.format()).ok());
        let written = definition.encoding.format();
        let writing = |type_| EncodeOptions::of_type(type_, None).map(|options| options.written_as(written));
        let options = (writing(type_)?, writing(list)?);
        Ok(Self {
            native,
            encoding: definition.encoding,
            names: key::Names::of(&definition, None),
            key: definition.key,
            type_: type_.map(|type_| type_.clone().unbind()),
            options,
            function,
            views,
        })
    }

    pub(crate) fn native(&self) -> &demat_lmdb::Collection {
        &self.native
    }

    pub(super) fn views(&self, py: Python<'_>) -> Option<PageViews> {
        self.views.as_ref().map(|views| views.anew(py))
    }

    /// Decodes a record.
    pub(super) fn decoded<'py>(&self, py: Python<'py>, record: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        match &self.type_ {
            Some(type_) => scan::decoded(py, self.encoding.format(), record, type_.bind(py)),
            None => Err(PyTypeError::new_err("the collection has no class here; open it with one")),
        }
    }

    /// Returns a record that stays as it is: a view of a copy, or an object.
    fn kept<'py>(&self, py: Python<'py>, record: &[u8], objects: bool) -> PyResult<Bound<'py, PyAny>> {
        match &self.views {
            Some(views) if !objects => views.of_copy(py, record),
            _ => self.decoded(py, record),
        }
    }

    /// Returns the key of a value, if the caller or a function makes it, or a number does.
    fn made_key(
        &self,
        value: &Bound<'_, PyAny>,
        given: Option<&Bound<'_, PyAny>>,
        writing: &mut dyn FnMut() -> PyResult<i64>,
    ) -> PyResult<Option<Vec<u8>>> {
        let py = value.py();
        if let Some(given) = given {
            return key::key_of(given, &self.names).map(Some);
        }
        match (&self.key, &self.function) {
            (Key::Fields(_), _) => Ok(None),
            (Key::Given, Some(function)) => key::key_of(&function.bind(py).call1((value,))?, &self.names).map(Some),
            (Key::Given, None) => {
                Err(PyTypeError::new_err("the keys of this collection are made by a function; give it, or the key"))
            }
            (Key::Auto, _) => auto_key(writing()?).map(Some).map_err(|error| failed(py, error)),
        }
    }
}

/// Returns the encoding of a collection that is there.
fn existing(environment: &demat_lmdb::Environment, name: &str) -> Option<Encoding> {
    environment.collection(name, &Wanted::default()).ok().map(|there| there.definition().encoding)
}

fn mode(name: &str) -> Put {
    match name {
        "new" => Put::New,
        "there" => Put::There,
        _ => Put::Always,
    }
}

#[pymethods]
impl Collection {
    /// Returns the definition: key, encoding, compression, shape, number of dictionaries, and the indexes.
    #[allow(clippy::type_complexity)] // a description
    fn definition<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let definition = self.native.definition();
        let about = PyDict::new(py);
        match &definition.key {
            Key::Fields(names) => about.set_item("key", names)?,
            other => about.set_item("key", other.to_string())?,
        }
        about.set_item("encoding", definition.encoding.to_string())?;
        about.set_item("compression", definition.compression.map(demat_lmdb::Compression::name))?;
        about.set_item("shape", definition.shape.to_string())?;
        about.set_item("dictionaries", definition.dictionaries)?;
        let indexes = PyDict::new(py);
        for index in definition.indexes {
            let (fields, version) = match index.by {
                By::Fields(fields) => (Some(fields), None),
                By::Function(version) => (None, Some(version)),
            };
            indexes.set_item(index.name, (fields, version, index.unique))?;
        }
        about.set_item("indexes", indexes)?;
        Ok(about)
    }

    /// Returns the description of the stored records, and whether it has the names of enums as messages have them.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, bool)> {
        let numbered = self.encoding.is_numbered();
        let shape = &self.native.definition().shape;
        let description = if numbered { described_by_number(py, shape) } else { described(py, shape) };
        Ok((description?, numbered))
    }

    #[getter]
    fn is_lazy(&self) -> bool {
        self.views.is_some()
    }

    /// Writes a record; returns its key, or None if nothing was written.
    fn put<'py>(
        &self,
        py: Python<'py>,
        transaction: &Transaction,
        value: &Bound<'py, PyAny>,
        key: Option<&Bound<'py, PyAny>>,
        put: &str,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let record = encode(self.encoding.format(), value, &self.options.0)?;
        let next = &mut || transaction.write(py, |writing| self.native.next_key(writing));
        let own = match self.made_key(value, key, next)? {
            Some(given) if matches!(self.key, Key::Fields(_)) => {
                let own = self.native.key_of(record.as_bytes()).map_err(|error| failed(py, error))?;
                if own != given {
                    let (given, own) = (demat_lmdb::shown(&given), demat_lmdb::shown(&own));
                    let message = format!("the key is {given}, and that of the record's fields is {own}");
                    return Err(failed(py, Error::new(ErrorKind::Store, message)));
                }
                own
            }
            Some(key) => key,
            None => self.native.key_of(record.as_bytes()).map_err(|error| failed(py, error))?,
        };
        let put = mode(put);
        let there = transaction.write(py, |writing| self.native.put(writing, &own, record.as_bytes(), put))?;
        if put == Put::There && !there { Ok(None) } else { key::object_of(py, &own).map(Some) }
    }

    /// Writes a list of values; returns their number.
    fn put_list(
        &self,
        py: Python<'_>,
        transaction: &Transaction,
        values: &Bound<'_, PyList>,
        put: &str,
    ) -> PyResult<u64> {
        let bytes = encode(self.encoding.format(), values.as_any(), &self.options.1)?;
        let list = bytes.as_bytes();
        let records = self.native.split(list).map_err(|error| failed(py, error))?;
        let mut keys = Vec::new();
        if !matches!(self.key, Key::Fields(_)) {
            for value in values {
                let next = &mut || transaction.write(py, |writing| self.native.next_key(writing));
                keys.extend(self.made_key(&value, None, next)?);
            }
        }
        let mut keys = keys.into_iter();
        let mut records = records.iter();
        transaction.write(py, |writing| {
            self.native.put_all(writing, mode(put), |key, bytes| {
                let Some(record) = records.next() else { return Ok(false) };
                match keys.next() {
                    Some(own) => key.extend(own),
                    None => self.native.append_key_of(record, key)?,
                }
                bytes.extend_from_slice(record);
                Ok(true)
            })
        })
    }

    /// Returns the record of a key, or None.
    fn get<'py>(
        &self,
        py: Python<'py>,
        transaction: Option<&Transaction>,
        key: &Bound<'py, PyAny>,
        objects: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let key = key::key_of(key, &self.names)?;
        let located = |error| failed(py, error);
        let Some(transaction) = transaction else {
            let snapshot = self.native.environment().read().map_err(located)?;
            let record = self.native.get(&snapshot, &key).map_err(located)?;
            return record.map(|record| self.kept(py, &record, objects)).transpose();
        };
        transaction.with(py, |state| match state {
            State::Reading(reading) => {
                let record = self.native.get(&reading.snapshot, &key).map_err(located)?;
                match (record, &self.views) {
                    (None, _) => Ok(None),
                    (Some(Cow::Borrowed(record)), Some(views)) if !objects => {
                        // SAFETY: the transaction has not ended, so its owner has not been released, and keeps the
                        // snapshot, and so the page, until it is.
                        let view = unsafe { views.anew(py).of_page(&reading.owner, record, false) };
                        // SAFETY: a new reference, or null with an exception.
                        unsafe { Bound::from_owned_ptr_or_err(py, view) }.map(Some)
                    }
                    (Some(record), _) => self.kept(py, &record, objects).map(Some),
                }
            }
            State::Writing(writing, _) => {
                let record = self.native.get(writing, &key).map_err(located)?;
                record.map(|record| self.kept(py, &record, objects)).transpose()
            }
            State::Ended => Ok(None),
        })
    }

    /// Whether two objects are the same key: it is not enough that they are equal, and not needed.
    fn is_same_key(&self, one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(key::key_of(one, &self.names)? == key::key_of(other, &self.names)?)
    }

    fn delete(&self, py: Python<'_>, transaction: &Transaction, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let key = key::key_of(key, &self.names)?;
        transaction.write(py, |writing| self.native.delete(writing, &key))
    }

    /// Deletes the records of a range; returns how many.
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    fn delete_range(&self, py: Python<'_>, transaction: &Transaction, asked: Asked<'_>) -> PyResult<u64> {
        let query = query(py, self, &asked)?;
        transaction.write(py, |writing: &mut Writing| {
            if query.index.is_none() && query.range.is_all() && query.filter.is_none() && query.limit.is_none() {
                let all = self.native.len(writing)?;
                self.native.clear(writing)?;
                return Ok(all);
            }
            let keys = demat_lmdb::keys(writing, &self.native, &query)?;
            for key in &keys {
                self.native.delete(writing, key)?;
            }
            Ok(keys.len() as u64)
        })
    }

    /// Counts the records of a range.
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    fn count(&self, py: Python<'_>, transaction: Option<&Transaction>, asked: Asked<'_>) -> PyResult<u64> {
        let query = query(py, self, &asked)?;
        let located = |error| failed(py, error);
        match transaction {
            None => {
                let snapshot = self.native.environment().read().map_err(located)?;
                count(&snapshot, &self.native, &query).map_err(located)
            }
            Some(transaction) => transaction.with(py, |state| {
                match state {
                    State::Reading(reading) => count(&reading.snapshot, &self.native, &query),
                    State::Writing(writing, _) => count(writing, &self.native, &query),
                    State::Ended => Ok(0),
                }
                .map_err(located)
            }),
        }
    }

    /// Begins a scan.
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    fn scan(
        slf: &Bound<'_, Self>,
        transaction: Option<&Bound<'_, Transaction>>,
        asked: Asked<'_>,
        gives: &str,
    ) -> PyResult<Scan> {
        let gives = match scan::gives(gives)? {
            Gives::Views | Gives::Recycled if slf.get().views.is_none() => Gives::Objects,
            gives => gives,
        };
        Scan::new(slf, transaction, &query(slf.py(), slf.get(), &asked)?, gives)
    }

    /// Returns a range as a file object. `fields`: those that its reader looks at, so that others may be left out.
    #[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
    #[pyo3(signature = (transaction, asked, fields=None))]
    fn stream(
        &self,
        py: Python<'_>,
        transaction: Option<&Bound<'_, Transaction>>,
        asked: Asked<'_>,
        fields: Option<Vec<String>>,
    ) -> PyResult<Stream> {
        let wanted = match (&self.type_, fields) {
            (Some(type_), Some(fields)) => {
                let shape = plan_of(type_.bind(py))?.get().program.shape_read(py)?;
                // The reader refuses what can't be chosen.
                projected(&shape, &fields).ok()
            }
            _ => None,
        };
        let wanted = wanted.as_ref().and_then(Shape::row).map(|record| record.get());
        Stream::new(py, self, transaction, &query(py, self, &asked)?, wanted.as_deref())
    }

    /// Opens or makes an index.
    #[pyo3(signature = (name, fields, function, version, unique, rebuild))]
    #[allow(clippy::too_many_arguments)] // mirrors the Python signature
    fn index(
        &self,
        py: Python<'_>,
        name: String,
        fields: Option<Vec<String>>,
        function: Option<Py<PyAny>>,
        version: Option<String>,
        unique: bool,
        rebuild: bool,
    ) -> PyResult<()> {
        let by = match fields {
            Some(fields) => By::Fields(fields),
            None => By::Function(version.unwrap_or_default()),
        };
        let function = function.map(|function| self.key_function(py, function));
        let wanted = IndexDefinition { name, by, unique };
        let made = self.native.index(&wanted, function, rebuild);
        made.map_err(|error| failed(py, error))
    }

    fn drop_index(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        detached(py, || self.native.drop_index(name))
    }

    /// Returns what is wrong with the indexes.
    fn check(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let snapshot = self.native.environment().read().map_err(|error| failed(py, error))?;
        self.native.check(&snapshot).map_err(|error| failed(py, error))
    }

    /// Makes a dictionary; returns its size.
    fn train(&self, py: Python<'_>, transaction: &Transaction) -> PyResult<usize> {
        transaction.write(py, |writing| self.native.train(writing))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> core::result::Result<(), PyTraverseError> {
        visit.call(&self.type_)?;
        visit.call(&self.function)?;
        self.views.as_ref().map_or(Ok(()), |views| views.traverse(&visit))
    }
}

impl Collection {
    /// Wraps a function that makes keys of a record: it gets a view, and returns a key, a list of keys, or None.
    fn key_function(&self, py: Python<'_>, function: Py<PyAny>) -> KeyFunction {
        let views = self.views.as_ref().map(|views| views.anew(py));
        let type_ = self.type_.as_ref().map(|type_| type_.clone_ref(py));
        let format = self.encoding.format();
        let state = Arc::new((function, super::held::Held::new(views), type_));
        Box::new(move |record: &[u8]| -> Result<Vec<Vec<u8>>> {
            Python::attach(|py| {
                let (function, views, type_) = &*state;
                let keys = || -> PyResult<Vec<Vec<u8>>> {
                    let value = match (&*views.get(py)?, type_) {
                        (Some(views), _) => views.of_copy(py, record)?,
                        (None, Some(type_)) => scan::decoded(py, format, record, type_.bind(py))?,
                        (None, None) => return Err(PyValueError::new_err("the collection has no class here")),
                    };
                    let made = function.bind(py).call1((value,))?;
                    if made.is_none() {
                        return Ok(Vec::new());
                    }
                    match made.cast::<PyList>() {
                        Ok(list) => list.iter().map(|own| key::key_of(&own, &key::Names::default())).collect(),
                        Err(_) => key::key_of(&made, &key::Names::default()).map(|own| vec![own]),
                    }
                };
                keys().map_err(raised)
            })
        })
    }
}
