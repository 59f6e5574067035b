//! Folders of files.

mod resolve;
#[cfg(test)]
mod tests;
mod write;

use crate::body::Body;
use crate::change::{Changes, Watch, Watcher, within};
use crate::fault::Fault;
use crate::node::Node;
use crate::query::Query;
use crate::reference::{Reference, shown};
use crate::store::{Put, Store};
use crate::verb::{Verb, Verbs};
use crate::version::{Version, When};
use demat_core::{Encode, Error, ErrorKind, Result, Shape, Sink, Value};
use demat_place::{Format, Input, media_type};
use resolve::{Found, FoundFile};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use write::Writing;

/// A folder of files.
///
/// A reference is a path of files and folders. The value of a file is decoded by its suffix, also if compressed (`.gz`,
/// `.zst`). A file without a known suffix is bytes. A name may leave out the suffix: `/tasks` is `tasks.json` or
/// `tasks.csv.gz`. The value of a folder is the list of its names.
///
/// A put writes a file atomically, in the format of its name or of the default [suffix](Self::with_suffix), and creates
/// missing folders. A post creates a file whose name is the next free number. Only an empty folder can be deleted.
///
/// References never leave the root. Hidden files, special files and symbolic links to the outside are not found. The
/// check happens at each access; a process that swaps files at that moment is trusted.
///
/// The version of a file is a hash of its time, size and number. Conditions and posted numbers are safe among writers
/// that use this store. If another program writes the same file at the same time, the last write wins.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{Folder, Query, Reference, Store, When, ValueBody, collected};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path();
/// let store = Folder::of(path)?;
/// let at: Reference = "/tasks/first.json.gz".parse()?;
/// store.put(&at, &mut ValueBody(&Value::Bool(true)), &When::Always)?;
/// assert_eq!(collected(&store, &"/tasks/first".parse::<Reference>()?, &Query::default())?, Value::Bool(true));
/// let posted = store.post(&at[..1], &mut ValueBody(&Value::Null))?;
/// assert_eq!(std::fs::read_to_string(path.join("tasks/1.json"))?, "null\n");
/// assert_eq!(posted.to_string(), "/tasks/1.json");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Folder {
    /// Canonical: without symbolic links.
    root: PathBuf,
    raw: bool,
    /// For new files without a suffix.
    suffix: String,
    writing: Mutex<Writing>,
    changes: Changes,
}

/// The largest file, in bytes, that is read as bytes.
const LONGEST: u64 = 1 << 30;

impl Folder {
    /// Opens an existing folder.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) if it is not a folder.
    pub fn of(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let refused =
            |cause| Error::new(ErrorKind::Io, "can't be opened").because(cause).in_place(path.to_string_lossy());
        let root = fs::canonicalize(path).map_err(refused)?;
        if !root.is_dir() {
            return Err(refused(std::io::ErrorKind::NotADirectory.into()));
        }
        let writing = Mutex::new(Writing::new());
        Ok(Self { root, raw: false, suffix: ".json".to_string(), writing, changes: Changes::new() })
    }

