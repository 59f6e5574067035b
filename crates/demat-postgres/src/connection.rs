//! A connection to a server.

use crate::address::Address;
use crate::catalog;
use crate::column_type::ColumnType;
use crate::copy_in::CopyIn;
use crate::copy_out::{CopyOut, CopyRows};
use crate::failure::{failed, refused};
use crate::name::TableName;
use crate::of_shape::Definition;
use crate::shared::{Busy, Driver, ENDING, Shared, is_cancelled, wait};
use crate::sql;
use crate::statement::Statement;
use crate::table::Table;
use crate::tls;
use crate::transaction::Transaction;
use core::fmt;
use core::future::Future;
use core::sync::atomic::Ordering;
use core::time::Duration;
use demat_core::{Error, ErrorKind, Result};
use futures_util::{Stream, StreamExt};
use std::sync::{Arc, PoisonError};
use tokio::runtime::Builder;
use tokio::time::timeout;
use tokio_postgres::Client;

/// A connection to a database. Clones share it.
///
/// A connection does one thing at a time: while rows are read, another request is refused. Its methods block, and look
/// for [interruptions](demat_core::interrupt) while they do.
#[derive(Clone)]
pub struct Connection(pub(crate) Arc<Shared>);

/// How long the rest of some rows may take to arrive before their statement is cancelled.
const ARRIVING: Duration = Duration::from_millis(20);

impl Connection {
    /// Connects to a server.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) if it can't be reached, or does not let the user in.
    pub fn open(address: &Address) -> Result<Self> {
        let located = |error: Error| error.in_place(address.to_string());
        Self::connect(address).map_err(located)
    }

    fn connect(address: &Address) -> Result<Self> {
        let system = |cause| Error::new(ErrorKind::Io, "the connection can't be driven").because(cause);
        let runtime = Builder::new_current_thread().enable_all().build().map_err(system)?;
        let runtime = Driver::new(runtime);
        let connector = tls::connector(address)?;
        let (client, connection) = wait(runtime.get()?, None, address.config().connect(connector))?.map_err(failed)?;
        // It ends when the client is dropped, and reports its errors to the requests.
        drop(runtime.get()?.spawn(async move { drop(connection.await) }));
        Ok(Self(Arc::new(Shared::new(client, runtime, address.clone()))))
    }

    /// The address.
    pub fn address(&self) -> &Address {
        &self.0.address
    }

    /// Whether the connection has ended.
    pub fn is_closed(&self) -> bool {
        self.0.client.is_closed()
    }

    pub(crate) fn client(&self) -> &Client {
        &self.0.client
    }

    /// Waits for a request.
    pub(crate) fn wait<T>(&self, future: impl Future<Output = T>) -> Result<T> {
        wait(self.0.runtime.get()?, Some(&self.0), future)
    }

    /// Whether a transaction is open.
    pub(crate) fn is_in_transaction(&self) -> bool {
        self.0.depth.load(Ordering::Acquire) > 0
    }

    /// Says that rows are read or written from now on.
    ///
    /// # Errors
    /// If others are already, or if the connection can't be used any more.
    pub(crate) fn begin_rows(&self) -> Result<Busy> {
        if self.0.reading.load(Ordering::Acquire) {
            return Err(busy());
        }
        self.0.settle()?;
        self.0.absorb();
        if self.0.reading.swap(true, Ordering::AcqRel) {
            return Err(busy());
        }
        Ok(Busy::new(Arc::clone(&self.0)))
    }

    /// As [`wait`](Self::wait) for a request of its own, and converts the error.
    ///
    /// # Errors
    /// Besides that of the request: if rows are being read or written. It would wait for their end, and so forever.
    pub(crate) fn request<T>(
        &self,
        future: impl Future<Output = core::result::Result<T, tokio_postgres::Error>>,
    ) -> Result<T> {
        if self.0.reading.load(Ordering::Acquire) {
            return Err(busy());
        }
        self.0.settle()?;
        self.0.absorb();
        let done = self.wait(future)?.map_err(|error| self.failed(error));
        self.0.left.store(false, Ordering::Release);
        done
    }

    /// Converts an error of a statement of this connection.
    #[cold]
    pub(crate) fn failed(&self, error: tokio_postgres::Error) -> Error {
        let error = failed(error);
        if is_cancelled(&error) {
            self.0.stray.store(false, Ordering::Release);
        }
        error
    }

    /// Ends rows that are left before their end, so that the next request does not wait for all of them.
    ///
    /// A statement that may change rows is waited for: cancelling it would undo what it changed. Within a transaction the
    /// server goes on, and the next request waits: cancelling a statement would end the transaction, too.
    pub(crate) fn leave<T>(
        &self,
        only_reads: bool,
        rows: &mut (impl Stream<Item = core::result::Result<T, tokio_postgres::Error>> + Unpin),
    ) {
        self.0.left.store(true, Ordering::Release);
        let Ok(runtime) = self.0.runtime.get() else { return };
        let rest = async {
            loop {
                match rows.next().await {
                    Some(Ok(_)) => {}
                    end => break end.and_then(core::result::Result::err),
                }
            }
        };
        let mut rest = core::pin::pin!(rest);
        let mut wait = |most| runtime.block_on(async { timeout(most, &mut rest).await }).ok();
        let end = match wait(ARRIVING) {
            Some(end) => Some(end),
            None if self.is_in_transaction() || self.is_closed() => None,
            None if only_reads => self.cancel().ok().and_then(|()| wait(ENDING)),
            None => self.wait(rest).ok(),
        };
        if let Some(end) = end {
            self.0.left.store(false, Ordering::Release);
            let _ = end.map(|error| self.failed(error)); // that it was cancelled, as it was asked to
        }
    }

