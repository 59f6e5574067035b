use crate::Columns;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use demat_core::{Error, Mark, Result, Signal, Source};
use demat_formats::stream::{Window, Windowed};
use std::io::Read;

/// The records of a place, read through a window: an iterator of batches.
///
/// The place holds a list of records. Memory is bounded by the window and by a batch. A bad record ends the
/// iteration: the rows before it come first, and then its error.
///
/// ```
/// use demat_arrow::{Batches, Columns};
/// use demat_formats::{ndjson::Ndjson, stream::Window};
///
/// let reader: &[u8] = b"{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}\n";
/// let columns = Columns::new(&"id:int64".parse()?)?;
/// let batches = Batches::new(Window::new(reader), Ndjson::default(), columns).with_batches(2, usize::MAX);
/// let rows: Vec<usize> = batches.map(|batch| batch.map(|batch| batch.num_rows())).collect::<Result<_, _>>()?;
/// assert_eq!(rows, [2, 1]);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Batches<R, F> {
    window: Window<R>,
    format: F,
    columns: Columns,
    rows: usize,
    bytes: usize,
    phase: Phase,
    mark: Mark,
    /// How many bytes the window has let go of.
    passed: u64,
    /// How many bytes the place has, if that is known.
    total: Option<u64>,
    /// Whether room was made for the batch.
    reserved: bool,
    failed: Option<Error>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Before,
    Inside,
    /// After the list, where nothing but blanks may follow.
    Trailing,
    After,
}

impl<R: Read, F: Windowed> Batches<R, F> {
    /// How many rows a batch has unless something else is said.
    pub const ROWS: usize = 64 * 1024;
    /// How many bytes a batch has, about, unless something else is said.
    pub const BYTES: usize = 64 << 20;

    /// The records of the place behind the window, which is at its start.
    pub fn new(window: Window<R>, format: F, columns: Columns) -> Self {
        let (rows, bytes) = (Self::ROWS, Self::BYTES);
        let (phase, mark) = (Phase::Before, Mark::default());
        let (passed, total, reserved, failed) = (0, None, false, None);
        Self { window, format, columns, rows, bytes, phase, mark, passed, total, reserved, failed }
    }

    /// The same with batches of so many rows, the last one aside, or of so many bytes where that is less: they are
    /// counted once a window.
    #[must_use]
    pub fn with_batches(mut self, rows: usize, bytes: usize) -> Self {
        (self.rows, self.bytes) = (rows.max(1), bytes);
        self
    }

    /// The same of a place that has so many bytes: room for the rows is made once, by what the first ones take.
    #[must_use]
    pub fn with_total(mut self, bytes: Option<u64>) -> Self {
        self.total = bytes;
        self
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        self.columns.schema()
    }

    /// Reads until a batch is full or the place has ended.
    fn read(&mut self) -> Result<()> {
        while self.phase != Phase::After && self.columns.rows() < self.rows && self.columns.bytes() < self.bytes {
            match self.read_window() {
                Ok(true) => {}
                // A column is full.
                Ok(false) => return Ok(()),
                Err(error) if error.signal() == Some(Signal::Incomplete) => {
                    let passed = if self.phase == Phase::Before { 0 } else { self.mark.offset };
                    self.window.consume(passed);
                    self.mark.offset -= passed;
                    self.passed += passed as u64;
                    self.reserve();
                    self.window.fill(passed == 0)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Makes room for the rows of the batch, by what those so far take; a little more, as numbers grow.
    fn reserve(&mut self) {
        let (Some(total), Ok(rows)) = (self.total, u128::try_from(self.columns.rows())) else { return };
        if self.reserved || rows == 0 || self.passed == 0 {
            return;
        }
        self.reserved = true;
        // Of the rows of batches before nothing is left to be counted.
        let all = u128::from(self.columns.rows_before()) + rows;
        let left = u128::from(total.saturating_sub(self.passed)) * all / u128::from(self.passed);
        let most = rows + left + left / 16 + 64;
        self.columns.reserve(usize::try_from(most).unwrap_or(usize::MAX).min(self.rows));
    }

    /// Asks for the records of the window; false where no more of them go into the batch.
    fn read_window(&mut self) -> Result<bool> {
        if self.phase == Phase::Before && self.window.part().bytes.len() < 3 && !self.window.has_ended() {
            // A byte order mark may come in pieces.
            return Err(Error::signalled(Signal::Incomplete));
        }
        let mut source = self.format.source(self.window.part());
        match self.phase {
            Phase::Before => {
                source.list()?;
                self.phase = Phase::Inside;
                self.mark = source.mark();
            }
            _ => source.reset(self.mark),
        }
        if self.phase == Phase::Trailing {
            source.end()?;
            self.phase = Phase::After;
            return Ok(true);
        }
        let wanted = self.rows - self.columns.rows();
        let asked = self.columns.records(&mut source, wanted);
        self.mark = self.columns.mark();
        let full = asked? < wanted;
        if self.columns.has_ended() {
            self.phase = Phase::Trailing;
            return Ok(true);
        }
        Ok(!full)
    }
}

impl<R: Read, F: Windowed> Iterator for Batches<R, F> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        if self.failed.is_none()
            && let Err(error) = self.read()
        {
            self.phase = Phase::After;
            self.failed = Some(error);
        }
        if self.columns.rows() > 0 {
            self.reserved = false;
            return Some(self.columns.finish());
        }
        self.failed.take().map(Err)
    }
}