    /// Opens a folder whose files are all bytes: to serve them unchanged.
    ///
    /// ```
    /// use demat_core::Value;
    /// use demat_store::{Folder, Query, collected};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path();
    /// std::fs::write(path.join("page.html"), "<p>")?;
    /// let store = Folder::raw(path)?;
    /// let page = ["page.html".to_string()];
    /// assert_eq!(collected(&store, &page, &Query::default())?, Value::Bytes(b"<p>"[..].into()));
    /// assert_eq!(store.media_type(&page), "text/html; charset=utf-8");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn raw(path: impl AsRef<Path>) -> Result<Self> {
        Ok(Self { raw: true, suffix: String::new(), ..Self::of(path)? })
    }

    /// Sets the suffix of new files without one. The default is `.json`; for [raw](Self::raw) folders there is none.
    ///
    /// # Errors
    /// [`Fault::BadReference`] if it is not the suffix of a known format.
    pub fn with_suffix(mut self, suffix: &str) -> Result<Self> {
        let name = format!("x{suffix}");
        let known = self.raw || format_of(Path::new(&name)).is_some();
        if !suffix.starts_with('.') || suffix.contains(['/', '\\', '\0']) || !known {
            return Err(Fault::BadReference.because(format!("`{suffix}` is the suffix of no format")));
        }
        self.suffix = suffix.to_string();
        Ok(self)
    }

    /// Opens a file to read its bytes.
    ///
    /// # Errors
    /// [`Fault::NotFound`] if it does not exist.
    pub fn open(&self, at: &[String]) -> Result<File> {
        match self.found(at)? {
            Found::File(file) => File::open(&file.path).map_err(|cause| failed(at, cause)),
            _ => Err(Fault::NotFound.about(at)),
        }
    }

    /// Returns the media type for the suffix of a reference: `application/octet-stream` if it is unknown. Text types
    /// include
    /// `charset=utf-8`.
    pub fn media_type(&self, at: &[String]) -> &'static str {
        media_type(at.last().map_or("", String::as_str).as_ref())
    }

    /// Returns the format of a file; `None` for bytes.
    fn format(&self, path: &Path) -> Option<Format> {
        if self.raw { None } else { format_of(path) }
    }

    fn tell(&self, at: &[String], found: &FoundFile, sink: &mut dyn Sink) -> Result<()> {
        let file = File::open(&found.path).map_err(|cause| failed(at, cause))?;
        let Some(format) = self.format(&found.path) else {
            let mut bytes = Vec::new();
            file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|cause| failed(at, cause))?;
            if bytes.len() as u64 > LONGEST {
                return Err(Error::limit("the length of a file", LONGEST).in_place(shown(at)));
            }
            sink.begin(&Shape::Bytes)?;
            sink.bytes(&bytes)?;
            return sink.finish();
        };
        let input = Input::over(file, shown(at))?;
        let told = demat_place::tell(format, &format.read_options(), input, None, sink);
        told.map(drop).map_err(|error| error.in_place(shown(at)))
    }
}

/// Returns the format of a path, if it can be streamed.
fn format_of(path: &Path) -> Option<Format> {
    Format::of_path(path).filter(|format| format.is_streamed())
}

/// Returns the error for a failed file operation.
#[cold]
fn failed(at: &[String], cause: std::io::Error) -> Error {
    match cause.kind() {
        std::io::ErrorKind::NotFound => Fault::NotFound.about(at),
        _ => Error::new(ErrorKind::Io, "can't be read or written").because(cause).in_place(shown(at)),
    }
}

impl Store for Folder {
    fn describe(&self) -> Node {
        let root = self.root.display();
        Node::new(if self.raw { "raw folder" } else { "folder" }).with(root.to_string())
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        match self.found(at)? {
            Found::Folder(path) => {
                let names = resolve::names(at, &path)?.into_iter().map(|name| Value::Text(name.into())).collect();
                sink.begin(&Shape::Text.list())?;
                query.apply_to_names(names)?.encode(sink)?;
                sink.finish()
            }
            Found::File(file) if query.is_all() => self.tell(at, &file, sink),
            Found::File(file) => {
                let value = query.apply(Value::build(|sink| self.tell(at, &file, sink))?)?;
                sink.begin(&Shape::Any)?;
                value.encode(sink)?;
                sink.finish()
            }
            Found::Nothing => Err(Fault::NotFound.about(at)),
        }
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        Ok(match self.found(at)? {
            Found::Folder(_) => Shape::Text.list(),
            Found::File(file) if self.format(&file.path).is_none() => Shape::Bytes,
            Found::Nothing if self.raw => Shape::Bytes,
            Found::File(_) | Found::Nothing => Shape::Any,
        })
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        self.write(at, value, when)
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.add(at, value)
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.remove(at, when)
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        match self.found(at)? {
            Found::Folder(path) => resolve::names(at, &path)?.iter().try_for_each(|name| each(name)),
            Found::File(_) => Ok(()),
            Found::Nothing => Err(Fault::NotFound.about(at)),
        }
    }

    fn allows(&self, at: &[String]) -> Verbs {
        match self.found(at) {
            Ok(Found::Folder(_)) if at.is_empty() => Verbs::READ.and(Verb::Post),
            Ok(Found::Folder(_)) => Verbs::READ.and(Verb::Post).and(Verb::Delete),
            Ok(Found::File(_)) => Verbs::READ.and(Verb::Put).and(Verb::Delete),
            Ok(Found::Nothing) => Verbs::ALL.without(Verb::Patch),
            Err(_) => Verbs::NONE,
        }
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        match self.found(at)? {
            Found::Folder(path) => match fs::metadata(path) {
                Ok(about) => Ok(Some(resolve::version(&about))),
                Err(cause) => Err(failed(at, cause)),
            },
            Found::File(file) => Ok(Some(file.version)),
            Found::Nothing => Err(Fault::NotFound.about(at)),
        }
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        Some(self.changes.watch(within(at, watcher)))
    }
}
