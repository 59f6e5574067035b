//! Rows of a database, written with no object made of them, while others have the interpreter.

use super::EncodeOptions;
use super::drained::Drained;
use crate::columns::available;
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
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

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
    // A format says the names of the columns in each row.
    let expected = rows.rows().size().saturating_mul(3);
    let mut drained = Drained::expecting(expected);
    let written = py.detach(|| {
        if expected < MUCH || available() < 2 {
            return encoded(format, options, rows, shape, Apart::Own(&mut drained));
        }
        thread::scope(|scope| {
            let (full, buffers) = sync_channel(2);
            let (empty, spares) = channel();
            let drained = &mut drained;
            let keeper = scope.spawn(move || keep(drained, &buffers, &empty));
            let written = encoded(format, options, rows, shape, Apart::Handed { full, spares });
            let kept = keeper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // What could not be kept is why no more could be handed over.
            kept.and(written)
        })
    });
    match written {
        Ok(rest) => {
            drained.append(&rest, true)?;
            Ok(drained.finish(py)?.unwrap_or_else(|| PyBytes::new(py, b"")))
        }
        Err(error) => Err(drained.give_up().unwrap_or_else(|| exception(py, Failure::from(error)))),
    }
}

/// Writes rows in a format; gives the bytes that were not drained.
fn encoded(
    format: Format,
    options: &EncodeOptions,
    rows: &mut RowSource<Selected>,
    shape: &Shape,
    apart: Apart<'_>,
) -> Result<Vec<u8>> {
    let output = Output::new(Vec::new(), apart);
    let (json, dialect) = (options.json, options.dialect);
    match format {
        Format::Json if CompactSink::<Apart<'_>>::writes(&json) => {
            write(rows, shape, CompactSink::new(output), CompactSink::into_output)
        }
        Format::Json => write(rows, shape, JsonSink::new(output, json), JsonSink::into_output),
        Format::Ndjson => write(rows, shape, NdjsonSink::new(output, json), NdjsonSink::into_output),
        Format::Csv => write(rows, shape, CsvSink::new(dialect, output)?, CsvSink::into_output),
        Format::Proto => write(rows, shape, ProtoSink::new(output), ProtoSink::into_output),
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

/// Keeps what is handed over, until no more comes or there is no memory for it.
fn keep(drained: &mut Drained, buffers: &Receiver<Vec<u8>>, empty: &Sender<Vec<u8>>) -> Result<()> {
    for mut buffer in buffers {
        append(drained, &buffer)?;
        buffer.clear();
        let _ = empty.send(buffer); // nobody may want it any more
    }
    Ok(())
}

fn append(drained: &mut Drained, bytes: &[u8]) -> Result<()> {
    Python::attach(|_| drained.append(bytes, false)).map_err(|raised| {
        drained.raised = Some(Box::new(raised));
        Error::new(ErrorKind::Limit, "there is no memory for the result")
    })
}

/// Drains to the interpreter's memory, which is asked for now and then.
enum Apart<'t> {
    /// By the thread that writes.
    Own(&'t mut Drained),
    /// By another one: to be given memory takes as long as to write what goes there.
    Handed { full: SyncSender<Vec<u8>>, spares: Receiver<Vec<u8>> },
}

/// So much is worth to wait for the interpreter.
const WORTH: usize = 512 * 1024;
/// So much is worth a thread.
const MUCH: usize = 16 * 1024 * 1024;

impl Drain for Apart<'_> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        if buffer.len() < WORTH {
            return Ok(());
        }
        match self {
            Self::Own(drained) => {
                append(drained, buffer)?;
                buffer.clear();
                Ok(())
            }
            Self::Handed { full, spares } => {
                let spare = spares.try_recv().unwrap_or_else(|_| Vec::with_capacity(buffer.capacity()));
                let sent = full.send(core::mem::replace(buffer, spare));
                sent.map_err(|_| Error::new(ErrorKind::Limit, "nobody keeps the result any more"))
            }
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
