//! The order of a store's changes.

use core::time::Duration;
use demat_core::{Error, ErrorKind, Result, Trouble};
use pyo3::Python;
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{ThreadId, current};

/// The maximum time that a change waits for others. It bounds a deadlock of stores that wait for each other.
const PATIENCE: Duration = Duration::from_secs(10);

/// Lets changes without a condition run together, and one with a condition alone, from its check to its end. One that
/// waits to be alone goes before changes that come later.
///
/// A thread that changes something may change more: the method of a store may call its own store. Other threads that the
/// method waits for count as others.
#[derive(Debug, Default)]
pub(super) struct Turns {
    held: Mutex<Held>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Held {
    /// The number of changes in progress by thread.
    threads: HashMap<ThreadId, usize>,
    /// The thread that has to be alone, and how many of its changes want that.
    alone: Option<(ThreadId, usize)>,
    /// The number of threads that wait to be alone.
    waiting: usize,
}

impl Held {
    fn is_taken(&self, own: ThreadId, alone: bool) -> bool {
        self.alone.is_some_and(|(other, _)| other != own)
            || alone && self.threads.keys().any(|thread| *thread != own)
            // Changes that keep coming would starve one that waits to be alone.
            || !alone && self.waiting > 0 && !self.threads.contains_key(&own)
    }

    /// Begins a change, if it may. Returns whether it may.
    fn begin(&mut self, own: ThreadId, alone: bool) -> bool {
        if self.is_taken(own, alone) {
            return false;
        }
        *self.threads.entry(own).or_default() += 1;
        if alone {
            self.alone.get_or_insert((own, 0)).1 += 1;
        }
        true
    }
}

/// Waits without the GIL: the thread that has the turn may need it to end. A caller may hold it, such as one that drops a
/// write-back cache.
fn unlocked(wait: impl Fn() -> bool + Send + Sync) -> bool {
    // After the end of the interpreter there is no GIL.
    Python::try_attach(|py| py.detach(&wait)).unwrap_or_else(wait)
}

/// A change in progress.
#[must_use]
#[derive(Debug)]
pub(super) struct Turn<'t> {
    turns: &'t Turns,
    is_alone: bool,
}

impl Turns {
    /// Waits until a change may begin; with `alone`, until no other thread changes anything.
    ///
    /// # Errors
    /// [`Trouble::Busy`] after ten seconds.
    pub(super) fn wait(&self, alone: bool) -> Result<Turn<'_>> {
        let own = current().id();
        let is_free = self.held().begin(own, alone);
        if !is_free && !unlocked(|| self.begin_later(own, alone)) {
            // A write-back cache tries again after an I/O error.
            return Err(Error::new(ErrorKind::Io, "another change takes too long").because(Trouble::Busy));
        }
        Ok(Turn { turns: self, is_alone: alone })
    }

    /// Begins a change as soon as it may. Returns whether it may before the patience ends.
    fn begin_later(&self, own: ThreadId, alone: bool) -> bool {
        let mut held = self.held();
        held.waiting += usize::from(alone);
        let waited = self.freed.wait_timeout_while(held, PATIENCE, |held| held.is_taken(own, alone));
        let (mut held, _) = waited.unwrap_or_else(PoisonError::into_inner);
        held.waiting -= usize::from(alone);
        let begins = held.begin(own, alone);
        drop(held);
        if !begins {
            // Nobody waits any longer for this one.
            self.freed.notify_all();
        }
        begins
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let (own, mut held) = (current().id(), self.turns.held());
        if let Some(count) = held.threads.get_mut(&own) {
            *count -= 1;
            if *count == 0 {
                held.threads.remove(&own);
            }
        }
        if self.is_alone
            && let Some((_, count)) = &mut held.alone
        {
            *count -= 1;
            if *count == 0 {
                held.alone = None;
            }
        }
        drop(held);
        self.turns.freed.notify_all();
    }
}
