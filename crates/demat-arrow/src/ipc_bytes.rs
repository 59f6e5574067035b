//! Batches as the bytes of an Arrow stream.

use crate::{BatchDrain, IpcDrain, IpcForm};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use core::fmt;
use demat_core::Result;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The bytes of the Arrow stream of batches, for what reads a stream. Holds those of one batch at a time.
///
/// An error of the batches is an error of [`read`](Read::read), whose inner error it is.
///
/// ```
/// use demat_arrow::{Columns, IpcBatches, IpcBytes};
/// use demat_core::Source;
///
/// let mut columns = Columns::new(&"id:int64".parse()?)?;
/// let mut source = demat_formats::json::JsonSource::new(br#"[{"id": 1}, {"id": 2}]"#);
/// source.list()?;
/// columns.records(&mut source, usize::MAX)?;
/// let (schema, batch) = (columns.schema().clone(), columns.finish()?);
///
/// let mut batches = IpcBatches::new(IpcBytes::new(&schema, [Ok(batch)].into_iter())?)?;
/// assert_eq!(batches.next().transpose()?.map(|batch| batch.num_rows()), Some(2));
/// assert!(batches.next().is_none());
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct IpcBytes<I> {
    /// `None` after the last one.
    batches: Option<I>,
    drain: IpcDrain<Written>,
    written: Written,
    /// The number of written bytes that were read.
    at: usize,
}

/// What the drain has written.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<I: Iterator<Item = Result<RecordBatch>>> IpcBytes<I> {
    /// Returns the stream of batches that all have this schema.
    ///
    /// # Errors
    /// If the schema can't be written.
    pub fn new(schema: &SchemaRef, batches: I) -> Result<Self> {
        let written = Written::default();
        let mut drain = IpcDrain::new(written.clone(), IpcForm::Stream);
        drain.begin(schema)?;
        Ok(Self { batches: Some(batches), drain, written, at: 0 })
    }

    /// Writes the next batch, or the end.
    fn more(&mut self) -> Result<()> {
        self.written.bytes().clear();
        self.at = 0;
        if let Some(batch) = self.batches.as_mut().and_then(Iterator::next) {
            return self.drain.batch(batch?);
        }
        self.batches = None;
        self.drain.finish()
    }
}

impl<I: Iterator<Item = Result<RecordBatch>>> Read for IpcBytes<I> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.written.bytes().get(self.at..).unwrap_or_default().read(into)?;
            self.at += read;
            if read > 0 || into.is_empty() || self.batches.is_none() {
                return Ok(read);
            }
            self.more().map_err(io::Error::other)?;
        }
    }
}

impl<I> fmt::Debug for IpcBytes<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IpcBytes").field("ended", &self.batches.is_none()).finish_non_exhaustive()
    }
}
