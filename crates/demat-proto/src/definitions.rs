use crate::describe::Describing;
use crate::editions::{Overrides, edition_file, lower};
use crate::exact::Exact;
use crate::fault::refused;
use core::fmt::Write;
use demat_core::{Result, Shape};
use miette::Diagnostic;
use prost_reflect::{DescriptorPool, MessageDescriptor};
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver, IncludeFileResolver};
use std::cell::RefCell;
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// Messages and enums from `.proto` files or a descriptor set.
///
/// Ignores services, options and extensions. Checks numbers and names: repeated field numbers, reserved ranges, unknown
/// names.
#[derive(Debug, Clone)]
pub struct Definitions {
    pool: DescriptorPool,
    /// The name of the main file; its imports have other names.
    file: Option<String>,
    overrides: Overrides,
}

impl Definitions {
    /// Reads a `.proto` file. Imports are searched for in these folders, then in the file's own; Google's files are
    /// built in.
    ///
    /// # Errors
    /// If a file can't be read, or is invalid; with its name, line and column.
    pub fn from_file(path: impl AsRef<Path>, includes: &[&Path]) -> Result<Self> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path)?;
        let folders = includes.iter().copied().chain(path.parent());
        let folders = folders.map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Self::resolved(&name, &text, folders.map(Path::to_owned).collect())
    }

    /// Reads a `.proto` file, or a descriptor set (`.protoset`).
    ///
    /// # Errors
    /// As [`from_file`](Self::from_file) and [`from_descriptor_set`](Self::from_descriptor_set).
    pub fn read(path: impl AsRef<Path>, includes: &[&Path]) -> Result<Self> {
        let path = path.as_ref();
        if path.extension().is_some_and(|suffix| suffix == "protoset") {
            return Self::from_descriptor_set_file(path);
        }
        Self::from_file(path, includes)
    }

    /// Reads a descriptor set from a file, whatever its suffix.
    ///
    /// # Errors
    /// As [`from_descriptor_set`](Self::from_descriptor_set), or if the file can't be read.
    pub fn from_descriptor_set_file(path: impl AsRef<Path>) -> Result<Self> {
        Self::from_descriptor_set(&std::fs::read(path)?)
    }

    /// Parses the text of a `.proto` file. It may import Google's files only.
    ///
    /// # Errors
    /// If it is invalid; with the line and column.
    ///
    /// ```
    /// let text = r#"
    ///     syntax = "proto3";
    ///     message Task { int64 id = 1; string title = 2; repeated string tags = 4; }
    /// "#;
    /// let task = demat_proto::Definitions::from_text(text)?.shape("Task")?;
    /// assert_eq!(task.to_string(), "Task{id:int64, title:text, tags@4:[text]}");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn from_text(text: &str) -> Result<Self> {
        Self::resolved("text.proto", text, Vec::new())
    }

    fn resolved(name: &str, text: &str, folders: Vec<PathBuf>) -> Result<Self> {
        let mut others = ChainFileResolver::new();
        for folder in &folders {
            others.add(IncludeFileResolver::new(folder.clone()));
        }
        others.add(GoogleFileResolver::new());
        let editions = Rc::default();
        let resolver =
            Resolver { name: name.to_owned(), text: text.to_owned(), folders, others, editions: Rc::clone(&editions) };
        let mut compiler = protox::Compiler::with_file_resolver(resolver);
        compiler.include_imports(true);
        compiler.open_file(name).map_err(|error| refused(located(&error, text)))?;
        // The compiler's own pool predates the resolution of options, so it lacks `packed`.
        let set = compiler.encode_file_descriptor_set();
        let (set, overrides) = lower(&set, &editions.borrow())?;
        let pool = DescriptorPool::decode(set.as_slice()).map_err(refused)?;
        Ok(Self { pool, file: Some(name.to_owned()), overrides })
    }

    /// Reads a descriptor set, as `protoc --descriptor_set_out --include_imports` writes it.
    ///
    /// # Errors
    /// If it is invalid, or refers to names outside of it.
    pub fn from_descriptor_set(bytes: &[u8]) -> Result<Self> {
        let (set, overrides) = lower(bytes, &HashSet::new())?;
        let pool = DescriptorPool::decode(set.as_slice()).map_err(refused)?;
        Ok(Self { pool, file: None, overrides })
    }

    /// Returns the full names of the messages in the main file, in order; of all messages in a descriptor set.
    pub fn messages(&self) -> Vec<String> {
        let all = self.pool.all_messages().filter(|message| !message.is_map_entry());
        let own = all.filter(|message| match &self.file {
            Some(file) => message.parent_file().name() == file,
            None => true,
        });
        own.map(|message| message.full_name().to_owned()).collect()
    }

    /// Returns the shape of a message, by its full name, or by its own name if that is unique.
    ///
    /// # Errors
    /// If there is no such message, or several; or if a part of it has no shape.
    pub fn shape(&self, name: &str) -> Result<Shape> {
        let message = self.pool.get_message_by_name(name).map_or_else(|| self.only(name), Ok)?;
        Describing::new(&self.overrides).message(&message)?.parse()
    }

    /// Returns the lossless shape of a message, for copies that follow the specification exactly, such as canonical
    /// JSON.
    ///
    /// It distinguishes absent from zero values, keeps unknown fields and enum numbers, and treats Google's messages as
    /// records. Host languages usually want [`shape`](Self::shape).
    ///
    /// # Errors
    /// As [`shape`](Self::shape).
    ///
    /// ```
    /// let text = "syntax = 'proto3'; message Task { int64 id = 1; optional string title = 2; }";
    /// let task = demat_proto::Definitions::from_text(text)?.exact_shape("Task")?;
    /// assert_eq!(
    ///     task.to_string(),
    ///     "Task{id:int64? #proto:implicit, title:text?, ...\"(unknown)\"@4294967295:map(text, bytes)}"
    /// );
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn exact_shape(&self, name: &str) -> Result<Shape> {
        let message = self.pool.get_message_by_name(name).map_or_else(|| self.only(name), Ok)?;
        Exact::new(&self.overrides).message(&message)?.parse()
    }

    /// Returns a function that finds exact shapes by full name, for messages in a `google.protobuf.Any`.
    pub fn types(&self) -> Types {
        let own = self.clone();
        std::sync::Arc::new(move |name| {
            let message = own.pool.get_message_by_name(name)?;
            Exact::new(&own.overrides).message(&message).ok()?.parse().ok()
        })
    }

    /// Returns the full name of the only message.
    ///
    /// # Errors
    /// If there is none, or several.
    pub fn only_message(&self) -> Result<String> {
        match self.messages().as_slice() {
            [name] => Ok(name.clone()),
            [] => Err(refused("there is no message")),
            names => {
                let names: Vec<_> = names.iter().take(10).map(|name| format!("`{name}`")).collect();
                Err(refused(format!("there are several messages: say which of {}", names.join(", "))))
            }
        }
    }

    /// Returns the shape of a message for hosts without tagged unions: each field of a oneof is an optional field with
    /// the note `in`. Without a name, uses the only message.
    ///
    /// # Errors
    /// As [`shape`](Self::shape).
    pub fn shape_apart(&self, name: Option<&str>) -> Result<Shape> {
        let name = match name {
            Some(name) => name.to_owned(),
            None => self.only_message()?,
        };
        let message = self.pool.get_message_by_name(&name).map_or_else(|| self.only(&name), Ok)?;
        Describing::apart(&self.overrides).message(&message)?.parse()
    }

    /// Returns the shape of the only message.
    ///
    /// # Errors
    /// If there is none, or several; or if a part of it has no shape.
    pub fn only_shape(&self) -> Result<Shape> {
        self.shape(&self.only_message()?)
    }

    /// Returns the only message with this name, without its package.
    fn only(&self, name: &str) -> Result<MessageDescriptor> {
        let suffix = format!(".{name}");
        let mut found = self.messages().into_iter().filter(|full| full.ends_with(&suffix));
        let first = found.next().and_then(|full| self.pool.get_message_by_name(&full));
        match (first, found.next()) {
            (Some(message), None) => Ok(message),
            (Some(message), Some(other)) => {
                let message = message.full_name();
                Err(refused(format!("`{name}` can be `{message}` or `{other}`: say which")))
            }
            (None, _) => Err(refused(self.no_message(name))),
        }
    }

    fn no_message(&self, name: &str) -> String {
        let mut text = format!("there is no message `{name}`; there is ");
        let names = self.messages();
        for (index, name) in names.iter().take(10).enumerate() {
            let _ = write!(text, "{}`{name}`", if index > 0 { ", " } else { "" });
        }
        if names.is_empty() {
            text.push_str("none");
        } else if names.len() > 10 {
            let _ = write!(text, " and {} more", names.len() - 10);
        }
        text
    }
}

