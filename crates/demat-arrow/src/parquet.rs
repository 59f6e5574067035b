//! Parquet files.

mod bounds;
mod footer;
mod precision;
mod stored;

pub use bounds::GroupBounds;

use crate::BatchDrain;
use crate::fault::{damaged, guarded, guarded_writing, unwritable};
use crate::schema::column_index;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use core::fmt;
use demat_core::{Error, ErrorKind, Result, Shape};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::ChunkReader;
use std::io::Write;
use std::sync::Arc;

const PARQUET: &str = "Parquet";
/// The number of rows in a batch.
const ROWS: usize = 8 * 1024;
/// The largest row group, in bytes before compression. It is held in memory until it is full.
const GROUP: usize = 128 << 20;
/// The largest number of rows in a row group, by default.
const GROUP_ROWS: usize = 1 << 20;

/// An iterator over the batches of a Parquet file.
///
/// The metadata is at the end of the file, so it can't be read through a pipe.
pub struct ParquetBatches {
    reader: Reader,
    footer: Arc<ParquetMetaData>,
    schema: SchemaRef,
    /// The groups of rows to read; `None`: all.
    groups: Option<Vec<usize>>,
    rows: u64,
    read: u64,
    ended: bool,
}

/// The reader of the columns, which begins with the first batch.
enum Reader {
    Waiting(Box<dyn Waiting>),
    Reading(Box<ParquetRecordBatchReader>),
    Failed,
}

/// A file whose metadata is read, and none of its columns.
trait Waiting: Send {
    /// Begins to read all columns, or those with these indices, of all groups of rows, or of these.
    fn begin(
        self: Box<Self>,
        chosen: Option<Vec<usize>>,
        groups: Option<Vec<usize>>,
    ) -> Result<ParquetRecordBatchReader>;
}

impl<F: ChunkReader + 'static> Waiting for ParquetRecordBatchReaderBuilder<F> {
    fn begin(
        self: Box<Self>,
        chosen: Option<Vec<usize>>,
        groups: Option<Vec<usize>>,
    ) -> Result<ParquetRecordBatchReader> {
        guarded(PARQUET, || {
            let mut builder = *self;
            if let Some(chosen) = chosen {
                let mask = ProjectionMask::roots(builder.parquet_schema(), chosen);
                builder = builder.with_projection(mask);
            }
            if let Some(groups) = groups {
                builder = builder.with_row_groups(groups);
            }
            builder.with_batch_size(ROWS).build().map_err(|e| damaged(PARQUET, e.into()))
        })
    }
}

impl ParquetBatches {
    /// Reads the schema of a file.
    ///
    /// # Errors
    /// [`Syntax`](ErrorKind::Syntax) if the file is not Parquet; what the system reports.
    pub fn new(file: impl ChunkReader + 'static) -> Result<Self> {
        Self::of_fields(file, None)
    }

    /// As [`new`](Self::new), but reads only the columns with these names, in the order of the file. The others are not
    /// decompressed. `None`: all.
    ///
    /// # Errors
    /// As [`new`](Self::new), and if there is no column with one of the names.
    pub fn of_fields(file: impl ChunkReader + 'static, fields: Option<&[String]>) -> Result<Self> {
        let mut batches = Self::waiting(file)?;
        batches.choose(fields)?;
        Ok(batches)
    }

