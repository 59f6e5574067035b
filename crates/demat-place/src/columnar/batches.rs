//! The batches of a columnar place, for callers that want columns.

use super::choice;
use super::codec::{Batches, codec_of};
use crate::input::Reader;
use crate::{Format, Input, Place, lift::lift};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use core::fmt;
use core::sync::atomic::AtomicU64;
use demat_arrow::column_index;
use demat_core::{Error, ErrorKind, Result, Shape};

/// An iterator over the batches of a columnar place: Arrow's or Parquet's.
///
/// ```
/// use demat_place::{ColumnBatches, CopyJob, Format, Place};
/// let folder = tempfile::tempdir()?;
/// let place = Place::File(folder.path().join("tasks.parquet"));
/// let rows = Place::Given("rows".into());
/// CopyJob::new(rows, Format::CSV, place.clone(), Format::PARQUET).reader(&b"id,title\n1,a\n2,b\n"[..]).run()?;
/// let batches = ColumnBatches::open(&place, Format::PARQUET, None, Some(&["title".to_string()]))?;
/// assert_eq!(batches.schema().fields().len(), 1);
/// let rows = batches.map(|batch| batch.map(|batch| batch.num_rows())).sum::<Result<usize, _>>()?;
/// assert_eq!(rows, 2);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct ColumnBatches<'i> {
    batches: Batches<'i>,
    schema: SchemaRef,
    /// The indices of the chosen columns among those that are read.
    chosen: Option<Vec<usize>>,
    place: String,
}

impl<'i> ColumnBatches<'i> {
    /// Opens a place and reads its schema. `reader` provides the bytes of [`Place::Given`]. `fields` are the columns to
    /// read, in this order; `None`: all.
    ///
    /// # Errors
    /// If the format is not columnar, the place can't be opened, its beginning or its end is damaged, or a column is
    /// missing.
    pub fn open(place: &Place, format: Format, reader: Option<Reader<'i>>, fields: Option<&[String]>) -> Result<Self> {
        let name = place.name_as_source();
        let opened = || {
            let input = Input::open_with(place, reader, None)?;
            let (batches, schema) = codec_of(format)?.open(input, place, &AtomicU64::new(0), fields)?;
            let Some(fields) = fields else { return Ok((batches, schema, None)) };
            let chosen = fields.iter().map(|field| column_index(&schema, field)).collect::<Result<Vec<_>>>()?;
            let schema = schema.project(&chosen).map_err(|error| Error::new(ErrorKind::Encode, error.to_string()))?;
            Ok((batches, schema.into(), Some(chosen)))
        };
        let opened: Result<_> = opened();
        let (batches, schema, chosen) = opened.map_err(|error| named(error, &name))?;
        Ok(Self { batches, schema, chosen, place: name })
    }

    /// Reads only the columns that records of a shape have fields for, if that is possible: before the first batch, of a
    /// format whose columns stand by themselves, and unless the shape sees all fields.
    ///
    /// # Errors
    /// If what is said of the columns is damaged.
    pub fn choose(&mut self, shape: &Shape) -> Result<()> {
        if let (Some(fields), None) = (choice::of(&self.schema, core::iter::once(shape)), &self.chosen)
            && let Some(schema) = self.batches.choose(&fields).map_err(|error| named(error, &self.place))?
        {
            self.schema = schema;
        }
        Ok(())
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}

impl Iterator for ColumnBatches<'_> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.next()?.and_then(|batch| match &self.chosen {
            Some(chosen) => batch.project(chosen).map_err(|error| Error::new(ErrorKind::Encode, error.to_string())),
            None => Ok(batch),
        });
        Some(batch.map_err(|error| named(error, &self.place)))
    }
}

impl fmt::Debug for ColumnBatches<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ColumnBatches")
            .field("schema", &self.schema)
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

fn named(error: Error, place: &str) -> Error {
    if error.place().is_some() { error } else { lift(error).in_place(place) }
}
