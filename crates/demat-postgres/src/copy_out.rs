//! Reads the binary format of `COPY`.

use crate::connection::Connection;
use crate::failure::broken_off;
use crate::rows::{RowColumn, Rows};
use crate::shared::Busy;
use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::Poll;
use demat_core::{Error, ErrorKind, Result};
use futures_util::Stream;
use std::borrow::Cow;
use tokio_postgres::CopyOutStream;

/// The bytes that a stream in the binary format begins with.
pub(crate) const SIGNATURE: &[u8; 11] = b"PGCOPY\n\xff\r\n\0";

/// The largest value of a column, in bytes.
const LARGEST: usize = 0x3FFF_FFFF;

/// The bytes to gather before rows are read from them.
const ENOUGH: usize = 1 << 16;

/// A stream of bytes, in pieces.
pub trait Pieces {
    /// Appends more bytes. Returns false at the end.
    ///
    /// # Errors
    /// If the stream fails.
    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool>;
}

impl Pieces for &[u8] {
    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool> {
        into.extend_from_slice(self);
        Ok(!core::mem::take(self).is_empty())
    }
}

/// What a server sends for a `COPY … TO STDOUT`.
pub struct CopyOut {
    connection: Connection,
    /// It is dropped before the mark that rows are read.
    stream: Pin<Box<CopyOutStream>>,
    busy: Option<Busy>,
    ended: bool,
    /// Whether the query changes nothing.
    only_reads: bool,
}

impl CopyOut {
    pub(crate) fn new(connection: Connection, stream: CopyOutStream, busy: Busy, only_reads: bool) -> Self {
        Self { connection, stream: Box::pin(stream), busy: Some(busy), ended: false, only_reads }
    }
}

impl Pieces for CopyOut {
    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool> {
        if self.ended {
            return Ok(false);
        }
        let Self { connection, stream, ended, busy, .. } = &mut *self;
        let start = into.len();
        // The server sends each row by itself, and many arrive together. It waits for one of them alone.
        connection
            .wait(poll_fn(|context| {
                loop {
                    match stream.as_mut().poll_next(context) {
                        Poll::Ready(Some(Ok(bytes))) => {
                            into.extend_from_slice(&bytes);
                            if into.len() - start >= ENOUGH {
                                return Poll::Ready(Ok(()));
                            }
                        }
                        Poll::Ready(end) => {
                            *ended = true;
                            return Poll::Ready(end.map_or(Ok(()), |error| error.map(drop)));
                        }
                        Poll::Pending if into.len() > start => return Poll::Ready(Ok(())),
                        Poll::Pending => return Poll::Pending,
                    }
                }
            }))?
            .map_err(|error| connection.failed(error))?;
        if *ended {
            *busy = None;
        }
        Ok(into.len() > start || !*ended)
    }
}

impl Drop for CopyOut {
    fn drop(&mut self) {
        if self.busy.is_some() && !self.ended {
            self.connection.leave(self.only_reads, &mut self.stream);
        }
    }
}

impl fmt::Debug for CopyOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyOut").field("connection", &self.connection).finish_non_exhaustive()
    }
}

/// The rows of a stream in the binary format of `COPY`.
///
/// It holds one row, and what arrived behind it. No length in the stream is believed before its bytes are there.
#[derive(Debug)]
pub struct CopyRows<P> {
    pieces: P,
    columns: Vec<RowColumn>,
    bytes: Vec<u8>,
    /// Where the current row begins.
    from: usize,
    /// Where the next row begins.
    at: usize,
    /// Where the cells of the current row are.
    cells: Vec<Option<(usize, usize)>>,
    begun: bool,
    ended: bool,
    rows: u64,
}

impl<P: Pieces> CopyRows<P> {
    /// Returns the rows of a stream, whose columns are known.
    pub fn new(pieces: P, columns: Vec<RowColumn>) -> Self {
        let cells = vec![None; columns.len()];
        Self { pieces, columns, bytes: Vec::new(), from: 0, at: 0, cells, begun: false, ended: false, rows: 0 }
    }

