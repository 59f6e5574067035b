use crate::build::{Cursor, Point, Telling};
use crate::{BatchDrain, Columns, Options};
use demat_core::{Error, ErrorKind, Result, Shape, Sink, forward};

/// Columns as a [`Sink`]: told records, it gives out batches of them.
///
/// A batch goes to the drain when so many rows are committed, or so many bytes. Whoever tells says the shape first
/// ([`Sink::begin`]), as [`copy`](demat_core::copy()) does.
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
    /// So many rows the next batch has, until that is as many as all have.
    next: usize,
    told: Option<Told>,
}

/// The columns, once their shape is known.
#[derive(Debug)]
struct Told {
    columns: Columns,
    cursor: Cursor,
    /// Where all stood at the last commit.
    point: Point,
    /// Commits since the bytes were counted.
    commits: u32,
}

/// The bytes are counted once for so many commits.
const COUNTED: u32 = 16;

impl<D: BatchDrain> ColumnsSink<D> {
    /// How many rows a batch has unless something else is said.
    pub const ROWS: usize = 64 * 1024;
    /// How many bytes a batch has, about, unless something else is said.
    pub const BYTES: usize = 64 << 20;

    /// A sink that is still to be told the shape.
    pub fn new(drain: D) -> Self {
        Self { drain, options: Options::default(), rows: Self::ROWS, bytes: Self::BYTES, next: Self::ROWS, told: None }
    }

    /// The same, for what a shape does not say.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// The same with batches of so many rows, the last one aside, or of so many bytes where that is less.
    #[must_use]
    pub fn with_batches(mut self, rows: usize, bytes: usize) -> Self {
        (self.rows, self.bytes) = (rows.max(1), bytes);
        self.next = self.rows;
        self
    }

    /// The same with a first batch of so many rows, and twice as many in each that follows, up to what all have: for who reads
    /// along, and need not wait until many rows are there.
    #[must_use]
    pub fn with_first(mut self, rows: usize) -> Self {
        self.next = rows.clamp(1, self.rows);
        self
    }

    /// The drain, with what it was given.
    pub fn into_drain(self) -> D {
        self.drain
    }

    #[inline(always)]
    fn telling(&mut self) -> Result<Telling<'_>> {
        match &mut self.told {
            Some(told) => Ok(told.columns.builders().at(&mut told.cursor)),
            None => Err(no_shape()),
        }
    }
}

#[cold]
fn no_shape() -> Error {
    Error::new(ErrorKind::Encode, "columns must know the shape of their records before the first one")
}

impl Told {
    fn new(shape: &Shape, options: Options) -> Result<Self> {
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
        if self.told.is_none() {
            let told = Told::new(shape, self.options)?;
            self.drain.begin(told.columns.schema())?;
            self.told = Some(told);
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        let Some(told) = &mut self.told else { return Ok(()) };
        if told.cursor.is_between() {
            told.columns.count();
            told.commits += 1;
            let large = told.commits.is_multiple_of(COUNTED) && told.columns.bytes() >= self.bytes;
            if told.columns.rows() >= self.next || large {
                self.next = self.next.saturating_mul(2).min(self.rows);
                self.drain.batch(told.columns.finish()?)?;
            }
        }
        told.save()
    }

    fn rollback(&mut self) -> Result<()> {
        let Some(told) = &mut self.told else { return Ok(()) };
        told.columns.builders().restore(&mut told.cursor, &told.point)
    }

    fn finish(&mut self) -> Result<()> {
        let Some(told) = &mut self.told else { return Err(no_shape()) };
        if !told.cursor.is_between() {
            return Err(Error::new(ErrorKind::Encode, "the last record was not told to its end"));
        }
        told.columns.count();
        if told.columns.rows() > 0 {
            self.drain.batch(told.columns.finish()?)?;
            told.save()?;
        }
        self.drain.finish()
    }
}
