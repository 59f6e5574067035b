//! The temporary files of this process, for whoever has to end it in the middle of things.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// While this is there, no temporary file is made and none gets its final name.
#[derive(Debug)]
pub struct Held {
    _lock: MutexGuard<'static, Vec<PathBuf>>,
}

/// Removes the temporary files of all unfinished [`AtomicFile`](crate::AtomicFile)s of the process, which is about to
/// end: for the thread that was told of a signal. What this gives is to be kept to the end.
pub fn remove() -> Held {
    let mut open = lock();
    for path in open.drain(..) {
        let _ = fs::remove_file(path); // it may be gone, and there is nobody left to tell
    }
    Held { _lock: open }
}

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    // A list of paths is whole whatever happened.
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a temporary file beside a file, for it to replace.
pub(crate) fn create(target: &Path) -> io::Result<NamedTempFile> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    // File systems allow 255 bytes; the name is for people who find one of these, and may be cut.
    let prefix: String = format!(".{name}").chars().take(48).collect();
    let mut open = lock();
    // What the file may be to others is for the process's mask to say, as for every file.
    let make = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
    let mut builder = tempfile::Builder::new();
    let file = builder.prefix(&prefix).suffix(".demat-tmp").rand_bytes(8).make_in(folder(target), make)?;
    open.push(file.path().to_path_buf());
    Ok(file)
}

/// Gives a temporary file its final name.
pub(crate) fn persist(file: NamedTempFile, target: &Path) -> io::Result<fs::File> {
    let mut open = lock();
    let path = file.path().to_path_buf();
    let persisted = file.persist(target).map_err(|error| error.error);
    open.retain(|one| *one != path);
    persisted
}

/// Removes a temporary file.
pub(crate) fn discard(file: NamedTempFile) {
    let mut open = lock();
    open.retain(|one| one != file.path());
    drop(file);
}

/// The folder that a file stands in.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
