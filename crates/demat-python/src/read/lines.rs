//! Decodes a document of lines or rows, without those that are refused.

use super::giving::{Giving, Next, Plans};
use super::on_error::OnError;
use super::options::{Packed, ReadOptions};
use super::place::{Opened, open};
use crate::decode::{DecodeOptions, planned};
use crate::format::Format;
use crate::input::Input;
use demat_formats::codec::Model;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

/// The options that this is for.
const OWN: [&str; 2] = ["on_error", "rejects"];

/// Returns whether options of `decode` are about refused lines or rows of a format that consists of them.
pub(crate) fn is_about_lines(format: Format, given: &Bound<'_, PyDict>) -> PyResult<bool> {
    if !matches!(format.about().model, Model::JsonLines | Model::Cells) {
        return Ok(false);
    }
    Ok(given.contains(OWN[0])? || given.contains(OWN[1])?)
}

/// Decodes a document to the list of its records, as a reader reads them.
///
/// # Errors
/// As `decode`, and `TypeError` if the type is no list.
pub(crate) fn decode_lines<'py>(
    format: Format,
    data: &Bound<'py, PyAny>,
    type_: Option<&Bound<'py, PyAny>>,
    given: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let rest = given.copy()?;
    for name in OWN {
        if rest.contains(name)? {
            rest.del_item(name)?;
        }
    }
    let decoding = DecodeOptions::parse(format, Some(&rest))?;
    if decoding.lazy {
        return Err(PyTypeError::new_err("lazy records have no option \"on_error\""));
    }
    let record = type_.map(record_of).transpose()?.flatten();
    let plan = planned(py, record.as_ref(), &decoding)?;
    let mut own = ReadOptions::parse(format, None)?.0;
    own.on_error = OnError::parse(given)?;
    own.batch = Some(usize::MAX);
    own.limit = usize::MAX;
    let input = Input::of(data, true)?;
    // To a reader, text would be a path.
    let place = if data.is_instance_of::<PyString>() { &PyBytes::new(py, input.bytes()).into_any() } else { data };
    let Opened::Now(opened) = open(place, Packed::Not)? else {
        return Err(PyTypeError::new_err("data to decode is not awaited"));
    };
    let mut giving = Giving::new(opened, Plans { plan, several: Vec::new(), header: None }, decoding, None, own)?;
    let mut found = None;
    while let Next::Object(object) = giving.next(py, || false)? {
        // SAFETY: a new reference.
        found = Some(unsafe { Bound::from_owned_ptr(py, object) });
    }
    Ok(found.unwrap_or_else(|| PyList::empty(py).into_any()))
}

/// Returns the type of the items of a list type; `None` if they are of any type.
fn record_of<'py>(type_: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = type_.py();
    let list = py.get_type::<PyList>();
    if type_.is(&list) || type_.is(crate::known::any(py)?) {
        return Ok(None);
    }
    let is_list = type_.getattr(intern!(py, "__origin__")).is_ok_and(|origin| origin.is(&list));
    if !is_list {
        let type_ = type_.repr()?;
        let message = format!("on_error is for a list of records, as in decode(data, list[Task]); not for {type_}");
        return Err(PyTypeError::new_err(message));
    }
    type_.getattr(intern!(py, "__args__"))?.get_item(0).map(Some)
}
