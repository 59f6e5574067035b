use crate::build::{Builders, Full};
use crate::layout_cache::LayoutCache;
use crate::message_rows::MessageRows;
use crate::schema::{Options, row, schema_with};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use core::fmt;
use demat_core::{Error, Mark, Result, Shape, Source};
use std::sync::Arc;

/// Columns that grow by reading records from a [`Source`], and are returned as batches.
///
/// The plan to fill them is made once, from the shape. Each field is then read as the type of its column and appended
/// directly.
///
/// ```
/// use demat_arrow::Columns;
/// use demat_core::Source;
/// use demat_formats::json::JsonSource;
///
/// let mut columns = Columns::new(&"id:int64, title:text?".parse()?)?;
/// let mut source = JsonSource::new(br#"[{"id": 1, "title": "milk"}, {"id": 2}]"#);
/// source.list()?;
/// assert_eq!(columns.records(&mut source, usize::MAX)?, 2);
/// let batch = columns.finish()?;
/// assert_eq!(batch.num_rows(), 2);
/// assert_eq!(batch.column(1).null_count(), 1);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct Columns {
    builders: Builders,
    schema: SchemaRef,
    /// Kept alive, since links within it refer to it.
    shape: Shape,
    rows: usize,
    /// Rows of earlier batches.
    before: u64,
    mark: Mark,
    ended: bool,
}

impl Columns {
    /// Returns columns for records of this shape, or for the items of a list of them, with the types of
    /// [`schema`](crate::schema()).
    ///
    /// # Errors
    /// As [`schema`](crate::schema()).
    pub fn new(shape: &Shape) -> Result<Self> {
        Self::with_options(shape, &Options::default())
    }

    /// As [`new`](Self::new), with options for what the shape leaves open.
    ///
    /// # Errors
    /// As [`schema_with`](crate::schema_with()).
    ///
    /// ```
    /// use demat_arrow::{Columns, Options};
    /// let options = Options { naive: true, ..Options::default() };
    /// let columns = Columns::with_options(&"at:instant".parse()?, &options)?;
    /// assert_eq!(columns.schema().field(0).data_type().to_string(), "Timestamp(µs)");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn with_options(shape: &Shape, options: &Options) -> Result<Self> {
        let schema = Arc::new(schema_with(shape, options)?);
        let builders = Builders::new(&row(shape)?, schema.fields())?;
        let shape = shape.clone();
        Ok(Self { builders, schema, shape, rows: 0, before: 0, mark: Mark::default(), ended: false })
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The shape that the columns were made for.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of rows since the last [`finish`](Self::finish).
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The size of the rows in bytes.
    pub fn bytes(&self) -> usize {
        self.builders.nodes.bytes()
    }

    /// The number of rows in earlier batches.
    pub fn rows_before(&self) -> u64 {
        self.before
    }

    /// The source's mark after the last row of the last [`records`](Self::records), or at its start. Reset the source
    /// over the next window to it.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// Whether the last [`records`](Self::records) reached the end of the list.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Reads up to `most` records of the list that the source has entered, and appends them. Returns their number. If
    /// it is less than `most`, the list [has ended](Self::has_ended), or a column is full (Arrow's offsets have 32
    /// bits). Then call [`finish`](Self::finish).
    ///
    /// # Errors
    /// The errors of the source. The rows before the bad record stay, nothing of that record does, and
    /// [`mark`](Self::mark) is its start. The same holds for [`Signal::Incomplete`](demat_core::Signal): continue there
    /// when there is more input.
    pub fn records<'a, S: Source<'a>>(&mut self, source: &mut S, most: usize) -> Result<usize> {
        let filled = self.fill(source, most, usize::MAX);
        filled.map_err(|error| if error.signal().is_some() { error } else { self.in_row(error) })
    }

    /// As [`records`](Self::records), up to a row that begins at this byte or behind it. Errors do not have the number
    /// of the row.
    pub(crate) fn fill<'a, S: Source<'a>>(&mut self, source: &mut S, most: usize, stop: usize) -> Result<usize> {
        let first = self.rows;
        self.ended = false;
        self.mark = source.mark();
        while self.rows - first < most && self.mark.offset < stop {
            match self.record(source) {
                Ok(true) => {}
                Ok(false) => {
                    self.ended = true;
                    self.mark = source.mark();
                    if self.rows == 0 && self.before == 0 {
                        self.builders.ask_for_none(source)?;
                    }
                    break;
                }
                Err(error) => {
                    self.truncate(self.rows);
                    if Full::is(&error) && self.rows > 0 {
                        source.reset(self.mark);
                        break;
                    }
                    return Err(error);
                }
            }
        }
        Ok(self.rows - first)
    }

