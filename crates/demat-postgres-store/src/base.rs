//! A database with served tables: its connections, its versions and its watchers.

use crate::listening::Listening;
use crate::snapshot::Snapshot;
use core::time::Duration;
use demat_core::{Error, ErrorKind, Result, Trouble};
use demat_postgres::{Address, Connection, Rows as _};
use demat_store::{Changes, Verb, Version};
use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How a database is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BaseOptions {
    /// The most connections at a time. Further requests wait for one.
    pub connections: usize,
    /// How long a request waits for a connection.
    pub timeout: Duration,
}

impl Default for BaseOptions {
    fn default() -> Self {
        Self { connections: 16, timeout: Duration::from_secs(5) }
    }
}

/// A database with served tables. Its stores share connections, each of which does one thing at a time.
#[derive(Debug)]
pub struct Base {
    address: Address,
    options: BaseOptions,
    pool: Mutex<Pool>,
    /// A connection is free again.
    freed: Condvar,
    /// Notifies the watchers of changes.
    pub(crate) changes: Changes,
    seen: Mutex<Seen>,
    seed: u64,
    pub(crate) listening: Listening,
}

/// The connections.
#[derive(Debug, Default)]
struct Pool {
    /// The free ones, and since when.
    idle: Vec<(Connection, i32, Instant)>,
    /// The number of those in use.
    used: usize,
    /// The server's processes of all of them.
    processes: HashSet<i32>,
}

/// What watchers know of.
#[derive(Debug)]
struct Seen {
    last: Snapshot,
    /// The numbers of transactions that were reported as they were committed.
    own: BTreeSet<u64>,
}

impl Seen {
    /// The most numbers to remember between two looks. What is forgotten counts as another's.
    const MOST: usize = 10_000;

    /// Remembers a transaction of this server. There may be no looks that would forget it.
    fn remember(&mut self, number: u64) {
        self.own.insert(number);
        if self.own.len() > Self::MOST {
            self.own.pop_first();
        }
    }
}

/// A free connection that nobody has used for so long may have ended: it is asked first.
const STALE: Duration = Duration::from_secs(1);

impl Base {
    /// Connects to a database.
    ///
    /// # Errors
    /// If it can't be reached; if its encoding is not UTF-8, since it would compare text in another way.
    pub fn open(address: &Address, options: &BaseOptions) -> Result<Arc<Self>> {
        let connection = Connection::open(address)?;
        if !connection.is_utf8()? {
            let message =
                "the tables of a database whose encoding is not UTF8 are no stores: it sorts text in another way";
            return Err(Error::new(ErrorKind::Store, message).in_place(address.to_string()));
        }
        let (last, process) = (snapshot(&connection)?, connection.process()?);
        let mut hasher = DefaultHasher::new();
        // The same in each process that serves the database, until the server starts again.
        text(
            &connection,
            "SELECT pg_catalog.current_database()::text || ' ' || pg_catalog.pg_postmaster_start_time()::text",
        )?
        .hash(&mut hasher);
        Ok(Arc::new(Self {
            address: address.clone(),
            options: *options,
            pool: Mutex::new(Pool {
                processes: HashSet::from([process]),
                idle: vec![(connection, process, Instant::now())],
                used: 0,
            }),
            freed: Condvar::new(),
            changes: Changes::new(),
            seen: Mutex::new(Seen { last, own: BTreeSet::new() }),
            seed: hasher.finish(),
            listening: Listening::default(),
        }))
    }

    /// The address, without the password.
    pub(crate) fn name(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Whether one of the connections is that of a process of the server.
    pub(crate) fn is_own(&self, process: i32) -> bool {
        locked(&self.pool).processes.contains(&process)
    }

    /// Calls a function with a connection.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let (connection, process) = self.taken()?;
        let lent = Lent { base: self, connection: Some(connection), process };
        let Some(connection) = &lent.connection else { return Err(busy()) };
        let done = act(connection);
        if matches!(&done, Err(error) if error.kind() == ErrorKind::Io) {
            lent.discard();
        }
        done
    }

    /// Calls a function in a transaction. It is committed, or nothing was changed.
    pub(crate) fn write<T>(&self, act: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.with(|connection| {
            let transaction = connection.transaction()?;
            let done = act(connection)?;
            let number = connection.number("SELECT pg_catalog.txid_current()")?;
            // A look in between must not take it for another's.
            locked(&self.seen).remember(number.cast_unsigned());
            transaction.commit()?;
            Ok(done)
        })
    }

