use crate::build::{ColumnSink, Cursor, Point};
use crate::{BatchDrain, Columns, Options};
use demat_core::{Error, ErrorKind, Result, Shape, Sink, forward};

/// A [`Sink`] that builds batches from records.
///
/// It passes a batch to the drain once enough rows or bytes are committed. Call [`Sink::begin`] with the shape first,
/// as
/// [`copy`](demat_core::copy()) does.
///
/// ```
/// use arrow_array::RecordBatch;
/// use demat_arrow::ColumnsSink;
/// use demat_formats::json::JsonSource;
///
/// let mut sink = ColumnsSink::new(Vec::<RecordBatch>::new());
/// let mut source = JsonSource::new(br#"[{"id": 1}, {"id": 2}]"#);
/// demat_core::copy(&mut source, &"[{id: int64}]".parse()?, &mut sink)?;
/// assert_eq!(sink.into_drain()[0].num_rows(), 2);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct ColumnsSink<D> {
    drain: D,
    options: Options,
    rows: usize,
    bytes: usize,
    /// The number of rows in the next batch; it grows up to `rows`.
    next: usize,
    builder: Option<BatchBuilder>,
}

/// Builds batches, once the shape is known.
#[derive(Debug)]
struct BatchBuilder {
    columns: Columns,
    cursor: Cursor,
    /// The savepoint of the last commit.
    point: Point,
    /// The number of commits.
    commits: u32,
}

/// The number of commits between two counts of the bytes.
const COUNTED: u32 = 16;

impl<D: BatchDrain> ColumnsSink<D> {
    /// The default number of rows in a batch.
    pub const ROWS: usize = 64 * 1024;
    /// The default size of a batch in bytes, approximately.
    pub const BYTES: usize = 64 << 20;

    /// Returns a sink without a shape yet.
    pub fn new(drain: D) -> Self {
        Self {
            drain,
            options: Options::default(),
            rows: Self::ROWS,
            bytes: Self::BYTES,
            next: Self::ROWS,
            builder: None,
        }
    }

    /// Sets options for what the shape leaves open.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Limits batches to this many rows and, approximately, to this many bytes.
    #[must_use]
    pub fn with_batches(mut self, rows: usize, bytes: usize) -> Self {
        (self.rows, self.bytes) = (rows.max(1), bytes);
        self.next = self.rows;
        self
    }

    /// Limits the first batch to this many rows; each further batch doubles, up to the limit of all batches. So a
    /// reader of the stream gets the first rows early.
    #[must_use]
    pub fn with_first(mut self, rows: usize) -> Self {
        self.next = rows.clamp(1, self.rows);
        self
    }

    /// Returns the drain.
    pub fn into_drain(self) -> D {
        self.drain
    }

    #[inline(always)]
    fn telling(&mut self) -> Result<ColumnSink<'_>> {
        match &mut self.builder {
            Some(builder) => Ok(builder.columns.builders().at(&mut builder.cursor)),
            None => Err(no_shape()),
        }
    }
}

#[cold]
fn no_shape() -> Error {
    Error::new(ErrorKind::Encode, "columns must know the shape of their records before the first one")
}

impl BatchBuilder {
    fn new(shape: &Shape, options: &Options) -> Result<Self> {
        let mut columns = Columns::with_options(shape, options)?;
        let cursor = Cursor::new(columns.builders().root, true);
        let mut own = Self { columns, cursor, point: Point::default(), commits: 0 };
        own.save()?;
        Ok(own)
    }

    fn save(&mut self) -> Result<()> {
        self.columns.builders().save(&mut self.cursor, &mut self.point)
    }
}

impl<D: BatchDrain> Sink for ColumnsSink<D> {
    forward! { self => self.telling()?;
        null bool int i64 float float32 text bytes decimal date time date_time instant duration uuid variant containers
    }

    fn begin(&mut self, shape: &Shape) -> Result<()> {
        if self.builder.is_none() {
            let builder = BatchBuilder::new(shape, &self.options)?;
            self.drain.begin(builder.columns.schema())?;
            self.builder = Some(builder);
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        let Some(builder) = &mut self.builder else { return Ok(()) };
        if builder.cursor.is_between() {
            builder.columns.count();
            builder.commits += 1;
            let large = builder.commits.is_multiple_of(COUNTED) && builder.columns.bytes() >= self.bytes;
            if builder.columns.rows() >= self.next || large {
                self.next = self.next.saturating_mul(2).min(self.rows);
                self.drain.batch(builder.columns.finish()?)?;
            }
        }
        builder.save()
    }

    fn rollback(&mut self) -> Result<()> {
        let Some(builder) = &mut self.builder else { return Ok(()) };
        builder.columns.builders().restore(&mut builder.cursor, &builder.point)
    }

    fn finish(&mut self) -> Result<()> {
        let Some(builder) = &mut self.builder else { return Err(no_shape()) };
        if !builder.cursor.is_between() {
            return Err(Error::new(ErrorKind::Encode, "the last record was not told to its end"));
        }
        builder.columns.count();
        if builder.columns.rows() > 0 {
            self.drain.batch(builder.columns.finish()?)?;
            builder.save()?;
        }
        self.drain.finish()
    }
}