    /// Waits until there are `len` bytes behind `at`.
    #[inline]
    fn need(&mut self, at: usize, len: usize) -> Result<()> {
        if self.bytes.len() - at >= len { Ok(()) } else { self.fetch(at, len) }
    }

    #[inline(never)]
    fn fetch(&mut self, at: usize, len: usize) -> Result<()> {
        while self.bytes.len() - at < len {
            if !self.pieces.more(&mut self.bytes).map_err(|error| broken_off(self.rows, &error))? {
                return Err(damaged(format!("the server's rows end within row {}", self.rows + 1)));
            }
        }
        Ok(())
    }

    /// Reads the header.
    fn begin(&mut self) -> Result<()> {
        self.need(0, 19)?;
        if !self.bytes.starts_with(SIGNATURE) {
            return Err(damaged("the server's rows are not in the binary format of COPY"));
        }
        let word = |at: usize| u32::from_be_bytes([0, 1, 2, 3].map(|byte| self.bytes[at + byte]));
        // The lower half of the flags is for what a reader need not know. There is no critical one without identifiers.
        if word(11) >> 16 != 0 {
            return Err(damaged("the server's rows have a form that Demat does not know"));
        }
        let extension = word(15) as usize;
        if extension > LARGEST {
            return Err(damaged("the header of the server's rows is too long"));
        }
        self.need(19, extension)?;
        self.at = 19 + extension;
        self.begun = true;
        Ok(())
    }

    /// Checks that nothing follows the last row.
    fn end(&mut self) -> Result<bool> {
        self.ended = true;
        self.cells.fill(None);
        self.bytes.drain(..self.at);
        while self.bytes.is_empty()
            && self.pieces.more(&mut self.bytes).map_err(|error| broken_off(self.rows, &error))?
        {}
        if self.bytes.is_empty() { Ok(false) } else { Err(damaged("bytes follow the server's last row")) }
    }
}

impl<P: Pieces> Rows for CopyRows<P> {
    fn columns(&self) -> &[RowColumn] {
        &self.columns
    }

    fn step(&mut self) -> Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if !self.begun {
            self.begin()?;
        }
        if self.at > 0 && self.bytes.len() - self.at < 2 || self.at > ENOUGH * 4 {
            self.bytes.drain(..self.at);
            self.at = 0;
        }
        self.from = self.at;
        self.need(self.at, 2)?;
        let count = i16::from_be_bytes([self.bytes[self.at], self.bytes[self.at + 1]]);
        let mut at = self.at + 2;
        if count == -1 {
            self.at = at;
            return self.end();
        }
        if usize::try_from(count) != Ok(self.columns.len()) {
            let (row, columns) = (self.rows + 1, self.columns.len());
            return Err(damaged(format!(
                "row {row} of the server has {count} values, and there are {columns} columns"
            )));
        }
        for column in 0..self.columns.len() {
            self.need(at, 4)?;
            let len = i32::from_be_bytes([0, 1, 2, 3].map(|byte| self.bytes[at + byte]));
            at += 4;
            self.cells[column] = match usize::try_from(len) {
                Ok(len) if len <= LARGEST => {
                    self.need(at, len)?;
                    at += len;
                    Some((at - len, at))
                }
                _ if len == -1 => None,
                _ => {
                    let (row, name) = (self.rows + 1, &self.columns[column].name);
                    return Err(damaged(format!("a value of the server has {len} bytes: `{name}` of row {row}")));
                }
            };
        }
        self.at = at;
        self.rows += 1;
        Ok(true)
    }

    #[inline]
    fn cell(&self, column: usize) -> Option<&[u8]> {
        let (start, end) = self.cells.get(column).copied().flatten()?;
        self.bytes.get(start..end)
    }

    /// Whether the bytes that are here hold no other row as long as the last one.
    fn may_wait(&self) -> bool {
        !self.ended && self.bytes.len() - self.at < self.at - self.from
    }
}

/// Returns the error for bytes that break the format. No row behind them can be found.
#[cold]
fn damaged(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Io, message)
}
