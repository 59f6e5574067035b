//! The interface of a format: its names and properties, and constructors for its readers and sinks.
//!
//! A format implements [`Codec`] in its own module. Code that selects formats by name (files, stores, HTTP, the
//! command, Python) uses only this trait.
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

mod noted;
mod options;
mod own;
mod picker;
mod reader;
mod setting;

pub use noted::{HasNotes, verify_notes, verify_shape};
pub use options::{ReadOptions, WriteOptions};
pub use own::OwnOptions;
pub use picker::{Picker, Projector, Scalar};
pub use reader::{AnyReader, Reader, Visitor};
pub use setting::{Setting, SettingValue, Values};

use crate::{Drain, Rewrite};
use core::fmt;
use demat_core::{Error, ErrorKind, InferenceOptions, Record, Result, Sink, Vocabulary};

/// A format.
pub trait Codec: fmt::Debug + Send + Sync {
    /// Returns the format's names, options and properties.
    fn about(&self) -> &'static About;

    /// Returns the default options for reading.
    fn read_options(&self) -> ReadOptions {
        ReadOptions::default()
    }

    /// Returns the default options for writing.
    fn write_options(&self) -> WriteOptions {
        WriteOptions::default()
    }

    /// Sets an option for reading, one of [`About::read`], to a value that [is valid](Setting::has).
    ///
    /// # Errors
    /// If the format refuses the value.
    fn set_read(&self, options: &mut ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        options.own.set(setting, value);
        Ok(())
    }

    /// Sets an option for writing, one of [`About::write`], to a value that [is valid](Setting::has).
    ///
    /// # Errors
    /// If the format refuses the value.
    fn set_write(&self, options: &mut WriteOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        options.own.set(setting, value);
        Ok(())
    }

    /// Returns the options for reading a value inside a document, where it [stands alone](About::values_stand_alone):
    /// without those that are about the whole.
    fn options_inside(&self, options: &ReadOptions) -> ReadOptions {
        options.clone()
    }

    /// Returns a reader.
    ///
    /// # Errors
    /// If the options contradict each other.
    fn reader(&self, options: &ReadOptions) -> Result<Reader>;

    /// Returns a picker of a record's fields from the bytes of single records; `None` if a source has to read them.
    fn picker(&self, record: &Record) -> Option<Box<dyn Picker>> {
        let _ = record;
        None
    }

    /// Returns a projector of single records to a record's fields; `None` if there is none for them.
    fn projector(&self, record: &Record) -> Option<Box<dyn Projector>> {
        let _ = record;
        None
    }

    /// Whether a changed record can be [rewritten](Self::rewrite).
    fn rewrites(&self) -> bool {
        false
    }

    /// Returns the bytes of a record of which some values have changed: all that has not keeps its bytes. `options` are
    /// those that the record was read with, and the documents before and after the change are written accordingly.
    ///
    /// # Errors
    /// If the format has no such records; if a change can't be made in place.
    fn rewrite(&self, options: &ReadOptions, record: &Rewrite<'_>) -> Result<Vec<u8>> {
        let _ = (options, record);
        Err(Error::new(ErrorKind::Constraint, "records of this format are written as a whole"))
    }

    /// Returns a sink that writes to the drain.
    ///
    /// # Errors
    /// If the options contradict each other.
    fn sink<'d>(&self, options: &WriteOptions, drain: Box<dyn Drain + Send + 'd>) -> Result<Box<dyn Sink + Send + 'd>>;
}

/// The names, options and properties of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// The name, in lower case: a word on the command line and in Python.
    pub name: &'static str,
    /// The suffixes of files, with their dots; the usual one first.
    pub suffixes: &'static [&'static str],
    /// The media types: that of files first, then others that clients send.
    pub media_types: &'static [&'static str],
    /// The `Content-Type` of a stream, if it differs from the first media type: with a charset, or of another form.
    pub content_type: Option<&'static str>,
    /// A description of half a line.
    pub description: &'static str,
    /// How the format represents values.
    pub model: Model,
    /// The engine that reads and writes the format, compiled for its source and its sink.
    pub engine: Engine,
    /// The name of the format of which this one is a dialect: it has the same options with other defaults.
    pub dialect_of: Option<&'static str>,
    /// Whether a sink must know the shape before the first value.
    pub needs_shape: bool,
    /// Whether most bytes are written at the end, so that a reader of the output must wait for it.
    pub is_late: bool,
    /// The lists of records that a document can hold.
    pub records: Records,
    /// The bytes at the end of a file, after the sink's output.
    pub ending: &'static str,
    /// The name of the format of a value inside a document, if it differs.
    pub parts: Option<&'static str>,
    /// Whether a source can begin at any value inside a document: its bytes mean the same without those before it. Then a
    /// document can be [looked into](crate::lookup) without decoding it.
    pub values_stand_alone: bool,
    /// The options for reading, besides those that all formats have.
    pub read: &'static [Setting],
    /// The options for writing, besides those that all formats have.
    pub write: &'static [Setting],
    /// The notes of fields that it understands. Formats may share them.
    pub notes: Option<&'static Vocabulary>,
}

impl About {
    /// Returns a format of nested values with these names, without a special ending and without options.
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
            records: Records::Any,
            ending: "",
            parts: None,
            values_stand_alone: false,
            read: &[],
            write: &[],
            notes: None,
        }
    }
}

/// The lists of records that a document of a format can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Records {
    /// Records with any fields and nulls, which are read without a type. HTTP offers only such formats.
    Any,
    /// Records of a type that is known, or without nulls.
    Limited,
    /// None: a document is one record or map.
    Single,
}

/// The engines that hosts compile for the source and the sink of one format. A format needs no engine of its own: `Any`
/// works for all formats.
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
    /// For MessagePack.
    Packed,
    /// For every format, through its source and sink as trait objects.
    Any,
}

impl Model {
    /// Returns whether each scalar is text that may represent any kind.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Cells | Self::Markup)
    }

    /// Returns the options to infer a shape from a sample of such a format, with types of texts.
    pub fn inference(self) -> InferenceOptions {
        match self {
            Self::Cells => InferenceOptions::cells(),
            Self::Markup => InferenceOptions::texts(),
            _ => InferenceOptions::default(),
        }
    }
}

/// How the values of a format are represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Model {
    /// One value with names and kinds, which may nest.
    Nested,
    /// JSON: one document.
    Json,
    /// JSON: a document on each line.
    JsonLines,
    /// A table of cells without kinds. The shape determines them.
    Cells,
    /// Text without kinds, which may nest. The shape determines them.
    Markup,
    /// Messages of Protocol Buffers. Null is an absent field, and only a shape determines the fields.
    Numbered,
    /// The bytes of a value without names and kinds. Only its shape determines them.
    Shaped,
    /// Columns with the shape of their records.
    Columns,
    /// Tables of a database.
    Tables,
}
