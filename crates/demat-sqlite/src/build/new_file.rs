//! Creates a file that appears complete or not at all.

use demat_core::{Error, ErrorKind, Result};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// A new database file. If the system supports it, the file has no name, so that nothing is left even if the process is
/// killed; elsewhere it has a temporary name in the same folder.
#[derive(Debug)]
pub(super) struct NewFile {
    target: PathBuf,
    replace: bool,
    name: Option<TempPath>,
}

/// Suffixes of SQLite's files beside a database. If they exist, SQLite would take them for the new file's own.
const BESIDE: [&str; 2] = ["-journal", "-wal"];

impl NewFile {
    /// Begins a file for this path.
    pub(super) fn create(target: &Path, replace: bool) -> Result<(Self, File)> {
        check(target, replace)?;
        let (file, name) = begin(target).map_err(|error| lift(error, target))?;
        Ok((Self { target: target.to_path_buf(), replace, name }, file))
    }

    /// Begins a temporary file in a folder.
    pub(super) fn scratch(folder: &Path) -> Result<(Self, File)> {
        let target = folder.join("load");
        let (file, name) = begin(&target).map_err(|error| lift(error, &target))?;
        Ok((Self { target, replace: false, name }, file))
    }

    /// Returns the folder of the file.
    pub(super) fn folder(&self) -> &Path {
        folder(&self.target)
    }

    /// Gives the file a temporary name, by which others can open it.
    pub(super) fn name(&mut self, file: &File) -> Result<&Path> {
        if self.name.is_none() {
            let prefix = prefix(&self.target);
            let mut named = tempfile::Builder::new();
            let name = named.prefix(&prefix).suffix(SUFFIX).make_in(folder(&self.target), |path| link(file, path));
            self.name = Some(name.map_err(|error| lift(error, &self.target))?.into_temp_path());
        }
        Ok(self.name.as_deref().unwrap_or(&self.target))
    }

    /// Syncs the file to the disk.
    pub(super) fn sync(&self, file: &File) -> Result<()> {
        file.sync_all().map_err(|error| lift(error, &self.target))
    }

    /// Gives the file, which is synced if it is to be durable, its final name.
    pub(super) fn commit(mut self, file: &File, durable: bool) -> Result<()> {
        self.make_known(file, durable).map_err(|error| lift(error, &self.target))
    }

    fn make_known(&mut self, file: &File, durable: bool) -> io::Result<()> {
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

/// Returns the prefix of temporary names: the beginning of the file's own name, so that people can recognize leftovers.
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
    // The process's umask determines the permissions, as for every file.
    let make = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(path);
    let named = tempfile::Builder::new().prefix(&prefix(target)).suffix(SUFFIX).make_in(folder(target), make)?;
    let (file, name) = named.into_parts();
    Ok((file, Some(name)))
}

#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    // Linking it later needs this path.
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
        // Some file systems don't support this.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        other => other,
    }
}

#[cfg(not(unix))]
fn sync(_: &Path) -> io::Result<()> {
    Ok(())
}
