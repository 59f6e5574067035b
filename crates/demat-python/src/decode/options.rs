//! The options of decoders.

use super::{DecodeMode, Repeats};
use crate::format::Format;
use crate::lazy::Encoding;
use crate::plan::Times;
use crate::setting::{Unset, setting_value};
use demat_core::{Error, ErrorKind};
use demat_formats::codec::{Engine, Model, ReadOptions, Reader, Setting};
use demat_formats::json::RepeatedKeys;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

/// The options of a decoder, parsed.
#[derive(Debug)]
pub(crate) struct DecodeOptions {
    pub(crate) manner: DecodeMode,
    /// The options of the format's reader.
    pub(crate) read: ReadOptions,
    /// Whether instances are views over the bytes.
    pub(crate) lazy: bool,
    /// Whether lazy instances require fields in ascending order of their numbers.
    pub(crate) ordered: bool,
    /// The place whose hooks count: the format, if it is one.
    pub(crate) place: Option<&'static str>,
    /// The options that concern the description of the type.
    pub(crate) describe: Option<Py<PyDict>>,
}

/// The options of a conversion.
const CONVERTING: &[&str] = &["strict", "times", "errors", "unknown", "hooks", "rename", "accept_single"];

impl DecodeOptions {
    /// Returns the defaults.
    pub(crate) fn new(format: Format) -> Self {
        let manner = DecodeMode {
            strict: true,
            times: None,
            errors: 1,
            tracked: true,
            repeats: Repeats::LastWins,
            format,
            model: format.about().model,
        };
        let (read, place) = (format.read_options(), Some(format.name()));
        Self { manner, read, lazy: false, ordered: false, place, describe: None }
    }

    /// Returns the defaults for rows of tables and columns, whose fields have names.
    pub(crate) fn of_rows() -> Self {
        let mut options = Self::new(Format::DEFAULT);
        options.manner.model = Model::Tables;
        options.place = None;
        options
    }

    /// Returns a reader of the format with these options.
    ///
    /// # Errors
    /// If the format can't be read with these options.
    pub(crate) fn reader(&self) -> demat_core::Result<Reader> {
        let format = self.manner.format;
        let codec = format.codec().ok_or_else(|| Error::new(ErrorKind::Io, "the format is no stream of bytes"))?;
        codec.reader(&self.read)
    }

    /// Parses keyword arguments.
    ///
    /// # Errors
    /// `TypeError` for options that the format does not have and values of wrong types, `ValueError` for other invalid
    /// values.
    pub(crate) fn parse(format: Format, given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut options = Self::new(format);
        for (name, value) in given.into_iter().flatten() {
            let name = name.cast::<PyString>()?.to_cow()?.into_owned();
            options.set(format, &name, &value)?;
        }
        if options.ordered && !options.lazy {
            return Err(PyTypeError::new_err("ordered is for lazy records: lazy=True, ordered=True"));
        }
        if options.lazy && options.manner.errors != 1 {
            return Err(PyTypeError::new_err("lazy records find errors one by one: errors is not for them"));
        }
        if options.lazy && options.read.accepts_single() {
            return Err(PyTypeError::new_err(
                "lazy records find lists where they stand: accept_single is not for them",
            ));
        }
        if options.lazy && options.manner.times.is_some() {
            return Err(PyTypeError::new_err(
                "lazy records are read without `times`: say it at the field, `Field(times=…)`",
            ));
        }
        if options.lazy && options.read.own != format.read_options().own {
            let message = "lazy records are read with `depth` and `repeated_keys` alone: other options of the format are not for them";
            return Err(PyTypeError::new_err(message));
        }
        if given.is_some() {
            // Check that the options do not contradict each other.
            options.reader().map_err(|error| PyValueError::new_err(error.to_string()))?;
        }
        Ok(options)
    }