    /// As [`fill`](Self::fill), for a stream of Protocol Buffers messages in these bytes, which the source reads.
    /// Messages with a known layout take a fast path.
    pub(crate) fn fill_by_habit<'a, S: Source<'a>>(
        &mut self,
        habit: &mut LayoutCache,
        bytes: &[u8],
        source: &mut S,
        most: usize,
        stop: usize,
    ) -> Result<usize> {
        let first = self.rows;
        self.ended = false;
        self.mark = source.mark();
        while self.rows - first < most && self.mark.offset < stop {
            let (reached, rows) =
                habit.rows(&mut self.builders, bytes, self.mark.offset, stop, most - (self.rows - first));
            if rows > 0 {
                self.rows += rows;
                self.mark.offset = reached;
                source.reset(self.mark);
                continue;
            }
            let (begin, wanted) = (self.mark.offset, habit.pause().min(most - (self.rows - first)));
            let found = self.fill(source, wanted, stop)?;
            if self.ended || (found < wanted && self.mark.offset < stop) {
                break;
            }
            if wanted == 1 {
                habit.learn(&bytes[begin..self.mark.offset]);
            }
        }
        Ok(self.rows - first)
    }

    /// As [`records`](Self::records), for a stream of Protocol Buffers messages in these bytes, which the source reads.
    pub(crate) fn messages<'a, S: Source<'a>>(
        &mut self,
        quick: &mut MessageRows,
        bytes: &[u8],
        source: &mut S,
        most: usize,
    ) -> Result<usize> {
        let first = self.rows;
        self.ended = false;
        self.mark = source.mark();
        while self.rows - first < most {
            let left = most - (self.rows - first);
            let (reached, rows) = quick.rows(&mut self.builders, bytes, self.mark.offset, left);
            if rows > 0 {
                self.rows += rows;
                self.mark.offset = reached;
                source.reset(self.mark);
                continue;
            }
            let wanted = quick.pause().min(left);
            if self.records(source, wanted)? < wanted {
                break;
            }
        }
        Ok(self.rows - first)
    }

    /// Returns the fast path for messages of scalars, if there is one for these columns.
    pub(crate) fn message_rows(&self) -> Option<MessageRows> {
        MessageRows::of(&self.builders)
    }

    /// Returns the fast path for these columns, if there is one.
    pub(crate) fn habit(&self) -> Option<LayoutCache> {
        LayoutCache::of(&self.builders)
    }

    /// Removes the rows from this one on, and any partly appended row.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.builders.nodes.truncate(&self.builders.plans, self.builders.root, rows);
        self.rows = rows;
    }

    #[inline(always)]
    fn record<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        if !source.item()? {
            return Ok(false);
        }
        self.builders.ask_row(source)?;
        self.rows += 1;
        self.mark = source.mark();
        Ok(true)
    }

    #[cold]
    fn in_row(&self, error: Error) -> Error {
        let number = self.before + self.rows as u64;
        let error = error.within_item(number as usize);
        if error.position().record.is_some() { error } else { error.in_record(number + 1) }
    }

    /// Reserves memory for this many rows, estimated from the rows so far.
    ///
    /// Untouched memory costs nothing, but growing into it step by step may cost copies.
    pub fn reserve(&mut self, rows: usize) {
        if self.rows > 0 && rows > self.rows {
            #[allow(clippy::cast_precision_loss)] // an estimate
            self.builders.nodes.reserve(rows as f64 / self.rows as f64);
        }
    }

    /// The builders, for a sink.
    pub(crate) fn builders(&mut self) -> &mut Builders {
        &mut self.builders
    }

    /// Counts the rows that a sink has written.
    pub(crate) fn count(&mut self) {
        self.rows = self.builders.nodes.len(self.builders.root);
    }

    /// Returns the rows as a batch. The columns are then empty.
    ///
    /// # Errors
    /// None that input could cause.
    pub fn finish(&mut self) -> Result<RecordBatch> {
        let batch = self.builders.finish(&self.schema)?;
        self.before += self.rows as u64;
        self.rows = 0;
        Ok(batch)
    }
}

impl fmt::Debug for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Columns").field("schema", &self.schema).field("rows", &self.rows).finish_non_exhaustive()
    }
}
