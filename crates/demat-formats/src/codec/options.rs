use super::OwnOptions;
use crate::Format;
use crate::json::RepeatedKeys;

/// How a place is read: what all formats have, and the options of its own format.
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
    /// How deep lists and records may nest: 1,024, unless the format has a default of its own.
    pub depth: u32,
    /// What happens to a key that a record or a map repeats, in formats where keys can repeat.
    pub repeated_keys: RepeatedKeys,
    /// What the format alone has.
    pub own: OwnOptions,
    /// How many bytes the longest record may have: 1 GiB.
    pub window: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 1024, repeated_keys: RepeatedKeys::default(), own: OwnOptions::default(), window: 1 << 30 }
    }
}

/// How a place is written: what all formats have, and the options of its own format.
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
    /// How deep lists and records may nest: 1,024.
    pub depth: u32,
    /// What the format alone has.
    pub own: OwnOptions,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { depth: 1024, own: OwnOptions::default() }
    }
}

impl WriteOptions {
    /// What is usual for a format.
    pub fn of(format: Format) -> Self {
        format.write_options()
    }
}
