use crate::build::{Builders, Full};
use crate::layout_cache::LayoutCache;
use crate::schema::{Options, row, schema_with};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use core::fmt;
use demat_core::{Error, Mark, Result, Shape, Source};
use std::sync::Arc;

/// Columns that grow by asking a [`Source`] for records, and are given out as batches.
///
/// What is needed to fill them is found out once, from the shape. A record then goes from the source to its columns with
/// nothing in between: each field is asked for as what its column holds, and appended.
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
    /// Kept, as links within it lead to it.
    shape: Shape,
    rows: usize,
    /// Rows of batches that were given out.
    before: u64,
    mark: Mark,
    ended: bool,
}

impl Columns {
    /// Columns for records of this shape, or for the items of a list of them, with the types of
    /// [`schema`](crate::schema()).
    ///
    /// # Errors
    /// As [`schema`](crate::schema()).
    pub fn new(shape: &Shape) -> Result<Self> {
        Self::with_options(shape, Options::default())
    }

    /// As [`new`](Self::new), for what a shape does not say.
    ///
    /// # Errors
    /// As [`schema_with`](crate::schema_with()).
    ///
    /// ```
    /// use demat_arrow::{Columns, Options};
    /// let options = Options { naive: true, ..Options::default() };
    /// let columns = Columns::with_options(&"at:instant".parse()?, options)?;
    /// assert_eq!(columns.schema().field(0).data_type().to_string(), "Timestamp(µs)");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn with_options(shape: &Shape, options: Options) -> Result<Self> {
        let schema = Arc::new(schema_with(shape, options)?);
        let builders = Builders::new(&row(shape)?, schema.fields())?;
        let shape = shape.clone();
        Ok(Self { builders, schema, shape, rows: 0, before: 0, mark: Mark::default(), ended: false })
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The shape that they were made for.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// How many rows there are since the last [`finish`](Self::finish).
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many bytes the rows take.
    pub fn bytes(&self) -> usize {
        self.builders.nodes.bytes()
    }

    /// How many rows there were in the batches that were given out.
    pub fn rows_before(&self) -> u64 {
        self.before
    }

    /// Where the source stood after the last row of the last [`records`](Self::records), or where that began: what to
    /// reset the source over the next window to.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// Whether the last [`records`](Self::records) met the end of the list.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Asks for the records of the list that the source is in, at most so many, and appends them; gives how many they
    /// were. Where that is less than were asked for, the list [has ended](Self::has_ended) and was stepped out of, or a
    /// column is full: Arrow counts what is in one with 32 bits. Then the rows are to be [finished](Self::finish).
    ///
    /// # Errors
    /// What the source says of a record; the rows before it stay, nothing of it does, and [`mark`](Self::mark) is
    /// where it begins. So it is with [`Signal::Incomplete`](demat_core::Signal): go on there when there is more.
    pub fn records<'a, S: Source<'a>>(&mut self, source: &mut S, most: usize) -> Result<usize> {
        let filled = self.fill(source, most, usize::MAX);
        filled.map_err(|error| if error.signal().is_some() { error } else { self.in_row(error) })
    }

    /// The same up to a row that begins at this byte or behind it; errors do not say which row they are about.
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

    /// The same of messages of Protocol Buffers one behind the other in such bytes, which the source stands in: those that are like
    /// one before go a shorter way.
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

    /// The short cut to these columns, if there is one.
    pub(crate) fn habit(&self) -> Option<LayoutCache> {
        LayoutCache::of(&self.builders)
    }

    /// Forgets the rows from this one on, and what there is of one more.
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

    /// Makes room for so many rows, where those that there are say how large one is.
    ///
    /// Memory that is not written to costs nothing, but to grow into it piece by piece may cost copies.
    pub fn reserve(&mut self, rows: usize) {
        if self.rows > 0 && rows > self.rows {
            #[allow(clippy::cast_precision_loss)] // an estimate
            self.builders.nodes.reserve(rows as f64 / self.rows as f64);
        }
    }

    /// The builders, for those who tell them.
    pub(crate) fn builders(&mut self) -> &mut Builders {
        &mut self.builders
    }

    /// Counts the rows that were told.
    pub(crate) fn count(&mut self) {
        self.rows = self.builders.nodes.len(self.builders.root);
    }

    /// The rows as a batch; the columns begin anew.
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
