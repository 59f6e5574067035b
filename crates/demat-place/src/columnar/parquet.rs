//! Parquet: columns, each compressed separately.

use super::codec::{Batches, Buffered, ColumnCodec};
use crate::{Input, Place};
use arrow_schema::SchemaRef;
use core::sync::atomic::{AtomicU64, Ordering};
use demat_arrow::{BatchDrain, ColumnsSink, Options, ParquetBatches, ParquetDrain};
use demat_core::{Result, Sink};

/// Parquet as a format.
#[derive(Debug)]
pub(crate) struct Parquet;

impl ColumnCodec for Parquet {
    /// Parquet is read from its end, so a place that is no plain file is copied to one first.
    fn open<'i>(
        &self,
        input: Input<'i>,
        place: &Place,
        read: &AtomicU64,
        fields: Option<&[String]>,
    ) -> Result<(Batches<'i>, SchemaRef)> {
        let file = input.into_file(place)?;
        // The reader's progress is unknown, so the whole file counts as read.
        read.fetch_max(file.metadata()?.len(), Ordering::Relaxed);
        let mut batches = ParquetBatches::waiting(file)?;
        if fields.is_some() {
            batches.choose(fields)?;
        }
        let schema = batches.schema().clone();
        Ok((Box::new(batches), schema))
    }

    fn drain<'w>(&self, writer: Buffered<'w>, _: Option<&str>) -> Box<dyn BatchDrain + 'w> {
        Box::new(ParquetDrain::new(writer))
    }

    fn sink<'w>(&self, options: Options, writer: Buffered<'w>, _: Option<&str>) -> Box<dyn Sink + 'w> {
        Box::new(ColumnsSink::new(ParquetDrain::new(writer)).with_options(options))
    }
}
