//! Places that hold columns.

pub(crate) mod arrow;
pub(crate) mod parquet;

use crate::input::{OnProgress, Reader};
use crate::{Format, Input, Place, Progress, Target};
use ::arrow_array::RecordBatch;
use ::arrow_schema::SchemaRef;
use core::fmt;
use demat_arrow::{BatchDrain, Options};
use demat_core::{Result, Shape, Sink};
use demat_formats::codec::{Setting, SettingValue, Values};
use std::io::{BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::format::Kind;
use crate::written::Written;

/// The options with which columns are written.
pub(crate) const WRITE: &[Setting] = &[
    Setting::new(
        "naive",
        Values::Flag,
        "False",
        "whether instants are written as a clock on some wall shows them, without a zone",
    ),
    Setting::new(
        "decimals",
        Values::OptionalPair,
        "None",
        "how many digits decimals have, and how many after the point",
    ),
];

/// Sets one of these options.
///
/// # Errors
/// If there are no such decimals.
pub(crate) fn set_write(options: &mut Options, setting: &Setting, value: &SettingValue) -> Result<()> {
    match value {
        SettingValue::Flag(naive) => options.naive = *naive,
        SettingValue::None => options.decimals = None,
        SettingValue::Pair(digits, behind) => {
            let pair = u8::try_from(*digits).ok().zip(i8::try_from(*behind).ok());
            options.decimals = Some(pair.ok_or_else(|| setting.refused(&format!("({digits}, {behind})")))?);
        }
        other => return Err(setting.refused(&format!("{other:?}"))),
    }
    Ok(())
}

/// The batches of a place.
pub(crate) type Batches<'i> = Box<dyn Iterator<Item = Result<RecordBatch>> + 'i>;

/// A writer of bytes, buffered.
pub(crate) type Buffered<'w> = BufWriter<Box<dyn Write + Send + 'w>>;

/// A format of columns.
pub(crate) trait ColumnCodec: fmt::Debug + Send + Sync {
    /// Opens a place for reading. `read`: how many bytes were read so far, for formats whose reading nobody counts.
    fn open<'i>(&self, input: Input<'i>, place: &Place, read: &AtomicU64) -> Result<(Batches<'i>, SchemaRef)>;

    /// What batches are passed to as they are. `name`: the file's, in lower case and without a suffix of compression; none
    /// if it is no file.
    fn drain<'w>(&self, writer: Buffered<'w>, name: Option<&str>) -> Box<dyn BatchDrain + 'w>;

    /// A sink of values.
    fn sink<'w>(&self, options: Options, writer: Buffered<'w>, name: Option<&str>) -> Box<dyn Sink + 'w>;
}

/// A place that holds columns, open for reading.
pub(crate) struct Columnar<'i> {
    pub(crate) batches: Batches<'i>,
    pub(crate) schema: SchemaRef,
    read: Arc<AtomicU64>,
}

impl<'i> Columnar<'i> {
    /// Opens a place.
    pub(crate) fn open(
        place: &Place,
        format: Format,
        given: Option<Reader<'i>>,
        mut told: Option<OnProgress<'i>>,
    ) -> Result<Self> {
        let Kind::Columns(codec) = format.kind() else { return Err(crate::database::no_stream()) };
        let read = Arc::new(AtomicU64::new(0));
        let own = Arc::clone(&read);
        let counted = move |progress: Progress| {
            own.store(progress.read, Ordering::Relaxed);
            told.as_mut().map_or(Ok(()), |told| told(progress))
        };
        let input = Input::open_with(place, given, Some(Box::new(counted)))?;
        let (batches, schema) = codec.open(input, place, &read)?;
        Ok(Self { batches, schema, read })
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
        let Kind::Columns(codec) = format.kind() else { return Err(crate::database::no_stream()) };
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

/// The name of a file, in lower case and without a suffix of compression.
pub(crate) fn file_name(place: &Place) -> Option<String> {
    let name = place.path()?.file_name()?.to_string_lossy().to_ascii_lowercase();
    Some(crate::Compression::strip_suffix(&name).to_string())
}
