use core::fmt;
use demat_core::{Error, ErrorKind, Result, Shape};
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

/// How the text format is read.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The maximum nesting depth of messages; 100 by default, as in the wire format.
    pub depth: u32,
    /// Whether fields that the message does not have are skipped, whatever the record says. False by default.
    pub ignore_unknown: bool,
    /// The messages that a `google.protobuf.Any` may hold in its expanded form; none by default.
    pub messages: Option<Messages>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 100, ignore_unknown: false, messages: None }
    }
}

/// How the text format is written.
#[derive(Debug, Clone)]
pub struct WriteOptions {
    /// The spaces for each level of indentation; 2 by default. With 0, all is one line.
    pub indent: u32,
    /// Whether unknown fields are written, by their numbers. False by default; no reader accepts them.
    pub unknown_fields: bool,
    /// The messages that a `google.protobuf.Any` is expanded to; none by default.
    pub messages: Option<Messages>,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { indent: 2, unknown_fields: false, messages: None }
    }
}

/// Messages by their full names, for `google.protobuf.Any`. Clones share a cache.
#[derive(Clone)]
pub struct Messages(Arc<Inner>);

type Find = dyn Fn(&str) -> Option<Shape> + Send + Sync;

struct Inner {
    find: Arc<Find>,
    found: RwLock<HashMap<String, Shape>>,
}

impl Messages {
    /// Returns the messages that a function finds by their full names, such as `Definitions::types` of `demat_proto`.
    pub fn new(find: Arc<Find>) -> Self {
        Self(Arc::new(Inner { find, found: RwLock::default() }))
    }

    /// Returns the message of a record, or those of a union of records. A type URL names one by its full name, or by
    /// the part behind the last dot where the record's name has no package.
    ///
    /// # Errors
    /// If a part of the shape is no record with a name.
    ///
    /// ```
    /// use demat_formats::txtpb::Messages;
    /// assert!(Messages::of_shape(&"Task{id: int}".parse()?).is_ok());
    /// assert!(Messages::of_shape(&"[Task{id: int}]".parse()?).is_err());
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn of_shape(shape: &Shape) -> Result<Self> {
        let mut known: HashMap<String, Shape> = HashMap::new();
        let mut add = |shape: &Shape| match shape.inner() {
            Shape::Record(record) if !record.get().name().is_empty() => {
                known.insert(record.get().name().to_owned(), shape.inner().clone());
                Ok(())
            }
            other => {
                let message = format!("`messages` are records with names, not {}", other.name());
                Err(Error::new(ErrorKind::Constraint, message))
            }
        };
        match shape.inner() {
            Shape::Union(union) => union.get().variants().iter().try_for_each(|variant| add(variant.shape()))?,
            one => add(one)?,
        }
        let last = |name: &str| name.rsplit_once('.').map_or(0, |(package, _)| package.len() + 1);
        Ok(Self::new(Arc::new(move |name: &str| known.get(name).or_else(|| known.get(&name[last(name)..])).cloned())))
    }

    /// Returns the shape of the message that a type URL names. The name follows the URL's last slash.
    pub(super) fn get(&self, url: &str) -> Result<Shape> {
        let name = url.rsplit_once('/').map(|(_, name)| name);
        if let (Some(name), Ok(found)) = (name, self.0.found.read())
            && let Some(shape) = found.get(name)
        {
            return Ok(shape.clone());
        }
        let shape = name.and_then(|name| (self.0.find)(name));
        // Only names of existing messages are cached, so that input can't fill the cache.
        if let (Some(name), Some(shape), Ok(mut found)) = (name, &shape, self.0.found.write()) {
            found.insert(name.to_owned(), shape.clone());
        }
        shape.ok_or_else(|| unknown(url))
    }
}

/// Returns the error for a type that is not known.
#[cold]
pub(super) fn unknown(url: &str) -> Error {
    Error::new(ErrorKind::Constraint, format!("`{url}` names no message that is known"))
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages").finish_non_exhaustive()
    }
}
