//! A database that tables are served from.

use super::commit::Commits;
use super::index::Index;
use super::reader::Reader;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use demat_core::Result;
use demat_sqlite::{Database, OpenOptions, Rows, Statement};
use demat_store::{Changes, Verb, Version};
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How a database is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableOptions {
    /// Whether nothing is to be changed.
    pub readonly: bool,
    /// Whether what was acknowledged is there after a loss of power, too (`synchronous=FULL`).
    pub durable: bool,
    /// Whether a file is written by a log beside it (`journal_mode=WAL`), so that who reads and who writes don't wait for each
    /// other. The file remembers it.
    pub log: bool,
    /// How long to wait for other processes that have the file locked.
    pub timeout: Duration,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self { readonly: false, durable: true, log: true, timeout: Duration::from_secs(5) }
    }
}

/// A database that tables are served from.
#[derive(Debug)]
pub(crate) struct Base {
    /// Of a database in a file.
    path: Option<PathBuf>,
    name: String,
    options: TableOptions,
    pub(super) commits: Commits,
    /// Those that nobody reads with at the moment; of a database in memory, whose one connection writes too, there is none.
    idle: Mutex<Vec<Reader>>,
    /// So many are reading.
    reading: AtomicUsize,
    /// Where a look at a file is enough.
    index: Option<Index>,
    watching: Mutex<Watching>,
    /// Of everything that is changed through this.
    pub(crate) changes: Changes,
    /// About so long is what is encoded.
    usual: AtomicUsize,
    seed: u64,
}

/// What sees that the file has changed, by whoever.
#[derive(Debug)]
struct Watching {
    database: Database,
    version: Statement,
}

/// So many readers are kept.
const READERS: usize = 16;

impl Base {
    /// Over the file of a database, or over its one connection, where it is in memory.
    pub(crate) fn of(database: &Database, options: &TableOptions) -> Result<Arc<Self>> {
        let path =
            (database.name() != ":memory:" && !database.name().is_empty()).then(|| PathBuf::from(database.name()));
        let writer = match &path {
            Some(path) => open(path, options, false)?,
            None => database.clone(),
        };
        let watcher = match &path {
            Some(path) => open(path, options, true)?,
            None => database.clone(),
        };
        let index = path.as_ref().and_then(|path| Index::of(&watcher, path));
        let version = watcher.statement("PRAGMA data_version")?;
        Ok(Arc::new(Self {
            path,
            name: database.name().to_string(),
            options: *options,
            commits: Commits::new(writer),
            idle: Mutex::default(),
            reading: AtomicUsize::new(0),
            index,
            watching: Mutex::new(Watching { database: watcher, version }),
            changes: Changes::new(),
            usual: AtomicUsize::new(0),
            seed: RandomState::new().hash_one(database.name()),
        }))
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether who reads has a connection of its own.
    pub(super) fn is_shared(&self) -> bool {
        self.path.is_some()
    }

    pub(super) fn is_readonly(&self) -> bool {
        self.options.readonly
    }

    /// Does something with a reader.
    pub(super) fn reading<T>(&self, read: impl FnOnce(&mut Reader) -> Result<T>) -> Result<T> {
        let Some(path) = &self.path else {
            // One connection: nobody may read what is not committed yet.
            return self.commits.alone(|database| read(&mut Reader::new(database.clone())));
        };
        let _reads = Reads::begin(&self.reading);
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let is_one_more = self.reading.load(Ordering::Relaxed) > READERS;
        let mut reader = if let Some(reader) = idle {
            reader
        } else {
            let database = open(path, &self.options, true)?;
            if is_one_more {
                // Many that read for long, as those they read for are slow, must not each keep pages as if they were few.
                database.execute("PRAGMA cache_size = -64")?;
            }
            Reader::new(database)
        };
        let done = read(&mut reader);
        // One that failed may be in whatever state.
        if done.is_ok() && !is_one_more {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < READERS {
                idle.push(reader);
            }
        }
        done
    }

    /// The version of everything in the database.
    pub(super) fn version(&self) -> Result<Version> {
        if let Some(state) = self.index.as_ref().and_then(Index::state) {
            return Ok(Version(self.seed ^ state));
        }
        let mut watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner);
        let told = watching.version.step();
        let version = if told? { watching.version.int(0) } else { 0 };
        watching.version.reset();
        // Of a connection's own changes it does not tell.
        let own = if self.path.is_none() { watching.database.total_changes() } else { 0 };
        Ok(Version(self.seed ^ (version.cast_unsigned() << 32).wrapping_add(own).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// Tells those who watch, where others than the one connection that writes have changed something since this was called
    /// last.
    pub(super) fn look(&self) {
        let told = self.commits.by_others();
        if told {
            self.changes.tell(Verb::Put, &[]);
        }
    }

    /// How much memory what is encoded will want, up to a limit.
    pub(super) fn usual(&self, limit: usize) -> usize {
        let usual = self.usual.load(Ordering::Relaxed);
        (usual + usual / 8 + 64).min(limit)
    }

    /// So long it was.
    pub(super) fn was(&self, len: usize) {
        self.usual.store(len, Ordering::Relaxed);
    }
}

/// Counts one who reads.
struct Reads<'b>(&'b AtomicUsize);

impl<'b> Reads<'b> {
    fn begin(reading: &'b AtomicUsize) -> Self {
        reading.fetch_add(1, Ordering::Relaxed);
        Self(reading)
    }
}

impl Drop for Reads<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Another connection to a file.
fn open(path: &Path, options: &TableOptions, reads: bool) -> Result<Database> {
    let how = OpenOptions { readonly: options.readonly, create: false, timeout: options.timeout };
    let database = Database::open_with(path, how)?;
    // What somebody else has put into the file is not trusted.
    database.execute("PRAGMA trusted_schema = OFF")?;
    database.execute("PRAGMA cell_size_check = ON")?;
    if reads {
        database.execute("PRAGMA query_only = ON")?;
    } else if !options.readonly {
        if options.log {
            // Where that can't be, as somebody else reads at the moment, it is served as it is.
            drop(database.execute("PRAGMA journal_mode = WAL"));
        }
        database.execute(if options.durable { "PRAGMA synchronous = FULL" } else { "PRAGMA synchronous = NORMAL" })?;
    }
    Ok(database)
}
