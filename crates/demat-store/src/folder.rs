//! Folders of files.

mod resolve;
#[cfg(test)]
mod tests;
mod write;

use crate::body::Body;
use crate::change::{Changes, Watch, Watcher};
use crate::fault::Fault;
use crate::memory::within;
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
/// A reference leads to the files and folders below it. A file of a format that [`Format`] knows by its suffix, also packed
/// (`.gz`, `.zst`), has the value that is in it; any other has its bytes. A name without such a suffix finds the one file that
/// is called so but for the suffix: `/tasks` is `tasks.json`, or `tasks.csv.gz`. The value of a folder is the list of its names.
///
/// A put writes a file whole or not at all, in the format of its name, or of the folder's own [suffix](Self::with_suffix); the
/// folders on the way are made. A post makes a file whose name is the next free number. A folder is deleted when it is empty.
///
/// It never leaves its root: names lead nowhere but down, what a symbolic link leads to outside is not there, and neither is
/// what begins with a dot or is no plain file. That is looked at when something is asked for; who can change the folder by
/// other means in that moment is trusted.
///
/// The version of a file is made of its time, size and number. Conditions, and the numbers of files that are posted, hold
/// among those who write by this store; where somebody else writes the same file at the same time, the last one wins.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{Folder, Query, Reference, Store, When, Whole, collected};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path();
/// let store = Folder::of(path)?;
/// let at: Reference = "/tasks/first.json.gz".parse()?;
/// store.put(&at, &mut Whole(&Value::Bool(true)), &When::Always)?;
/// assert_eq!(collected(&store, &"/tasks/first".parse::<Reference>()?, &Query::default())?, Value::Bool(true));
/// let posted = store.post(&at[..1], &mut Whole(&Value::Null))?;
/// assert_eq!(std::fs::read_to_string(path.join("tasks/1.json"))?, "null\n");
/// assert_eq!(posted.to_string(), "/tasks/1.json");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Folder {
    /// Without symbolic links in it.
    root: PathBuf,
    raw: bool,
    /// Of files that have none.
    suffix: String,
    writing: Mutex<Writing>,
    changes: Changes,
}

/// So many bytes of a file that is not told by its format are taken into memory.
const LONGEST: u64 = 1 << 30;

impl Folder {
    /// A folder that is there.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io), where it is none.
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

    /// A folder whose files are bytes, whatever they are called: to serve them as they are.
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

    /// What the names of new files end with that are given none: `.json`, if nothing is said, and nothing where files are bytes.
    ///
    /// # Errors
    /// [`Fault::BadReference`] where it is no suffix, or of no format.
    pub fn with_suffix(mut self, suffix: &str) -> Result<Self> {
        let name = format!("x{suffix}");
        let known = self.raw || format_of(Path::new(&name)).is_some();
        if !suffix.starts_with('.') || suffix.contains(['/', '\\', '\0']) || !known {
            return Err(Fault::BadReference.because(format!("`{suffix}` is the suffix of no format")));
        }
        self.suffix = suffix.to_string();
        Ok(self)
    }

    /// A file, open for reading, for those who pass its bytes on as they are.
    ///
    /// # Errors
    /// [`Fault::NotFound`] where there is no file.
    pub fn open(&self, at: &[String]) -> Result<File> {
        match self.found(at)? {
            Found::File(file) => File::open(&file.path).map_err(|cause| failed(at, cause)),
            _ => Err(Fault::NotFound.about(at)),
        }
    }

    /// The media type of a file's bytes, by the suffix of the reference's last name: `application/octet-stream`, where that
    /// says nothing. Of texts it says that they are UTF-8.
    pub fn media_type(&self, at: &[String]) -> &'static str {
        media_type(at.last().map_or("", String::as_str).as_ref())
    }

    /// The format that a file is told in; none where it is bytes.
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

/// The format of files that are called so, where it is told as a stream.
fn format_of(path: &Path) -> Option<Format> {
    Format::of_path(path).filter(|format| format.is_streamed())
}

/// What the system says of a file.
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
                let value = query.apply(Value::told(|sink| self.tell(at, &file, sink))?)?;
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
