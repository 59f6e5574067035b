//! Sends rows by binary `COPY`.

use crate::connection::Connection;
use crate::copy_out::SIGNATURE;
use crate::name::listed;
use crate::shared::Busy;
use crate::sink::RowWriter;
use crate::table::Table;
use bytes::Bytes;
use core::fmt;
use core::pin::Pin;
use demat_core::{Error, ErrorKind, Result};
use futures_util::SinkExt;
use std::sync::Arc;
use tokio_postgres::CopyInSink;

/// Rows on their way to a table.
pub struct CopyIn {
    connection: Connection,
    target: String,
    columns: Vec<String>,
    open: Option<Open>,
    /// The rows that the server took.
    done: u64,
    /// The rows sent since.
    sent: u64,
}

/// A `COPY … FROM STDIN` for some of the columns.
struct Open {
    /// It is dropped before the mark that rows are written.
    sink: Pin<Box<CopyInSink<Bytes>>>,
    busy: Busy,
    columns: Arc<[usize]>,
}

impl CopyIn {
    pub(crate) fn new(connection: Connection, table: &Table) -> Self {
        let columns = table.columns.iter().map(|column| column.name.clone()).collect();
        Self { connection, target: table.quoted.clone(), columns, open: None, done: 0, sent: 0 }
    }

    /// The number of rows that the server took.
    pub fn rows(&self) -> u64 {
        self.done
    }

    /// Begins to send rows of these columns.
    fn begin(&mut self, columns: &Arc<[usize]>) -> Result<()> {
        let names = columns.iter().filter_map(|column| self.columns.get(*column)).map(String::as_str);
        let sql = format!("COPY {} ({}) FROM STDIN (FORMAT BINARY)", self.target, listed(names));
        let busy = self.connection.begin_rows()?;
        let sink = self
            .connection
            .wait(self.connection.client().copy_in::<_, Bytes>(&sql))?
            .map_err(|error| self.connection.failed(error))?;
        self.open = Some(Open { sink: Box::pin(sink), busy, columns: Arc::clone(columns) });
        let mut header = Vec::from(SIGNATURE);
        header.extend_from_slice(&[0; 8]);
        self.send(Bytes::from(header))
    }

    /// Adds rows of nothing but defaults, which COPY can't: it needs a column.
    fn add_defaults(&mut self, count: u64) -> Result<()> {
        let sql = format!("INSERT INTO {} SELECT FROM pg_catalog.generate_series(1, {count})", self.target);
        self.connection.execute(&sql)?;
        self.done += count;
        Ok(())
    }

    fn send(&mut self, bytes: Bytes) -> Result<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let sent = async {
            let sent = open.sink.send(bytes).await;
            // The task that drives the connection writes now, so that the server works while more rows are encoded.
            tokio::task::yield_now().await;
            sent
        };
        match self.connection.wait(sent)? {
            Ok(()) => Ok(()),
            // What the server said is reported at the end only.
            Err(error) => Err(self.end().err().unwrap_or_else(|| self.connection.failed(error))),
        }
    }

    /// Ends the rows of these columns.
    fn end(&mut self) -> Result<()> {
        let Some(Open { mut sink, busy, .. }) = self.open.take() else { return Ok(()) };
        let finished = self.connection.wait(sink.as_mut().finish());
        drop(sink);
        drop(busy);
        let finished = finished?;
        let sent = core::mem::take(&mut self.sent);
        match finished {
            Ok(rows) => {
                self.done += rows;
                Ok(())
            }
            Err(error) => Err(self.located(self.connection.failed(error), sent)),
        }
    }

    /// Adds how far the rows came.
    #[cold]
    fn located(&self, error: Error, sent: u64) -> Error {
        if error.kind() == ErrorKind::Io {
            let rows = self.done + sent;
            // Without a transaction, each COPY is one.
            let stored = if self.done == 0 || self.connection.is_in_transaction() {
                "none is stored".to_string()
            } else {
                format!("{} are stored", self.done)
            };
            let message = format!("{} (after {rows} rows were sent, of which {stored})", error.reason());
            return Error::new(ErrorKind::Io, message).because(error);
        }
        // The server counts the rows of one COPY.
        match error.position().record {
            Some(record) if self.done > 0 => error.in_record(self.done + record),
            _ => error,
        }
    }
}

impl RowWriter for CopyIn {
    fn write(&mut self, columns: &Arc<[usize]>, rows: &[u8], count: u64) -> Result<()> {
        if self.open.as_ref().is_none_or(|open| open.columns != *columns) {
            self.end()?;
            if columns.is_empty() {
                return self.add_defaults(count);
            }
            self.begin(columns)?;
        }
        self.sent += count;
        self.send(Bytes::copy_from_slice(rows))
    }

    fn finish(&mut self) -> Result<()> {
        if self.open.is_some() {
            self.send(Bytes::from_static(&[0xFF, 0xFF]))?;
        }
        self.end()
    }
}

impl fmt::Debug for CopyIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyIn").field("target", &self.target).field("done", &self.done).finish_non_exhaustive()
    }
}