/// Finds the shape of a message by its full name.
pub type Types = std::sync::Arc<dyn Fn(&str) -> Option<Shape> + Send + Sync>;

/// Resolves the main file from a text, and its imports from folders.
struct Resolver {
    name: String,
    text: String,
    /// The folders of imports.
    folders: Vec<PathBuf>,
    others: ChainFileResolver,
    /// The names of files that use editions.
    editions: Rc<RefCell<HashSet<String>>>,
}

impl Resolver {
    /// Parses a text, if it uses an edition.
    fn edition(&self, name: &str, text: &str) -> Option<std::result::Result<File, protox::Error>> {
        let file = edition_file(name, text)?;
        self.editions.borrow_mut().insert(name.to_owned());
        Some(file)
    }

    /// Parses an import, if it uses an edition. `others` opens all other files.
    fn imported(&self, name: &str) -> Option<std::result::Result<File, protox::Error>> {
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let found = self.folders.iter().map(|folder| folder.join(name)).find(|path| inside && path.is_file())?;
        self.edition(name, &std::fs::read_to_string(found).ok()?)
    }
}

impl FileResolver for Resolver {
    fn open_file(&self, name: &str) -> std::result::Result<File, protox::Error> {
        if name == self.name {
            let edition = self.edition(name, &self.text);
            return edition.unwrap_or_else(|| File::from_source(name, &self.text));
        }
        self.imported(name).unwrap_or_else(|| self.others.open_file(name))
    }
}

/// Adds the line and column to an error about this text.
fn located(error: &protox::Error, text: &str) -> String {
    let message = error.to_string();
    let label = error.labels().and_then(|mut labels| labels.next());
    match label.and_then(|label| text.get(..label.offset())) {
        Some(before) => {
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            format!("{message} (line {line}, column {column})")
        }
        None => message,
    }
}