    /// Takes a free connection, or opens one.
    fn taken(&self) -> Result<(Connection, i32)> {
        let until = Instant::now() + self.options.timeout;
        let mut pool = locked(&self.pool);
        loop {
            if let Some((connection, process, since)) = pool.idle.pop() {
                pool.used += 1;
                drop(pool);
                let is_fine = since.elapsed() < STALE || connection.execute("SELECT 1").is_ok();
                if is_fine && !connection.is_closed() {
                    return Ok((connection, process));
                }
                drop(connection);
                pool = locked(&self.pool);
                pool.used -= 1;
                pool.processes.remove(&process);
                continue;
            }
            if pool.used < self.options.connections.max(1) {
                pool.used += 1;
                drop(pool);
                return self.opened().inspect_err(|_| self.free(None, None));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(busy());
            }
            pool = self.freed.wait_timeout(pool, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn opened(&self) -> Result<(Connection, i32)> {
        let connection = Connection::open(&self.address)?;
        let process = connection.process()?;
        locked(&self.pool).processes.insert(process);
        Ok((connection, process))
    }

    /// Gives a connection back, or only its place.
    fn free(&self, connection: Option<Connection>, process: Option<i32>) {
        let mut pool = locked(&self.pool);
        pool.used = pool.used.saturating_sub(1);
        match (connection, process) {
            (Some(connection), Some(process)) => pool.idle.push((connection, process, Instant::now())),
            // Another connection may get the number.
            (_, Some(process)) => drop(pool.processes.remove(&process)),
            _ => {}
        }
        drop(pool);
        self.freed.notify_one();
    }

    /// Returns the version of the whole database: it changes with each transaction of the server that writes.
    pub(crate) fn version(&self, connection: &Connection) -> Result<Version> {
        let mut hasher = DefaultHasher::new();
        self.seed.hash(&mut hasher);
        snapshot(connection)?.hash(&mut hasher);
        Ok(Version(hasher.finish()))
    }

    /// Notifies the watchers if a transaction of others has ended since the last call. It may have changed anything.
    pub(crate) fn look(&self) {
        if self.listening.hears_all() {
            return;
        }
        // The next look may reach the server.
        let Ok(now) = self.with(snapshot) else { return };
        let mut seen = locked(&self.seen);
        let Seen { last, own } = &mut *seen;
        let has_changed = now.has_others_since(last, own);
        *last = now;
        drop(seen);
        if has_changed {
            self.changes.tell(Verb::Put, &[]);
        }
    }
}

/// A connection in use.
struct Lent<'b> {
    base: &'b Base,
    connection: Option<Connection>,
    process: i32,
}

impl Lent<'_> {
    /// Ends the connection: what it does next can't be relied on.
    fn discard(mut self) {
        self.connection = None;
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let connection = self.connection.take().filter(|connection| !connection.is_closed());
        self.base.free(connection, Some(self.process));
    }
}

fn snapshot(connection: &Connection) -> Result<Snapshot> {
    let text = text(connection, Snapshot::SQL)?;
    Snapshot::parse(&text).ok_or_else(|| Error::new(ErrorKind::Io, "the server sent no snapshot of its transactions"))
}

/// Returns the text that a statement gives.
fn text(connection: &Connection, sql: &str) -> Result<String> {
    let mut rows = connection.prepare(sql)?.query(&[])?;
    let text = if rows.step()? { rows.cell(0).map(<[u8]>::to_vec) } else { None };
    while rows.step()? {}
    Ok(String::from_utf8(text.unwrap_or_default()).unwrap_or_default())
}

#[cold]
fn busy() -> Error {
    Error::new(ErrorKind::Store, "all connections to the database are in use").because(Trouble::Busy)
}

/// A poisoned lock is fine: its contents are consistent after every step.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::Seen;
    use crate::snapshot::Snapshot;
    use std::collections::BTreeSet;

    #[test]
    fn transactions_that_no_look_forgets_are_bounded() {
        let mut seen = Seen { last: Snapshot::parse("1:1:").unwrap(), own: BTreeSet::new() };
        for number in 0..50_000 {
            seen.remember(number);
        }
        assert_eq!((seen.own.len(), seen.own.last()), (Seen::MOST, Some(&49_999)));
    }
}
