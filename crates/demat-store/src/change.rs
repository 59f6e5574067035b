//! Notifications of changes.

use crate::reference::Reference;
use crate::verb::Verb;
use core::any::Any;
use core::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A change in a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The operation.
    pub verb: Verb,
    /// The changed reference; that of the list if many of its items changed.
    pub at: Reference,
}

/// A callback for changes. It runs on the thread that makes the change, so it must be quick.
pub type Watcher = Arc<dyn Fn(&Change) + Send + Sync>;

type List = Mutex<Vec<(u64, Watcher)>>;

/// The watchers of a store.
#[derive(Default, Clone)]
pub struct Changes {
    watchers: Arc<List>,
}

impl Changes {
    /// Returns a list without watchers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a watcher, until the returned watch is dropped.
    pub fn watch(&self, watcher: Watcher) -> Watch {
        let mut watchers = locked(&self.watchers);
        let number = watchers.last().map_or(0, |(number, _)| number + 1);
        watchers.push((number, watcher));
        Watch { watchers: vec![(Arc::clone(&self.watchers), number)], held: Vec::new() }
    }

    /// Notifies all watchers.
    pub fn tell(&self, verb: Verb, at: &[String]) {
        let watchers: Vec<Watcher> = locked(&self.watchers).iter().map(|(_, watcher)| Arc::clone(watcher)).collect();
        if !watchers.is_empty() {
            let change = Change { verb, at: at.into() };
            for watcher in &watchers {
                watcher(&change);
            }
        }
    }

    /// Whether there are no watchers.
    pub fn is_empty(&self) -> bool {
        locked(&self.watchers).is_empty()
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").field("watchers", &locked(&self.watchers).len()).finish()
    }
}

/// Returns a watcher that passes on the changes within a reference, or around it.
pub fn within(at: &[String], watcher: Watcher) -> Watcher {
    let own = Reference::from(at);
    Arc::new(move |change| {
        if change.at.starts_with(&own) || own.starts_with(&change.at) {
            watcher(change);
        }
    })
}

/// A poisoned lock is fine: the list is consistent after every step.
fn locked(list: &List) -> MutexGuard<'_, Vec<(u64, Watcher)>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A subscription. Dropping it removes the watcher.
///
/// ```
/// use demat_store::{Changes, Verb};
/// use std::sync::{Arc, atomic::{AtomicU32, Ordering}};
/// let (changes, seen) = (Changes::new(), Arc::new(AtomicU32::new(0)));
/// let counted = Arc::clone(&seen);
/// let watch = changes.watch(Arc::new(move |_| drop(counted.fetch_add(1, Ordering::Relaxed))));
/// changes.tell(Verb::Put, &[]);
/// drop(watch);
/// changes.tell(Verb::Put, &[]);
/// assert_eq!(seen.load(Ordering::Relaxed), 1);
/// ```
#[must_use]
pub struct Watch {
    watchers: Vec<(Arc<List>, u64)>,
    held: Vec<Box<dyn Any + Send + Sync>>,
}

impl Watch {
    /// Returns a watch that ends by dropping `held`: for stores with their own kind of notification.
    pub fn holding(held: impl Any + Send + Sync) -> Self {
        Self { watchers: Vec::new(), held: vec![Box::new(held)] }
    }

    /// Combines two watches.
    pub fn and(mut self, mut other: Self) -> Self {
        self.watchers.append(&mut other.watchers);
        self.held.append(&mut other.held);
        self
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        for (watchers, number) in &self.watchers {
            locked(watchers).retain(|(own, _)| own != number);
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}
