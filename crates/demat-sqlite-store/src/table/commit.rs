//! Group commit: concurrent writers share a transaction, and so the wait for the disk.

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use core::time::Duration;
use demat_core::{Error, ErrorKind, Result};
use demat_sqlite::{Database, SqliteFailure};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The only connection that writes.
///
/// Each writer works under a savepoint in the current transaction, and waits until that is committed, by the last of
/// the writers that were waiting for their turn. A refused write is rolled back to its savepoint.
#[derive(Debug)]
pub(super) struct Commits {
    state: Mutex<CommitState>,
    database: Database,
    /// The number of rows that the connection had changed when the current transaction began.
    begun: AtomicU64,
    /// The number of writers waiting for their turn.
    waiting: AtomicUsize,
    /// Whether the program has this connection, too: the only one of a database in memory.
    is_common: bool,
}

#[derive(Debug)]
struct CommitState {
    /// The batch of the current transaction.
    open: Option<Arc<Batch>>,
    /// The state at the last check; of a common connection also before each commit of this.
    seen: Option<Seen>,
    /// Whether the program has changed something through a common connection since the last check.
    is_changed: bool,
}

/// What differs once others have changed the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    /// `data_version`, which does not reflect the connection's own changes; of a common connection `schema_version`.
    version: i64,
    /// The rows that a common connection has changed.
    rows: u64,
}

/// The writes of one transaction.
///
/// Writers that are done wait here, not on the lock for a turn: the commit wakes all of them, and they would contend
/// for the lock.
#[derive(Debug, Default)]
struct Batch {
    written: AtomicUsize,
    outcome: Mutex<Option<Outcome>>,
    ended: Condvar,
}

/// `None` after a commit, or the reason for its failure.
type Outcome = Option<Refusal>;

/// Why a transaction was not committed; each of its writers gets a copy.
#[derive(Debug, Clone)]
struct Refusal {
    kind: ErrorKind,
    reason: String,
    cause: Option<SqliteFailure>,
}

impl Refusal {
    fn of(error: &Error) -> Self {
        let cause: Option<SqliteFailure> =
            std::error::Error::source(error).and_then(|cause| cause.downcast_ref().copied());
        // `error` appends the cause, so it is removed here.
        let said = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
        let mut reason = error.reason();
        if reason.ends_with(&said) {
            reason.truncate(reason.len() - said.len());
        }
        Self { kind: error.kind(), reason, cause }
    }

    fn error(self) -> Error {
        let error = Error::new(self.kind, self.reason);
        match self.cause {
            Some(cause) => error.because(cause),
            None => error,
        }
    }
}

impl Batch {
    /// Waits for the end of the batch; returns `None` after a timeout.
    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = self.ended.wait_timeout_while(outcome, PATIENCE, |outcome| outcome.is_none());
        ended.unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    fn end(&self, outcome: Outcome) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        self.ended.notify_all();
    }
}

/// The maximum number of writers per transaction.
const MOST: usize = 512;
/// The time after which a writer checks again whether others are still waiting for a turn.
const PATIENCE: Duration = Duration::from_millis(20);

impl Commits {
    /// `is_common`: whether the program has the connection, too.
    pub(super) fn new(database: Database, is_common: bool) -> Self {
        let seen = seen(&database, is_common);
        let state = Mutex::new(CommitState { open: None, seen, is_changed: false });
        Self { state, database, begun: AtomicU64::new(0), waiting: AtomicUsize::new(0), is_common }
    }

