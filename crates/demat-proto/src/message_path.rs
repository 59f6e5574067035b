//! Parses a message in an option: a file of definitions, and the message's name.

use crate::{Definitions, Types};
use demat_core::{Result, Shape};
use std::path::Path;

/// A message in a file of definitions, or a list of it: `tasks.proto:todo.Task`, `[tasks.proto:todo.Task]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessagePath<'t> {
    /// The `.proto` file or descriptor set.
    pub file: &'t Path,
    /// The name of the message, full or not; `None` for the only message of the file.
    pub message: Option<&'t str>,
    /// Whether it is a list of messages.
    pub many: bool,
}

impl<'t> MessagePath<'t> {
    /// Parses a text. Returns `None` unless its file has the suffix `.proto` or `.protoset`.
    ///
    /// ```
    /// use demat_proto::MessagePath;
    /// let path = MessagePath::of("[tasks.proto:todo.Task]").unwrap();
    /// assert_eq!((path.file.to_str(), path.message, path.many), (Some("tasks.proto"), Some("todo.Task"), true));
    /// assert_eq!(MessagePath::of("id: int, title: text"), None);
    /// ```
    pub fn of(text: &'t str) -> Option<Self> {
        let (text, many) = match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            Some(inner) => (inner.trim(), true),
            None => (text, false),
        };
        let (file, message) = match text.rsplit_once(':') {
            Some((file, message)) => (file, Some(message)),
            None => (text, None),
        };
        let file = Path::new(file);
        let is_definition = file.extension().is_some_and(|suffix| suffix == "proto" || suffix == "protoset");
        is_definition.then_some(Self { file, message: message.filter(|message| !message.is_empty()), many })
    }

    /// Returns the shape of the message for host languages.
    ///
    /// # Errors
    /// If the file can't be read, is invalid, or has no such message.
    pub fn shape(self) -> Result<Shape> {
        let all = Definitions::read(self.file, &[])?;
        let shape = self.message.map_or_else(|| all.only_shape(), |message| all.shape(message))?;
        Ok(self.listed(shape))
    }

    /// Returns the [lossless](Definitions::exact_shape) shape of the message, and the shapes of messages that an `Any`
    /// in it may hold.
    ///
    /// # Errors
    /// As [`shape`](Self::shape).
    pub fn exact(self) -> Result<(Shape, Types)> {
        let all = Definitions::read(self.file, &[])?;
        let message = self.message.map_or_else(|| all.only_message(), |name| Ok(name.to_owned()))?;
        Ok((all.exact_shape(&message)?, all.types()))
    }

    /// Returns the shape, or that of a list of it if the path is for a list.
    pub fn listed(self, shape: Shape) -> Shape {
        if self.many { shape.list() } else { shape }
    }
}
