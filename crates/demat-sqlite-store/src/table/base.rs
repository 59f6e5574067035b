//! A database with served tables: its connections, its versions and its watchers.

use super::commit::Commits;
use super::index::Index;
use super::reader::Reader;
use super::shared::shared;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub struct TableOptions {
    /// Whether writes are refused.
    pub readonly: bool,
    /// Whether nobody changes the file while it is served; see [`OpenOptions::immutable`]. Writes are refused.
    pub immutable: bool,
    /// Whether acknowledged writes survive a loss of power (`synchronous=FULL`).
    pub durable: bool,
    /// Whether to use a write-ahead log (`journal_mode=WAL`), so that readers and the writer don't block each other.
    /// The mode is persistent in the file.
    pub log: bool,
    /// The time to wait for other processes that have locked the file.
    pub timeout: Duration,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self { readonly: false, immutable: false, durable: true, log: true, timeout: Duration::from_secs(5) }
    }
}

/// A database with served tables.
#[derive(Debug)]
pub(crate) struct Base {
    /// The path; `None` for a database in memory.
    path: Option<PathBuf>,
    name: String,
    options: TableOptions,
    pub(super) commits: Commits,
    /// Idle readers. Always empty for a database in memory, whose only connection also writes.
    idle: Mutex<Vec<Reader>>,
    /// The number of active readers.
    reading: AtomicUsize,
    /// Set if the version can be read from a file, without SQLite.
    index: Option<Index>,
    watching: Mutex<Watching>,
    /// Notifies the watchers of changes made through this.
    pub(crate) changes: Changes,
    /// The length of the last response in bytes.
    usual: AtomicUsize,
    seed: u64,
}

/// A statement that detects changes of the file by any connection.
#[derive(Debug)]
struct Watching {
    database: Database,
    version: Statement,
}

/// The maximum number of idle readers.
const READERS: usize = 16;

impl Base {
    /// Returns the base of a database. All stores of this process with the same options share it, so that the watchers of
    /// each get what is changed through any of them.
    pub(crate) fn of(database: &Database, options: &TableOptions) -> Result<Arc<Self>> {
        shared(database, options, || Self::open(database, options))
    }

    /// Opens connections to a database's file; for one in memory, uses its only connection.
    fn open(database: &Database, options: &TableOptions) -> Result<Arc<Self>> {
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
        let is_common = path.is_none();
        let version = watcher.statement("PRAGMA data_version")?;
        Ok(Arc::new(Self {
            path,
            name: database.name().to_string(),
            options: *options,
            commits: Commits::new(writer, is_common),
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

    /// Returns whether readers have connections of their own.
    pub(super) fn is_shared(&self) -> bool {
        self.path.is_some()
    }

    pub(super) fn is_readonly(&self) -> bool {
        self.options.readonly || self.options.immutable
    }

    /// Calls a function with a reader.
    pub(super) fn reading<T>(&self, read: impl FnOnce(&mut Reader) -> Result<T>) -> Result<T> {
        let Some(path) = &self.path else {
            // There is only one connection: commits first, so that uncommitted writes are not read.
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
                // Many readers may be active for long, if their clients are slow. Each of them only gets a small page
                // cache.
                database.execute("PRAGMA cache_size = -64")?;
            }
            Reader::new(database)
        };
        let done = read(&mut reader);
        // After an error, the reader's state is unknown, so it is dropped.
        if done.is_ok() && !is_one_more {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < READERS {
                idle.push(reader);
            }
        }
        done
    }

    /// Returns the version of the whole database.
    pub(super) fn version(&self) -> Result<Version> {
        if let Some(state) = self.index.as_ref().and_then(Index::state) {
            return Ok(Version(self.seed ^ state));
        }
        let mut watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner);
        let told = watching.version.step();
        let version = if told? { watching.version.int(0) } else { 0 };
        watching.version.reset();
        // `PRAGMA data_version` does not reflect the connection's own changes.
        let own = if self.path.is_none() { watching.database.total_changes() } else { 0 };
        Ok(Version(self.seed ^ (version.cast_unsigned() << 32).wrapping_add(own).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// Notifies the watchers if connections other than the writer have changed the database since the last call.
    pub(super) fn look(&self) {
        let told = self.commits.by_others();
        if told {
            self.changes.tell(Verb::Put, &[]);
        }
    }

    /// Returns the capacity to reserve for a response, up to a limit.
    pub(super) fn usual(&self, limit: usize) -> usize {
        let usual = self.usual.load(Ordering::Relaxed);
        (usual + usual / 8 + 64).min(limit)
    }

    /// Stores the length of a response.
    pub(super) fn was(&self, len: usize) {
        self.usual.store(len, Ordering::Relaxed);
    }
}

/// Counts an active reader, until it is dropped.
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

/// Opens another connection to a file.
fn open(path: &Path, options: &TableOptions, reads: bool) -> Result<Database> {
    let (readonly, immutable) = (options.readonly || options.immutable, options.immutable);
    let how = OpenOptions { readonly, create: false, immutable, timeout: options.timeout };
    let database = Database::open_with(path, how)?;
    // The file is not trusted: others may have changed its schema.
    database.execute("PRAGMA trusted_schema = OFF")?;
    database.execute("PRAGMA cell_size_check = ON")?;
    if reads {
        database.execute("PRAGMA query_only = ON")?;
    } else if !readonly {
        if options.log {
            // Fails if another connection is reading; the database is then served in its current mode.
            drop(database.execute("PRAGMA journal_mode = WAL"));
        }
        database.execute(if options.durable { "PRAGMA synchronous = FULL" } else { "PRAGMA synchronous = NORMAL" })?;
    }
    Ok(database)
}
