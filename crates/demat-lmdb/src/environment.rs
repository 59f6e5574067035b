//! Environments: directories with a file that LMDB maps into memory.

use crate::failure::{failed, refused};
use crate::reader::{Reader, Readers};
use crate::reader_table;
use crate::transaction::{Reads, Snapshot, Writing};
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use heed::types::Bytes;
use heed::{CommitOrAbort, CompactionOption, EnvFlags, EnvOpenOptions, MdbError, WithoutTls};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};
use std::thread::ThreadId;
use std::{fs, io, process, thread};

/// A named database of LMDB, over bytes.
pub(crate) type Table = heed::Database<'static, Bytes, Bytes>;

/// An open environment. Clones share it, and so does everybody who opens the same directory in this process.
///
/// ```
/// # fn main() -> demat_core::Result<()> {
/// use demat_lmdb::{Environment, Options};
/// let folder = tempfile::tempdir()?;
/// let environment = Environment::open(folder.path(), &Options::default())?;
/// assert!(environment.collections(&environment.read()?)?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Environment(Arc<Inner>);

struct Inner {
    env: heed::Env<WithoutTls>,
    path: PathBuf,
    process: u32,
    readonly: bool,
    /// The tables that were opened, by their names.
    tables: RwLock<HashMap<String, Table>>,
    readers: Readers,
    /// The thread of this process that writes.
    writer: Mutex<Option<ThreadId>>,
    /// The number of the last transaction whose tables are open here.
    known: AtomicU64,
    /// Writers hold it shared while they begin, so that the map does not move meanwhile.
    moving: RwLock<()>,
}

/// How to open an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The largest size of the file, in bytes; a multiple of the system's page size. It is reserved as addresses, and
    /// takes neither memory nor disk. `None`: 1 TiB, or as much as the system gives.
    pub map_size: Option<usize>,
    /// The number of collections and indexes that can be open.
    pub max_collections: u32,
    /// The number of transactions that can read at a time, in all processes.
    pub max_readers: u32,
    /// Whether to open it for reading only.
    pub readonly: bool,
    /// Whether to create it if it does not exist.
    pub create: bool,
    /// What a commit waits for.
    pub sync: Sync,
}

/// What a commit waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sync {
    /// The disk: what was committed outlives a crash of the system.
    #[default]
    Full,
    /// The disk, except for the last page: a crash of the system may undo the last commit.
    Data,
    /// Nothing: a crash of the system may damage the file. A crash of the process does not.
    Off,
}

impl Default for Options {
    fn default() -> Self {
        Self { map_size: None, max_collections: 128, max_readers: 510, readonly: false, create: true, sync: Sync::Full }
    }
}

const FORKED: &str =
    "the environment was opened before this process was forked; close it before a fork, and open it in each process";

/// How often a transaction begins anew, since another process has committed just before.
const TRIES: usize = 3;

/// The size of a map for which none was given, and the smallest that is tried where addresses are scarce.
const MAP_SIZES: (usize, usize) = if usize::BITS == 64 { (1 << 40, 1 << 30) } else { (1 << 30, 1 << 28) };

/// The environments of this process. LMDB must not open a file twice in one process.
static OPEN: Mutex<Option<HashMap<PathBuf, Weak<Inner>>>> = Mutex::new(None);

impl Environment {
    /// Opens a directory. In a process that has it open already, returns that environment; the options are those of
    /// the first opening.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) if it can't be opened. [`Store`](ErrorKind::Store) if it was opened for reading only, and
    /// this is not; or in a forked process that has it open from its parent.
    pub fn open(path: &Path, options: &Options) -> Result<Self> {
        let located = |error: Error| error.in_place(path.display().to_string());
        let io = |cause: io::Error| located(Error::new(ErrorKind::Io, "can't be opened").because(cause));
        if options.create && !options.readonly {
            fs::create_dir_all(path).map_err(io)?;
        }
        let whole = path.canonicalize().map_err(io)?;
        if !whole.is_dir() {
            let message = "an environment of LMDB is a directory, and this is a file";
            return Err(located(Error::new(ErrorKind::Io, message)));
        }
        if (options.readonly || !options.create) && !whole.join("data.mdb").exists() {
            return Err(io(io::Error::from_raw_os_error(2)));
        }
        let mut open = locked(&OPEN);
        let open = open.get_or_insert_default();
        if let Some(inner) = open.get(&whole).and_then(Weak::upgrade) {
            if inner.process != process::id() {
                return Err(located(refused(FORKED)));
            }
            if inner.readonly && !options.readonly {
                return Err(located(refused("the environment is open for reading only in this process")));
            }
            return Ok(Self(inner));
        }
        // The last owner may just be closing it.
        if let Some(closing) = heed::env_closing_event(&whole) {
            closing.wait();
        }
        let env = map(&whole, options).map_err(|error| located(failed(error)))?;
        let inner = Arc::new(Inner {
            env,
            path: path.to_path_buf(),
            process: process::id(),
            readonly: options.readonly,
            tables: RwLock::default(),
            readers: Readers::default(),
            writer: Mutex::default(),
            known: AtomicU64::new(u64::MAX),
            moving: RwLock::default(),
        });
        open.retain(|_, inner| inner.strong_count() > 0);
        open.insert(whole, Arc::downgrade(&inner));
        let environment = Self(inner);
        // A transaction sees only tables that were opened before it began.
        environment.open_tables().map_err(located)?;
        Ok(environment)
    }

