//! Static files.

use demat_core::{Error, ErrorKind, Result};
use demat_place::media_type;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The static files below a folder. A folder is served as its `index.html`, at the address that ends with a slash; the
/// address without one redirects there, so that relative links work.
///
/// Ranges, conditions by tag and date, and compression are supported. A query is ignored, since pages use it to get
/// past caches (`app.js?v=3`). Files outside of the folder are never served, even through a symbolic link, nor are files
/// below names that begin with a dot.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    /// Whether the files are served without the token, too.
    public: bool,
}

/// What stands at a reference.
pub(crate) enum Found {
    File(StaticFile),
    /// A folder with an `index.html`, asked for without the slash that its relative links need.
    Folder,
}

/// A file to send.
pub(crate) struct StaticFile {
    pub(crate) file: File,
    pub(crate) len: u64,
    /// The time of the last change, if it is known and HTTP can express it.
    pub(crate) changed: Option<SystemTime>,
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

    /// Returns what stands at a reference. `is_folder` says that its text ends with a slash: then it is a folder's.
    pub(crate) fn find(&self, at: &[String], is_folder: bool) -> Option<Found> {
        if at.iter().any(|name| name.is_empty() || is_hidden(name) || name.contains(['/', '\\'])) {
            return None;
        }
        let path = at.iter().fold(self.folder.clone(), |path, name| path.join(name));
        let mut path = path.canonicalize().ok()?;
        let is_index = path.is_dir();
        if is_index {
            path = path.join("index.html").canonicalize().ok()?;
        }
        // The path behind a symbolic link counts, too.
        let own = path.strip_prefix(&self.folder).ok()?;
        if own.iter().any(|name| name.to_str().is_none_or(is_hidden)) {
            return None;
        }
        // Opening a pipe would wait for its writer.
        if !path.metadata().ok()?.is_file() || is_folder && !is_index {
            return None;
        }
        if is_index && !is_folder {
            return Some(Found::Folder);
        }
        let file = File::open(&path).ok()?;
        let about = file.metadata().ok().filter(fs::Metadata::is_file)?;
        let changed = about.modified().ok();
        let since = changed.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        let tag = format!("\"{:x}-{:x}\"", since.as_nanos(), about.len());
        // A date in the future would say that the file can't have changed since (RFC 9110, 8.8.2.1).
        let changed = changed.filter(|at| (UNIX_EPOCH..=SystemTime::now()).contains(at));
        Some(Found::File(StaticFile { file, len: about.len(), changed, tag, media_type: media_type(&path) }))
    }
}

fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::{Files, Found};

    #[test]
    fn nothing_outside_of_the_folder_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let (inner, secret) = (folder.path().join("inner"), folder.path().join("secret.txt"));
        std::fs::create_dir_all(inner.join("sub")).unwrap();
        std::fs::create_dir_all(inner.join("bare")).unwrap();
        std::fs::write(&secret, "s").unwrap();
        std::fs::write(inner.join("a.css"), "a").unwrap();
        std::fs::write(inner.join(".hidden"), "h").unwrap();
        std::fs::write(inner.join("sub/index.html"), "i").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&secret, inner.join("link.txt")).unwrap();
            std::os::unix::fs::symlink(folder.path(), inner.join("out")).unwrap();
            std::os::unix::fs::symlink(inner.join(".hidden"), inner.join("shown.txt")).unwrap();
            std::os::unix::fs::symlink("loop", inner.join("loop")).unwrap();
            std::os::unix::fs::symlink(inner.join("a.css"), inner.join("b.css")).unwrap();
        }
        let files = Files::new(&inner).unwrap();
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let found = |own: &[&str]| match files.find(&names(own), false) {
            Some(Found::File(file)) => Some(file.media_type),
            Some(Found::Folder) => Some("a folder"),
            None => None,
        };
        assert_eq!(found(&["a.css"]), Some("text/css; charset=utf-8"));
        #[cfg(unix)]
        assert_eq!(found(&["b.css"]), Some("text/css; charset=utf-8"));
        assert_eq!(found(&["sub"]), Some("a folder"));
        let html = Some("text/html; charset=utf-8");
        assert_eq!(found(&["sub", "index.html"]), html);
        let in_folder = files.find(&names(&["sub"]), true);
        assert!(matches!(in_folder, Some(Found::File(file)) if Some(file.media_type) == html));
        for own in [
            &["..", "secret.txt"][..],
            &["../secret.txt"],
            &["sub/index.html"],
            &["sub\\index.html"],
            &["link.txt"],
            &["out", "secret.txt"],
            &["shown.txt"],
            &["loop"],
            &[".hidden"],
            &["nothing"],
            &["a.css\0"],
            &["", "a.css"],
            &["bare"],
            &[],
        ] {
            assert!(files.find(&names(own), false).is_none(), "{own:?}");
            assert!(files.find(&names(own), true).is_none(), "{own:?}");
        }
        assert!(files.find(&names(&["a.css"]), true).is_none(), "a file is no folder");
        assert!(Files::new(&secret).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe.txt")).status();
        if made.is_ok_and(|made| made.success()) {
            assert!(Files::new(folder.path()).unwrap().find(&["pipe.txt".to_string()], false).is_none());
        }
    }
}
