//! Keys from objects, and objects from keys.

use super::failed;
use demat_core::scalar::{Date, DateTime, Instant, Int, Uuid};
use demat_core::{Error, ErrorKind, Shape};
use demat_lmdb::{By, Definition, Key, Part, Parts};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString, PyTuple};
use std::borrow::Cow;

/// Which parts of a key are names of an enum's members: in messages, members have their names, and elsewhere values.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(Vec<bool>);

impl Names {
    /// Returns those of a collection's keys, or of the keys of an index. None for keys that a function makes.
    pub(super) fn of(definition: &Definition, index: Option<&str>) -> Self {
        let fields = match index {
            None => match &definition.key {
                Key::Fields(fields) => Some(fields),
                Key::Auto | Key::Given => None,
            },
            Some(name) => match definition.indexes.iter().find(|index| index.name == name).map(|index| &index.by) {
                Some(By::Fields(fields)) => Some(fields),
                _ => None,
            },
        };
        let (Some(fields), Shape::Record(record), true) =
            (fields, &definition.shape, definition.encoding.is_numbered())
        else {
            return Self::default();
        };
        let record = record.get();
        let is_named = |name: &String| {
            let shape = record.index_of(name).map(|index| record.fields()[index].shape().inner());
            let item = match shape {
                Some(Shape::List(item)) => Some(item.inner()),
                own => own,
            };
            matches!(item, Some(Shape::Enum(_)))
        };
        Self(fields.iter().map(is_named).collect())
    }
}

/// Returns a key: a tuple of parts, or one part.
///
/// # Errors
/// `TypeError` for objects that are no part of a key; `demat.EncodeError` for NaN.
pub(super) fn key_of(object: &Bound<'_, PyAny>, names: &Names) -> PyResult<Vec<u8>> {
    let mut key = Vec::new();
    let is_named = |index: usize| names.0.get(index).copied().unwrap_or(false);
    match object.cast::<PyTuple>() {
        Ok(parts) => {
            for (index, part) in parts.iter().enumerate() {
                append_part(&part, is_named(index), &mut key)?;
            }
        }
        Err(_) => append_part(object, is_named(0), &mut key)?,
    }
    Ok(key)
}

/// Returns the bytes that keys of a prefix begin with: parts in a tuple, or the beginning of a text or of bytes.
///
/// # Errors
/// As [`key_of`].
pub(super) fn prefix_of(object: &Bound<'_, PyAny>, names: &Names) -> PyResult<Vec<u8>> {
    let py = object.py();
    let begun = if names.0.first() == Some(&true) && is(object, "enum", "Enum")? {
        return key_of(object, names);
    } else if let Ok(text) = object.cast::<PyString>() {
        demat_lmdb::beginning(&Part::Text(text.to_str()?.into()))
    } else if let Ok(bytes) = object.cast::<PyBytes>() {
        demat_lmdb::beginning(&Part::Bytes(bytes.as_bytes().into()))
    } else {
        return key_of(object, names);
    };
    begun.map_err(|error| failed(py, error))
}

/// `named`: a member of an enum is its name.
fn append_part(object: &Bound<'_, PyAny>, named: bool, key: &mut Vec<u8>) -> PyResult<()> {
    let py = object.py();
    let mut put = |part: Part<'_>| part.append(key).map_err(|error| failed(py, error));
    if object.is_none() {
        return put(Part::Null);
    }
    if let Ok(value) = object.cast_exact::<PyInt>() {
        return put(Part::Int(int(value)?));
    }
    if let Ok(text) = object.cast_exact::<PyString>() {
        return put(Part::Text(text.to_str()?.into()));
    }
    if let Ok(value) = object.cast::<PyBool>() {
        return put(Part::Bool(value.is_true()));
    }
    if let Ok(value) = object.cast_exact::<PyFloat>() {
        return put(Part::Float(value.value()));
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return put(Part::Bytes(bytes.as_bytes().into()));
    }
    // Members of enums are their values or names, whatever else they are.
    if is(object, "enum", "Enum")? {
        let own = if named { intern!(py, "name") } else { intern!(py, "value") };
        return append_part(&object.getattr(own)?, false, key);
    }
    if let Ok(value) = object.cast::<PyInt>() {
        return put(Part::Int(int(value)?));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return put(Part::Text(text.to_str()?.into()));
    }
    if let Ok(value) = object.cast::<PyFloat>() {
        return put(Part::Float(value.value()));
    }
    if is(object, "uuid", "UUID")? {
        let bytes: [u8; 16] = object.getattr(intern!(py, "bytes"))?.extract()?;
        return put(Part::Uuid(Uuid(bytes)));
    }
    if is(object, "datetime", "datetime")? {
        return put(moment(object)?);
    }
    if is(object, "datetime", "date")? {
        let text: String = object.call_method0(intern!(py, "isoformat"))?.extract()?;
        return put(Part::Date(Date::parse(&text).ok_or_else(|| unread(&text))?));
    }
    let class = object.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "a key is of None, int, float, bool, bytes, str, UUID, date and datetime, and not of {class}"
    )))
}

