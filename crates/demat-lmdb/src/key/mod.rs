//! Ordered keys: tuples of values as bytes whose order is that of the values.
//!
//! A key is the concatenation of its parts. Each part begins with a tag, and tags stand in the order of the kinds:
//!
//! | part | bytes |
//! |---|---|
//! | null | `10` |
//! | int | a tag from `20` to `32` that has the sign and the length, then the magnitude |
//! | float | `40`, then 8 bytes: the bits of IEEE 754, inverted if negative, else with the first bit set |
//! | false, true | `50`, `51` |
//! | bytes | `60`, the bytes with each `00` as `00 FF`, then `00 00` |
//! | text | `70`, then as bytes, in UTF-8 |
//! | UUID | `80`, then its 16 bytes |
//! | date | `90`, then the days since 1970-01-01 as 4 bytes, big-endian, with the first bit inverted |
//! | date and time without an offset | `91`, then seconds as 8 such bytes, then nanoseconds as 4 bytes |
//! | instant | `92`, then as before, in UTC |
//!
//! No part's bytes are a prefix of another part's. So one tuple's bytes are a prefix of another's exactly if its parts
//! are, and comparing bytes compares part by part. Each value has one encoding only, and [`Parts`] refuses any other.

mod escaped;
mod int;
mod moment;
#[cfg(test)]
mod tests;

use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Offset, Time, Uuid};
use demat_core::{Error, ErrorKind, Result};
use std::borrow::Cow;

/// One part of a key.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // each variant is its kind
pub enum Part<'a> {
    Null,
    Int(Int<'a>),
    Float(f64),
    Bool(bool),
    Bytes(Cow<'a, [u8]>),
    Text(Cow<'a, str>),
    Uuid(Uuid),
    Date(Date),
    DateTime(DateTime),
    /// A point in time. Its offset is not part of the key: it is decoded in UTC.
    Instant(Instant),
}

pub(crate) mod tag {
    pub(crate) const NULL: u8 = 0x10;
    pub(crate) const FLOAT: u8 = 0x40;
    pub(crate) const FALSE: u8 = 0x50;
    pub(crate) const TRUE: u8 = 0x51;
    pub(crate) const BYTES: u8 = 0x60;
    pub(crate) const TEXT: u8 = 0x70;
    pub(crate) const UUID: u8 = 0x80;
    pub(crate) const DATE: u8 = 0x90;
    pub(crate) const DATE_TIME: u8 = 0x91;
    pub(crate) const INSTANT: u8 = 0x92;
}

impl Part<'_> {
    /// Appends the part's bytes.
    ///
    /// ```
    /// use demat_lmdb::Part;
    /// let mut key = Vec::new();
    /// Part::Text("a".into()).append(&mut key)?;
    /// Part::Int((-2).into()).append(&mut key)?;
    /// assert_eq!(key, [0x70, b'a', 0, 0, 0x28, 0xFD]);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Encode`](ErrorKind::Encode) for NaN, which has no place in an order, and for an instant without an offset.
    /// [`Limit`](ErrorKind::Limit) for an int of more than 256 bytes.
    pub fn append(&self, key: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Null => key.push(tag::NULL),
            Self::Int(value) => int::append(value, key)?,
            Self::Float(value) => append_float(*value, key)?,
            Self::Bool(value) => key.push(if *value { tag::TRUE } else { tag::FALSE }),
            Self::Bytes(value) => escaped::append(tag::BYTES, value, key),
            Self::Text(value) => escaped::append(tag::TEXT, value.as_bytes(), key),
            Self::Uuid(value) => {
                key.push(tag::UUID);
                key.extend_from_slice(&value.0);
            }
            Self::Date(value) => moment::append_date(*value, key),
            Self::DateTime(value) => moment::append(tag::DATE_TIME, value.wall_nanos(), key),
            Self::Instant(value) => {
                let nanos = value.unix_nanos().ok_or_else(|| {
                    Error::new(ErrorKind::Encode, "a key can't hold a point in time whose offset is unknown")
                })?;
                moment::append(tag::INSTANT, nanos, key);
            }
        }
        Ok(())
    }

    /// The name of its kind.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Bool(_) => "bool",
            Self::Bytes(_) => "bytes",
            Self::Text(_) => "text",
            Self::Uuid(_) => "uuid",
            Self::Date(_) => "date",
            Self::DateTime(_) => "datetime",
            Self::Instant(_) => "instant",
        }
    }
}

/// Returns the error for a value that no key holds.
#[cold]
pub(crate) fn no_part(kind: &str) -> Error {
    let message = format!(
        "a {kind} can't be part of a key: a part is null, an int, a float, a bool, bytes, text, a UUID, a date, a \
         datetime or an instant"
    );
    Error::new(ErrorKind::Encode, message)
}

fn append_float(value: f64, key: &mut Vec<u8>) -> Result<()> {
    if value.is_nan() {
        return Err(Error::new(ErrorKind::Encode, "NaN can't be part of a key: it has no place in an order"));
    }
    let bits = value.to_bits();
    let ordered = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
    key.push(tag::FLOAT);
    key.extend_from_slice(&ordered.to_be_bytes());
    Ok(())
}

fn read_float(bytes: [u8; 8]) -> Option<f64> {
    let ordered = u64::from_be_bytes(bytes);
    let bits = if ordered >> 63 == 1 { ordered & !(1 << 63) } else { !ordered };
    Some(f64::from_bits(bits)).filter(|value| !value.is_nan())
}

