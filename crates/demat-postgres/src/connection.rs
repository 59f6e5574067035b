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
use core::time::Duration;
use demat_core::{Error, ErrorKind, Result, interrupt};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::{CancelToken, Client};

/// A connection to a database. Clones share it.
///
/// A connection does one thing at a time: while rows are read or written, another request waits for the end of these.
/// Its methods block, and look for [interruptions](interrupt) while they do.
#[derive(Clone)]
pub struct Connection(pub(crate) Arc<Shared>);

pub(crate) struct Shared {
    // The client is dropped first: that ends the connection, which the runtime drives.
    pub(crate) client: Client,
    runtime: Runtime,
    cancel: CancelToken,
    address: Address,
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
        Ok(Self(Arc::new(Shared { client, runtime, cancel, address: address.clone(), types })))
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

    /// As [`wait`](Self::wait), and converts the error.
    pub(crate) fn request<T>(
        &self,
        future: impl Future<Output = core::result::Result<T, tokio_postgres::Error>>,
    ) -> Result<T> {
        self.wait(future)?.map_err(failed)
    }

    /// Runs statements without parameters and results.
    ///
    /// # Errors
    /// The first error of the server.
    pub fn execute(&self, sql: &str) -> Result<()> {
        self.request(self.client().batch_execute(sql))
    }

    /// Begins a transaction, which is rolled back if it is dropped.
    ///
    /// # Errors
    /// Errors of the server, or if there is a transaction already.
    pub fn transaction(&self) -> Result<Transaction> {
        self.begin("BEGIN")
    }

    /// Begins a transaction that can't change the database.
    ///
    /// # Errors
    /// As [`transaction`](Self::transaction).
    pub fn reading(&self) -> Result<Transaction> {
        self.begin("BEGIN TRANSACTION READ ONLY")
    }

    fn begin(&self, sql: &str) -> Result<Transaction> {
        self.execute(sql)?;
        Ok(Transaction { connection: self.clone(), open: true })
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
        let sql = format!("COPY ({}\n) TO STDOUT (FORMAT BINARY)", query.trim_end().trim_end_matches(';'));
        let stream = self.request(self.client().copy_out(&sql))?;
        Ok(CopyRows::new(CopyOut::new(self.clone(), stream), columns))
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
    open: bool,
}

impl Transaction {
    /// Makes what was written final.
    ///
    /// # Errors
    /// If the server refuses it, for example by a constraint that is checked now. Then nothing is stored.
    pub fn commit(mut self) -> Result<()> {
        // After an error, COMMIT rolls back and reports none; a SELECT reports it.
        let committed = self.connection.execute("SELECT 1; COMMIT");
        self.open = committed.is_err();
        committed
    }

    /// Undoes what was written.
    ///
    /// # Errors
    /// If the server can't be reached. Then nothing is stored, too.
    pub fn rollback(mut self) -> Result<()> {
        self.open = false;
        self.connection.execute("ROLLBACK")
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if self.open && !self.connection.is_closed() {
            // Without a connection the server rolls back itself.
            let _ = self.connection.execute("ROLLBACK");
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Connection").field(&self.0.address).finish()
    }
}
