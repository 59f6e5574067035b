//! The sink of each format that is text.

use crate::written::Written;
use crate::{Format, Place, Target, WriteOptions};
use demat_arrow::{ColumnsSink, IpcDrain, IpcForm, ParquetDrain};
use demat_core::{Result, Sink};
use demat_formats::canonical::{CanonicalSink, Mapping};
use demat_formats::csv::CsvSink;
use demat_formats::json::{CompactSink, JsonSink, WriteOptions as JsonOptions};
use demat_formats::ndjson::NdjsonSink;
use demat_formats::proto::ProtoSink;
use demat_formats::{Drain, Output};
use std::io::{BufWriter, Write};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// So many rows the first batch of a stream of Arrow's has: somebody may read along, and has them sooner.
const FIRST: usize = 1024;

/// A sink into a target.
pub(crate) fn open<'t>(
    place: &Place,
    format: Format,
    options: &WriteOptions,
    target: &'t mut Target,
    canonical: Option<&Arc<Mapping>>,
) -> Result<Box<dyn Sink + 't>> {
    of(format, options, Written(target), ipc_form(place), canonical)
}

/// A sink into whatever takes the bytes.
pub(crate) fn of<'t>(
    format: Format,
    options: &WriteOptions,
    target: impl Drain + Write + Send + 't,
    ipc: IpcForm,
    canonical: Option<&Arc<Mapping>>,
) -> Result<Box<dyn Sink + 't>> {
    let output = |target| Output::new(Vec::new(), target);
    if let (Some(mapping), true) = (canonical, format.is_json()) {
        let mapping = Arc::clone(mapping);
        // What is told is no deeper than that by default, as it was read.
        let usual =
            options.json.depth == JsonOptions::default().depth && CompactSink::<Written<'_>>::writes(&options.json);
        return Ok(if format == Format::Ndjson {
            Box::new(CanonicalSink::new(NdjsonSink::new(output(target), options.json), mapping))
        } else if usual {
            Box::new(CanonicalSink::new(CompactSink::new(output(target)), mapping))
        } else {
            Box::new(CanonicalSink::new(JsonSink::new(output(target), options.json), mapping))
        });
    }
    Ok(match format {
        Format::Json => Box::new(JsonSink::new(output(target), options.json)),
        Format::Ndjson => Box::new(NdjsonSink::new(output(target), options.json)),
        Format::Csv | Format::Tsv => Box::new(CsvSink::new(options.csv, output(target))?),
        Format::Arrow => {
            let sink = ColumnsSink::new(IpcDrain::new(BufWriter::new(target), ipc)).with_options(options.columns);
            Box::new(match ipc {
                IpcForm::File => sink,
                IpcForm::Stream => sink.with_first(FIRST),
            })
        }
        Format::Parquet => {
            let drain = ParquetDrain::new(BufWriter::new(target));
            Box::new(ColumnsSink::new(drain).with_options(options.columns))
        }
        Format::Proto => Box::new(ProtoSink::new(output(target))),
        Format::Sqlite => return Err(crate::database::no_stream()),
    })
}

/// The form of Arrow's batches in a place: a stream, where it is named so, or where somebody may read along.
pub(crate) fn ipc_form(place: &Place) -> IpcForm {
    let name = place.path().and_then(|path| path.file_name()).map(|name| name.to_string_lossy().to_ascii_lowercase());
    match name {
        Some(name) if !crate::Compression::strip_suffix(&name).ends_with(".arrows") => IpcForm::File,
        _ => IpcForm::Stream,
    }
}

/// What stands behind the whole, so that a document ends like a line.
pub(crate) fn ending(format: Format) -> &'static [u8] {
    match format {
        Format::Json => b"\n",
        _ => b"",
    }
}
