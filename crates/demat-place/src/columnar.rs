//! Places that hold columns.

use crate::input::{OnProgress, Reader};
use crate::{Format, Input, Place, Progress};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use demat_arrow::{BatchDrain, IpcBatches, IpcDrain, ParquetBatches, ParquetDrain};
use demat_core::{Result, Shape};
use std::io::{BufReader, BufWriter};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::written::Written;
use crate::{Target, sinks};

/// The batches of a place.
pub(crate) type Batches<'i> = Box<dyn Iterator<Item = Result<RecordBatch>> + 'i>;

/// A place that holds columns, open for reading.
pub(crate) struct Columnar<'i> {
    pub(crate) batches: Batches<'i>,
    pub(crate) schema: SchemaRef,
    read: Arc<AtomicU64>,
}

impl<'i> Columnar<'i> {
    /// Opens a place. One of Parquet that is no plain file is written to one first, since it is read from its end.
    pub(crate) fn open(
        place: &Place,
        format: Format,
        given: Option<Reader<'i>>,
        mut told: Option<OnProgress<'i>>,
    ) -> Result<Self> {
        let read = Arc::new(AtomicU64::new(0));
        let own = Arc::clone(&read);
        let counted = move |progress: Progress| {
            own.store(progress.read, Ordering::Relaxed);
            told.as_mut().map_or(Ok(()), |told| told(progress))
        };
        let input = Input::open_with(place, given, Some(Box::new(counted)))?;
        if format == Format::Parquet {
            let file = input.into_file(place)?;
            // Of what is read where and when nobody tells.
            read.fetch_max(file.metadata()?.len(), Ordering::Relaxed);
            let batches = ParquetBatches::new(file)?;
            return Ok(Self { schema: batches.schema().clone(), batches: Box::new(batches), read });
        }
        let batches = IpcBatches::new(BufReader::with_capacity(128 * 1024, input))?;
        Ok(Self { schema: batches.schema().clone(), batches: Box::new(batches), read })
    }

    /// The shape of the rows: a list of records.
    pub(crate) fn shape(&self) -> Result<Shape> {
        demat_arrow::shape(&self.schema)
    }

    /// How many bytes were read.
    pub(crate) fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Copies the batches as they are, the first rows only where a number is given; gives how many rows there were.
    ///
    /// From columns to columns nothing need be asked value by value, and types stay that a shape does not tell apart.
    pub(crate) fn pass(
        &mut self,
        place: &Place,
        format: Format,
        target: &mut Target,
        first: Option<u64>,
    ) -> Result<u64> {
        let writer = BufWriter::new(Written(target));
        if format == Format::Parquet {
            self.pass_to(ParquetDrain::new(writer), first)
        } else {
            self.pass_to(IpcDrain::new(writer, sinks::ipc_form(place)), first)
        }
    }

    fn pass_to(&mut self, mut drain: impl BatchDrain, first: Option<u64>) -> Result<u64> {
        drain.begin(&self.schema)?;
        let most = first.unwrap_or(u64::MAX);
        let mut rows = 0;
        while rows < most {
            let Some(batch) = self.batches.next().transpose()? else { break };
            let wanted = usize::try_from(most - rows).unwrap_or(usize::MAX).min(batch.num_rows());
            rows += wanted as u64;
            drain.batch(if wanted < batch.num_rows() { batch.slice(0, wanted) } else { batch })?;
        }
        drain.finish()?;
        Ok(rows)
    }
}
