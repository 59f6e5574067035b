//! Heads of values: the kind, and the content or length.

use demat_core::Kind;

/// The byte that is nil.
pub(super) const NIL: u8 = 0xc0;
/// The byte that the specification never uses.
pub(super) const UNUSED: u8 = 0xc1;

/// The first bytes of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Head {
    Nil,
    Bool(bool),
    Unsigned(u64),
    /// An int in a signed form. It may be positive.
    Signed(i64),
    Float32(f32),
    Float64(f64),
    /// Text of this length in bytes.
    Str(u32),
    /// Bytes of this length.
    Bin(u32),
    /// An array with this number of items.
    Array(u32),
    /// A map with this number of entries.
    Map(u32),
    /// An extension type: its code and its length.
    Ext(i8, u32),
}

/// The reason why a head can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoHead {
    /// The input ends before the head or inside it.
    End,
    /// The byte that the specification never uses.
    Unused,
}

/// Reads `N` bytes.
fn array<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], NoHead> {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().ok_or(NoHead::End)
}

/// Reads an unsigned number of 1, 2 or 4 bytes for a width of 0, 1 or 2. Returns it and its end.
fn length(bytes: &[u8], at: usize, width: u8) -> Result<(u32, usize), NoHead> {
    Ok(match width {
        0 => (array::<1>(bytes, at)?[0].into(), at + 1),
        1 => (u16::from_be_bytes(array(bytes, at)?).into(), at + 2),
        _ => (u32::from_be_bytes(array(bytes, at)?), at + 4),
    })
}

/// Reads the head at `at`. Returns it and its end, where the content of text, bytes and extensions begins.
#[inline]
#[allow(clippy::match_same_arms)] // in the specification's order
pub(super) fn head(bytes: &[u8], at: usize) -> Result<(Head, usize), NoHead> {
    let first = *bytes.get(at).ok_or(NoHead::End)?;
    let next = at + 1;
    let sized = |width: u8, head: fn(u32) -> Head| length(bytes, next, width).map(|(len, end)| (head(len), end));
    Ok(match first {
        0x00..=0x7f => (Head::Unsigned(first.into()), next),
        0x80..=0x8f => (Head::Map(u32::from(first & 0x0f)), next),
        0x90..=0x9f => (Head::Array(u32::from(first & 0x0f)), next),
        0xa0..=0xbf => (Head::Str(u32::from(first & 0x1f)), next),
        NIL => (Head::Nil, next),
        UNUSED => return Err(NoHead::Unused),
        0xc2 => (Head::Bool(false), next),
        0xc3 => (Head::Bool(true), next),
        0xc4..=0xc6 => sized(first - 0xc4, Head::Bin)?,
        0xc7..=0xc9 => {
            let (len, end) = length(bytes, next, first - 0xc7)?;
            (Head::Ext(i8::from_be_bytes(array(bytes, end)?), len), end + 1)
        }
        0xca => (Head::Float32(f32::from_be_bytes(array(bytes, next)?)), next + 4),
        0xcb => (Head::Float64(f64::from_be_bytes(array(bytes, next)?)), next + 8),
        0xcc => (Head::Unsigned(array::<1>(bytes, next)?[0].into()), next + 1),
        0xcd => (Head::Unsigned(u16::from_be_bytes(array(bytes, next)?).into()), next + 2),
        0xce => (Head::Unsigned(u32::from_be_bytes(array(bytes, next)?).into()), next + 4),
        0xcf => (Head::Unsigned(u64::from_be_bytes(array(bytes, next)?)), next + 8),
        0xd0 => (Head::Signed(i8::from_be_bytes(array(bytes, next)?).into()), next + 1),
        0xd1 => (Head::Signed(i16::from_be_bytes(array(bytes, next)?).into()), next + 2),
        0xd2 => (Head::Signed(i32::from_be_bytes(array(bytes, next)?).into()), next + 4),
        0xd3 => (Head::Signed(i64::from_be_bytes(array(bytes, next)?)), next + 8),
        0xd4..=0xd8 => (Head::Ext(i8::from_be_bytes(array(bytes, next)?), 1 << (first - 0xd4)), next + 1),
        0xd9..=0xdb => sized(first - 0xd9, Head::Str)?,
        0xdc..=0xdd => sized(first - 0xdc + 1, Head::Array)?,
        0xde..=0xdf => sized(first - 0xde + 1, Head::Map)?,
        0xe0..=0xff => (Head::Signed(i8::from_be_bytes([first]).into()), next),
    })
}

/// Returns the kind of a value by its first byte. Returns `None` for extension types, whose kind is in a later byte,
/// and for the byte that the specification never uses.
///
/// ```
/// use demat_core::Kind;
/// use demat_formats::msgpack::first_kind;
/// assert_eq!(first_kind(0x80), Some(Kind::Map));
/// assert_eq!(first_kind(0xdd), Some(Kind::List));
/// assert_eq!(first_kind(0xc1), None);
/// ```
#[inline]
pub fn first_kind(byte: u8) -> Option<Kind> {
    Some(match byte {
        0x80..=0x8f | 0xde | 0xdf => Kind::Map,
        0x90..=0x9f | 0xdc | 0xdd => Kind::List,
        0x00..=0x7f | 0xcc..=0xd3 | 0xe0..=0xff => Kind::Int,
        0xa0..=0xbf | 0xd9..=0xdb => Kind::Text,
        0xc4..=0xc6 => Kind::Bytes,
        NIL => Kind::Null,
        0xc2 | 0xc3 => Kind::Bool,
        0xca | 0xcb => Kind::Float,
        UNUSED | 0xc7..=0xc9 | 0xd4..=0xd8 => return None,
    })
}

/// Whether this is the first byte of a map.
pub(super) fn begins_map(byte: u8) -> bool {
    first_kind(byte) == Some(Kind::Map)
}
