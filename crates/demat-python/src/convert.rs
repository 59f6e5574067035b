//! Converts objects to objects of another type, without a format in between.

use crate::decode::{DecodeOptions, of_tape, planned};
use crate::encode::{EncodeOptions, record};
use crate::format::Format;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Converts an object: the encoder records its parts, and the decoder reads them as `type` says. `Any` gives builtins.
/// `reading` and `writing` are the options of the two.
///
/// # Errors
/// `demat.EncodeError` for an object that has no parts, `demat.ValidationError` for one that does not fit the type,
/// exceptions of user code; `TypeError` and `ValueError` for wrong options and types.
#[pyfunction]
pub(crate) fn convert<'py>(
    value: &Bound<'py, PyAny>,
    r#type: &Bound<'py, PyAny>,
    reading: &Bound<'py, PyDict>,
    writing: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let reading = DecodeOptions::of_objects(reading)?;
    let plan = planned(value.py(), Some(r#type), &reading)?;
    let writing = EncodeOptions::parse(Format::JSON, Some(writing))?;
    let tape = record(value, &writing)?;
    of_tape(value.py(), &tape, plan.as_ref().map(Bound::get), &reading)
}
