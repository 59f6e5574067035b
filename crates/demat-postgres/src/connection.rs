//! A connection to a server.

use crate::address::Address;
use crate::catalog;
use crate::column_type::ColumnType;
use crate::copy_in::CopyIn;
use crate::copy_out::{CopyOut, CopyRows};
use crate::failure::{PostgresFailure, failed, refused};
use crate::name::TableName;
use crate::of_shape::Definition;
use crate::statement::Statement;
use crate::table::Table;
use crate::tls;
use core::fmt;
use core::future::Future;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use core::time::Duration;
use demat_core::{Error, ErrorKind, Result, interrupt};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::{CancelToken, Client};

/// A connection to a database. Clones share it.
///
/// A connection does one thing at a time: while rows are read, another request is refused. Its methods block, and look
/// for [interruptions](interrupt) while they do.
#[derive(Clone)]
pub struct Connection(pub(crate) Arc<Shared>);

pub(crate) struct Shared {
    // The client is dropped first: that ends the connection, which the runtime drives.
    pub(crate) client: Client,
    runtime: Driver,
    cancel: CancelToken,
    address: Address,
    /// Whether rows are being read or written, behind which every other request would wait.
    reading: AtomicBool,
    /// Whether the server may still send rows that nobody reads.
    left: AtomicBool,
    /// Whether a rollback failed, so that nothing done on this connection can be relied on.
    broken: AtomicBool,
    /// The statements that undo transactions which ended while rows were open, in their order. They come before any
    /// other request.
    owed: Mutex<Vec<String>>,
    /// The number of transactions that are open, each within the one before.
    depth: AtomicU32,
    /// The types that were looked up, by their identifier and modifier.
    types: Mutex<HashMap<(u32, i32), ColumnType>>,
}

/// The runtime that drives a connection. Its end waits for nothing, such as the look-up of a name.
struct Driver(Option<Runtime>);

impl Driver {
    fn get(&self) -> Result<&Runtime> {
        self.0.as_ref().ok_or_else(|| refused("the connection has ended"))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// How often a statement that undoes is sent again, if a request to cancel the one before hits it.
const ATTEMPTS: usize = 4;

/// How long a statement that was cancelled may take to end.
const ENDING: Duration = Duration::from_secs(5);

/// How often a wait looks for an interruption.
const EVERY: Duration = Duration::from_millis(50);

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
        let runtime = Driver(Some(runtime));
        let connector = tls::connector(address)?;
        let (client, connection) = wait(runtime.get()?, None, address.config().connect(connector))?.map_err(failed)?;
        // It ends when the client is dropped, and reports its errors to the requests.
        drop(runtime.get()?.spawn(async move { drop(connection.await) }));
        let cancel = client.cancel_token();
        let types = Mutex::default();
        Ok(Self(Arc::new(Shared {
            client,
            runtime,
            cancel,
            address: address.clone(),
            reading: AtomicBool::new(false),
            left: AtomicBool::new(false),
            broken: AtomicBool::new(false),
            owed: Mutex::default(),
            depth: AtomicU32::new(0),
            types,
        })))
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
        if self.0.reading.swap(true, Ordering::AcqRel) {
            return Err(busy());
        }
        Ok(Busy(Arc::clone(&self.0)))
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
        let done = self.wait(future)?.map_err(failed);
        self.0.left.store(false, Ordering::Release);
        done
    }

    /// Ends rows that are left before their end, so that the next request does not wait for all of them.
    ///
    /// Within a transaction the server goes on, since cancelling a statement would end the transaction, too.
    pub(crate) fn leave(&self, rest: impl Future<Output = ()>) {
        self.0.left.store(true, Ordering::Release);
        if self.is_in_transaction() || self.is_closed() || self.cancel().is_err() {
            return;
        }
        // What cancels the statement must not reach the next one.
        if let Ok(runtime) = self.0.runtime.get()
            && runtime.block_on(async { timeout(ENDING, rest).await }).is_ok()
        {
            self.0.left.store(false, Ordering::Release);
        }
    }

