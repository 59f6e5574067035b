use super::OwnOptions;
use crate::Format;
use crate::json::RepeatedKeys;

/// Options for reading a place: those that all formats have, and those of its own format.
///
/// The options types of formats, such as [`json::ReadOptions`](crate::json::ReadOptions) and
/// [`csv::Dialect`](crate::csv::Dialect), convert into it; `Format::set_read` sets an option by name.
///
/// ```
/// use demat_formats::codec::ReadOptions;
/// use demat_formats::csv::Dialect;
/// let options = ReadOptions::from(Dialect { delimiter: b';', ..Dialect::default() });
/// assert_eq!((options.own.typed::<Dialect>().delimiter, options.depth), (b';', 1024));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// The maximum depth of lists and records: 1,024, unless the format has another default.
    pub depth: u32,
    /// What to do if a record or a map repeats a key, in formats where keys can repeat.
    pub repeated_keys: RepeatedKeys,
    /// The options of this format alone.
    pub own: OwnOptions,
    /// The maximum length of a record in bytes; 1 GiB by default.
    pub window: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 1024, repeated_keys: RepeatedKeys::default(), own: OwnOptions::default(), window: 1 << 30 }
    }
}

/// Options for writing a place: those that all formats have, and those of its own format.
///
/// The options types of formats, such as [`json::WriteOptions`](crate::json::WriteOptions), convert into it;
/// `Format::set_write` sets an option by name.
///
/// ```
/// use demat_formats::{codec::WriteOptions, json};
/// let pretty = WriteOptions::from(json::WriteOptions { indent: Some(2), ..json::WriteOptions::default() });
/// assert_eq!(pretty.own.typed::<json::WriteOptions>().indent, Some(2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// The maximum depth of lists and records; 1,024 by default.
    pub depth: u32,
    /// The options of this format alone.
    pub own: OwnOptions,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { depth: 1024, own: OwnOptions::default() }
    }
}

impl WriteOptions {
    /// Returns the default options of a format.
    pub fn of(format: Format) -> Self {
        format.write_options()
    }
}
