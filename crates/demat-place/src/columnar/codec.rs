//! The codecs of columnar formats.

use super::{arrow, parquet};
use crate::{Format, Input, Place};
use ::arrow_array::RecordBatch;
use ::arrow_schema::SchemaRef;
use core::fmt;
use core::sync::atomic::AtomicU64;
use demat_arrow::{BatchDrain, GroupBounds, IpcBatches, Options, ParquetBatches};
use demat_core::{Result, Shape, Sink};
use std::io::{BufWriter, Write};

/// The batches of a place.
pub(super) type Batches<'i> = Box<dyn BatchSource + 'i>;

/// Batches of columns, of which some may be chosen.
pub(super) trait BatchSource: Iterator<Item = Result<RecordBatch>> + Send {
    /// Reads only these columns, if the others need not be read and no batch was. Returns the schema then.
    fn choose(&mut self, fields: &[String]) -> Result<Option<SchemaRef>> {
        let _ = fields;
        Ok(None)
    }

    /// Returns what is known of a column's values in each group of rows without reading them, if they are read as this
    /// shape.
    fn bounds(&self, field: &str, shape: &Shape) -> Option<Vec<GroupBounds>> {
        let _ = (field, shape);
        None
    }

    /// Reads only the groups of rows with these indices. It comes before columns are chosen.
    fn keep(&mut self, groups: &[usize]) {
        let _ = groups;
    }
}

impl<R: std::io::Read + Send> BatchSource for IpcBatches<R> {}

impl BatchSource for ParquetBatches {
    fn choose(&mut self, fields: &[String]) -> Result<Option<SchemaRef>> {
        Self::choose(self, Some(fields))?;
        Ok(Some(self.schema().clone()))
    }

    fn bounds(&self, field: &str, shape: &Shape) -> Option<Vec<GroupBounds>> {
        Self::bounds(self, field, shape)
    }

    fn keep(&mut self, groups: &[usize]) {
        Self::keep(self, groups);
    }
}

/// A writer of bytes, buffered.
pub(super) type Buffered<'w> = BufWriter<Box<dyn Write + Send + 'w>>;

/// A columnar format.
pub(super) trait ColumnCodec: fmt::Debug + Send + Sync {
    /// Opens a place for reading. `read`: the number of bytes read so far, for formats whose reads are not counted
    /// otherwise. `fields`: the columns that are needed; others may be read, too.
    fn open<'i>(
        &self,
        input: Input<'i>,
        place: &Place,
        read: &AtomicU64,
        fields: Option<&[String]>,
    ) -> Result<(Batches<'i>, SchemaRef)>;

    /// Returns the destination of unchanged batches. `name`: the file's name, in lower case and without a compression
    /// suffix; `None` if it is no file.
    fn drain<'w>(&self, writer: Buffered<'w>, name: Option<&str>) -> Box<dyn BatchDrain + 'w>;

    /// Returns a sink for values.
    fn sink<'w>(&self, options: Options, writer: Buffered<'w>, name: Option<&str>) -> Box<dyn Sink + 'w>;
}

/// The columnar formats and their codecs.
static CODECS: [(Format, &dyn ColumnCodec); 2] = [(Format::ARROW, &arrow::Arrow), (Format::PARQUET, &parquet::Parquet)];

/// Returns the codec of a format.
///
/// # Errors
/// If the format is not columnar.
pub(super) fn codec_of(format: Format) -> Result<&'static dyn ColumnCodec> {
    let found = CODECS.iter().find(|(own, _)| *own == format);
    found.map(|(_, codec)| *codec).ok_or_else(crate::database::no_stream)
}
