//! The order of a store's changes.

use core::time::Duration;
use demat_core::{Error, ErrorKind, Result, Trouble};
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{ThreadId, current};

/// The maximum time that a change waits for others. It bounds a deadlock of stores that wait for each other.
const PATIENCE: Duration = Duration::from_secs(10);

/// Lets changes without a condition run together, and one with a condition alone, from its check to its end.
///
/// A thread that changes something may change more: the method of a store may call its own store.
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
        let is_taken = |held: &mut Held| {
            held.alone.is_some_and(|(other, _)| other != own)
                || alone && held.threads.keys().any(|thread| *thread != own)
        };
        let waited = self.freed.wait_timeout_while(self.held(), PATIENCE, |held| is_taken(held));
        let (mut held, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() && is_taken(&mut *held) {
            return Err(Error::new(ErrorKind::Store, "another change takes too long").because(Trouble::Busy));
        }
        *held.threads.entry(own).or_default() += 1;
        if alone {
            held.alone.get_or_insert((own, 0)).1 += 1;
        }
        Ok(Turn { turns: self, is_alone: alone })
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