#[cold]
fn unread(text: &str) -> PyErr {
    PyTypeError::new_err(format!("{text:?} is no date or datetime that a key can hold"))
}

fn is(object: &Bound<'_, PyAny>, module: &str, class: &str) -> PyResult<bool> {
    object.is_instance(&object.py().import(module)?.getattr(class)?)
}

fn int(value: &Bound<'_, PyInt>) -> PyResult<Int<'static>> {
    if let Ok(value) = value.extract::<i64>() {
        return Ok(Int::I64(value));
    }
    let py = value.py();
    // Not its text, for which the interpreter has a limit, and which a subclass may change.
    let bits: usize = value.call_method0(intern!(py, "bit_length"))?.extract()?;
    if bits > 4096 {
        return Err(failed(py, Error::limit("the size of an int in a key", "4096 bits")));
    }
    let text: String = py.get_type::<PyInt>().call_method1(intern!(py, "__repr__"), (value,))?.extract()?;
    let int = Int::from_digits(&text).map(Int::into_owned);
    int.ok_or_else(|| failed(py, Error::new(ErrorKind::Encode, "the int has no digits")))
}

/// A datetime with or without an offset.
fn moment(object: &Bound<'_, PyAny>) -> PyResult<Part<'static>> {
    let py = object.py();
    if object.call_method0(intern!(py, "utcoffset"))?.is_none() {
        let text: String = object.call_method0(intern!(py, "isoformat"))?.extract()?;
        return Ok(Part::DateTime(DateTime::parse(&text).ok_or_else(|| unread(&text))?));
    }
    let utc = py.import(intern!(py, "datetime"))?.getattr(intern!(py, "timezone"))?.getattr(intern!(py, "utc"))?;
    let text: String =
        object.call_method1(intern!(py, "astimezone"), (utc,))?.call_method0(intern!(py, "isoformat"))?.extract()?;
    Ok(Part::Instant(Instant::parse(&text).ok_or_else(|| unread(&text))?))
}

/// Returns the object for a key: its only part, or a tuple of its parts.
///
/// # Errors
/// `demat.DecodeError` for bytes that are no key.
pub(super) fn object_of<'py>(py: Python<'py>, key: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let mut parts = Vec::new();
    for part in Parts::new(key) {
        parts.push(part_object(py, &part.map_err(|error| failed(py, error))?)?);
    }
    if let [one] = &*parts {
        return Ok(one.clone());
    }
    Ok(PyTuple::new(py, parts)?.into_any())
}

fn part_object<'py>(py: Python<'py>, part: &Part<'_>) -> PyResult<Bound<'py, PyAny>> {
    let datetime = || py.import(intern!(py, "datetime"));
    let parsed =
        |class: &str, text: String| datetime()?.getattr(class)?.call_method1(intern!(py, "fromisoformat"), (text,));
    Ok(match part {
        Part::Null => py.None().into_bound(py),
        Part::Int(Int::Big(digits)) => py.get_type::<PyInt>().call1((&**digits,))?,
        Part::Int(Int::U64(value)) => value.into_pyobject(py)?.into_any(),
        Part::Int(Int::I64(value)) => value.into_pyobject(py)?.into_any(),
        Part::Float(value) => value.into_pyobject(py)?.into_any(),
        Part::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Part::Bytes(bytes) => PyBytes::new(py, bytes).into_any(),
        Part::Text(text) => PyString::new(py, text).into_any(),
        Part::Uuid(uuid) => {
            let bytes: Cow<'_, [u8]> = uuid.0.to_vec().into();
            py.import(intern!(py, "uuid"))?
                .getattr(intern!(py, "UUID"))?
                .call1((py.None(), PyBytes::new(py, &bytes)))?
        }
        Part::Date(date) => parsed("date", date.to_string())?,
        Part::DateTime(at) => parsed("datetime", at.to_string())?,
        Part::Instant(at) => parsed("datetime", at.to_string())?,
    })
}
