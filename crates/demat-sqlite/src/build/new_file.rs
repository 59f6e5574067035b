//! A file that appears whole or not at all.

use demat_core::{Error, ErrorKind, Result};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// A database file that is being made: without a name where the system knows such files, so that nothing is left of it
/// even if the process is killed; under a temporary one in the same folder elsewhere.
#[derive(Debug)]
pub(super) struct NewFile {
    target: PathBuf,
    replace: bool,
    name: Option<TempPath>,
}

/// What SQLite puts beside a database; a new one under the name would be taken for the one that these belong to.
const BESIDE: [&str; 2] = ["-journal", "-wal"];

impl NewFile {
    /// Begins a file that is to be at the path.
    pub(super) fn create(target: &Path, replace: bool) -> Result<(Self, File)> {
        check(target, replace)?;
        let (file, name) = begin(target).map_err(|error| lift(error, target))?;
        Ok((Self { target: target.to_path_buf(), replace, name }, file))
    }

    /// Begins a file in a folder that is not to be kept.
    pub(super) fn scratch(folder: &Path) -> Result<(Self, File)> {
        let target = folder.join("load");
        let (file, name) = begin(&target).map_err(|error| lift(error, &target))?;
        Ok((Self { target, replace: false, name }, file))
    }

    /// The folder that it will be in.
    pub(super) fn folder(&self) -> &Path {
        folder(&self.target)
    }

    /// Gives it a temporary name, for others to open.
    pub(super) fn name(&mut self, file: &File) -> Result<&Path> {
        if self.name.is_none() {
            let prefix = prefix(&self.target);
            let mut named = tempfile::Builder::new();
            let name = named.prefix(&prefix).suffix(SUFFIX).make_in(folder(&self.target), |path| link(file, path));
            self.name = Some(name.map_err(|error| lift(error, &self.target))?.into_temp_path());
        }
        Ok(self.name.as_deref().unwrap_or(&self.target))
    }

    /// Gives it its own name, for good.
    pub(super) fn commit(mut self, file: &File, durable: bool) -> Result<()> {
        self.make_known(file, durable).map_err(|error| lift(error, &self.target))
    }

    fn make_known(&mut self, file: &File, durable: bool) -> io::Result<()> {
        if durable {
            file.sync_all()?;
        }
        check(&self.target, self.replace).map_err(io::Error::other)?;
        if self.name.is_none() && !self.replace {
            link(file, &self.target)?;
        } else {
            if let Ok(before) = fs::metadata(&self.target) {
                file.set_permissions(before.permissions())?;
            }
            self.name(file).map_err(io::Error::other)?;
            if let Some(name) = self.name.take() {
                let named =
                    if self.replace { name.persist(&self.target) } else { name.persist_noclobber(&self.target) };
                named.map_err(|error| error.error)?;
            }
        }
        if durable { sync(folder(&self.target)) } else { Ok(()) }
    }
}

const SUFFIX: &str = ".demat-tmp";

/// The name of a temporary file begins like that of the file, for people who find one. It may be cut.
fn prefix(target: &Path) -> String {
    format!(".{}", target.file_name().unwrap_or_default().to_string_lossy()).chars().take(48).collect()
}

fn folder(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn check(target: &Path, replace: bool) -> Result<()> {
    let taken = |path: &Path| {
        let message = format!("`{}` is there already", path.display());
        Err(Error::new(ErrorKind::Io, message))
    };
    if !replace && target.symlink_metadata().is_ok() {
        return taken(target);
    }
    for suffix in BESIDE {
        let mut beside = target.as_os_str().to_os_string();
        beside.push(suffix);
        if Path::new(&beside).symlink_metadata().is_ok() {
            return taken(Path::new(&beside));
        }
    }
    Ok(())
}

#[cold]
fn lift(error: io::Error, target: &Path) -> Error {
    Error::from(error).in_place(target.display().to_string())
}

fn begin(target: &Path) -> io::Result<(File, Option<TempPath>)> {
    if let Some(file) = nameless(folder(target)) {
        return Ok((file, None));
    }
    // What the file may be to others is for the process's mask to say, as for every file.
    let make = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(path);
    let named = tempfile::Builder::new().prefix(&prefix(target)).suffix(SUFFIX).make_in(folder(target), make)?;
    let (file, name) = named.into_parts();
    Ok((file, Some(name)))
}

#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    // Naming it goes by way of this one.
    if !Path::new("/proc/self/fd").is_dir() {
        return None;
    }
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    openat(CWD, folder, flags, Mode::from_raw_mode(0o666)).ok().map(File::from)
}

#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd as _;
    let own = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, own, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some file systems know no such thing.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        other => other,
    }
}

#[cfg(not(unix))]
fn sync(_: &Path) -> io::Result<()> {
    Ok(())
}
