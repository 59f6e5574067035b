//! What the clones of a connection share: the client, and what has to be undone or waited for.

use crate::address::Address;
use crate::column_type::ColumnType;
use crate::failure::{PostgresFailure, failed, refused};
use crate::tls;
use core::future::Future;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use core::time::Duration;
use demat_core::{Error, ErrorKind, Result, interrupt};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_postgres::{CancelToken, Client};

pub(crate) struct Shared {
    // The client is dropped first: that ends the connection, which the runtime drives.
    pub(crate) client: Client,
    pub(crate) runtime: Driver,
    cancel: CancelToken,
    pub(crate) address: Address,
    /// Whether rows are being read or written, behind which every other request would wait.
    pub(crate) reading: AtomicBool,
    /// Whether the server may still send rows that nobody reads.
    pub(crate) left: AtomicBool,
    /// Whether a request to cancel was sent that has not ended a statement, and so may still end a later one.
    pub(crate) stray: AtomicBool,
    /// Whether a rollback failed, so that nothing done on this connection can be relied on.
    broken: AtomicBool,
    /// The statements that undo transactions which ended while rows were open, in their order. They come before any
    /// other request.
    pub(crate) owed: Mutex<Vec<String>>,
    /// The number of transactions that are open, each within the one before.
    pub(crate) depth: AtomicU32,
    /// The types that were looked up, by their identifier and modifier.
    pub(crate) types: Mutex<HashMap<(u32, i32), ColumnType>>,
}

/// The runtime that drives a connection. Its end waits for nothing, such as the look-up of a name.
pub(crate) struct Driver(Option<Runtime>);

impl Driver {
    pub(crate) fn new(runtime: Runtime) -> Self {
        Self(Some(runtime))
    }

    pub(crate) fn get(&self) -> Result<&Runtime> {
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
pub(crate) const ENDING: Duration = Duration::from_secs(5);

/// Waits for a request to cancel that is on its way, and ends by it: the client library does not wait until the server has
/// received it.
const PAUSE: &str = "SELECT pg_catalog.pg_sleep(3)";

/// How often a wait looks for an interruption.
const EVERY: Duration = Duration::from_millis(50);

/// Marks the connection as reading or writing rows, until it is dropped.
pub(crate) struct Busy(Arc<Shared>);

impl Busy {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self(shared)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.reading.store(false, Ordering::Release);
        // An error is that of the next request, too.
        let _ = self.0.settle();
    }
}

impl Shared {
    /// Returns the state of a new connection.
    pub(crate) fn new(client: Client, runtime: Driver, address: Address) -> Self {
        Self {
            cancel: client.cancel_token(),
            client,
            runtime,
            address,
            reading: AtomicBool::new(false),
            left: AtomicBool::new(false),
            stray: AtomicBool::new(false),
            broken: AtomicBool::new(false),
            owed: Mutex::default(),
            depth: AtomicU32::new(0),
            types: Mutex::default(),
        }
    }

    /// Undoes what ended while rows were open.
    ///
    /// # Errors
    /// If that fails, now or before: what follows would be part of a transaction that was to be undone.
    pub(crate) fn settle(&self) -> Result<()> {
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

    /// Waits for a request to cancel that may still be on its way, so that it does not end the next statement.
    ///
    /// In a transaction it ends that, too. In one that has ended it needs no time.
    pub(crate) fn absorb(&self) {
        if self.stray.swap(false, Ordering::AcqRel)
            && let Ok(runtime) = self.runtime.get()
        {
            // It ends this one, or has come before.
            let _ = runtime.block_on(async { timeout(ENDING, self.client.batch_execute(PAUSE)).await });
        }
    }

    /// Runs a statement that undoes. No interruption ends it.
    fn undo(&self, sql: &str) -> Result<()> {
        let runtime = self.runtime.get()?;
        let mut attempts = 0;
        loop {
            attempts += 1;
            match runtime.block_on(self.client.batch_execute(sql)).map_err(failed) {
                Err(error) if attempts < ATTEMPTS && is_cancelled(&error) => self.stray.store(false, Ordering::Release),
                done => return done,
            }
        }
    }

    pub(crate) fn cancel(&self) -> Result<()> {
        let connector = tls::connector(&self.address)?;
        self.stray.store(true, Ordering::Release);
        let cancel = self.cancel.cancel_query(connector);
        // The timer is made within the runtime.
        let cancelled = self.runtime.get()?.block_on(async { timeout(Duration::from_secs(2), cancel).await });
        cancelled.map_or(Ok(()), |cancelled| cancelled.map_err(failed))
    }
}

/// Waits for a future. An interruption cancels what the server does.
pub(crate) fn wait<T>(runtime: &Runtime, shared: Option<&Shared>, future: impl Future<Output = T>) -> Result<T> {
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
pub(crate) fn is_cancelled(error: &Error) -> bool {
    let failure = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<PostgresFailure>());
    failure.is_some_and(|failure| failure.code == "57014")
}