    /// Parses the keyword arguments of a conversion, which reads objects instead of bytes.
    ///
    /// # Errors
    /// `TypeError` for unknown options and values of wrong types, `ValueError` for other invalid values.
    pub(crate) fn of_objects(given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut options = Self::new(Format::JSON);
        options.manner.model = Model::Nested;
        options.place = None;
        for (name, value) in given {
            let name = name.cast::<PyString>()?.to_cow()?.into_owned();
            if !CONVERTING.contains(&&*name) {
                return Err(PyTypeError::new_err(format!("convert has no option {name:?}")));
            }
            options.set(Format::JSON, &name, &value)?;
        }
        Ok(options)
    }

    fn set(&mut self, format: Format, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let about = format.about();
        match name {
            "strict" if about.model != Model::Numbered => self.manner.strict = flag(name, value)?,
            "times" if !matches!(about.model, Model::Numbered | Model::Shaped) => {
                let times = if value.is_none() { None } else { Some(one_of(name, value, &Times::NAMES)?) };
                self.manner.times = times.map(Times::of_index);
            }
            "gc" => self.manner.tracked = flag(name, value)?,
            "errors" => self.manner.errors = errors(value)?,
            "hooks" | "rename" | "unknown" | "fields" if value.is_none() => {}
            "fields" => self.describe(name, value)?,
            "unknown" => {
                one_of(name, value, &["ignore", "forbid", "keep"])?;
                self.describe(name, value)?;
            }
            "hooks" => {
                self.describe(name, crate::encode::checked_hooks(value)?.as_any())?;
            }
            "rename" => self.describe(name, &crate::encode::checked_rename(value)?)?,
            "lazy" if Encoding::of(format).is_some() => self.lazy = flag(name, value)?,
            "ordered" if about.engine == Engine::Messages => self.ordered = flag(name, value)?,
            _ if format.read_setting(name).is_some() => {
                let value = |setting: &'static Setting| setting_value(setting, value).map_err(Unset::Raised);
                format.set_read(&mut self.read, name, value).map_err(PyErr::from)?;
                if self.read.repeated_keys == RepeatedKeys::Refuse {
                    self.manner.repeats = Repeats::ReadAgain;
                }
            }
            _ => {
                let message = format!("decoding {} has no option {name:?}", format.name());
                return Err(PyTypeError::new_err(message));
            }
        }
        Ok(())
    }

    fn describe(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let table = self.describe.get_or_insert_with(|| PyDict::new(py).unbind());
        table.bind(py).set_item(name, value)
    }
}

/// Parses an option that is True or False.
pub(crate) fn flag(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.extract().map_err(|_| wrong(name, "True or False", value))
}

/// Parses an option that is one of a few words; returns its index.
pub(crate) fn one_of(name: &str, value: &Bound<'_, PyAny>, words: &[&str]) -> PyResult<usize> {
    let text = value.cast::<PyString>().map_err(|_| wrong(name, &listed(words), value))?.to_cow()?;
    let found = words.iter().position(|word| **word == *text);
    found.ok_or_else(|| PyValueError::new_err(format!("{name} must be {}, not {text:?}", listed(words))))
}

/// Parses an option that is one ASCII character.
pub(crate) fn character(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u8> {
    let text = value.cast::<PyString>().map_err(|_| wrong(name, "a str of one ASCII character", value))?.to_cow()?;
    match text.as_bytes() {
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err(PyValueError::new_err(format!("{name} must be one ASCII character, not {text:?}"))),
    }
}

/// Returns the error for an option of a wrong type.
#[cold]
pub(crate) fn wrong(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let found = value.repr().map_or_else(|_| "something else".to_string(), |repr| repr.to_string());
    PyTypeError::new_err(format!("{name} must be {expected}, not {found}"))
}

fn listed(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    words.join(" or ")
}

fn errors(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(if one_of("errors", text, &["first", "all"])? == 1 { usize::MAX } else { 1 });
    }
    match value.extract::<usize>() {
        Ok(count) if count > 0 && !value.is_instance_of::<PyBool>() => Ok(count),
        _ => Err(wrong("errors", "\"first\", \"all\" or an int from 1", value)),
    }
}