    fn turn(&self) -> MutexGuard<'_, CommitState> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        // A poisoned lock is no problem: `Undo` rolls back the part of a writer that panicked.
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        state
    }

    /// Calls a function while no other writer is active, and after a commit.
    pub(super) fn alone<T>(&self, act: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        let mut state = self.turn();
        self.commit(&mut state);
        act(&self.database)
    }

    /// Returns whether others have committed since the last call: another connection, or the program through this one.
    pub(super) fn by_others(&self) -> bool {
        let mut state = self.turn();
        self.commit(&mut state);
        if self.is_common && !self.database.is_idle() {
            // The program may still undo it.
            return false;
        }
        // Where others hold a lock the next call does it.
        let Some(seen) = seen(&self.database, self.is_common) else { return false };
        let before = state.seen.replace(seen);
        core::mem::take(&mut state.is_changed) | before.is_some_and(|before| before != seen)
    }

    /// Executes a write. On return it is committed, or nothing was changed.
    pub(super) fn write<T>(&self, act: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        let mut state = self.turn();
        let batch = if let Some(batch) = &state.open {
            Arc::clone(batch)
        } else {
            if !self.database.is_idle() {
                let message = "a transaction is open on the database's one connection, by whoever has that";
                return Err(Error::new(ErrorKind::Store, message));
            }
            if self.is_common && state.seen != seen(&self.database, true) {
                state.is_changed = true;
            }
            self.run("BEGIN IMMEDIATE")?;
            self.begun.store(self.database.total_changes(), Ordering::SeqCst);
            Arc::clone(state.open.insert(Arc::default()))
        };
        let done = self.part(act);
        let written = batch.written.fetch_add(1, Ordering::Relaxed) + 1;
        if self.waiting.load(Ordering::SeqCst) == 0 || written >= MOST {
            self.commit(&mut state);
        }
        drop(state);
        let outcome = loop {
            if let Some(outcome) = batch.outcome() {
                break outcome;
            }
            // The waiting writer has not committed the batch: it may have panicked, or be slow.
            self.commit(&mut self.turn());
        };
        match outcome {
            None => done,
            // If the write itself failed, its error is also the reason for the failed commit.
            Some(refusal) => Err(done.err().unwrap_or_else(|| refusal.error())),
        }
    }

    /// Returns whether the current transaction has changed rows. The caller must have its turn.
    pub(super) fn has_changed(&self) -> bool {
        self.database.total_changes() != self.begun.load(Ordering::SeqCst)
    }

    /// Executes a part of the transaction under a savepoint of its own.
    fn part<T>(&self, act: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        self.run("SAVEPOINT demat_part")?;
        let undo = Undo { database: &self.database };
        let done = act(&self.database)?;
        core::mem::forget(undo);
        self.run("RELEASE demat_part")?;
        Ok(done)
    }

    /// Executes a cached statement.
    fn run(&self, sql: &str) -> Result<()> {
        self.database.kept(sql)?.run()
    }

    /// Commits the batch, and notifies its waiting writers.
    fn commit(&self, state: &mut CommitState) {
        let Some(batch) = state.open.take() else { return };
        if self.is_common {
            // Before the commit: behind it, the program may change something.
            state.seen = seen(&self.database, true);
        }
        let committed = self.run("COMMIT");
        if committed.is_err() && !self.database.is_idle() {
            // The result is ignored; uncommitted changes must not remain.
            drop(self.database.execute("ROLLBACK"));
        }
        batch.end(committed.err().as_ref().map(Refusal::of));
    }
}

/// Returns the state of a database; `None` where others hold a lock.
fn seen(database: &Database, is_common: bool) -> Option<Seen> {
    let pragma = if is_common { "PRAGMA schema_version" } else { "PRAGMA data_version" };
    let version = database.number(pragma, &[]).ok()?;
    Some(Seen { version, rows: if is_common { database.total_changes() } else { 0 } })
}

/// Rolls back to the savepoint when dropped, also during a panic.
struct Undo<'d> {
    database: &'d Database,
}

impl Drop for Undo<'_> {
    fn drop(&mut self) {
        // An error that ended the whole transaction has rolled this back already; the failure is ignored.
        drop(
            self.database.execute("ROLLBACK TO demat_part").and_then(|()| self.database.execute("RELEASE demat_part")),
        );
    }
}
