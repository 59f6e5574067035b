//! Writers that come at once share a transaction, and so the wait for the disk.

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use core::time::Duration;
use demat_core::{Error, ErrorKind, Result};
use demat_sqlite::{Database, SqliteFailure};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The one connection that writes.
///
/// Each who writes does so within the transaction that is open, under a savepoint, and waits until that was committed: by the
/// last of those who were waiting for their turn. Of what was refused nothing is left.
#[derive(Debug)]
pub(super) struct Commits {
    state: Mutex<CommitState>,
    database: Database,
    /// So many rows the connection had changed when the transaction began that is open.
    begun: AtomicU64,
    /// So many wait for their turn.
    waiting: AtomicUsize,
}

#[derive(Debug)]
struct CommitState {
    /// The batch whose transaction is open.
    open: Option<Arc<Batch>>,
    /// The version that the database was of for others, when it was looked at last.
    seen: Option<i64>,
}

/// What was written in one transaction.
///
/// Those whose parts are done wait here and not for a turn: when it ends they all wake, and would stand in each other's way.
#[derive(Debug, Default)]
struct Batch {
    written: AtomicUsize,
    outcome: Mutex<Option<Outcome>>,
    ended: Condvar,
}

/// Nothing, or why it was not committed.
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
        // The reason ends with the cause, which `error` adds again.
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
    /// Waits for the end; nothing where that is long in coming.
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

/// So many writers share a transaction, at most.
const MOST: usize = 512;
/// So long one waits before it looks again whether there is still somebody to wait for.
const PATIENCE: Duration = Duration::from_millis(20);

impl Commits {
    pub(super) fn new(database: Database) -> Self {
        let seen = database.number("PRAGMA data_version", &[]).ok();
        let state = Mutex::new(CommitState { open: None, seen });
        Self { state, database, begun: AtomicU64::new(0), waiting: AtomicUsize::new(0) }
    }

    fn turn(&self) -> MutexGuard<'_, CommitState> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        // A writer that panicked has left its part undone, which the next statement or the rollback sees to.
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        state
    }

    /// Does something while nobody writes, and nothing is uncommitted.
    pub(super) fn alone<T>(&self, act: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        let mut state = self.turn();
        self.commit(&mut state);
        act(&self.database)
    }

    /// Whether another connection has committed something since this was asked last.
    pub(super) fn by_others(&self) -> bool {
        let mut state = self.turn();
        self.commit(&mut state);
        // Of the connection's own changes this number says nothing.
        let seen = self.database.number("PRAGMA data_version", &[]).ok();
        let before = core::mem::replace(&mut state.seen, seen);
        seen != before
    }

    /// Writes something; when this comes back it is committed, or nothing was changed.
    pub(super) fn write<T>(&self, act: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        let mut state = self.turn();
        let batch = if let Some(batch) = &state.open {
            Arc::clone(batch)
        } else {
            if !self.database.is_idle() {
                let message = "a transaction is open on the database's one connection, by whoever has that";
                return Err(Error::new(ErrorKind::Store, message));
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
            // Whoever was waiting for a turn has not ended it: it may have panicked, or what it does takes long.
            self.commit(&mut self.turn());
        };
        match outcome {
            None => done,
            // The first error is the reason that nothing was left to commit.
            Some(refusal) => Err(done.err().unwrap_or_else(|| refusal.error())),
        }
    }

    /// Whether the transaction that is open has changed something: asked by who has its turn.
    pub(super) fn has_changed(&self) -> bool {
        self.database.total_changes() != self.begun.load(Ordering::SeqCst)
    }

    /// A part of the transaction, which is undone alone.
    fn part<T>(&self, act: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        self.run("SAVEPOINT demat_part")?;
        let undo = Undo { database: &self.database };
        let done = act(&self.database)?;
        core::mem::forget(undo);
        self.run("RELEASE demat_part")?;
        Ok(done)
    }

    /// Runs a statement that will be run again.
    fn run(&self, sql: &str) -> Result<()> {
        self.database.kept(sql)?.run()
    }

    /// Ends the batch, and tells those who wait for it.
    fn commit(&self, state: &mut CommitState) {
        let Some(batch) = state.open.take() else { return };
        let committed = self.run("COMMIT");
        if committed.is_err() && !self.database.is_idle() {
            // Whatever it says: what is not committed must not be there.
            drop(self.database.execute("ROLLBACK"));
        }
        batch.end(committed.err().as_ref().map(Refusal::of));
    }
}

/// Takes the part back, also where that panics.
struct Undo<'d> {
    database: &'d Database,
}

impl Drop for Undo<'_> {
    fn drop(&mut self) {
        // An error that ended the whole transaction has undone it already.
        drop(
            self.database.execute("ROLLBACK TO demat_part").and_then(|()| self.database.execute("RELEASE demat_part")),
        );
    }
}