/// Returns the bytes of a tuple.
///
/// # Errors
/// As [`Part::append`].
pub fn key_of(parts: &[Part<'_>]) -> Result<Vec<u8>> {
    let mut key = Vec::new();
    for part in parts {
        part.append(&mut key)?;
    }
    Ok(key)
}

/// Iterates over the parts of a key.
///
/// ```
/// use demat_lmdb::{Part, Parts, key_of};
/// let key = key_of(&[Part::Text("a".into()), Part::Int((-824).into())])?;
/// let parts = Parts::new(&key).collect::<demat_core::Result<Vec<_>>>()?;
/// assert_eq!(parts, [Part::Text("a".into()), Part::Int((-824).into())]);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Parts<'a> {
    key: &'a [u8],
    at: usize,
}

impl<'a> Parts<'a> {
    /// Returns the parts of a key.
    pub fn new(key: &'a [u8]) -> Self {
        Self { key, at: 0 }
    }

    /// Reads the bytes after the tag. `None` if they are not those of a part.
    fn part(&mut self) -> Option<Part<'a>> {
        let (&tag, rest) = self.key[self.at..].split_first()?;
        let (part, len) = match tag {
            tag::NULL => (Part::Null, 0),
            tag::FALSE => (Part::Bool(false), 0),
            tag::TRUE => (Part::Bool(true), 0),
            tag::FLOAT => (Part::Float(read_float(*rest.first_chunk()?)?), 8),
            tag::BYTES => {
                let (bytes, len) = escaped::read(rest)?;
                (Part::Bytes(bytes), len)
            }
            tag::TEXT => {
                let (text, len) = escaped::read(rest)?;
                let text = match text {
                    Cow::Borrowed(bytes) => Cow::Borrowed(core::str::from_utf8(bytes).ok()?),
                    Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).ok()?),
                };
                (Part::Text(text), len)
            }
            tag::UUID => (Part::Uuid(Uuid(*rest.first_chunk()?)), 16),
            tag::DATE => (Part::Date(moment::read_date(*rest.first_chunk()?)?), moment::DATE_LEN),
            tag::DATE_TIME => {
                let (seconds, nanos) = moment::read(*rest.first_chunk()?)?;
                (Part::DateTime(DateTime::from_wall(seconds, nanos)?), moment::LEN)
            }
            tag::INSTANT => {
                let (seconds, nanos) = moment::read(*rest.first_chunk()?)?;
                (Part::Instant(Instant::from_unix(seconds, nanos, Offset::UTC)?), moment::LEN)
            }
            tag => {
                let (value, len) = int::read(tag, rest)?;
                (Part::Int(value), len)
            }
        };
        self.at += 1 + len;
        Some(part)
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Result<Part<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at == self.key.len() {
            return None;
        }
        let part = self.part().ok_or_else(|| {
            let shown = hexadecimal(self.key);
            Error::new(ErrorKind::Syntax, format!("the bytes {shown} are no key: no part stands at byte {}", self.at))
        });
        if part.is_err() {
            self.at = self.key.len();
        }
        Some(part)
    }
}

/// Returns the bytes that all texts or bytes with this beginning start with, as the first part of a key.
pub fn beginning(part: &Part<'_>) -> Result<Vec<u8>> {
    let mut key = Vec::new();
    part.append(&mut key)?;
    if matches!(part, Part::Text(_) | Part::Bytes(_)) {
        key.truncate(key.len() - escaped::END);
    }
    Ok(key)
}

/// Returns the smallest bytes that are greater than all that begin with the prefix; `None` if there are none.
pub(crate) fn behind(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte != u8::MAX)?;
    let mut behind = prefix[..=last].to_vec();
    behind[last] += 1;
    Some(behind)
}

/// Returns a readable form of a key for messages: `('a', -824)`, or its bytes if they are no key.
pub fn shown(key: &[u8]) -> String {
    let Ok(parts) = Parts::new(key).collect::<Result<Vec<_>>>() else {
        return hexadecimal(key);
    };
    let shown: Vec<_> = parts.iter().map(shown_part).collect();
    if let [one] = &*shown { one.clone() } else { format!("({})", shown.join(", ")) }
}

fn hexadecimal(bytes: &[u8]) -> String {
    use core::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02X}"); // writing to a String cannot fail
        text
    })
}

fn shown_part(part: &Part<'_>) -> String {
    match part {
        Part::Null => "null".to_string(),
        Part::Int(value) => value.to_string(),
        Part::Float(value) => format!("{value:?}"),
        Part::Bool(value) => value.to_string(),
        Part::Bytes(bytes) => format!("x'{}'", hexadecimal(bytes)),
        Part::Text(text) => format!("{text:?}"),
        Part::Uuid(value) => value.to_string(),
        Part::Date(value) => value.to_string(),
        Part::DateTime(value) => value.to_string(),
        Part::Instant(value) => value.to_string(),
    }
}

/// A sink method's value that is no part of a key.
pub(crate) trait NoPart {
    const NAME: &'static str;
}

macro_rules! no_part {
    ($($type:ty: $name:literal),*) => {$(
        impl NoPart for $type {
            const NAME: &'static str = $name;
        }
    )*};
}

no_part!(Decimal<'_>: "decimal", Time: "time", Duration: "duration");
