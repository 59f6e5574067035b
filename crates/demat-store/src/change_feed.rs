//! A feed of a store's changes, which a reader waits at.

#[cfg(test)]
mod tests;

use crate::change::{Change, Watch, within};
use crate::reference::Reference;
use crate::store::Store;
use crate::verb::Verb;
use core::fmt;
use core::time::Duration;
use demat_core::Result;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How often a waiting reader polls the store for changes by others.
const LOOK: Duration = Duration::from_millis(100);

/// What happened to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UpdateKind {
    /// There is a value that is new, or differs.
    Put,
    /// There is no value any more.
    Delete,
    /// The value, or anything below it, may differ.
    Reset,
}

/// A change as readers of a feed get it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Update {
    /// What happened.
    pub kind: UpdateKind,
    /// The reference that it happened to, relative to the store.
    pub at: Reference,
}

/// What waiting came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waited {
    /// A change.
    Update(Update),
    /// The time has passed without a change.
    Nothing,
    /// The feed is closed.
    Closed,
}

/// The changes of a store at a reference and below it, from the moment the feed is opened.
///
/// Each change through the store is one update, in the order in which the store reports them. The feed polls for changes
/// by others while its reader waits: those are one [`Reset`](UpdateKind::Reset), as the store does not know them in
/// detail. So is a change of all of a [collection](Store::is_collection). At most `limit` updates wait for the reader; one
/// more, and a single reset of `at` replaces them. So memory is bounded, and no change is lost.
///
/// Several threads may wait; each update goes to one of them.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{ChangeFeed, Memory, Reference, Store, UpdateKind, ValueBody, When};
/// use std::sync::Arc;
/// let store = Arc::new(Memory::new());
/// let feed = ChangeFeed::open(store.clone(), &Reference::root(), 1024)?.expect("memory reports its changes");
/// store.put(&"/a".parse::<Reference>()?, &mut ValueBody(&Value::Null), &When::Always)?;
/// let update = feed.updates().next().expect("a change");
/// assert_eq!((update.kind, update.at.to_string()), (UpdateKind::Put, "/a".to_string()));
/// feed.close();
/// assert_eq!(feed.updates().next(), None);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct ChangeFeed {
    store: Arc<dyn Store>,
    at: Reference,
    pending: Arc<Pending>,
    /// `None` once a reader has seen the end.
    watch: Mutex<Option<Watch>>,
}

/// The changes that wait for the reader.
struct Pending {
    limit: usize,
    state: Mutex<State>,
    ready: Condvar,
}

struct State {
    changes: VecDeque<Change>,
    /// Whether changes were dropped, all before those in the queue.
    is_lossy: bool,
    is_closed: bool,
    next_look: Instant,
}

impl Pending {
    /// A poisoned lock is fine: the state is consistent after every step.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, change: &Change) {
        let mut state = self.state();
        if state.is_closed {
            return;
        }
        if state.changes.len() >= self.limit {
            state.changes.clear();
            state.is_lossy = true;
        } else {
            state.changes.push_back(change.clone());
        }
        drop(state);
        self.ready.notify_one();
    }
}

impl ChangeFeed {
    /// Opens a feed with room for `limit` updates. Returns `None` if the store can't watch.
    ///
    /// # Errors
    /// [`Fault::NotFound`](crate::Fault::NotFound) if no value can exist at the reference.
    pub fn open(store: Arc<dyn Store>, at: &Reference, limit: usize) -> Result<Option<Self>> {
        store.shape(at)?;
        // Changes by others until now are none of the feed.
        store.look();
        let state =
            State { changes: VecDeque::new(), is_lossy: false, is_closed: false, next_look: Instant::now() + LOOK };
        let pending = Arc::new(Pending { limit, state: Mutex::new(state), ready: Condvar::new() });
        let told = Arc::clone(&pending);
        // Not every store reports only what is below the reference.
        let watcher = within(at, Arc::new(move |change| told.add(change)));
        let watch = store.watch(at, watcher);
        Ok(watch.map(|watch| Self { store, at: at.clone(), pending, watch: Mutex::new(Some(watch)) }))
    }

    /// Waits for the next update, at most for `timeout`.
    pub fn wait(&self, timeout: Duration) -> Waited {
        // Beyond a century an instant may not exist.
        let end = Instant::now() + timeout.min(Duration::from_secs(3_000_000_000));
        loop {
            let now = Instant::now();
            let mut state = self.pending.state();
            if state.is_closed {
                drop(state);
                // Here, since it may run a program's code, which `close` must not.
                drop(self.watch.lock().unwrap_or_else(PoisonError::into_inner).take());
                return Waited::Closed;
            }
            if now >= state.next_look {
                state.next_look = now + LOOK;
                drop(state);
                self.store.look();
                continue;
            }
            if core::mem::take(&mut state.is_lossy) {
                return Waited::Update(Update { kind: UpdateKind::Reset, at: self.at.clone() });
            }
            if let Some(change) = state.changes.pop_front() {
                drop(state);
                return Waited::Update(self.update(&change));
            }
            if now >= end {
                return Waited::Nothing;
            }
            let most = end.min(state.next_look) - now;
            drop(self.pending.ready.wait_timeout(state, most).unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Iterates over the updates, and waits for each, until the feed is closed.
    pub fn updates(&self) -> impl Iterator<Item = Update> + '_ {
        core::iter::from_fn(|| {
            loop {
                match self.wait(Duration::MAX) {
                    Waited::Update(update) => return Some(update),
                    Waited::Nothing => {}
                    Waited::Closed => return None,
                }
            }
        })
    }

    fn update(&self, change: &Change) -> Update {
        let is_whole = self.at.starts_with(&change.at);
        let at = if is_whole { &self.at } else { &change.at };
        let kind = match change.verb {
            Verb::Delete => UpdateKind::Delete,
            _ if is_whole || self.store.is_collection(at) => UpdateKind::Reset,
            _ => UpdateKind::Put,
        };
        Update { kind, at: at.clone() }
    }

    /// Closes the feed, also while other threads wait. Updates that wait are dropped.
    ///
    /// It blocks for nothing. The subscription ends when a reader sees the end, or with the feed.
    pub fn close(&self) {
        let mut state = self.pending.state();
        state.is_closed = true;
        state.changes = VecDeque::new();
        drop(state);
        self.pending.ready.notify_all();
    }

    /// Whether it is closed.
    pub fn is_closed(&self) -> bool {
        self.pending.state().is_closed
    }
}

impl fmt::Debug for ChangeFeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeFeed").field("at", &self.at).field("limit", &self.pending.limit).finish_non_exhaustive()
    }
}
