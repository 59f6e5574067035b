//! Encodes rows of a database without creating objects, and with the GIL released.

use super::EncodeOptions;
use super::drained::Drained;
use super::sinks;
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::signals;
use demat_core::{Error, ErrorKind, Result, Shape, copy};
use demat_formats::codec::Engine;
use demat_formats::json::CompactSink;
use demat_formats::stream::Stop;
use demat_formats::{Drain, Output};
use demat_sqlite::scan::PagedRows;
use demat_sqlite::{RowSink, RowSource, copy_rows, copy_rows_to};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Encodes rows as a list of a shape.
///
/// # Errors
/// If a row does not match the shape or can't be written in the format, or SQLite fails.
pub(crate) fn encode_rows<'py>(
    py: Python<'py>,
    format: Format,
    options: &EncodeOptions,
    rows: &mut RowSource<PagedRows>,
    shape: &Shape,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut drained = Drained::new();
    let drain = Box::new(DetachedDrain(&mut drained));
    let written = py.detach(|| write(format, options, drain, rows, shape));
    match written {
        Ok(()) => Ok(drained.finish(py)?.unwrap_or_else(|| PyBytes::new(py, b""))),
        Err(error) => Err(drained.give_up().unwrap_or_else(|| exception(py, Failure::from(error)))),
    }
}

/// Encodes the rows of a server as a list of a shape.
///
/// # Errors
/// If a row does not match the shape or can't be written in the format, or the server fails.
pub(crate) fn encode_source<'py>(
    py: Python<'py>,
    format: Format,
    options: &EncodeOptions,
    rows: &mut demat_postgres::RowSource<Box<dyn demat_postgres::Rows + Send>>,
    shape: &Shape,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut drained = Drained::new();
    let drain = Box::new(DetachedDrain(&mut drained));
    let written = signals::detached(py, || {
        let codec = format.codec().ok_or_else(sinks::no_stream)?;
        let mut sink = codec.sink(&options.write, drain)?;
        copy(rows, shape, &mut *sink)
    })?;
    match written {
        Ok(()) => Ok(drained.finish(py)?.unwrap_or_else(|| PyBytes::new(py, b""))),
        Err(error) => Err(drained.give_up().unwrap_or_else(|| exception(py, Failure::from(error)))),
    }
}

/// Copies rows to the format's sink.
fn write<'d>(
    format: Format,
    options: &EncodeOptions,
    drain: Box<dyn Drain + Send + 'd>,
    rows: &mut RowSource<PagedRows>,
    shape: &Shape,
) -> Result<()> {
    if format.about().engine == Engine::Json
        && CompactSink::<Box<dyn Drain + Send + 'd>>::writes(&(&options.write).into())
    {
        let mut sink = CompactSink::new(Output::new(Vec::new(), drain));
        return copy_rows_to(rows, shape, RowSink::Json(&mut sink), &mut Stop, None).map(drop);
    }
    let codec = format.codec().ok_or_else(sinks::no_stream)?;
    let mut sink = codec.sink(&options.write, drain)?;
    copy_rows(rows, shape, &mut *sink)
}

/// Writes to Python's memory, and acquires the GIL only for large pieces.
struct DetachedDrain<'t>(&'t mut Drained);

/// The number of bytes for which acquiring the GIL pays.
const WORTH: usize = 512 * 1024;

impl DetachedDrain<'_> {
    fn append(&mut self, buffer: &mut Vec<u8>, last: bool) -> Result<()> {
        let appended = Python::attach(|_| self.0.append(buffer, last));
        buffer.clear();
        appended.map_err(|raised| {
            self.0.raised = Some(Box::new(raised));
            Error::new(ErrorKind::Limit, "there is no memory for the result")
        })
    }
}

impl Drain for DetachedDrain<'_> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        if buffer.len() < WORTH { Ok(()) } else { self.append(buffer, false) }
    }

    fn finish(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.append(buffer, true)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
