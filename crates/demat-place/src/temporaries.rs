//! The temporary files of this process, so that they can be removed when it is interrupted.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A guard: while it exists, no temporary file is created or renamed.
#[derive(Debug)]
pub struct Held {
    _lock: MutexGuard<'static, Vec<PathBuf>>,
}

/// Removes the temporary files of all unfinished [`AtomicFile`](crate::AtomicFile)s of the process, for a signal
/// handler thread before the process ends. Keep the returned guard until the end.
pub fn remove() -> Held {
    let mut open = lock();
    for path in open.drain(..) {
        let _ = fs::remove_file(path); // it may be gone, and no caller is left to report to
    }
    Held { _lock: open }
}

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    // The list of paths is consistent even after a panic.
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a temporary file next to the file that it will replace.
pub(crate) fn create(target: &Path) -> io::Result<NamedTempFile> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    // File systems allow 255 bytes. The name helps people who find such a file, and may be truncated.
    let prefix: String = format!(".{name}").chars().take(48).collect();
    let mut open = lock();
    // The process's umask determines the permissions, as for every file.
    let make = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
    let mut builder = tempfile::Builder::new();
    let file = builder.prefix(&prefix).suffix(".demat-tmp").rand_bytes(8).make_in(folder(target), make)?;
    open.push(file.path().to_path_buf());
    Ok(file)
}

/// Renames a temporary file to its final name.
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

/// Returns the folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
