//! Rows of a database, written with no object made of them, while others have the interpreter.

use super::EncodeOptions;
use super::drained::Drained;
use super::encode_sink::EncodeSink;
use super::sinks;
use crate::error::{Failure, exception};
use crate::format::Format;
use demat_core::{Error, ErrorKind, Result, Shape, Sink};
use demat_formats::{Drain, Output};
use demat_sqlite::scan::PagedRows;
use demat_sqlite::{RowSource, copy_rows};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Encodes rows, as a list of a shape.
///
/// # Errors
/// Where a row is not of the shape, or can't be written in the format; what SQLite says.
pub(crate) fn encode_rows<'py>(
    py: Python<'py>,
    format: Format,
    options: &EncodeOptions,
    rows: &mut RowSource<PagedRows>,
    shape: &Shape,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut drained = Drained::new();
    let output = Output::new(Vec::new(), Apart(&mut drained));
    let written =
        py.detach(|| sinks::visit(format, options, output, CopyRows { rows, shape }).and_then(|written| written));
    match written {
        Ok(()) => Ok(drained.finish(py)?.unwrap_or_else(|| PyBytes::new(py, b""))),
        Err(error) => Err(drained.give_up().unwrap_or_else(|| exception(py, Failure::from(error)))),
    }
}

/// Copies rows.
struct CopyRows<'r> {
    rows: &'r mut RowSource<PagedRows>,
    shape: &'r Shape,
}

impl<'d> sinks::Visitor<'d> for CopyRows<'_> {
    type Output = Result<()>;

    fn visit<K: EncodeSink + Send + 'd>(self, mut sink: K) -> Result<()> {
        // Compact JSON is what most ask for: a copier is compiled for it.
        if K::LOOKS_FAST {
            copy_rows(self.rows, self.shape, &mut sink)
        } else {
            copy_rows(self.rows, self.shape, &mut sink as &mut dyn Sink)
        }
    }

    fn visit_any(self, mut sink: Box<dyn Sink + Send + 'd>) -> Result<()> {
        copy_rows(self.rows, self.shape, &mut *sink as &mut dyn Sink)
    }
}

/// Drains to the interpreter's memory, which is asked for now and then.
struct Apart<'t>(&'t mut Drained);

/// So much is worth to wait for the interpreter.
const WORTH: usize = 512 * 1024;

impl Apart<'_> {
    fn append(&mut self, buffer: &mut Vec<u8>, last: bool) -> Result<()> {
        let appended = Python::attach(|_| self.0.append(buffer, last));
        buffer.clear();
        appended.map_err(|raised| {
            self.0.raised = Some(Box::new(raised));
            Error::new(ErrorKind::Limit, "there is no memory for the result")
        })
    }
}

impl Drain for Apart<'_> {
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
