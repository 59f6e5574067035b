//! Files that appear whole or not at all.

use crate::early_sync::EarlySync;
use crate::temporaries;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that appears whole or not at all.
///
/// It is written under a temporary name in the same folder. [`commit`](Self::commit) makes it last on the disk, gives
/// it its name in one step, which replaces what had the name before, and makes the folder last, too. Dropped without
/// that, it is removed, and what had the name before is as it was. So whoever opens the name sees the old file or the
/// new one, also after the machine's power failed.
///
/// What is replaced:
///
/// * the file that a symbolic link leads to, not the link;
/// * its bytes; its permissions stay, and its owner where the process may see to that; other attributes, and other
///   hard links to it, don't come along;
/// * nothing that this process may not write to.
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
    /// There until it is committed or dropped.
    temporary: Option<NamedTempFile>,
    target: PathBuf,
    early: EarlySync,
}

impl AtomicFile {
    /// Begins a file that is to be at this path.
    ///
    /// # Errors
    /// What the system says, also of a file that is there but not to be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = followed(path)?;
        let before = match OpenOptions::new().write(true).open(&target) {
            Ok(file) => Some(file.metadata()?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let temporary = temporaries::create(&target)?;
        // From here on it is removed whatever happens.
        let own = Self { temporary: Some(temporary), target, early: EarlySync::new() };
        if let Some(before) = before {
            keep_attributes(own.file()?, &before)?;
        }
        Ok(own)
    }

    /// Makes the file last and gives it its name.
    ///
    /// # Errors
    /// What the system says; then what had the name before is as it was, unless it is the folder alone that could not
    /// be made to last.
    pub fn commit(mut self) -> io::Result<()> {
        self.early.finish()?;
        self.file()?.sync_all()?;
        if let Some(temporary) = self.temporary.take() {
            temporaries::persist(temporary, &self.target)?;
        }
        sync_folder(temporaries::folder(&self.target))
    }

    /// Where it is while it is written, for those who write by its name.
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

/// Where the symbolic links lead, whether something is there or not.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    // As many as Linux follows.
    for _ in 0..40 {
        match fs::read_link(&path) {
            // An absolute one replaces the folder.
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
        // Mostly only root may; the permissions count for more.
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
        // Some file systems know no such thing.
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
        // Once when it dangles, once when it doesn't.
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
