//! The options of `columns`.

use super::lenient::Lenient;
use crate::decode::{DecodeOptions, flag, wrong};
use crate::format::Format;
use crate::read::OnError;
use crate::setting::{Names, names as setting_names};
use demat_arrow::Dictionaries;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// The options of `columns`, parsed.
#[derive(Debug)]
pub(super) struct ColumnOptions {
    pub(super) fields: Option<Vec<String>>,
    pub(super) batch_size: Option<usize>,
    pub(super) threads: Option<usize>,
    pub(super) arrow: demat_arrow::Options,
    pub(super) sample: u64,
    pub(super) decoding: DecodeOptions,
}

impl ColumnOptions {
    /// Reads keyword arguments.
    ///
    /// # Errors
    /// `TypeError` and `ValueError` for unknown names and invalid values.
    pub(super) fn parse(format: Format, given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let of_format = given.map(|given| PyDict::new(given.py()));
        let mut options = Self {
            fields: None,
            batch_size: None,
            threads: None,
            arrow: demat_arrow::Options::default(),
            sample: 1000,
            decoding: DecodeOptions::new(format),
        };
        for (name, value) in given.into_iter().flatten() {
            let text = name.cast::<PyString>()?.to_cow()?;
            match &*text {
                "fields" => options.fields = names(&value)?,
                "batch_size" => options.batch_size = count(&text, &value)?,
                "threads" => options.threads = count(&text, &value)?,
                "sample" => options.sample = count(&text, &value)?.map_or(u64::MAX, |count| count as u64),
                "decimals" | "naive" | "narrow" | "dictionary" => set(&mut options.arrow, &text, &value)?,
                "on_error" | "rejects" => {}
                known if format.read_setting(known).is_some() => {
                    if let Some(of_format) = &of_format {
                        of_format.set_item(&name, &value)?;
                    }
                }
                other => {
                    let message = format!("{}.columns has no option {other:?}", format.name());
                    return Err(PyTypeError::new_err(message));
                }
            }
        }
        options.decoding = DecodeOptions::parse(format, of_format.as_ref())?;
        Ok(options)
    }
}

impl ColumnOptions {
    /// Parses `on_error` and `rejects`; `None` if the first refused record ends the reading.
    ///
    /// # Errors
    /// `TypeError` and `ValueError` for wrong values, and for options that need another way of reading.
    pub(super) fn lenient<'py>(&self, given: Option<&Bound<'py, PyDict>>) -> PyResult<Option<Lenient<'py>>> {
        let Some(given) = given else { return Ok(None) };
        let py = given.py();
        let rejects = match OnError::parse(given)? {
            OnError::Stop => return Ok(None),
            OnError::Skip => py.None().into_bound(py),
            OnError::Collect(_) => given.get_item("rejects")?.unwrap_or_else(|| py.None().into_bound(py)),
        };
        for (name, is_given) in [("batch_size", self.batch_size.is_some()), ("threads", self.threads.is_some())] {
            if is_given {
                let message = format!("{name}= can't be combined with on_error=, which reads all rows by one thread");
                return Err(PyValueError::new_err(message));
            }
        }
        Ok(Some(Lenient { rejects }))
    }

    /// Returns the options of the columns as those of a format that is written.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn of_written<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let written = PyDict::new(py);
        if self.arrow.naive {
            written.set_item("naive", true)?;
        }
        if let Some(decimals) = self.arrow.decimals {
            written.set_item("decimals", decimals)?;
        }
        if self.arrow.narrow {
            written.set_item("narrow", true)?;
        }
        match &self.arrow.dictionary {
            Dictionaries::None => {}
            Dictionaries::All => written.set_item("dictionary", true)?,
            Dictionaries::Of(names) => written.set_item("dictionary", names.to_vec())?,
        }
        Ok(written)
    }
}

/// Parses the options of columns that a type does not determine; none of them need be there.
///
/// # Errors
/// `TypeError` for unknown names and invalid values.
pub(crate) fn of_columns(given: &Bound<'_, PyDict>) -> PyResult<demat_arrow::Options> {
    let mut options = demat_arrow::Options::default();
    for (name, value) in given {
        set(&mut options, &name.cast::<PyString>()?.to_cow()?, &value)?;
    }
    Ok(options)
}

/// Sets an option of columns.
fn set(options: &mut demat_arrow::Options, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    match name {
        "decimals" if value.is_none() => options.decimals = None,
        "decimals" => {
            let wrong = |_| wrong(name, "(digits, digits behind the point), or None", value);
            options.decimals = Some(value.extract().map_err(wrong)?);
        }
        "naive" => options.naive = flag(name, value)?,
        "narrow" => options.narrow = flag(name, value)?,
        "dictionary" => {
            options.dictionary = match setting_names(name, value)? {
                Names::Flag(false) => Dictionaries::None,
                Names::Flag(true) => Dictionaries::All,
                Names::Of(names) => Dictionaries::of(names),
            }
        }
        other => return Err(PyTypeError::new_err(format!("columns have no option {other:?}"))),
    }
    Ok(())
}

/// Parses names of fields; a single name needs no list.
fn names(given: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    if given.is_none() {
        return Ok(None);
    }
    if let Ok(name) = given.cast::<PyString>() {
        return Ok(Some(vec![name.to_cow()?.into_owned()]));
    }
    let listed = given.try_iter().and_then(|names| names.map(|name| name?.extract()).collect());
    listed.map(Some).map_err(|_: PyErr| wrong("fields", "names of fields, or None", given))
}

/// Parses an int from 1, or None.
fn count(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if given.is_none() {
        return Ok(None);
    }
    match given.extract::<usize>() {
        Ok(count) if count > 0 => Ok(Some(count)),
        _ => Err(PyValueError::new_err(format!("{name} is an int from 1, or None, not {}", given.repr()?))),
    }
}
