//! The databases with served tables in this process.

use super::base::{Base, TableOptions};
use demat_core::Result;
use demat_sqlite::Database;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

static SHARED: Mutex<Vec<(Key, Weak<Base>)>> = Mutex::new(Vec::new());

/// What makes two databases the same.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    file: File,
    options: TableOptions,
    /// SQLite's connections can't be used in a forked process.
    process: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum File {
    /// The whole path, and what tells the file from others that had the path before.
    At(PathBuf, (u64, u64)),
    /// A connection to a database in memory.
    Memory(usize),
}

/// Returns the base of a database that is in use with the same options, or opens one.
pub(super) fn shared(
    database: &Database,
    options: &TableOptions,
    open: impl FnOnce() -> Result<Arc<Base>>,
) -> Result<Arc<Base>> {
    let Some(file) = file(database) else { return open() };
    let key = Key { file, options: *options, process: process::id() };
    if let Some(base) = found(&mut locked(), &key) {
        return Ok(base);
    }
    // Not under the lock: it may wait for others who have locked the file.
    let own = open()?;
    let mut shared = locked();
    if let Some(base) = found(&mut shared, &key) {
        return Ok(base);
    }
    shared.push((key, Arc::downgrade(&own)));
    Ok(own)
}

fn found(shared: &mut Vec<(Key, Weak<Base>)>, key: &Key) -> Option<Arc<Base>> {
    shared.retain(|(_, base)| base.strong_count() > 0);
    shared.iter().find(|(own, _)| own == key).and_then(|(_, base)| base.upgrade())
}

/// A poisoned lock is fine: the list is consistent after every step.
fn locked() -> MutexGuard<'static, Vec<(Key, Weak<Base>)>> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns `None` for a file that can't be told from others.
fn file(database: &Database) -> Option<File> {
    match database.name() {
        ":memory:" | "" => Some(File::Memory(database.as_ptr().addr())),
        path => {
            let path = Path::new(path).canonicalize().ok()?;
            let identity = identity(&path)?;
            Some(File::At(path, identity))
        }
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|about| (about.dev(), about.ino()))
}

/// Elsewhere nothing tells it from a file that was there before, and stores share nothing.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}
