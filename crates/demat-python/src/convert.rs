//! Converts objects to objects of another type, without a format in between.
//!
//! Builtins become objects of most types in one pass, and instances of most classes become builtins in one. For all else, the encoder records the parts of the value, and the
//! decoder reads them; this way also finds the error of a value that does not fit.

use crate::decode::{DecodeOptions, is_straight, of_tape, planned, straight, untyped};
use crate::encode::{EncodeOptions, builtins, record};
use crate::format::Format;
use crate::plan::{Node, Program, any_declared_outside};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyString};

/// Converts an object to one of `type`. `Any` gives builtins.
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
    let is_plain = is_plain(writing)?;
    let writing = EncodeOptions::parse(Format::JSON, Some(writing))?.anywhere();
    let program = match &plan {
        Some(plan) => &plan.get().program,
        None => untyped(),
    };
    if is_plain
        && !reading.read.accepts_single()
        && let Some(converted) = in_one_pass(value, program, &reading, &writing)
    {
        return Ok(converted);
    }
    let tape = record(value, &writing)?;
    of_tape(value.py(), &tape, plan.as_ref().map(Bound::get), &reading)
}

/// As [`convert`] without options. Returns `NotImplemented` if the value has to be converted by that function.
///
/// # Errors
/// `TypeError` for a type that can't be described.
#[pyfunction]
pub(crate) fn convert_straight<'py>(
    value: &Bound<'py, PyAny>,
    r#type: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    static READING: PyOnceLock<DecodeOptions> = PyOnceLock::new();
    static WRITING: PyOnceLock<EncodeOptions> = PyOnceLock::new();
    let py = value.py();
    let reading = READING.get_or_try_init(py, || DecodeOptions::of_objects(&PyDict::new(py)))?;
    let plan = planned(py, Some(r#type), reading)?;
    let program = match &plan {
        Some(plan) => &plan.get().program,
        None => untyped(),
    };
    let converted = if any_declared_outside(py) {
        None
    } else {
        in_one_pass(value, program, reading, WRITING.get_or_init(py, EncodeOptions::default))
    };
    Ok(converted.unwrap_or_else(|| py.NotImplemented().into_bound(py)))
}

/// Converts an object to builtins, without options. Returns `NotImplemented` if [`convert`] has to.
#[pyfunction]
pub(crate) fn builtins_straight<'py>(value: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    static OPTIONS: PyOnceLock<EncodeOptions> = PyOnceLock::new();
    let py = value.py();
    let converted =
        if any_declared_outside(py) { None } else { builtins(value, OPTIONS.get_or_init(py, EncodeOptions::default)) };
    converted.map_or_else(|| py.NotImplemented().into_bound(py), |converted| converted.value)
}

/// Converts an object without recording it; `None` if it has to be recorded.
fn in_one_pass<'py>(
    value: &Bound<'py, PyAny>,
    program: &Program,
    reading: &DecodeOptions,
    writing: &EncodeOptions,
) -> Option<Bound<'py, PyAny>> {
    // Without a type, builtins are the result.
    if matches!(program.root, Node::Any) {
        return builtins(value, writing).map(|converted| converted.value);
    }
    if !is_straight(program, reading) {
        return None;
    }
    straight(value, program, reading, writing).or_else(|| {
        let converted = builtins(value, writing).filter(|converted| converted.had_records)?;
        straight(&converted.value, program, reading, writing)
    })
}

/// Whether builtins are written as without options: `default` is for objects of other classes, and there are no hooks
/// of builtin classes.
fn is_plain(writing: &Bound<'_, PyDict>) -> PyResult<bool> {
    for (name, value) in writing {
        let is_off = value.is_none() || value.is(PyBool::new(value.py(), false));
        if !is_off && name.cast::<PyString>()?.to_cow()? != "default" {
            return Ok(false);
        }
    }
    Ok(!any_declared_outside(writing.py()))
}