    /// As [`new`](Self::new), but reads no column before the first batch, or before some are [chosen](Self::choose).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn waiting(file: impl ChunkReader + 'static) -> Result<Self> {
        guarded(PARQUET, || {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| damaged(PARQUET, e.into()))?;
            let rows = footer::rows(builder.metadata())?;
            let (schema, footer) = (builder.schema().clone(), Arc::clone(builder.metadata()));
            let reader = Reader::Waiting(Box::new(builder));
            Ok(Self { reader, footer, schema, groups: None, rows, read: 0, ended: false })
        })
    }

    /// Begins to read only the columns with these names, in the order of the file; `None`: all. After the first batch
    /// it changes nothing.
    ///
    /// # Errors
    /// If there is no column with one of the names, or what is said of the columns is damaged.
    pub fn choose(&mut self, fields: Option<&[String]>) -> Result<()> {
        let chosen = match fields {
            Some(fields) => {
                let mut found =
                    fields.iter().map(|field| column_index(&self.schema, field)).collect::<Result<Vec<_>>>()?;
                found.sort_unstable();
                found.dedup();
                Some(found)
            }
            None => None,
        };
        if !matches!(self.reader, Reader::Waiting(_)) {
            return Ok(());
        }
        let Reader::Waiting(waiting) = core::mem::replace(&mut self.reader, Reader::Failed) else { return Ok(()) };
        if let Some(chosen) = &chosen {
            self.schema = self.schema.project(chosen).map_err(|error| damaged(PARQUET, error))?.into();
        }
        self.reader = Reader::Reading(Box::new(waiting.begin(chosen, self.groups.take())?));
        Ok(())
    }

    /// Returns what the footer says of a column's values in each group of rows, if they are read as this shape. `None`
    /// if it says nothing that can be relied on: for columns in columns, and for types whose values are compared in another way
    /// than those of the shape.
    ///
    /// ```
    /// use demat_arrow::{ColumnsSink, ParquetBatches, ParquetDrain};
    /// use demat_core::{Shape, Value};
    /// let mut sink = ColumnsSink::new(ParquetDrain::new(tempfile::tempfile()?));
    /// let mut source = demat_formats::json::JsonSource::new(br#"[{"id": 7}, {"id": 2}]"#);
    /// demat_core::copy(&mut source, &"[{id: int}]".parse()?, &mut sink)?;
    /// let batches = ParquetBatches::waiting(sink.into_drain().into_writer()?)?;
    /// let bounds = batches.bounds("id", &"int".parse()?).unwrap();
    /// assert_eq!((bounds[0].rows, bounds[0].nulls), (2, Some(0)));
    /// assert_eq!(bounds[0].ends, Some((Value::Int(2.into()), Value::Int(7.into()))));
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn bounds(&self, field: &str, shape: &Shape) -> Option<Vec<GroupBounds>> {
        bounds::of(&self.footer, &self.schema, field, shape)
    }

    /// Returns the number of rows of each group.
    pub fn groups(&self) -> Vec<u64> {
        self.footer.row_groups().iter().map(|group| u64::try_from(group.num_rows()).unwrap_or_default()).collect()
    }

    /// Reads only the groups of rows with these indices, in this order. After the columns were
    /// [chosen](Self::choose), and after the first batch, it changes nothing.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn keep(&mut self, groups: &[usize]) {
        if matches!(self.reader, Reader::Waiting(_)) {
            let rows = self.groups();
            self.rows = groups.iter().map(|group| rows[*group]).sum();
            self.groups = Some(groups.to_vec());
        }
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Returns the number of rows to read, according to the metadata.
    pub fn rows(&self) -> u64 {
        self.rows
    }
}

impl Iterator for ParquetBatches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        if self.ended {
            return None;
        }
        if matches!(self.reader, Reader::Waiting(_))
            && let Err(error) = self.choose(None)
        {
            self.ended = true;
            return Some(Err(error));
        }
        let Reader::Reading(reader) = &mut self.reader else { return None };
        let next = guarded(PARQUET, || reader.next().transpose().map_err(|error| damaged(PARQUET, error))).transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        match next {
            Some(Ok(batch)) => {
                self.read += batch.num_rows() as u64;
                Some(Ok(batch))
            }
            None if self.read != self.rows => {
                let (said, found) = (footer::counted(self.rows), footer::counted(self.read));
                Some(Err(Error::mismatch(ErrorKind::Syntax, format!("{said}, as the footer says"), found)))
            }
            other => other,
        }
    }
}

impl fmt::Debug for ParquetBatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetBatches").field("schema", &self.schema).finish_non_exhaustive()
    }
}

/// Writes batches to a Parquet file, compressed by Snappy. A row group is held in memory until it is full.
///
/// Timestamps and times in seconds become milliseconds, and `Date64` becomes `Date32`, since Parquet lacks these types.
/// It refuses columns that Parquet can't represent: unions, intervals with nanoseconds, records without fields.
///
/// ```
/// use demat_arrow::{BatchDrain, ColumnsSink, ParquetBatches, ParquetDrain};
/// let mut sink = ColumnsSink::new(ParquetDrain::new(Vec::new()));
/// let mut source = demat_formats::json::JsonSource::new(br#"[{"id": 1}, {"id": 2}]"#);
/// demat_core::copy(&mut source, &"[{id: int64}]".parse()?, &mut sink)?;
/// let bytes = sink.into_drain().into_writer()?;
/// assert_eq!(&bytes[..4], b"PAR1");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct ParquetDrain<W: Write + Send> {
    state: WriterState<W>,
    /// The largest number of rows in a group.
    group: usize,
}

