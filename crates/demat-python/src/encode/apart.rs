//! Rows of a database, written with no object made of them, while others have the interpreter.

use super::EncodeOptions;
use super::drained::Drained;
use crate::error::{Failure, exception};
use crate::format::Format;
use demat_core::{Error, ErrorKind, Result, Shape, Sink};
use demat_formats::csv::CsvSink;
use demat_formats::json::{CompactSink, JsonSink};
use demat_formats::ndjson::NdjsonSink;
use demat_formats::proto::ProtoSink;
use demat_formats::{Drain, Output};
use demat_sqlite::scan::Selected;
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
    rows: &mut RowSource<Selected>,
    shape: &Shape,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut drained = Drained::new();
    let output = Output::new(Vec::new(), Apart(&mut drained));
    let (json, dialect) = (options.json, options.dialect);
    let written = py.detach(|| match format {
        Format::Json if CompactSink::<Apart<'_>>::writes(&json) => {
            write(rows, shape, CompactSink::new(output), CompactSink::into_output)
        }
        Format::Json => write(rows, shape, JsonSink::new(output, json), JsonSink::into_output),
        Format::Ndjson => write(rows, shape, NdjsonSink::new(output, json), NdjsonSink::into_output),
        Format::Csv => write(rows, shape, CsvSink::new(dialect, output)?, CsvSink::into_output),
        Format::Proto => write(rows, shape, ProtoSink::new(output), ProtoSink::into_output),
    });
    match written {
        Ok(rest) => {
            drained.append(&rest, true)?;
            Ok(drained.finish(py)?.unwrap_or_else(|| PyBytes::new(py, b"")))
        }
        Err(error) => Err(drained.give_up().unwrap_or_else(|| exception(py, Failure::from(error)))),
    }
}

/// Gives the bytes that were not drained.
fn write<'t, K: Sink>(
    rows: &mut RowSource<Selected>,
    shape: &Shape,
    mut sink: K,
    output: impl FnOnce(K) -> Output<Apart<'t>>,
) -> Result<Vec<u8>> {
    copy_rows(rows, shape, &mut sink)?;
    Ok(output(sink).into_parts().0)
}

/// Drains to the interpreter's memory, which is asked for now and then.
struct Apart<'t>(&'t mut Drained);

/// So much is worth to wait for the interpreter.
const WORTH: usize = 512 * 1024;

impl Drain for Apart<'_> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        if buffer.len() < WORTH {
            return Ok(());
        }
        let appended = Python::attach(|_| self.0.append(buffer, false));
        buffer.clear();
        appended.map_err(|raised| {
            self.0.raised = Some(Box::new(raised));
            Error::new(ErrorKind::Limit, "there is no memory for the result")
        })
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
