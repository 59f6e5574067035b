//! Reads the typed records of a place one by one, in bounded memory.
//!
//! A window slides over the place's bytes, and a walk leads to its records. The decoder's engine decodes many of the
//! window's records at a time; they are returned one by one.

mod async_reader;
mod bar;
mod batches;
mod buffer;
mod chunks;
mod feed;
mod giving;
mod header;
mod lines;
mod next;
mod on_error;
mod options;
mod pipe;
mod place;
mod raised;
mod reader;
mod ready;
mod records;
mod recycle_pool;
mod refill;
mod rows;

pub(crate) use async_reader::Feed;
pub(crate) use bar::Meter;
pub(crate) use batches::reader as reader_of_batches;
pub(crate) use lines::{decode_lines, is_about_lines};
pub(crate) use next::install;
pub(crate) use on_error::{OnError, Rejects, lacks_rejects};
pub(crate) use options::{Packed, ProgressTarget};
pub(crate) use place::is_coroutine_function;
pub(crate) use place::{Open, Opened, open};
pub(crate) use raised::Raised;
pub(crate) use reader::Reader;
pub(crate) use refill::slots;
pub(crate) use rows::reader as reader_of_rows;

use crate::decode::{DecodeOptions, planned};
use crate::format::Format;
use giving::{Giving, Plans};
use options::ReadOptions;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

/// Opens a place; returns the reader of its records.
///
/// # Errors
/// `TypeError` and `ValueError` for an object that is no place, and for an unknown type or option; `OSError` if a file
/// can't be opened.
pub(crate) fn read<'py>(
    format: Format,
    place: &Bound<'py, PyAny>,
    type_: Option<&Bound<'py, PyAny>>,
    given: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = place.py();
    let (own, decoding) = ReadOptions::parse(format, given)?;
    let decoding = DecodeOptions::parse(format, decoding.as_ref())?;
    if type_.is_some() && !own.types.is_empty() {
        return Err(PyTypeError::new_err("a type beside at={…}, which has the type of each path: give one of the two"));
    }
    let several = own.types.iter().map(|type_| Ok(planned(py, Some(type_.bind(py)), &decoding)?.map(Bound::unbind)));
    let several = several.collect::<PyResult<Vec<_>>>()?;
    // The options about types were for those.
    let plan = if several.is_empty() { planned(py, type_, &decoding)? } else { None };
    let header = header::HeaderReader::of(py, &own.header, &decoding)?;
    let ring = own.recycle.then(|| recycle_pool::RecyclePool::of(plan.as_ref(), own.batch)).transpose()?;
    match open(place, own.compression)? {
        Opened::Now(opened) => {
            let giving = Giving::new(opened, Plans { plan, several, header }, decoding, ring, own)?;
            Ok(Bound::new(py, Reader::new(giving))?.into_any())
        }
        Opened::Later(fed, opened) => {
            let giving = Giving::new(opened, Plans { plan, several, header }, decoding, ring, own)?;
            let feed = Bound::new(py, Feed::new(giving, fed))?;
            let class = py.import(intern!(py, "demat._async_reader"))?.getattr(intern!(py, "AsyncReader"))?;
            class.call1((feed, place))
        }
    }
}

/// Supports `Reader[Task]` in annotations.
fn alias<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    py.import(intern!(py, "types"))?.getattr(intern!(py, "GenericAlias"))?.call1((class, item))
}
