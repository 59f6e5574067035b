//! Heads of data items: the major type, and the content or length.

use super::half;

/// A length or count; `None` if the item ends with a break.
pub(super) type Length = Option<u64>;

/// The first bytes of a data item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Head {
    Unsigned(u64),
    /// The int with the value -1 minus this.
    Negative(u64),
    /// Bytes of this length, or chunks of bytes.
    Bytes(Length),
    /// Text of this length in bytes, or chunks of text.
    Text(Length),
    /// An array with this number of items.
    Array(Length),
    /// A map with this number of entries.
    Map(Length),
    /// The number of a tag, whose content follows.
    Tag(u64),
    Bool(bool),
    Null,
    /// A simple value besides those above.
    Simple(u8),
    Half(f64),
    Single(f32),
    Double(f64),
}

/// The reason why a head can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoHead {
    /// The input ends before the head or inside it.
    End,
    /// A break in a wrong place.
    Break,
    /// A byte that the specification reserves.
    Reserved(u8),
    /// A simple value below 32 in two bytes.
    WideSimple(u8),
}

/// The byte that ends a container or text without a length.
pub(super) const BREAK: u8 = 0xff;

/// Reads `N` bytes.
#[inline]
fn array<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], NoHead> {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().ok_or(NoHead::End)
}

/// Reads the head at `at`. Returns it and its end, where the content of text and bytes begins.
#[inline]
pub(super) fn head(bytes: &[u8], at: usize) -> Result<(Head, usize), NoHead> {
    let first = *bytes.get(at).ok_or(NoHead::End)?;
    let (major, info) = (first >> 5, first & 0x1f);
    let next = at + 1;
    let (argument, end) = match info {
        0..=23 => (info.into(), next),
        24 => (array::<1>(bytes, next)?[0].into(), next + 1),
        25 => (u16::from_be_bytes(array(bytes, next)?).into(), next + 2),
        26 => (u32::from_be_bytes(array(bytes, next)?).into(), next + 4),
        27 => (u64::from_be_bytes(array(bytes, next)?), next + 8),
        31 => return endless(first).map(|head| (head, next)),
        _ => return Err(NoHead::Reserved(first)),
    };
    let head = match major {
        0 => Head::Unsigned(argument),
        1 => Head::Negative(argument),
        2 => Head::Bytes(Some(argument)),
        3 => Head::Text(Some(argument)),
        4 => Head::Array(Some(argument)),
        5 => Head::Map(Some(argument)),
        6 => Head::Tag(argument),
        _ => simple(info, argument)?,
    };
    Ok((head, end))
}

/// Returns the head of an item that ends with a break.
fn endless(first: u8) -> Result<Head, NoHead> {
    Ok(match first {
        0x5f => Head::Bytes(None),
        0x7f => Head::Text(None),
        0x9f => Head::Array(None),
        0xbf => Head::Map(None),
        BREAK => return Err(NoHead::Break),
        _ => return Err(NoHead::Reserved(first)),
    })
}

/// Returns the head of a simple value or a float.
fn simple(info: u8, argument: u64) -> Result<Head, NoHead> {
    Ok(match (info, argument as u8) {
        (20, _) => Head::Bool(false),
        (21, _) => Head::Bool(true),
        // Undefined is null.
        (22 | 23, _) => Head::Null,
        (24, value @ 0..=31) => return Err(NoHead::WideSimple(value)),
        (25, _) => Head::Half(half::to_f64(argument as u16)),
        (26, _) => Head::Single(f32::from_bits(argument as u32)),
        (27, _) => Head::Double(f64::from_bits(argument)),
        (_, value) => Head::Simple(value),
    })
}
