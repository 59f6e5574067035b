//! Files that appear complete or not at all.

use crate::early_sync::EarlySync;
use crate::temporaries;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that appears complete or not at all.
///
/// It is written under a temporary name in the same folder. [`commit`](Self::commit) syncs it to the disk, renames it
/// over an existing file in one step, and syncs the folder, too. If it is dropped before that, it is removed, and an
/// existing file is unchanged. So a reader sees the old file or the new one, even after a power failure.
///
/// What it replaces:
///
/// * the target of a symbolic link, not the link;
/// * the content of the file; its permissions are kept, and its owner if the process is allowed to set it; other
///   attributes and other hard links are not kept;
/// * only files that this process may write to.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("notes");
/// use demat_place::AtomicFile;
/// use std::io::Write;
/// let mut file = AtomicFile::create(&path)?;
/// file.write_all(b"all of it")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    /// `None` once it is committed or dropped.
    temporary: Option<NamedTempFile>,
    target: PathBuf,
    early: EarlySync,
    /// Whether all that was written is on the disk.
    synced: bool,
}

impl AtomicFile {
    /// Begins a file for this path. A relative path leads on from the current folder, even if that changes before
    /// [`commit`](Self::commit).
    ///
    /// # Errors
    /// Errors of the system, also for an existing file that is not writable.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = followed(&lasting(path)?)?;
        let before = match OpenOptions::new().write(true).open(&target) {
            Ok(file) => Some(file.metadata()?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let temporary = temporaries::create(&target)?;
        // From here on, dropping this value removes the file.
        let own = Self { temporary: Some(temporary), target, early: EarlySync::new(), synced: false };
        if let Some(before) = before {
            keep_attributes(own.file()?, &before)?;
        }
        Ok(own)
    }

    /// Syncs the file to the disk, so that [`commit`](Self::commit) has little left to do that can fail.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn sync(&mut self) -> io::Result<()> {
        if !self.synced {
            self.early.finish()?;
            self.file()?.sync_all()?;
            self.synced = true;
        }
        Ok(())
    }

    /// Syncs the file to the disk and gives it its name.
    ///
    /// # Errors
    /// Errors of the system. An existing file is then unchanged, unless only syncing the folder failed.
    pub fn commit(mut self) -> io::Result<()> {
        self.sync()?;
        if let Some(temporary) = self.temporary.take() {
            temporaries::persist(temporary, &self.target)?;
        }
        sync_folder(temporaries::folder(&self.target))
    }

    /// The path while it is being written, for writers that need one.
    #[cfg(feature = "sqlite")]
    pub(crate) fn path(&self) -> &Path {
        self.temporary.as_ref().map_or(&self.target, |temporary| temporary.path())
    }

    pub(crate) fn file(&self) -> io::Result<&File> {
        self.temporary.as_ref().map(NamedTempFile::as_file).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(temporary) = &self.temporary else { return Err(io::ErrorKind::NotFound.into()) };
        let mut file = temporary.as_file();
        let written = file.write(bytes)?;
        self.synced = false;
        self.early.written(written, file)?;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            temporaries::discard(temporary);
        }
    }
}

/// Returns a path that stays the same wherever the process goes.
fn lasting(path: &Path) -> io::Result<PathBuf> {
    if path.as_os_str().is_empty() { Err(io::ErrorKind::NotFound.into()) } else { std::path::absolute(path) }
}

/// Follows symbolic links, whether their target exists or not.
pub(crate) fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    // The same limit as in Linux.
    for _ in 0..40 {
        match fs::read_link(&path) {
            // `join` with an absolute path replaces the folder.
            Ok(next) => path = temporaries::folder(&path).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

#[cfg(unix)]
fn keep_attributes(file: &File, before: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (before.uid(), before.gid()) {
        // Usually only root may change the owner. The permissions matter more.
        let _ = fchown(file, Some(before.uid()), Some(before.gid()));
    }
    file.set_permissions(before.permissions())
}

#[cfg(not(unix))]
fn keep_attributes(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some file systems do not support this.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        other => other,
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::AtomicFile;
    use std::fs;
    use std::io::Write;

    #[test]
    fn dropped_it_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        drop(file);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn committed_it_replaces() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn a_long_name_is_no_trouble() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("é".repeat(120));
        AtomicFile::create(&path).unwrap().commit().unwrap();
        assert!(path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_the_old_ones_or_the_masks() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, plain) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&path, "old").unwrap();
        fs::write(&plain, "").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        AtomicFile::create(&path).unwrap().commit().unwrap();
        assert_eq!(mode(&path), 0o640);
        let news = folder.path().join("c");
        AtomicFile::create(&news).unwrap().commit().unwrap();
        assert_eq!(mode(&news), mode(&plain));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_replaced() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let link = folder.path().join("link");
        symlink("inner/file", &link).unwrap();
        // Once when the link dangles, and once when it does not.
        for content in ["one", "two"] {
            let mut file = AtomicFile::create(&link).unwrap();
            file.write_all(content.as_bytes()).unwrap();
            file.commit().unwrap();
            assert_eq!(fs::read_to_string(inner.join("file")).unwrap(), content);
            assert!(link.is_symlink());
        }
        symlink("loop", folder.path().join("loop")).unwrap();
        assert!(AtomicFile::create(&folder.path().join("loop")).is_err());
    }
}
