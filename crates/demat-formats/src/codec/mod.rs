//! What a format is to everybody else: one type that says what the format is called and can do, and makes its readers and
//! sinks.
//!
//! A format implements [`Codec`] in its own module. Who reads and writes formats by name (files, stores, HTTP, the
//! command, Python) knows only this trait.
//!
//! ```
//! use demat_core::{Sink, Shape};
//! use demat_formats::codec::{Codec, WriteOptions};
//! use demat_formats::{To, json};
//!
//! let mut text = Vec::new();
//! let codec: &dyn Codec = &json::JsonCodec;
//! let mut sink = codec.sink(&codec.write_options(), Box::new(To(&mut text)))?;
//! sink.bool(true)?;
//! sink.finish()?;
//! drop(sink);
//! assert_eq!((codec.about().name, &*text), ("json", &b"true"[..]));
//! # Ok::<(), demat_core::Error>(())
//! ```

mod options;
mod own;
mod reader;
mod setting;

pub use options::{ReadOptions, WriteOptions};
pub use own::OwnOptions;
pub use reader::{AnyReader, Reader, Visitor};
pub use setting::{Setting, SettingValue, Values};

use crate::Drain;
use core::fmt;
use demat_core::{Result, Sink};

/// A format.
pub trait Codec: fmt::Debug + Send + Sync {
    /// What there is to know of it without reading or writing anything.
    fn about(&self) -> &'static About;

    /// How it is usually read.
    fn read_options(&self) -> ReadOptions {
        ReadOptions::default()
    }

    /// How it is usually written.
    fn write_options(&self) -> WriteOptions {
        WriteOptions::default()
    }

    /// Sets an option for reading, one of [`About::read`], to a value that [it has](Setting::has).
    ///
    /// # Errors
    /// If the format refuses the value.
    fn set_read(&self, options: &mut ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        options.own.set(setting, value);
        Ok(())
    }

    /// Sets an option for writing, one of [`About::write`], to a value that [it has](Setting::has).
    ///
    /// # Errors
    /// If the format refuses the value.
    fn set_write(&self, options: &mut WriteOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        options.own.set(setting, value);
        Ok(())
    }

    /// Makes a reader.
    ///
    /// # Errors
    /// If the options contradict each other.
    fn reader(&self, options: &ReadOptions) -> Result<Reader>;

    /// Makes a sink whose bytes go to the drain.
    ///
    /// # Errors
    /// If the options contradict each other.
    fn sink<'d>(&self, options: &WriteOptions, drain: Box<dyn Drain + Send + 'd>) -> Result<Box<dyn Sink + Send + 'd>>;
}

/// What there is to know of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// Its name: lower case, and a word of the command and of Python.
    pub name: &'static str,
    /// The suffixes of its files, with their dots; the usual one first.
    pub suffixes: &'static [&'static str],
    /// Its media types: that of files first, then others that clients send.
    pub media_types: &'static [&'static str],
    /// The `Content-Type` of a stream of it, if that is not the first media type: with a charset, or of another form.
    pub content_type: Option<&'static str>,
    /// What it is, in half a line.
    pub description: &'static str,
    /// How its values are represented.
    pub model: Model,
    /// Which of the engines that are compiled for a source and a sink reads and writes it.
    pub engine: Engine,
    /// The format of which it is a dialect, by name: it has the same options with other defaults.
    pub dialect_of: Option<&'static str>,
    /// Whether a sink must know the shape before the first value.
    pub needs_shape: bool,
    /// Whether most bytes are written at the end only, so that nobody can read along.
    pub is_late: bool,
    /// Whether it holds lists of records with any fields and nulls, for readers who do not know their type. HTTP offers no
    /// other format.
    pub any_records: bool,
    /// What a file of it ends with, behind what the sink has written.
    pub ending: &'static str,
    /// The format of a value within a document of it, by name, if that is another one.
    pub parts: Option<&'static str>,
    /// The options with which it is read, besides those that all formats have.
    pub read: &'static [Setting],
    /// The options with which it is written, besides those that all formats have.
    pub write: &'static [Setting],
}

impl About {
    /// A format of nested values with these names, which ends like any other and has no options.
    pub const fn new(
        name: &'static str,
        suffixes: &'static [&'static str],
        media_types: &'static [&'static str],
        description: &'static str,
    ) -> Self {
        Self {
            name,
            suffixes,
            media_types,
            content_type: None,
            description,
            model: Model::Nested,
            engine: Engine::Any,
            dialect_of: None,
            needs_shape: false,
            is_late: false,
            any_records: true,
            ending: "",
            parts: None,
            read: &[],
            write: &[],
        }
    }
}

/// The engines that hosts compile for the source and the sink of one format. A format needs none: there is one for any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Engine {
    /// For documents of JSON.
    Json,
    /// For lines of JSON.
    JsonLines,
    /// For tables of cells.
    Cells,
    /// For Protocol Buffers.
    Messages,
    /// For every format, by its source and sink as objects.
    Any,
}

impl Model {
    /// Whether each scalar is a text that may stand for any kind.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Cells | Self::Markup)
    }
}

/// How the values of a format are represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Model {
    /// One value with names and kinds of its own, which may nest.
    Nested,
    /// JSON: one document.
    Json,
    /// JSON: a document on each line.
    JsonLines,
    /// A table of cells without kinds: the shape says what they are.
    Cells,
    /// Texts without kinds, which may nest: the shape says what they are.
    Markup,
    /// Messages of Protocol Buffers: null is an absent field, and only a shape says what the fields are.
    Numbered,
    /// The values of a shape alone: only that tells what they are.
    Shaped,
    /// Columns that know the shape of their records.
    Columns,
    /// Tables of a database.
    Tables,
}
