//! An environment with served collections: its versions and its watchers.

use demat_core::Result;
use demat_lmdb::{Environment, Reads as _, Writing};
use demat_store::{Changes, Verb, Version};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The environments with served collections.
static SHARED: Mutex<Vec<Weak<Base>>> = Mutex::new(Vec::new());

/// An environment with served collections.
#[derive(Debug)]
pub(crate) struct Base {
    pub(super) environment: Environment,
    /// Notifies the watchers of changes made through this.
    pub(crate) changes: Changes,
    /// The number of the last transaction that watchers know of.
    seen: AtomicU64,
    seed: u64,
}

impl Base {
    /// Returns the base of an environment: all stores of this process share it, so that the watchers of each get what is
    /// changed through any of them.
    pub(crate) fn of(environment: &Environment) -> Arc<Self> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.retain(|base| base.strong_count() > 0);
        if let Some(base) = shared.iter().filter_map(Weak::upgrade).find(|base| base.environment.is_same(environment)) {
            return base;
        }
        let base = Arc::new(Self {
            environment: environment.clone(),
            changes: Changes::new(),
            seen: AtomicU64::new(environment.last_transaction()),
            seed: seed(environment),
        });
        shared.push(Arc::downgrade(&base));
        base
    }

    /// Returns the version of all collections: it changes with each transaction, of any process.
    pub(super) fn version(&self) -> Version {
        self.version_of(self.environment.last_transaction())
    }

    /// Returns the version that a transaction made.
    pub(super) fn version_of(&self, transaction: u64) -> Version {
        // A multiplication by an odd number keeps the versions distinct.
        Version(self.seed ^ transaction.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Runs a change in a transaction of its own, which is undone if it fails.
    pub(super) fn write<T>(&self, act: impl FnOnce(&mut Writing) -> Result<T>) -> Result<T> {
        let mut writing = self.environment.write()?;
        let done = act(&mut writing)?;
        let number = writing.number();
        // Before the commit, or a `look` right after it would take the change for one by others. If others have committed
        // in between, `look` is to report them.
        let is_known = writing.changes() > 0
            && self.seen.compare_exchange(number - 1, number, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        let committed = writing.commit();
        if is_known && (committed.is_err() || self.environment.last_transaction() < number) {
            // LMDB gives the number of an empty transaction again, here or in another process.
            let _ = self.seen.compare_exchange(number, number - 1, Ordering::SeqCst, Ordering::SeqCst);
        }
        committed?;
        Ok(done)
    }

    /// Notifies the watchers if others have changed the environment since the last call.
    pub(crate) fn look(&self) {
        let last = self.environment.last_transaction();
        // A transaction of this process that is being committed has a greater number.
        if self.seen.fetch_max(last, Ordering::SeqCst) < last {
            self.changes.tell(Verb::Put, &[]);
        }
    }
}

/// Returns a number that is the same in every process that serves this file, and another one for other files.
fn seed(environment: &Environment) -> u64 {
    let mut hasher = DefaultHasher::new();
    environment.path().canonicalize().unwrap_or_default().hash(&mut hasher);
    #[cfg(unix)]
    if let Ok(about) = std::fs::metadata(environment.path().join("data.mdb")) {
        use std::os::unix::fs::MetadataExt as _;
        (about.dev(), about.ino()).hash(&mut hasher);
    }
    hasher.finish()
}
