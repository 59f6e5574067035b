//! What reads and writes a format of columns.

use super::{arrow, parquet};
use crate::{Format, Input, Place};
use ::arrow_array::RecordBatch;
use ::arrow_schema::SchemaRef;
use core::fmt;
use core::sync::atomic::AtomicU64;
use demat_arrow::{BatchDrain, Options};
use demat_core::{Result, Sink};
use std::io::{BufWriter, Write};

/// The batches of a place.
pub(super) type Batches<'i> = Box<dyn Iterator<Item = Result<RecordBatch>> + 'i>;

/// A writer of bytes, buffered.
pub(super) type Buffered<'w> = BufWriter<Box<dyn Write + Send + 'w>>;

/// A format of columns.
pub(super) trait ColumnCodec: fmt::Debug + Send + Sync {
    /// Opens a place for reading. `read`: how many bytes were read so far, for formats whose reading nobody counts.
    fn open<'i>(&self, input: Input<'i>, place: &Place, read: &AtomicU64) -> Result<(Batches<'i>, SchemaRef)>;

    /// What batches are passed to as they are. `name`: the file's, in lower case and without a suffix of compression;
    /// none if it is no file.
    fn drain<'w>(&self, writer: Buffered<'w>, name: Option<&str>) -> Box<dyn BatchDrain + 'w>;

    /// A sink of values.
    fn sink<'w>(&self, options: Options, writer: Buffered<'w>, name: Option<&str>) -> Box<dyn Sink + 'w>;
}

/// The formats of columns, and what reads and writes each.
static CODECS: [(Format, &dyn ColumnCodec); 2] = [(Format::ARROW, &arrow::Arrow), (Format::PARQUET, &parquet::Parquet)];

/// Returns what reads and writes a format.
///
/// # Errors
/// If the format is none of columns.
pub(super) fn codec_of(format: Format) -> Result<&'static dyn ColumnCodec> {
    let found = CODECS.iter().find(|(own, _)| *own == format);
    found.map(|(_, codec)| *codec).ok_or_else(crate::database::no_stream)
}
