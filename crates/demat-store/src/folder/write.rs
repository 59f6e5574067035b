//! Writing files.

use super::resolve::{Found, is_name, names, version};
use super::{Folder, failed};
use crate::body::Body;
use crate::bytes_sink::BytesSink;
use crate::fault::Fault;
use crate::reference::Reference;
use crate::store::Put;
use crate::verb::Verb;
use crate::version::{Version, When};
use core::time::Duration;
use demat_core::{Result, Shape};
use demat_place::{Compression, Place, Target, WriteOptions};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};
use std::time::SystemTime;

/// Shared state of concurrent writers.
#[derive(Debug)]
pub(super) struct Writing {
    /// The modification time of the last file; no other file gets it.
    last: SystemTime,
    /// Files that are being posted.
    reserved: HashSet<PathBuf>,
}

impl Writing {
    pub(super) fn new() -> Self {
        Self { last: SystemTime::UNIX_EPOCH, reserved: HashSet::new() }
    }
}

impl Folder {
    // A poisoned lock is fine: both fields are consistent after every step.
    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a file.
    pub(super) fn write(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let path = match self.found(at)? {
            Found::Folder(_) => return Err(Fault::NotAllowed(Verb::Put).about(at)),
            Found::File(found) => found.path,
            Found::Nothing => self.new_path(at)?,
        };
        let file = self.staged(&path, value).map_err(|error| error.in_place(crate::shown(at)))?;
        let mut writing = self.writing();
        let there = there(&path);
        if !when.holds(there.map(Some)) {
            return Err(Fault::Changed.about(at));
        }
        Self::appear(at, file, &path, &mut writing)?;
        drop(writing);
        self.changed(Verb::Put, at, &path);
        Ok(if there.is_some() { Put::Replaced } else { Put::Created })
    }

    /// Returns the path for a new file.
    fn new_path(&self, at: &[String]) -> Result<PathBuf> {
        let Some((name, before)) = at.split_last() else { return Err(Fault::NotAllowed(Verb::Put).about(at)) };
        if !is_name(name) {
            return Err(Fault::BadReference.about(at));
        }
        let mut path = self.made(before)?.join(name);
        if Self::is_taken(&path) {
            return Err(Fault::Conflict.about(at));
        }
        if self.format(&path).is_none() && !self.raw {
            path = path.with_file_name(format!("{name}{}", self.suffix));
        }
        if Self::is_taken(&path) {
            return Err(Fault::Conflict.about(at));
        }
        Ok(path)
    }

    /// Posts a file.
    pub(super) fn add(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        let folder = match self.found(at)? {
            Found::Folder(path) => path,
            Found::File(_) => return Err(Fault::NotAllowed(Verb::Post).about(at)),
            Found::Nothing => self.made(at)?,
        };
        let reserved = self.reserve(at, &folder)?;
        let file = self.staged(&reserved.path, value).map_err(|error| error.in_place(crate::shown(at)))?;
        let mut writing = self.writing();
        if Self::is_taken(&reserved.path) {
            return Err(Fault::Conflict.about(at));
        }
        Self::appear(at, file, &reserved.path, &mut writing)?;
        drop(writing);
        let reference = Reference::from(at).join(core::slice::from_ref(&reserved.name));
        self.changes.tell(Verb::Post, &reference);
        Ok(reference)
    }

    /// Reserves the next free number as a name, until the result is dropped.
    fn reserve(&self, at: &[String], folder: &Path) -> Result<Reserved<'_>> {
        let mut writing = self.writing();
        let of = |name: &str| name.split('.').next().and_then(|stem| stem.parse::<u64>().ok());
        let mut last = names(at, folder)?.iter().filter_map(|name| of(name)).max().unwrap_or(0);
        loop {
            last = last.checked_add(1).ok_or_else(|| Fault::Conflict.about(at))?;
            let name = format!("{last}{}", self.suffix);
            let path = folder.join(&name);
            if writing.reserved.insert(path.clone()) {
                return Ok(Reserved { folder: self, path, name });
            }
        }
    }

    /// Writes a value to a temporary file.
    fn staged(&self, path: &Path, value: &mut dyn Body) -> Result<Target> {
        let format = self.format(path);
        let place = Place::from(path);
        let mut file = Target::create_packed(&place, format.and_then(|_| Compression::of_path(path)))?;
        let Some(format) = format else {
            file.write(&BytesSink::told(|sink| value.tell(&Shape::Bytes, sink))?)?;
            return Ok(file);
        };
        let mut sink = demat_place::sink(format, &WriteOptions::of(format), Passed(&mut file))?;
        value.tell(&Shape::Any, &mut *sink).map_err(demat_place::lift)?;
        drop(sink);
        file.write(format.about().ending.as_bytes())?;
        Ok(file)
    }

    /// Renames the temporary file into place, with a unique modification time.
    fn appear(at: &[String], file: Target, path: &Path, writing: &mut Writing) -> Result<()> {
        file.finish()?;
        let stamped = || -> io::Result<SystemTime> {
            let file = File::open(path)?;
            let own = file.metadata()?.modified()?;
            if own > writing.last {
                return Ok(own);
            }
            // The system's clock ticks a few hundred times a second.
            let next = writing.last + Duration::from_nanos(1);
            file.set_modified(next)?;
            Ok(next)
        };
        writing.last = stamped().map_err(|cause| failed(at, cause))?;
        Ok(())
    }

    /// Deletes a file, or an empty folder.
    pub(super) fn remove(&self, at: &[String], when: &When) -> Result<()> {
        let writing = self.writing();
        let found = self.found(at)?;
        let (path, own) = match &found {
            Found::Folder(_) if at.is_empty() => return Err(Fault::NotAllowed(Verb::Delete).about(at)),
            Found::Folder(path) => (path, fs::metadata(path).map(|about| version(&about)).ok()),
            Found::File(found) => (&found.path, Some(found.version)),
            Found::Nothing => {
                let fault = if when.holds(None) { Fault::NotFound } else { Fault::Changed };
                return Err(fault.about(at));
            }
        };
        if !when.holds(Some(own)) {
            return Err(Fault::Changed.about(at));
        }
        let removed = match &found {
            Found::Folder(path) => fs::remove_dir(path),
            _ => fs::remove_file(path),
        };
        removed.map_err(|cause| match cause.kind() {
            io::ErrorKind::DirectoryNotEmpty => Fault::Conflict.because(format!("`{}` is not empty", crate::shown(at))),
            _ => failed(at, cause),
        })?;
        drop(writing);
        self.changed(Verb::Delete, at, path);
        Ok(())
    }

    /// Notifies watchers of a changed file, also under its full name.
    fn changed(&self, verb: Verb, at: &[String], path: &Path) {
        self.changes.tell(verb, at);
        let Ok(below) = path.strip_prefix(&self.root) else { return };
        let names: Option<Vec<String>> = below.iter().map(|name| Some(name.to_str()?.to_string())).collect();
        if let Some(names) = names.filter(|names| names != at) {
            self.changes.tell(verb, &names);
        }
    }
}

/// Returns the version of the file at a path.
fn there(path: &Path) -> Option<Version> {
    fs::metadata(path).ok().map(|about| version(&about))
}

/// A reserved name.
struct Reserved<'f> {
    folder: &'f Folder,
    path: PathBuf,
    name: String,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.folder.writing().reserved.remove(&self.path);
    }
}

/// A target as a writer.
struct Passed<'t>(&'t mut Target);

impl Write for Passed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map(|()| bytes.len()).map_err(io::Error::other)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
