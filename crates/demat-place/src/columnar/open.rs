//! A columnar place, open for reading.

use super::codec::{Batches, Buffered, codec_of};
use super::skipped::{Numbered, Skipped};
use super::{choice, file_name, options};
use crate::input::{OnProgress, Reader};
use crate::reading::{Reading, Receiver, listed};
use crate::written::Written;
use crate::{Format, Input, Place, Progress, Target, Where, WriteOptions};
use arrow_schema::SchemaRef;
use demat_arrow::ArrowSource;
use demat_core::{Result, Shape, Sink, Source};
use demat_formats::stream::{self, Stop};
use std::io::{BufWriter, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A columnar place, open for reading.
pub(crate) struct Columnar<'i> {
    pub(super) batches: Batches<'i>,
    pub(crate) schema: SchemaRef,
    read: Arc<AtomicU64>,
    skipped: Skipped,
}

impl<'i> Columnar<'i> {
    /// Opens a place.
    pub(crate) fn open(
        place: &Place,
        format: Format,
        given: Option<Reader<'i>>,
        mut told: Option<OnProgress<'i>>,
    ) -> Result<Self> {
        let codec = codec_of(format)?;
        let read = Arc::new(AtomicU64::new(0));
        let own = Arc::clone(&read);
        let counted = move |progress: Progress| {
            own.store(progress.read, Ordering::Relaxed);
            told.as_mut().map_or(Ok(()), |told| told(progress))
        };
        let input = Input::open_with(place, given, Some(Box::new(counted)))?;
        let (batches, schema) = codec.open(input, place, &read, None)?;
        Ok(Self { batches, schema, read, skipped: Skipped::default() })
    }

    /// The shape of the rows: a list of records.
    pub(crate) fn shape(&self) -> Result<Shape> {
        demat_arrow::shape(&self.schema)
    }

    /// Reads only the columns that these shapes have, if the format can leave the others out. Shapes that see all fields
    /// read all columns.
    pub(crate) fn choose<'s>(&mut self, shapes: impl Iterator<Item = &'s Shape>) -> Result<()> {
        let Some(named) = choice::of(&self.schema, shapes) else { return Ok(()) };
        if let Some(schema) = self.batches.choose(&named)? {
            self.schema = schema;
        }
        Ok(())
    }

    /// Skips the groups of rows of which a condition can choose none, as their statistics show, if the rows are read as a
    /// list of this shape. It comes before [`choose`](Self::choose).
    pub(crate) fn skip(&mut self, condition: &Where, list: &Shape) {
        self.skipped = Skipped::of(&mut *self.batches, &self.schema, condition, list);
    }

    /// Returns the source of all rows, as a list.
    pub(crate) fn boxed(self) -> Box<dyn Source<'i> + 'i> {
        // As a trait object, like all sources except the fastest: decoding columns takes far longer than the calls.
        Box::new(ArrowSource::new(self.batches))
    }

    /// The number of bytes read.
    pub(crate) fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Whether batches can be copied unchanged: to a columnar format with default options.
    pub(crate) fn passes_to(format: Format, write: &WriteOptions) -> bool {
        format.is_columnar() && options::of(format, write).is_ok_and(|own| own == demat_arrow::Options::default())
    }

    /// Copies batches unchanged; only the first rows if a number is given. Returns the number of rows.
    ///
    /// Between columnar formats no value has to be decoded, and types are kept that have the same shape.
    pub(crate) fn pass(
        &mut self,
        place: &Place,
        format: Format,
        target: &mut Target,
        first: Option<u64>,
    ) -> Result<u64> {
        let codec = codec_of(format)?;
        let writer: Buffered<'_> = BufWriter::new(Box::new(Written(target)));
        let mut drain = codec.drain(writer, file_name(place).as_deref());
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

impl Reading for Columnar<'_> {
    fn copy(&mut self, to: Receiver<'_, '_, '_>) -> Result<stream::Summary> {
        // As a trait object, like all sources except the fastest: decoding columns takes far longer than the calls.
        let mut source: Box<dyn Source<'_>> = Box::new(ArrowSource::new(&mut self.batches));
        let Receiver { shape, sink, judge, choice } = to;
        let skipped = &self.skipped;
        let copied = stream::copy_repaired(&mut source, shape, sink, &mut Numbered { judge, skipped }, choice, None);
        copied.map_err(|error| skipped.counted(error))
    }

    fn read(&self) -> u64 {
        Columnar::read(self)
    }
}

/// Reads all rows of a columnar format and writes them to a sink. Returns their number.
pub(crate) fn tell<R: Read + Send>(
    format: Format,
    reader: R,
    shape: Option<&Shape>,
    sink: &mut dyn Sink,
) -> Result<u64> {
    let place = Place::Given(format.name().to_string());
    let columns = Columnar::open(&place, format, Some(Box::new(reader)), None)?;
    let shape = shape.map_or_else(|| columns.shape(), |shape| Ok(listed(shape.clone())))?;
    Ok(stream::copy_from(&mut columns.boxed(), &shape, sink, &mut Stop)?.records)
}
