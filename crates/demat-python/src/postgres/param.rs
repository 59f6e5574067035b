//! Converts Python values to parameters of a statement.

use crate::encode::{EncodeOptions, write_to};
use crate::error::{Failure, exception};
use crate::format::Format;
use demat_postgres::{Param, Statement};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

/// Returns the values for a statement, each in the format of its parameter's type.
///
/// # Errors
/// `ValueError` if values are missing or surplus; `TypeError` if they are no list; `demat.EncodeError` for one that the
/// parameter's type does not hold.
pub(crate) fn params(statement: &Statement, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Param>> {
    let types = statement.params();
    let values: Vec<Bound<'_, PyAny>> = match given {
        None => Vec::new(),
        Some(given) => {
            let is_one = given.is_instance_of::<PyString>()
                || given.is_instance_of::<PyBytes>()
                || given.is_instance_of::<PyDict>();
            let values = if is_one { None } else { given.try_iter().ok() };
            let Some(values) = values else {
                let message = "the values of a statement are a list or a tuple, with one for each of $1, $2 and so on";
                return Err(PyTypeError::new_err(message));
            };
            values.collect::<PyResult<_>>()?
        }
    };
    if values.len() != types.len() {
        let message = format!("the statement has {} parameters, and {} values are given", types.len(), values.len());
        return Err(PyValueError::new_err(message));
    }
    let options = EncodeOptions::of_format(Format::DEFAULT);
    let encoded = |(index, value): (usize, &Bound<'_, PyAny>)| {
        let own = &types[index];
        let mut failed = None;
        let param = Param::encode(own, |sink| {
            if value.is_none() {
                return sink.null();
            }
            write_to(value, &options, sink).or_else(|failure| {
                failed = Some(failure);
                // It is reported in place of this one.
                sink.null()
            })
        });
        let located = |error: demat_core::Error| error.within_field(format!("${}", index + 1));
        match failed {
            Some(failure) => Err(exception(value.py(), failure.map(located))),
            None => param.map_err(|error| exception(value.py(), Failure::from(located(error)))),
        }
    };
    values.iter().enumerate().map(encoded).collect()
}
