//! Parses the values of a format's options from Python objects.

use crate::decode::{character, flag, one_of, wrong};
use crate::plan::plan_of;
use demat_core::Error;
use demat_formats::codec::{Setting, SettingValue, Values};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

/// Why an option can't be set.
pub(crate) enum Unset {
    /// Its value has a wrong type.
    Raised(PyErr),
    /// The format refuses the value.
    Refused(Error),
}

impl From<Error> for Unset {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl From<Unset> for PyErr {
    fn from(unset: Unset) -> Self {
        match unset {
            Unset::Raised(error) => error,
            Unset::Refused(error) => PyValueError::new_err(error.to_string()),
        }
    }
}

/// Parses the value of an option.
///
/// # Errors
/// `TypeError` for a value of a wrong type, `ValueError` for another invalid value.
pub(crate) fn setting_value(setting: &Setting, value: &Bound<'_, PyAny>) -> PyResult<SettingValue> {
    let name = setting.name;
    let refused = || wrong(name, &setting.values.to_string(), value);
    Ok(match setting.values {
        Values::OptionalCount
        | Values::OptionalCharacter
        | Values::OptionalPair
        | Values::OptionalText
        | Values::OptionalType
            if value.is_none() =>
        {
            SettingValue::None
        }
        // A type, or the text of a shape.
        Values::OptionalType if !value.is_instance_of::<PyString>() => {
            let plan = plan_of(value)?;
            SettingValue::Text(plan.get().program.shape_written(value.py())?.to_string().into())
        }
        Values::Flag => SettingValue::Flag(flag(name, value)?),
        Values::Count | Values::OptionalCount => SettingValue::Count(count(name, value)?),
        Values::Character | Values::OptionalCharacter => SettingValue::Character(character(name, value)?),
        Values::OptionalPair => {
            let (one, two) = value.extract().map_err(|_| refused())?;
            SettingValue::Pair(one, two)
        }
        Values::Names => match names(name, value)? {
            Names::Flag(flag) => SettingValue::Flag(flag),
            Names::Of(names) => SettingValue::Names(names.into_iter().map(String::into_boxed_str).collect()),
        },
        Values::Choice(choices) => SettingValue::Text(choices[one_of(name, value, choices)?].into()),
        _ => SettingValue::Text(value.cast::<PyString>().map_err(|_| refused())?.to_cow()?.into_owned().into()),
    })
}

/// Names, or all or none of them.
pub(crate) enum Names {
    /// Whether it is all.
    Flag(bool),
    Of(Vec<String>),
}

/// Parses True, False, None, or names; a single name needs no list.
///
/// # Errors
/// `TypeError` for anything else.
pub(crate) fn names(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Names> {
    if value.is_none() {
        return Ok(Names::Flag(false));
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Names::Flag(flag.is_true()));
    }
    if let Ok(one) = value.cast::<PyString>() {
        return Ok(Names::Of(vec![one.to_cow()?.into_owned()]));
    }
    let listed = value.try_iter().and_then(|names| names.map(|name| name?.extract()).collect());
    listed.map(Names::Of).map_err(|_: PyErr| wrong(name, &Values::Names.to_string(), value))
}

/// Parses a 32-bit number.
///
/// # Errors
/// `TypeError` for an object that is no int, `ValueError` for one out of range.
pub(crate) fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u32> {
    let expected = Values::Count.to_string();
    if value.is_instance_of::<PyBool>() || !value.is_instance_of::<PyInt>() {
        return Err(wrong(name, &expected, value));
    }
    let found = value.repr()?;
    value.extract().map_err(|_| PyValueError::new_err(format!("{name} must be {expected}, not {found}")))
}