    /// Runs statements without parameters and results.
    ///
    /// # Errors
    /// The first error of the server.
    pub fn execute(&self, sql: &str) -> Result<()> {
        sql::refuse_copy(sql)?;
        self.request(self.client().batch_execute(sql))
    }

    /// Runs a statement without parameters that gives one integer of eight bytes, and returns it.
    ///
    /// # Errors
    /// Errors of the server, or if it gives something else.
    pub fn number(&self, sql: &str) -> Result<i64> {
        let row = self.request(self.client().query_one(sql, &[]))?;
        row.try_get(0).map_err(failed)
    }

    /// Whether the database keeps its text in UTF-8, so that the collation `C` compares code points.
    ///
    /// # Errors
    /// Errors of the server.
    pub fn is_utf8(&self) -> Result<bool> {
        Ok(self.number("SELECT (pg_catalog.getdatabaseencoding() = 'UTF8')::int4::int8")? == 1)
    }

    /// Begins a transaction, which is rolled back if it is dropped. Within another one it is a savepoint.
    ///
    /// # Errors
    /// Errors of the server.
    pub fn transaction(&self) -> Result<Transaction> {
        match self.0.depth.load(Ordering::Acquire) {
            0 => self.begin("BEGIN"),
            level => self.begin(&format!("SAVEPOINT demat_{level}")),
        }
    }

    /// Begins a transaction that can't change the database.
    ///
    /// # Errors
    /// As [`transaction`](Self::transaction), and if there is one already.
    pub fn reading(&self) -> Result<Transaction> {
        if self.0.depth.load(Ordering::Acquire) > 0 {
            return Err(refused("a transaction that only reads can't be within another one"));
        }
        self.begin("BEGIN TRANSACTION READ ONLY")
    }

    fn begin(&self, sql: &str) -> Result<Transaction> {
        self.execute(sql)?;
        let level = self.0.depth.fetch_add(1, Ordering::AcqRel);
        Ok(Transaction::begun(self.clone(), level))
    }

    /// Returns the type with this identifier and modifier (-1: none).
    pub(crate) fn column_type(&self, oid: u32, modifier: i32) -> Result<ColumnType> {
        // Labels may be added to an enum at any time.
        let cached = || self.0.types.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = cached().get(&(oid, modifier)) {
            return Ok(own.clone());
        }
        let own = catalog::column_type(self, oid, modifier)?;
        if !own.class.has_labels() {
            cached().insert((oid, modifier), own.clone());
        }
        Ok(own)
    }

    /// Returns a table or a view; `None` if there is none with this name.
    ///
    /// # Errors
    /// Errors of the server.
    pub fn find(&self, name: &TableName) -> Result<Option<Table>> {
        catalog::table(self, name)
    }

    /// Returns a table or a view.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if there is none with this name.
    pub fn existing(&self, name: &TableName) -> Result<Table> {
        self.find(name)?.ok_or_else(|| {
            let schema = name.schema.as_ref().map_or_else(String::new, |schema| format!("{schema}."));
            refused(format!("there is no table `{schema}{}`", name.name))
        })
    }

    /// Returns the names of all tables and views that are found without a schema.
    ///
    /// # Errors
    /// Errors of the server.
    pub fn tables(&self) -> Result<Vec<String>> {
        catalog::tables(self)
    }

    /// Creates a table, and returns it as the server has it.
    ///
    /// # Errors
    /// Errors of the server.
    pub fn create(&self, definition: &Definition) -> Result<Table> {
        for statement in definition.create() {
            // Parsed as one statement, whatever a condition of a column has in it.
            self.prepare(&statement)?.execute(&[])?;
        }
        self.existing(&definition.name)
    }

    /// Prepares a statement, whose parameters are `$1`, `$2`, ….
    ///
    /// # Errors
    /// If the server refuses it.
    pub fn prepare(&self, sql: &str) -> Result<Statement> {
        sql::refuse_copy(sql)?;
        let statement = self.request(self.client().prepare(sql))?;
        Statement::new(self.clone(), statement, sql::only_reads(sql))
    }

    /// Reads the rows of a query by binary `COPY`. It has no parameters.
    ///
    /// # Errors
    /// If the server refuses it.
    pub fn copy_out(&self, query: &str) -> Result<CopyRows<CopyOut>> {
        let columns = self.prepare(query)?.columns()?;
        if columns.is_empty() {
            return Err(refused("the statement gives no rows"));
        }
        // A comment at the query's end does not hide the parenthesis. The server has parsed it as one statement before.
        let busy = self.begin_rows()?;
        let sql = format!("COPY ({}\n) TO STDOUT (FORMAT BINARY)", query.trim_end().trim_end_matches(';'));
        let stream = self.wait(self.client().copy_out(&sql))?.map_err(|error| self.failed(error))?;
        Ok(CopyRows::new(CopyOut::new(self.clone(), stream, busy, sql::only_reads(query)), columns))
    }

    /// Writes rows to a table by binary `COPY`.
    pub fn copy_in(&self, table: &Table) -> CopyIn {
        CopyIn::new(self.clone(), table)
    }

    /// Ends what the server does for this connection.
    pub fn cancel(&self) -> Result<()> {
        self.0.cancel()
    }
}

#[cold]
fn busy() -> Error {
    refused("rows are being read or written on this connection: read or write all of them, or close them")
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Connection").field(&self.0.address).finish()
    }
}
