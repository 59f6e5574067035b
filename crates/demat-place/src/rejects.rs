//! Writes refused records with the reasons.

use crate::written::Written;
use crate::{Place, RejectedRecord, Target};
use demat_core::{Field, Record, Result, Shape, Sink};
use demat_formats::Output;
use demat_formats::json::WriteOptions;
use demat_formats::ndjson::NdjsonSink;

/// Writes a line of JSON for each record that is left out, as [`CopyJob::rejects`](crate::CopyJob::rejects) does.
///
/// ```
/// use demat_core::Error;
/// use demat_place::{Place, RejectedRecord, Rejects};
/// # fn main() -> demat_core::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("refused.ndjson");
/// let mut rejects = Rejects::create(&Place::from(&path))?;
/// rejects.write(&RejectedRecord::of(&Error::expected("int", "text").within_item(0), b"\"x\""))?;
/// rejects.finish()?;
/// let line = std::fs::read_to_string(&path)?;
/// assert!(line.starts_with(r#"{"path":"$[0]","kind":"type""#), "{line}");
/// # Ok(())
/// # }
/// ```
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
pub struct Rejects {
    target: Target,
    record: Record,
    buffer: Vec<u8>,
}

const NUMBERS: [&str; 4] = ["record", "line", "column", "offset"];
const TEXTS: [&str; 7] = ["path", "kind", "expected", "found", "reason", "data", "data_base64"];

impl Rejects {
    /// Opens a place for refused records.
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io).
    pub fn create(place: &Place) -> Result<Self> {
        let shapes = NUMBERS.map(|name| (name, Shape::Any)).into_iter().chain(TEXTS.map(|name| (name, Shape::Text)));
        let fields = shapes.zip(1..).map(|((name, shape), number)| Field::new(name, number, shape.optional()));
        let record = Record::new("Reject", fields.collect())?;
        Ok(Self { target: Target::create(place)?, record, buffer: Vec::new() })
    }

    /// Writes a refused record.
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io).
    pub fn write(&mut self, rejected: &RejectedRecord) -> Result<()> {
        let data = core::str::from_utf8(&rejected.data).ok();
        let texts = rejected.texts.iter().map(Option::as_deref).chain([data]);
        let output = Output::new(core::mem::take(&mut self.buffer), Written(&mut self.target));
        let mut sink = NdjsonSink::new(output, WriteOptions::default());
        sink.begin_record(&self.record)?;
        for (index, number) in rejected.numbers.into_iter().enumerate() {
            if let Some(number) = number {
                sink.field(&self.record, index)?;
                sink.u64(number)?;
            }
        }
        for (index, text) in texts.enumerate() {
            if let Some(text) = text {
                sink.field(&self.record, NUMBERS.len() + index)?;
                sink.text(text)?;
            }
        }
        if data.is_none() {
            sink.field(&self.record, self.record.fields().len() - 1)?;
            sink.bytes(&rejected.data)?;
        }
        sink.end_record(&self.record)?;
        sink.finish()?;
        self.buffer = sink.into_output().into_parts().0;
        Ok(())
    }

    /// Writes what is left, and lets the place appear.
    ///
    /// # Errors
    /// [`Io`](demat_core::ErrorKind::Io).
    pub fn finish(self) -> Result<()> {
        self.target.finish()
    }
}