enum WriterState<W: Write + Send> {
    Waiting(W),
    /// The writer, and the schema to convert batches to if Parquet stores a different one.
    Writing(Box<ArrowWriter<W>>, Option<SchemaRef>),
    Done(W),
    /// The schema was refused, or the writer failed.
    Failed,
}

impl<W: Write + Send> ParquetDrain<W> {
    /// Writes to a writer.
    pub fn new(writer: W) -> Self {
        Self { state: WriterState::Waiting(writer), group: GROUP_ROWS }
    }

    /// Limits the groups of rows to so many rows each; by default 1,048,576. Their size in bytes is limited, too.
    #[must_use]
    pub fn with_group_rows(self, rows: usize) -> Self {
        Self { group: rows.max(1), ..self }
    }

    /// Returns the writer; call it after [`finish`](BatchDrain::finish).
    ///
    /// # Errors
    /// What the writer reports, or if the schema was refused.
    pub fn into_writer(self) -> Result<W> {
        match self.state {
            WriterState::Waiting(writer) | WriterState::Done(writer) => Ok(writer),
            WriterState::Writing(writer, _) => {
                guarded_writing(PARQUET, || writer.into_inner().map_err(|error| unwritable(PARQUET, external(error))))
            }
            WriterState::Failed => Err(Error::new(ErrorKind::Encode, "the columns were refused")),
        }
    }
}

impl<W: Write + Send> BatchDrain for ParquetDrain<W> {
    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        let WriterState::Waiting(writer) = core::mem::replace(&mut self.state, WriterState::Failed) else {
            return Ok(());
        };
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_bytes(Some(GROUP))
            .set_max_row_group_row_count(Some(self.group))
            .set_created_by(concat!("demat version ", env!("CARGO_PKG_VERSION")).to_string())
            .build();
        if schema.fields().is_empty() {
            // The number of rows is that of the values in a column.
            return Err(stored::refused("a record without fields", ""));
        }
        let stored = stored::stored(schema)?;
        let own = stored.as_ref().unwrap_or(schema).clone();
        let writer = guarded_writing(PARQUET, || {
            ArrowWriter::try_new(writer, own, Some(properties)).map_err(|error| unwritable(PARQUET, external(error)))
        })?;
        self.state = WriterState::Writing(Box::new(writer), stored);
        Ok(())
    }

    fn batch(&mut self, batch: RecordBatch) -> Result<()> {
        let WriterState::Writing(writer, stored) = &mut self.state else {
            return Err(Error::new(ErrorKind::Encode, "a batch came before its schema"));
        };
        precision::check(&batch)?;
        let batch = match stored {
            Some(schema) => stored::in_schema(&batch, schema)?,
            None => batch,
        };
        guarded_writing(PARQUET, || writer.write(&batch).map_err(|error| unwritable(PARQUET, external(error))))
    }

    fn finish(&mut self) -> Result<()> {
        match core::mem::replace(&mut self.state, WriterState::Failed) {
            // Writes the metadata.
            WriterState::Writing(writer, _) => {
                let mut writer = guarded_writing(PARQUET, || {
                    writer.into_inner().map_err(|error| unwritable(PARQUET, external(error)))
                })?;
                writer.flush()?;
                self.state = WriterState::Done(writer);
            }
            other => self.state = other,
        }
        Ok(())
    }
}

impl<W: Write + Send> fmt::Debug for ParquetDrain<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetDrain").finish_non_exhaustive()
    }
}

/// Returns a writer's error as one of Arrow, which keeps the cause: its own conversion keeps the text alone.
fn external(error: ParquetError) -> ArrowError {
    match error {
        ParquetError::External(cause) => ArrowError::ExternalError(cause),
        other => other.into(),
    }
}
