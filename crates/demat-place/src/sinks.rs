//! The sink of each format that is text.

use crate::written::Written;
use crate::{Format, Target, WriteOptions};
use demat_core::{Result, Sink};
use demat_formats::Output;
use demat_formats::csv::CsvSink;
use demat_formats::json::JsonSink;
use demat_formats::ndjson::NdjsonSink;

/// A sink into a target.
pub(crate) fn open<'t>(format: Format, options: &WriteOptions, target: &'t mut Target) -> Result<Box<dyn Sink + 't>> {
    let output = Output::new(Vec::new(), Written(target));
    Ok(match format {
        Format::Json => Box::new(JsonSink::new(output, options.json)),
        Format::Ndjson => Box::new(NdjsonSink::new(output, options.json)),
        Format::Csv | Format::Tsv => Box::new(CsvSink::new(options.csv, output)?),
        Format::Sqlite => return Err(crate::database::no_stream()),
    })
}

/// What stands behind the whole, so that a document ends like a line.
pub(crate) fn ending(format: Format) -> &'static [u8] {
    match format {
        Format::Json => b"\n",
        Format::Ndjson | Format::Csv | Format::Tsv | Format::Sqlite => b"",
    }
}