    /// The path that it was first opened by.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Whether it is open for reading only.
    pub fn is_readonly(&self) -> bool {
        self.0.readonly
    }

    /// The longest key, in bytes.
    pub fn max_key(&self) -> usize {
        self.0.env.max_key_size()
    }

    /// The size of the map.
    pub fn map_size(&self) -> usize {
        self.0.env.info().map_size
    }

    /// The size of the file on the disk.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io).
    pub fn file_size(&self) -> Result<u64> {
        self.0.env.real_disk_size().map_err(failed)
    }

    /// The number of the last transaction that was committed, by any process.
    pub fn last_transaction(&self) -> u64 {
        self.0.env.info().last_txn_id as u64
    }

    /// Whether both are the same open environment.
    ///
    /// ```
    /// # fn main() -> demat_core::Result<()> {
    /// # let folder = tempfile::tempdir()?;
    /// use demat_lmdb::{Environment, Options};
    /// let environment = Environment::open(folder.path(), &Options::default())?;
    /// assert!(environment.is_same(&Environment::open(folder.path(), &Options::default())?));
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The number of places for readers that are, or were, in use in all processes, and that of all places.
    pub fn reader_places(&self) -> (u32, u32) {
        let info = self.0.env.info();
        (info.number_of_readers, info.maximum_number_of_readers)
    }

    /// Returns the transactions of all processes that read, oldest first. Frees the places of dead processes before.
    ///
    /// LMDB can't reuse the pages that an old one may read, so the file grows while it lasts. Those of other processes
    /// are known on Unix only.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) if the lock file can't be read.
    pub fn readers(&self) -> Result<Vec<Reader>> {
        self.clear_stale_readers()?;
        let last = self.last_transaction();
        let mut readers = self.0.readers.list(last);
        let whole = self.0.env.path();
        for taken in reader_table::taken(whole, self.reader_places().1)? {
            let Some(transaction) = taken.transaction.filter(|_| taken.process != self.0.process) else { continue };
            let behind = last.saturating_sub(transaction);
            readers.push(Reader { transaction, behind, age: None, process: taken.process });
        }
        readers.sort_by_key(|reader| (reader.transaction, core::cmp::Reverse(reader.age)));
        Ok(readers)
    }

    /// Frees the places of readers whose processes have died; returns how many.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io).
    pub fn clear_stale_readers(&self) -> Result<usize> {
        self.0.env.clear_stale_readers().map_err(failed)
    }

    /// Waits until everything that was committed is on the disk.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io).
    pub fn sync(&self) -> Result<()> {
        self.0.env.force_sync().map_err(failed)
    }

    /// Changes the size of the map: a multiple of the system's page size.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) while a transaction of this process is open, since its pages would move.
    pub fn resize(&self, size: usize) -> Result<()> {
        let (moving, writer) = (self.0.moving.try_write(), locked(&self.0.writer));
        if moving.is_err() || writer.is_some() {
            return Err(refused("the map can't change its size while a transaction is open"));
        }
        self.0.readers.while_none(|| {
            // SAFETY: no transaction of this process is open: none reads, and none writes. None begins meanwhile: the
            // locks are held, and every transaction begins under one of them.
            unsafe { self.0.env.resize(size) }.map_err(failed)
        })?
    }

    /// Writes a consistent copy into a new file, without the free pages.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io), also if the file exists.
    pub fn copy_to(&self, path: &Path) -> Result<()> {
        let located = |error: Error| error.in_place(path.display().to_string());
        let mut file = fs::File::create_new(path)
            .map_err(|cause| located(Error::new(ErrorKind::Io, "can't be written").because(cause)))?;
        let copied = self.0.env.copy_to_file(&mut file, CompactionOption::Enabled).map_err(failed);
        copied.and_then(|()| Ok(file.sync_all()?)).map_err(located)
    }

    /// Begins to read: what is committed now, until the snapshot is dropped.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) if there are too many readers. [`Store`](ErrorKind::Store) in a forked process.
    pub fn read(&self) -> Result<Snapshot> {
        self.check_process()?;
        let begin = || self.0.readers.begin(|| self.0.env.clone().static_read_txn());
        let (txn, number) = match begin() {
            Err(heed::Error::Mdb(MdbError::MapResized)) => {
                self.adopt()?;
                begin()
            }
            begun => begun,
        }
        .map_err(failed)?;
        Ok(Snapshot::new(txn, self.clone(), number))
    }

