//! The table of the readers of all processes, in LMDB's lock file.

use crate::environment::locked;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A place in the table that is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) process: u32,
    /// The transaction that it reads; `None` between two transactions.
    pub(crate) transaction: Option<u64>,
}

/// The size of a place: LMDB gives each a cache line.
const PLACE: usize = 64;

/// The lock files that are open, by their paths.
///
/// They are never closed. By the rules of POSIX, closing any descriptor of a file releases all locks of the process on
/// it, and LMDB knows living readers by such locks.
static FILES: Mutex<Option<HashMap<PathBuf, Arc<File>>>> = Mutex::new(None);

/// Returns the reader places that are in use in an environment's directory. The environment has `most` places.
pub(crate) fn taken(path: &Path, most: u32) -> io::Result<Vec<Taken>> {
    if cfg!(not(all(unix, target_pointer_width = "64"))) {
        return Ok(Vec::new());
    }
    let file = file(&path.join("lock.mdb"))?;
    let whole = contents(&file)?;
    // The places stand at the end of the file, behind a head whose size depends on the system.
    let begin = whole.len().saturating_sub(most as usize * PLACE);
    Ok(whole[begin..].chunks_exact(PLACE).filter_map(place).collect())
}

/// Reads a place: the transaction's number, the process, and the thread.
fn place(bytes: &[u8]) -> Option<Taken> {
    let transaction = u64::from_ne_bytes(*bytes.first_chunk()?);
    let process = i32::from_ne_bytes(*bytes.get(8..)?.first_chunk()?);
    let process = u32::try_from(process).ok().filter(|process| *process > 0)?;
    Some(Taken { process, transaction: (transaction != u64::MAX).then_some(transaction) })
}

/// Returns the open lock file; opens it if there is none, or if another file took its place.
fn file(path: &Path) -> io::Result<Arc<File>> {
    let mut files = locked(&FILES);
    let files = files.get_or_insert_default();
    if let Some(file) = files.get(path)
        && is_same(&file.metadata()?, &std::fs::metadata(path)?)
    {
        return Ok(Arc::clone(file));
    }
    let file = Arc::new(File::open(path)?);
    if let Some(old) = files.insert(path.to_path_buf(), Arc::clone(&file)) {
        core::mem::forget(old);
    }
    Ok(file)
}

#[cfg(unix)]
fn is_same(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
fn contents(file: &File) -> io::Result<Vec<u8>> {
    use std::os::unix::fs::FileExt as _;
    let mut whole = vec![0; usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX).min(MOST)];
    file.read_exact_at(&mut whole, 0)?;
    Ok(whole)
}

#[cfg(not(unix))]
fn contents(_: &File) -> io::Result<Vec<u8>> {
    Ok(Vec::new())
}

/// The largest table that is read: a million readers.
const MOST: usize = 64 << 20;