    /// Runs statements without parameters and results.
    ///
    /// # Errors
    /// The first error of the server.
    pub fn execute(&self, sql: &str) -> Result<()> {
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
        Ok(Transaction { connection: self.clone(), level, open: true })
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
        let statement = self.request(self.client().prepare(sql))?;
        Statement::new(self.clone(), statement)
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
        let stream = self.wait(self.client().copy_out(&sql))?.map_err(failed)?;
        Ok(CopyRows::new(CopyOut::new(self.clone(), stream, busy), columns))
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

/// Marks the connection as reading or writing rows, until it is dropped.
pub(crate) struct Busy(Arc<Shared>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.reading.store(false, Ordering::Release);
        // An error is that of the next request, too.
        let _ = self.0.settle();
    }
}

#[cold]
fn busy() -> Error {
    refused("rows are being read or written on this connection: read or write all of them, or close them")
}

impl Shared {
    /// Undoes what ended while rows were open.
    ///
    /// # Errors
    /// If that fails, now or before: what follows would be part of a transaction that was to be undone.
    fn settle(&self) -> Result<()> {
        let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
        for sql in owed.drain(..) {
            if let Err(error) = self.undo(&sql) {
                self.broken.store(true, Ordering::Release);
                return Err(error);
            }
        }
        if self.broken.load(Ordering::Acquire) {
            return Err(Error::new(ErrorKind::Io, "a transaction could not be undone: the connection is to be closed"));
        }
        Ok(())
    }

    /// Runs a statement that undoes. No interruption ends it.
    fn undo(&self, sql: &str) -> Result<()> {
        let runtime = self.runtime.get()?;
        let mut attempts = 0;
        loop {
            attempts += 1;
            match runtime.block_on(self.client.batch_execute(sql)).map_err(failed) {
                Err(error) if attempts < ATTEMPTS && is_cancelled(&error) => {}
                done => return done,
            }
        }
    }

    fn cancel(&self) -> Result<()> {
        let connector = tls::connector(&self.address)?;
        let cancel = self.cancel.cancel_query(connector);
        // The timer is made within the runtime.
        let cancelled = self.runtime.get()?.block_on(async { timeout(Duration::from_secs(2), cancel).await });
        cancelled.map_or(Ok(()), |cancelled| cancelled.map_err(failed))
    }
}

/// Waits for a future. An interruption cancels what the server does.
fn wait<T>(runtime: &Runtime, shared: Option<&Shared>, future: impl Future<Output = T>) -> Result<T> {
    let mut future = core::pin::pin!(future);
    loop {
        let done = runtime.block_on(async { timeout(EVERY, &mut future).await });
        if let Ok(done) = done {
            return Ok(done);
        }
        if let Err(error) = interrupt::check_host() {
            if let Some(shared) = shared {
                // The interruption is what to report.
                let _ = shared.cancel();
            }
            return Err(error);
        }
    }
}

/// Whether the server cancelled a statement as it was asked to.
fn is_cancelled(error: &Error) -> bool {
    let failure = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<PostgresFailure>());
    failure.is_some_and(|failure| failure.code == "57014")
}

/// A transaction. Dropping it without [`commit`](Self::commit) rolls it back.
#[derive(Debug)]
#[must_use = "dropping a transaction rolls it back"]
pub struct Transaction {
    connection: Connection,
    /// The number of transactions that it is within.
    level: u32,
    open: bool,
}

impl Transaction {
    /// Makes what was written final.
    ///
    /// # Errors
    /// If the server refuses it, for example by a constraint that is checked now; if rows are still being read or written.
    /// Then nothing is stored.
    pub fn commit(mut self) -> Result<()> {
        // After an error, COMMIT rolls back and reports none; a SELECT reports it.
        let sql = match self.level {
            0 => "SELECT 1; COMMIT".to_string(),
            level => format!("RELEASE demat_{level}"),
        };
        // After an error it is open, and so undone when it is dropped.
        self.connection.execute(&sql)?;
        self.end();
        Ok(())
    }

    /// Undoes what was written. If rows are still being read or written, it is undone at their end, before anything else.
    ///
    /// # Errors
    /// If the server can't be reached. Then nothing is stored, too.
    pub fn rollback(mut self) -> Result<()> {
        self.end();
        self.undo()
    }

    fn end(&mut self) {
        self.open = false;
        self.connection.0.depth.fetch_sub(1, Ordering::AcqRel);
    }

    fn undo(&self) -> Result<()> {
        let shared = &self.connection.0;
        let sql = match self.level {
            0 => "ROLLBACK".to_string(),
            level => format!("ROLLBACK TO demat_{level}; RELEASE demat_{level}"),
        };
        shared.owed.lock().unwrap_or_else(PoisonError::into_inner).push(sql);
        if shared.reading.load(Ordering::Acquire) {
            return Ok(());
        }
        if self.level == 0 && shared.left.swap(false, Ordering::AcqRel) {
            // Without it the rows are waited for.
            let _ = shared.cancel();
        }
        shared.settle()
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if self.open {
            self.end();
            // Without a connection the server rolls back itself.
            let _ = self.undo();
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Connection").field(&self.0.address).finish()
    }
}
