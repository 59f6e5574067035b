//! Writes refused records with the reasons.

use crate::written::Written;
use crate::{Place, Target};
use demat_core::{Error, Field, Record, Result, Shape, Sink};
use demat_formats::Output;
use demat_formats::json::WriteOptions;
use demat_formats::ndjson::NdjsonSink;

/// Writes a line of JSON for each record that is left out.
///
/// | field | is |
/// |---|---|
/// | `record`, `line`, `column`, `offset` | the position, from 1 (the offset in bytes, from 0) |
/// | `path` | the path to the value, `$` is the whole place |
/// | `kind` | the kind of the error |
/// | `expected`, `found` | what was expected, and what was found |
/// | `reason` | the whole message |
/// | `data` | the record as it is in the source |
/// | `data_base64` | in place of `data`, if that is not UTF-8 |
#[derive(Debug)]
pub(crate) struct Rejects {
    target: Target,
    record: Record,
    buffer: Vec<u8>,
}

const NUMBERS: [&str; 4] = ["record", "line", "column", "offset"];
const TEXTS: [&str; 7] = ["path", "kind", "expected", "found", "reason", "data", "data_base64"];

impl Rejects {
    pub(crate) fn create(place: &Place) -> Result<Self> {
        let shapes = NUMBERS.map(|name| (name, Shape::Any)).into_iter().chain(TEXTS.map(|name| (name, Shape::Text)));
        let fields = shapes.zip(1..).map(|((name, shape), number)| Field::new(name, number, shape.optional()));
        let record = Record::new("Reject", fields.collect())?;
        Ok(Self { target: Target::create(place)?, record, buffer: Vec::new() })
    }

    pub(crate) fn write(&mut self, error: &Error, bytes: &[u8]) -> Result<()> {
        let position = error.position();
        let numbers = [position.record, position.line, position.column, position.offset];
        let (path, reason) = (error.path(), error.reason());
        let data = core::str::from_utf8(bytes).ok();
        let texts = [
            Some(path.as_str()),
            Some(error.kind().name()),
            error.expectation(),
            error.found(),
            Some(reason.as_str()),
            data,
        ];
        let output = Output::new(core::mem::take(&mut self.buffer), Written(&mut self.target));
        let mut sink = NdjsonSink::new(output, WriteOptions::default());
        sink.begin_record(&self.record)?;
        for (index, number) in numbers.into_iter().enumerate() {
            if let Some(number) = number {
                sink.field(&self.record, index)?;
                sink.u64(number)?;
            }
        }
        for (index, text) in texts.into_iter().enumerate() {
            if let Some(text) = text {
                sink.field(&self.record, NUMBERS.len() + index)?;
                sink.text(text)?;
            }
        }
        if data.is_none() {
            sink.field(&self.record, self.record.fields().len() - 1)?;
            sink.bytes(bytes)?;
        }
        sink.end_record(&self.record)?;
        sink.finish()?;
        self.buffer = sink.into_output().into_parts().0;
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.target.finish()
    }
}
