//! The list of formats: those built in, and those that a program adds.

mod elsewhere;
mod taken;
mod unknown;

pub use taken::TakenName;
pub use unknown::{UnknownFormat, nearest};

use crate::codec::{About, Codec, Model, ReadOptions, Setting, SettingValue, WriteOptions};
use crate::{
    Compression, avro, cbor, csv, json, msgpack, nbt, ndjson, plist, proto, raw, region, snbt, toml, txtpb, xml, yaml,
};
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;
use demat_core::{Error, ErrorKind, Vocabulary};
use std::path::Path;
use std::sync::{PoisonError, RwLock};

/// A registered format.
///
/// ```
/// use demat_formats::Format;
/// assert_eq!(Format::of_path("tasks.jsonl.gz".as_ref()).map(Format::name), Some("ndjson"));
/// assert_eq!("csv".parse(), Ok(Format::CSV));
/// ```
#[derive(Clone, Copy)]
pub struct Format(&'static Entry);

/// A format in the list.
#[derive(Debug)]
struct Entry {
    about: &'static About,
    /// `None` for a format that other crates read and write: columns, and databases.
    codec: Option<&'static dyn Codec>,
}

impl Entry {
    const fn of_bytes(about: &'static About, codec: &'static dyn Codec) -> Self {
        Self { about, codec: Some(codec) }
    }

    const fn elsewhere(about: &'static About) -> Self {
        Self { about, codec: None }
    }
}

/// Makes the list of the built-in formats, and a constant for each.
macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident = $entry:expr;)*) => {
        /// The built-in formats.
        static FORMATS: [Entry; [$(stringify!($name)),*].len()] = [$($entry),*];

        /// The places of the built-in formats in the list.
        #[allow(clippy::upper_case_acronyms)] // the names of the constants
        enum Place { $($name),* }

        impl Format {
            $($(#[$doc])* pub const $name: Self = Self(&FORMATS[Place::$name as usize]);)*
        }
    };
}

formats! {
    /// JSON, RFC 8259.
    JSON = Entry::of_bytes(&json::ABOUT, &json::JsonCodec);
    /// A JSON value on each line.
    NDJSON = Entry::of_bytes(&ndjson::ABOUT, &ndjson::NdjsonCodec);
    /// A table, cells between commas, RFC 4180.
    CSV = Entry::of_bytes(&csv::CSV, &csv::CsvCodec);
    /// A table, cells between tabs.
    TSV = Entry::of_bytes(&csv::TSV, &csv::TsvCodec);
    /// Arrow's columns: a file or a stream of batches.
    ARROW = Entry::elsewhere(&elsewhere::ARROW);
    /// Columns, compressed.
    PARQUET = Entry::elsewhere(&elsewhere::PARQUET);
    /// Protocol Buffers: a message, or messages with length prefixes.
    PROTO = Entry::of_bytes(&proto::ABOUT, &proto::ProtoCodec);
    /// MessagePack: one value, or a sequence of maps.
    MSGPACK = Entry::of_bytes(&msgpack::ABOUT, &msgpack::MsgpackCodec);
    /// CBOR, RFC 8949: one value, or a sequence of maps.
    CBOR = Entry::of_bytes(&cbor::ABOUT, &cbor::CborCodec);
    /// XML: one document, whose root may hold records.
    XML = Entry::of_bytes(&xml::ABOUT, &xml::XmlCodec);
    /// NBT, Minecraft's Named Binary Tag.
    NBT = Entry::of_bytes(&nbt::ABOUT, &nbt::NbtCodec);
    /// SNBT, the text form of NBT.
    SNBT = Entry::of_bytes(&snbt::ABOUT, &snbt::SnbtCodec);
    /// Minecraft's region files.
    MCA = Entry::of_bytes(&region::ABOUT, &region::RegionCodec);
    /// TOML: one table.
    TOML = Entry::of_bytes(&toml::ABOUT, &toml::TomlCodec);
    /// YAML 1.2: one document, or several.
    YAML = Entry::of_bytes(&yaml::ABOUT, &yaml::YamlCodec);
    /// Demat's own binary format: the values of a known shape.
    RAW = Entry::of_bytes(&raw::ABOUT, &raw::RawCodec);
    /// Apple's property lists.
    PLIST = Entry::of_bytes(&plist::ABOUT, &plist::PlistCodec);
    /// The text format of Protocol Buffers: one message.
    TXTPB = Entry::of_bytes(&txtpb::ABOUT, &txtpb::TxtpbCodec);
    /// Apache Avro's container files.
    AVRO = Entry::of_bytes(&avro::ABOUT, &avro::AvroCodec);
    /// Tables of an SQLite database.
    SQLITE = Entry::elsewhere(&elsewhere::SQLITE);
}

/// The formats that the program has added.
static ADDED: RwLock<Vec<Format>> = RwLock::new(Vec::new());

impl Format {
    /// The format of columns in memory that are passed on as bytes: a stream of batches.
    pub const BATCHES: Self = Self::ARROW;
    /// The default format for values that programs exchange.
    pub const DEFAULT: Self = Self::JSON;
    /// The default format for records that people read and pipes transport.
    pub const LINES: Self = Self::NDJSON;
    /// The default format for tables as text.
    pub const TABLE: Self = Self::CSV;

    /// Adds a format. From then on, it can be found by its name, its suffixes and its media types.
    ///
    /// # Errors
    /// If another format has one of these.
    pub fn register(codec: &'static dyn Codec) -> Result<Self, TakenName> {
        let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
        let about = codec.about();
        let others: Vec<Self> = FORMATS.iter().map(Self).chain(added.iter().copied()).collect();
        for other in others {
            let known = other.about();
            let names = |about: &'static About| {
                [about.name].into_iter().chain(about.suffixes.iter().copied()).chain(about.media_types.iter().copied())
            };
            if let Some(name) = names(about).find(|name| names(known).any(|own| own.eq_ignore_ascii_case(name))) {
                return Err(TakenName::new(name, other));
            }
        }
        let format = Self(Box::leak(Box::new(Entry::of_bytes(about, codec))));
        added.push(format);
        Ok(format)
    }

    /// Returns the notes of fields that a built-in format understands, by the attribute of fields that hosts take them
    /// by. The derive calls this at compile time.
    ///
    /// ```
    /// use demat_formats::Format;
    /// assert_eq!(const { Format::vocabulary("wire") }.map(|vocabulary| vocabulary.place), Some("proto"));
    /// ```
    pub const fn vocabulary(attribute: &str) -> Option<&'static Vocabulary> {
        let mut index = 0;
        while index < FORMATS.len() {
            if let Some(vocabulary) = FORMATS[index].about.notes
                && is_same(vocabulary.attribute, attribute)
            {
                return Some(vocabulary);
            }
            index += 1;
        }
        None
    }

    /// Returns the notes of fields that formats understand, each once: those of built-in formats first.
    pub fn vocabularies() -> impl Iterator<Item = &'static Vocabulary> {
        let mut known: Vec<&'static Vocabulary> = Vec::new();
        for vocabulary in Self::all().filter_map(|format| format.about().notes) {
            if known.iter().all(|own| own.place != vocabulary.place) {
                known.push(vocabulary);
            }
        }
        known.into_iter()
    }

    /// Returns all formats: the built-in ones first, then those that were added.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        FORMATS.iter().map(Self).chain(added.iter().copied()).collect::<Vec<_>>().into_iter()
    }

    /// Returns the format's names, options and properties.
    pub fn about(self) -> &'static About {
        self.0.about
    }

    /// Returns the codec, or `None` for columns and databases.
    pub fn codec(self) -> Option<&'static dyn Codec> {
        self.0.codec
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Returns the suffixes of files, with their dots; the usual one first.
    pub fn suffixes(self) -> &'static [&'static str] {
        self.about().suffixes
    }

    /// Returns the media types: that of files first, then its other ones.
    pub fn media_types(self) -> &'static [&'static str] {
        self.about().media_types
    }

    /// Returns the `Content-Type` of a stream. Text formats have a charset, and Arrow has its stream type.
    ///
    /// ```
    /// use demat_formats::Format;
    /// assert_eq!(Format::TABLE.content_type(), "text/csv; charset=utf-8");
    /// assert_eq!(Format::DEFAULT.content_type(), "application/json");
    /// ```
    pub fn content_type(self) -> &'static str {
        let about = self.about();
        about.content_type.or(about.media_types.first().copied()).unwrap_or("application/octet-stream")
    }

    /// Returns the `Content-Type` of a file.
    pub fn file_type(self) -> &'static str {
        let first = self.media_types().first().copied().unwrap_or("application/octet-stream");
        if self.content_type().starts_with(first) { self.content_type() } else { first }
    }

    /// Returns the media type of a stream, without parameters.
    pub fn stream_type(self) -> &'static str {
        self.content_type().split(';').next().unwrap_or_default()
    }

    /// Returns a description of half a line.
    pub fn description(self) -> &'static str {
        self.about().description
    }

    /// Returns the default options for reading.
    pub fn read_options(self) -> ReadOptions {
        self.codec().map(Codec::read_options).unwrap_or_default()
    }

    /// Returns the default options for writing.
    pub fn write_options(self) -> WriteOptions {
        self.codec().map(Codec::write_options).unwrap_or_default()
    }

    /// Returns the option for reading with this name.
    pub fn read_setting(self, name: &str) -> Option<&'static Setting> {
        self.about().read.iter().find(|setting| setting.name == name)
    }

    /// Returns the option for writing with this name.
    pub fn write_setting(self, name: &str) -> Option<&'static Setting> {
        self.about().write.iter().find(|setting| setting.name == name)
    }

    /// Sets an option for reading.
    ///
    /// ```
    /// use demat_formats::Format;
    /// let mut options = Format::JSON.read_options();
    /// Format::JSON.set_read(&mut options, "depth", |setting| setting.parse("12"))?;
    /// assert_eq!(options.depth, 12);
    /// let error = Format::CSV.set_read(&mut options, "depth", |setting| setting.parse("1")).unwrap_err();
    /// let message = "reading csv has no option `depth`; it has delimiter, quote, header, ragged, null";
    /// assert_eq!(error.to_string(), message);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the format has no such option, if the value is invalid, and errors of `value`.
    pub fn set_read<E: From<Error>>(
        self,
        options: &mut ReadOptions,
        name: &str,
        value: impl FnOnce(&'static Setting) -> Result<SettingValue, E>,
    ) -> Result<(), E> {
        let (setting, value) = self.valued("reading", self.read_setting(name), name, value)?;
        match self.codec() {
            Some(codec) => Ok(codec.set_read(options, setting, value)?),
            None => Ok(elsewhere::set(&mut options.own, setting, value)?),
        }
    }

    /// Sets an option for writing.
    ///
    /// # Errors
    /// As [`set_read`](Self::set_read).
    pub fn set_write<E: From<Error>>(
        self,
        options: &mut WriteOptions,
        name: &str,
        value: impl FnOnce(&'static Setting) -> Result<SettingValue, E>,
    ) -> Result<(), E> {
        let (setting, value) = self.valued("writing", self.write_setting(name), name, value)?;
        match self.codec() {
            Some(codec) => Ok(codec.set_write(options, setting, value)?),
            None => Ok(elsewhere::set(&mut options.own, setting, value)?),
        }
    }

    /// Returns the option and its new value.
    fn valued<E: From<Error>>(
        self,
        verb: &str,
        setting: Option<&'static Setting>,
        name: &str,
        value: impl FnOnce(&'static Setting) -> Result<SettingValue, E>,
    ) -> Result<(&'static Setting, SettingValue), E> {
        let setting = setting.ok_or_else(|| self.no_setting(verb, name))?;
        let value = value(setting)?;
        if setting.has(&value) { Ok((setting, value)) } else { Err(setting.refused(&format!("{value:?}")).into()) }
    }

    #[cold]
    fn no_setting(self, verb: &str, name: &str) -> Error {
        let settings = if verb == "reading" { self.about().read } else { self.about().write };
        let names: Vec<_> = settings.iter().map(|setting| setting.name).collect();
        let names = if names.is_empty() { "none".to_string() } else { names.join(", ") };
        Error::new(ErrorKind::Constraint, format!("{verb} {self} has no option `{name}`; it has {names}"))
    }

    /// Returns whether the format is read from and written to streams, which can be compressed.
    pub fn is_streamed(self) -> bool {
        self.about().model != Model::Tables
    }

    /// Returns whether the format is text of rows and cells, which can't nest.
    pub fn is_table(self) -> bool {
        self.about().model == Model::Cells
    }

    /// Returns whether the format consists of columns with the shape of their records.
    pub fn is_columnar(self) -> bool {
        self.about().model == Model::Columns
    }

    /// Returns whether values are encoded as JSON.
    pub fn is_json(self) -> bool {
        matches!(self.about().model, Model::Json | Model::JsonLines)
    }

    /// Returns the format of a value inside a document.
    ///
    /// ```
    /// use demat_formats::Format;
    /// assert_eq!(Format::NDJSON.of_parts(), Format::JSON);
    /// assert_eq!(Format::JSON.of_parts(), Format::JSON);
    /// ```
    #[must_use]
    pub fn of_parts(self) -> Self {
        let parts = self.about().parts;
        parts.and_then(|name| Self::all().find(|format| format.name() == name)).unwrap_or(self)
    }

    /// Returns whether the format is a single JSON document.
    pub fn is_json_document(self) -> bool {
        self.about().model == Model::Json
    }

    /// Returns whether it holds messages of Protocol Buffers, whose fields only a shape determines.
    pub fn is_numbered(self) -> bool {
        self.about().model == Model::Numbered
    }

    /// Returns whether nested values are written as their shape says, part by part, and not as they come.
    pub fn is_written_by_shape(self) -> bool {
        self.codec().is_some() && !self.is_table() && (self.about().needs_shape || self.needs_type())
    }

    /// Returns whether the bytes don't describe themselves, so that a reader needs a shape.
    pub fn needs_type(self) -> bool {
        matches!(self.about().model, Model::Numbered | Model::Shaped)
    }

    /// Returns the format for a path's suffix, in upper or lower case. A suffix of compression may follow it.
    pub fn of_path(path: &Path) -> Option<Self> {
        // Of a name that is no UTF-8 the suffix counts, too.
        let name = path.file_name()?.to_string_lossy();
        let name = Compression::strip_suffix(&name).to_ascii_lowercase();
        let ends = |suffix: &&str| name.len() > suffix.len() && name.ends_with(*suffix);
        Self::all().find(|format| format.suffixes().iter().any(ends))
    }
}

/// Compares texts in a constant, where `==` is not available.
const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut index = 0;
    while a.len() == b.len() && index < a.len() && a[index] == b[index] {
        index += 1;
    }
    a.len() == b.len() && index == a.len()
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.0, other.0)
    }
}

impl Eq for Format {}

impl Hash for Format {
    fn hash<H: Hasher>(&self, state: &mut H) {
        core::ptr::hash(self.0, state);
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.name()).finish()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    /// Parses a name, or a suffix without the dot.
    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let lower = name.to_ascii_lowercase();
        let by_suffix = |format: &Self| format.suffixes().iter().any(|suffix| suffix[1..] == lower);
        let found = Self::all().find(|format| format.name() == lower).or_else(|| Self::all().find(by_suffix));
        found.ok_or_else(|| UnknownFormat::new(name))
    }
}

#[cfg(test)]
mod tests;
