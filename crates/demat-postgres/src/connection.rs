//! A connection to a server.

use crate::address::Address;
use crate::catalog;
use crate::column_type::ColumnType;
use crate::copy_in::CopyIn;
use crate::copy_out::{CopyOut, CopyRows};
use crate::failure::{failed, refused};
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
    runtime: Runtime,
    cancel: CancelToken,
    address: Address,
    /// Whether rows are being read, behind which every other request would wait.
    reading: AtomicBool,
    /// The number of transactions that are open, each within the one before.
    depth: AtomicU32,
    /// The types that were looked up, by their identifier and modifier.
    types: Mutex<HashMap<(u32, i32), ColumnType>>,
}

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
        let connector = tls::connector(address)?;
        let (client, connection) = wait(&runtime, None, address.config().connect(connector))?.map_err(failed)?;
        // It ends when the client is dropped, and reports its errors to the requests.
        drop(runtime.spawn(async move { drop(connection.await) }));
        let cancel = client.cancel_token();
        let types = Mutex::default();
        let (reading, depth) = (AtomicBool::new(false), AtomicU32::new(0));
        Ok(Self(Arc::new(Shared { client, runtime, cancel, address: address.clone(), reading, depth, types })))
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
        wait(&self.0.runtime, Some(&self.0), future)
    }

    /// Says that rows are read from now on.
    ///
    /// # Errors
    /// If others are read already.
    pub(crate) fn begin_reading(&self) -> Result<Busy> {
        if self.0.reading.swap(true, Ordering::AcqRel) {
            return Err(busy());
        }
        Ok(Busy(Arc::clone(&self.0)))
    }

    /// As [`wait`](Self::wait) for a request of its own, and converts the error.
    ///
    /// # Errors
    /// Besides that of the request: if rows are being read. It would wait for their end, and so forever.
    pub(crate) fn request<T>(
        &self,
        future: impl Future<Output = core::result::Result<T, tokio_postgres::Error>>,
    ) -> Result<T> {
        if self.0.reading.load(Ordering::Acquire) {
            return Err(busy());
        }
        self.wait(future)?.map_err(failed)
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
        let cached = || self.0.types.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = cached().get(&(oid, modifier)) {
            return Ok(own.clone());
        }
        let own = catalog::column_type(self, oid, modifier)?;
        cached().insert((oid, modifier), own.clone());
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
            self.execute(&statement)?;
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
        let busy = self.begin_reading()?;
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

/// Marks the connection as reading rows, until it is dropped.
pub(crate) struct Busy(Arc<Shared>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.reading.store(false, Ordering::Release);
    }
}

#[cold]
fn busy() -> Error {
    refused("the rows of another statement are being read on this connection: read all of them, or close them")
}

impl Shared {
    fn cancel(&self) -> Result<()> {
        let connector = tls::connector(&self.address)?;
        let cancel = self.cancel.cancel_query(connector);
        // The timer is made within the runtime.
        let cancelled = self.runtime.block_on(async { timeout(Duration::from_secs(2), cancel).await });
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
    /// If the server refuses it, for example by a constraint that is checked now. Then nothing is stored.
    pub fn commit(mut self) -> Result<()> {
        // After an error, COMMIT rolls back and reports none; a SELECT reports it.
        let sql = match self.level {
            0 => "SELECT 1; COMMIT".to_string(),
            level => format!("RELEASE demat_{level}"),
        };
        self.connection.execute(&sql)?;
        self.end();
        Ok(())
    }

    /// Undoes what was written.
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
        match self.level {
            0 => self.connection.execute("ROLLBACK"),
            level => self.connection.execute(&format!("ROLLBACK TO demat_{level}; RELEASE demat_{level}")),
        }
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
