//! Static files.

use demat_core::{Error, ErrorKind, Result};
use demat_place::media_type;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The static files below a folder. A folder is served as its `index.html`.
///
/// Files outside of the folder are never served, even through a symbolic link, nor are files whose names begin with a
/// dot.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    /// Whether the files are served without the token, too.
    public: bool,
}

/// A file to send.
pub(crate) struct Found {
    pub(crate) file: File,
    pub(crate) len: u64,
    pub(crate) tag: String,
    pub(crate) media_type: &'static str,
}

impl Files {
    /// Returns the files below a folder.
    ///
    /// # Errors
    /// If it is no folder.
    pub fn new(folder: &Path) -> Result<Self> {
        let own = folder.canonicalize().and_then(|own| fs::metadata(&own).map(|about| (own, about.is_dir())));
        match own {
            Ok((folder, true)) => Ok(Self { folder, public: false }),
            Ok(_) => Err(Error::new(ErrorKind::Io, "it is no folder").in_place(folder.display().to_string())),
            Err(cause) => Err(Error::from(cause).in_place(folder.display().to_string())),
        }
    }

    /// Serves the files without the token: for pages that ask for it themselves.
    #[must_use]
    pub fn public(self) -> Self {
        Self { public: true, ..self }
    }

    pub(crate) fn is_public(&self) -> bool {
        self.public
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the file for a reference, if there is one.
    pub(crate) fn find(&self, at: &[String]) -> Option<Found> {
        if at.iter().any(|name| name.starts_with('.') || name.contains(['/', '\\'])) {
            return None;
        }
        let path = at.iter().fold(self.folder.clone(), |path, name| path.join(name));
        let mut path = path.canonicalize().ok()?;
        if path.is_dir() {
            path = path.join("index.html").canonicalize().ok()?;
        }
        if !path.starts_with(&self.folder) {
            return None;
        }
        let file = File::open(&path).ok()?;
        let about = file.metadata().ok().filter(fs::Metadata::is_file)?;
        let changed = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let tag = format!("\"{:x}-{:x}\"", changed.as_nanos(), about.len());
        Some(Found { file, len: about.len(), tag, media_type: media_type(&path) })
    }
}

#[cfg(test)]
mod tests {
    use super::Files;

    #[test]
    fn nothing_outside_of_the_folder_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let (inner, secret) = (folder.path().join("inner"), folder.path().join("secret.txt"));
        std::fs::create_dir_all(inner.join("sub")).unwrap();
        std::fs::write(&secret, "s").unwrap();
        std::fs::write(inner.join("a.css"), "a").unwrap();
        std::fs::write(inner.join(".hidden"), "h").unwrap();
        std::fs::write(inner.join("sub/index.html"), "i").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&secret, inner.join("link.txt")).unwrap();
        let files = Files::new(&inner).unwrap();
        let found = |names: &[&str]| files.find(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(found(&["a.css"]).unwrap().media_type, "text/css; charset=utf-8");
        assert_eq!(found(&["sub"]).unwrap().media_type, "text/html; charset=utf-8");
        for names in [&["..", "secret.txt"][..], &["../secret.txt"], &["link.txt"], &[".hidden"], &["nothing"], &[]] {
            assert!(found(names).is_none(), "{names:?}");
        }
        assert!(Files::new(&secret).is_err());
    }
}