    /// Begins to write. Waits while another thread or process writes.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if this thread writes already, if the environment is open for reading only, or in a
    /// forked process.
    pub fn write(&self) -> Result<Writing> {
        self.check_process()?;
        if self.0.readonly {
            return Err(refused("the environment is open for reading only"));
        }
        if *locked(&self.0.writer) == Some(thread::current().id()) {
            return Err(refused("this thread has a transaction that writes already; end it first, or nest in it"));
        }
        let begin = || {
            let _still = self.0.moving.read();
            Writing::begin(self)
        };
        for _ in 0..TRIES {
            let writing = match begin() {
                Err(heed::Error::Mdb(MdbError::MapResized)) => {
                    self.adopt()?;
                    begin()
                }
                begun => begun,
            }
            .map_err(failed)?;
            // Another process may have made a collection or an index, which only a later transaction sees. If it goes on
            // doing so, a later use of it fails.
            let before = writing.number() - 1;
            if before == self.0.known.load(Ordering::Relaxed) {
                return Ok(writing);
            }
            drop(writing);
            self.open_tables()?;
            self.0.known.store(before, Ordering::Relaxed);
        }
        begin().map_err(failed)
    }

    /// Notes a commit of this process, whose tables are known.
    pub(crate) fn committed(&self, number: u64) {
        self.0.known.store(number, Ordering::Relaxed);
    }

    /// Takes over the size that another process gave the map.
    fn adopt(&self) -> Result<()> {
        self.resize(0)
    }

    fn check_process(&self) -> Result<()> {
        if self.0.process == process::id() {
            return Ok(());
        }
        Err(refused(FORKED))
    }

    pub(crate) fn env(&self) -> &heed::Env<WithoutTls> {
        &self.0.env
    }

    pub(crate) fn set_writer(&self, writer: Option<ThreadId>) {
        *locked(&self.0.writer) = writer;
    }

    pub(crate) fn reader_ended(&self, number: u64) {
        self.0.readers.end(number);
    }

    /// Returns a table, if it exists.
    pub(crate) fn table(&self, name: &str) -> Result<Option<Table>> {
        if let Some(table) = self.0.tables.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Ok(Some(*table));
        }
        self.check_process()?;
        let txn = self.0.env.read_txn().map_err(failed)?;
        let opened = self.0.env.open_databases_and_commit(txn, |opener, txn| {
            opener.open_database::<Bytes, Bytes>(txn, Some(name)).map(CommitOrAbort::<_, ()>::Commit)
        });
        match opened.map_err(failed)? {
            CommitOrAbort::Commit(Some(table)) => Ok(Some(self.keep(name, table))),
            _ => Ok(None),
        }
    }

    /// Returns a table; creates it in a transaction of its own if it does not exist.
    pub(crate) fn make_table(&self, name: &str) -> Result<Table> {
        if let Some(table) = self.table(name)? {
            return Ok(table);
        }
        let (txn, writing) = self.write()?.into_only()?;
        let made = self.0.env.create_databases_and_commit(txn, |opener, txn| {
            opener.create_database::<Bytes, Bytes>(txn, Some(name)).map(CommitOrAbort::<_, ()>::Commit)
        });
        drop(writing);
        match made.map_err(failed)? {
            CommitOrAbort::Commit(table) => Ok(self.keep(name, table)),
            CommitOrAbort::Abort(()) => Err(refused("the table could not be made")),
        }
    }

    fn keep(&self, name: &str, table: Table) -> Table {
        self.0.tables.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_string(), table);
        table
    }
}

/// Opens the file; without a given size, with the largest map that there are addresses for.
fn map(path: &Path, options: &Options) -> heed::Result<heed::Env<WithoutTls>> {
    let mut flags = EnvFlags::empty();
    flags.set(EnvFlags::READ_ONLY, options.readonly);
    flags.set(EnvFlags::NO_META_SYNC, options.sync == Sync::Data);
    flags.set(EnvFlags::NO_SYNC, options.sync == Sync::Off);
    let mut size = options.map_size.unwrap_or(MAP_SIZES.0);
    loop {
        let mut open = EnvOpenOptions::new().read_txn_without_tls();
        open.map_size(size).max_dbs(options.max_collections).max_readers(options.max_readers);
        // SAFETY: none of the flags lifts a guarantee that memory safety needs: locks stay on, and pages are written by
        // the system's calls. The file is one that only LMDB changes: the directory is the caller's, as the crate's
        // documentation says.
        let opened = unsafe { open.flags(flags).open(path) };
        match opened {
            Err(heed::Error::Io(error))
                if error.kind() == io::ErrorKind::OutOfMemory && options.map_size.is_none() && size > MAP_SIZES.1 =>
            {
                size /= 2;
            }
            opened => return opened,
        }
    }
}

/// The contents are consistent even after a panic.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Environment").field(&self.0.path).finish()
    }
}
