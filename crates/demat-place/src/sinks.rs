//! The sink of each format.

use crate::written::Written;
use crate::{Format, Target, WriteOptions};
use demat_core::{Record, Result, Sink};
use demat_formats::Output;
use demat_formats::csv::CsvSink;
use demat_formats::json::JsonSink;
use demat_formats::ndjson::NdjsonSink;

/// A sink into a target. `record` is what a table's rows are, where that is known.
pub(crate) fn open<'t>(
    format: Format,
    options: &WriteOptions,
    record: Option<&Record>,
    target: &'t mut Target,
) -> Result<Box<dyn Sink + 't>> {
    let output = Output::new(Vec::new(), Written(target));
    Ok(match format {
        Format::Json => Box::new(JsonSink::new(output, options.json)),
        Format::Ndjson => Box::new(NdjsonSink::new(output, options.json)),
        Format::Csv | Format::Tsv => {
            let sink = CsvSink::new(options.csv, output)?;
            Box::new(match record {
                Some(record) => sink.with_record(record),
                None => sink,
            })
        }
    })
}

/// What stands behind the whole, so that a document ends like a line.
pub(crate) fn ending(format: Format) -> &'static [u8] {
    match format {
        Format::Json => b"\n",
        Format::Ndjson | Format::Csv | Format::Tsv => b"",
    }
}
