use super::codec::NONFINITE_READ;
use crate::codec::{self, OwnOptions, SettingValue};

/// Options for reading JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The maximum nesting depth of lists and records; 1,024 by default.
    pub depth: u32,
    /// The treatment of keys that an object repeats.
    pub repeated_keys: RepeatedKeys,
    /// Reads the texts `"NaN"`, `"Infinity"` and `"-Infinity"` where a float is expected.
    pub nonfinite_text: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 1024, repeated_keys: RepeatedKeys::LastWins, nonfinite_text: false }
    }
}

impl From<&codec::ReadOptions> for ReadOptions {
    #[inline]
    fn from(options: &codec::ReadOptions) -> Self {
        let nonfinite_text = options.own.text(&NONFINITE_READ) == Some("text");
        Self { depth: options.depth, repeated_keys: options.repeated_keys, nonfinite_text }
    }
}

impl From<ReadOptions> for codec::ReadOptions {
    fn from(own: ReadOptions) -> Self {
        let mut options = Self { depth: own.depth, repeated_keys: own.repeated_keys, ..Self::default() };
        if own.nonfinite_text {
            options.own.set(&NONFINITE_READ, SettingValue::Text("text".into()));
        }
        options
    }
}

/// The treatment of keys that an object repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RepeatedKeys {
    /// The last value wins.
    #[default]
    LastWins,
    /// It is an error.
    Refuse,
}

/// How to write floats that JSON has no number for: NaN and the infinities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NonFinite {
    /// They are an error.
    #[default]
    Refuse,
    /// As `null`.
    Null,
    /// As the texts `"NaN"`, `"Infinity"` and `"-Infinity"`, which [`ReadOptions::nonfinite_text`] reads.
    Text,
}

/// The text of a UUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UuidForm {
    /// With hyphens.
    #[default]
    Text,
    /// 32 hexadecimal digits.
    Hex,
    /// With hyphens, behind `urn:uuid:`.
    Urn,
}

/// Options for writing JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// The number of spaces per level, with each item and field on a line of its own. `None` (default) writes no
    /// whitespace.
    pub indent: Option<u8>,
    /// Writes the keys of each record and map in the order of their UTF-8 bytes. Such a container is held in memory
    /// until it ends.
    pub sorted_keys: bool,
    /// Writes characters outside ASCII as `\u` escapes.
    pub ascii: bool,
    /// The maximum nesting depth of lists and records; 1,024 by default.
    pub depth: u32,
    /// How to write floats that are not finite.
    pub nonfinite: NonFinite,
    /// Writes decimals as text, for readers that take every number for a binary64.
    pub decimal_text: bool,
    /// How to write UUIDs.
    pub uuids: UuidForm,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            indent: None,
            sorted_keys: false,
            ascii: false,
            depth: 1024,
            nonfinite: NonFinite::Refuse,
            decimal_text: false,
            uuids: UuidForm::Text,
        }
    }
}

impl From<&codec::WriteOptions> for WriteOptions {
    #[inline]
    fn from(options: &codec::WriteOptions) -> Self {
        Self { depth: options.depth, ..options.own.typed() }
    }
}

impl From<WriteOptions> for codec::WriteOptions {
    fn from(own: WriteOptions) -> Self {
        // The depth is one of the options that all formats share. It is kept there only.
        let usual = WriteOptions { depth: WriteOptions::default().depth, ..own };
        Self { depth: own.depth, own: OwnOptions::of(usual) }
    }
}
