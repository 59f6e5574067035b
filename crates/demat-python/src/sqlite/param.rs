//! Converts Python values to parameters of a statement.

use crate::encode::{EncodeOptions, encode};
use crate::error::{Failure, exception};
use crate::format::Format;
use demat_core::{Error, ErrorKind, Kind, Source};
use demat_formats::json::JsonSource;
use demat_sqlite::{Param, Statement};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyString};

/// Returns the values for a statement: by position, or by name from a dict.
///
/// # Errors
/// `ValueError` if values are missing or surplus; `TypeError` for one that no column can store.
pub(crate) fn params(statement: &Statement, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Param>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    if let Ok(named) = given.cast::<PyDict>() {
        let mut values = Vec::new();
        for index in 0..statement.parameters() {
            let Some(name) = statement.parameter_name(index).filter(|name| !name.starts_with('?')) else {
                let message = "the values are given by name, and the statement has a `?`; write :name";
                return Err(PyValueError::new_err(message));
            };
            match named.get_item(&name[1..])? {
                Some(value) => values.push(param(&value)?),
                None => return Err(PyValueError::new_err(format!("there is no value for the parameter {name}"))),
            }
        }
        return Ok(values);
    }
    let single =
        || PyTypeError::new_err("the values of a statement are a list, a tuple or a dict of them, not one value");
    if given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>() {
        return Err(single());
    }
    match given.try_iter() {
        Err(error) if error.is_instance_of::<PyTypeError>(given.py()) => Err(single()),
        values => values?.map(|value| param(&value?)).collect(),
    }
}

/// Converts a value to the form in which a column of its type stores it.
pub(crate) fn param(value: &Bound<'_, PyAny>) -> PyResult<Param> {
    if value.is_none() {
        return Ok(Param::Null);
    }
    if let Ok(text) = value.cast_exact::<PyString>() {
        return text.to_str().map(|text| Param::Text(text.to_string())).map_err(|_| {
            refused(value.py(), "a text with a surrogate of its own, such as U+D800, is none that SQLite can keep")
        });
    }
    if let Ok(bool) = value.cast::<PyBool>() {
        return Ok(Param::Int(i64::from(bool.is_true())));
    }
    if let Ok(int) = value.cast_exact::<PyInt>() {
        return int.extract::<i64>().map(Param::Int).map_err(|_| too_large(value.py()));
    }
    if let Ok(float) = value.cast_exact::<PyFloat>() {
        return Ok(Param::Real(float.value()));
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Param::Blob(bytes.as_bytes().to_vec()));
    }
    if let Ok(buffer) = PyBuffer::<u8>::get(value) {
        return Ok(Param::Blob(buffer.to_vec(value.py())?));
    }
    by_json(value)
}

#[cold]
fn too_large(py: Python<'_>) -> PyErr {
    refused(
        py,
        "an int of more than 64 bits is none that SQLite can compare with others; a column that keeps the digits is compared \
         with a str of them",
    )
}

#[cold]
fn refused(py: Python<'_>, reason: &'static str) -> PyErr {
    exception(py, Failure::from(Error::new(ErrorKind::Encode, reason)))
}

/// Any other value is stored as its JSON text.
fn by_json(value: &Bound<'_, PyAny>) -> PyResult<Param> {
    let py = value.py();
    let json = encode(Format::DEFAULT, value, &EncodeOptions::of_format(Format::DEFAULT))?;
    let mut source = JsonSource::new(json.as_bytes());
    let decimal = value.get_type().name()? == "Decimal";
    let read = match source.peek() {
        Ok(Kind::Text) => source.text().map(|text| Param::Text(text.to_string())),
        Ok(Kind::Int) if !decimal => {
            let int = source.int().map(|int| int.to_i64());
            return match int {
                Ok(Some(int)) => Ok(Param::Int(int)),
                Ok(None) => Err(too_large(py)),
                Err(error) => Err(exception(py, Failure::from(error))),
            };
        }
        _ => Ok(Param::Text(String::from_utf8_lossy(json.as_bytes()).into_owned())),
    };
    read.map_err(|error| exception(py, Failure::from(error)))
}
