use crate::message_rows::MessageRows;
use crate::{Bordered, Columns};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use demat_core::{Error, Mark, Result, Signal, Source};
use demat_formats::stream::{Window, Windowed};
use std::io::Read;

/// An iterator that reads a list of records through a window, as batches.
///
/// The window and a batch bound the memory. At a bad record the iterator returns the rows before it, then its error,
/// and ends.
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
    /// The number of bytes that the window has consumed.
    passed: u64,
    /// The length of the input in bytes, if known.
    total: Option<u64>,
    /// Whether the columns of the current batch have been reserved.
    reserved: bool,
    failed: Option<Error>,
    /// The fast path for messages, if the format has them.
    messages: Option<MessageRows>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Before,
    Inside,
    /// After the list; only whitespace may follow.
    Trailing,
    After,
}

impl<R: Read, F: Windowed> Batches<R, F> {
    /// The default number of rows in a batch.
    pub const ROWS: usize = 64 * 1024;
    /// The default size of a batch in bytes, approximately.
    pub const BYTES: usize = 64 << 20;

    /// Returns the batches of the input behind a window, which has not been read yet.
    pub fn new(window: Window<R>, format: F, columns: Columns) -> Self {
        let (rows, bytes) = (Self::ROWS, Self::BYTES);
        let (phase, mark) = (Phase::Before, Mark::default());
        let (passed, total, reserved, failed, messages) = (0, None, false, None, None);
        Self { window, format, columns, rows, bytes, phase, mark, passed, total, reserved, failed, messages }
    }

    /// As [`new`](Self::new), for a format whose kind of records is known: messages of scalars take a fast path.
    pub fn bordered(window: Window<R>, format: F, columns: Columns) -> Self
    where
        F: Bordered,
    {
        let messages = if F::MESSAGES { columns.message_rows() } else { None };
        Self { messages, ..Self::new(window, format, columns) }
    }

    /// Limits batches to this many rows and, approximately, to this many bytes. Bytes are counted once per window.
    #[must_use]
    pub fn with_batches(mut self, rows: usize, bytes: usize) -> Self {
        (self.rows, self.bytes) = (rows.max(1), bytes);
        self
    }

    /// Sets the length of the input. Then each batch is reserved once, by the size of its first rows.
    #[must_use]
    pub fn with_total(mut self, bytes: Option<u64>) -> Self {
        self.total = bytes;
        self
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        self.columns.schema()
    }

    /// Reads until a batch is full or the input ends.
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
                    if passed == 0 && self.phase == Phase::Inside {
                        self.window.fill_item(&mut self.format, self.mark, false)?;
                    } else {
                        self.window.fill(passed == 0)?;
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reserves the columns of the batch, by the size of its rows so far. Adds some room, as later numbers tend to be
    /// longer.
    fn reserve(&mut self) {
        let (Some(total), Ok(rows)) = (self.total, u128::try_from(self.columns.rows())) else { return };
        if self.reserved || rows == 0 || self.passed == 0 {
            return;
        }
        self.reserved = true;
        // The bytes of earlier batches are gone, so only their rows count.
        let all = u128::from(self.columns.rows_before()) + rows;
        let left = u128::from(total.saturating_sub(self.passed)) * all / u128::from(self.passed);
        let most = rows + left + left / 16 + 64;
        self.columns.reserve(usize::try_from(most).unwrap_or(usize::MAX).min(self.rows));
    }

    /// Reads the records in the window. Returns `false` if the batch is full.
    fn read_window(&mut self) -> Result<bool> {
        if self.phase == Phase::Before && self.window.part().bytes.len() < 3 && !self.window.has_ended() {
            // A byte order mark may arrive in parts.
            return Err(Error::signalled(Signal::Incomplete));
        }
        let part = self.window.part();
        let bytes = part.bytes;
        let mut source = self.format.source(part);
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
        let asked = match &mut self.messages {
            Some(quick) => self.columns.messages(quick, bytes, &mut source, wanted),
            None => self.columns.records(&mut source, wanted),
        };
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
