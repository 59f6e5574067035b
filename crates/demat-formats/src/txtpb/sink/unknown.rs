//! Unknown fields, which have numbers and no names.

use super::TxtpbSink;
use super::literal::write_bytes;
use crate::Drain;
use crate::proto::read_varint;
use crate::text::write_u64;
use std::io::Write;

/// The maximum nesting depth of messages within unknown bytes; deeper ones are written as bytes.
const DEEPEST: u32 = 10;

/// A field of the wire format.
struct Field<'b> {
    number: u32,
    value: Value<'b>,
}

enum Value<'b> {
    Varint(u64),
    Four(u32),
    Eight(u64),
    Bytes(&'b [u8]),
    Group(&'b [u8]),
}

/// Returns the first field and the bytes behind it. `None` if there is none that is valid.
fn first(bytes: &[u8]) -> Option<(Field<'_>, &[u8])> {
    let (tag, len) = read_varint(bytes)?;
    let number = u32::try_from(tag >> 3).ok().filter(|number| (1..1 << 29).contains(number))?;
    let rest = &bytes[len..];
    let (value, rest) = match tag & 7 {
        0 => read_varint(rest).map(|(value, len)| (Value::Varint(value), &rest[len..]))?,
        1 => rest.split_first_chunk().map(|(value, rest)| (Value::Eight(u64::from_le_bytes(*value)), rest))?,
        2 => {
            let (size, len) = read_varint(rest)?;
            let (value, rest) = rest[len..].split_at_checked(usize::try_from(size).ok()?)?;
            (Value::Bytes(value), rest)
        }
        3 => {
            let (value, rest) = group(rest, number)?;
            (Value::Group(value), rest)
        }
        5 => rest.split_first_chunk().map(|(value, rest)| (Value::Four(u32::from_le_bytes(*value)), rest))?,
        _ => return None,
    };
    Some((Field { number, value }, rest))
}

/// Returns the content of a group and the bytes behind it.
fn group(bytes: &[u8], number: u32) -> Option<(&[u8], &[u8])> {
    let mut open = vec![number];
    let mut at = bytes;
    loop {
        let (tag, len) = read_varint(at)?;
        let inner = u32::try_from(tag >> 3).ok()?;
        let rest = &at[len..];
        at = match tag & 7 {
            3 => {
                open.push(inner);
                rest
            }
            4 if open.pop() == Some(inner) => {
                if open.is_empty() {
                    return Some((&bytes[..bytes.len() - at.len()], rest));
                }
                rest
            }
            4 => return None,
            _ => first(at)?.1,
        };
    }
}

/// Whether the bytes are fields of the wire format, one after another.
fn is_message(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        let Some((_, next)) = first(rest) else { return false };
        rest = next;
    }
    !bytes.is_empty()
}

impl<D: Drain> TxtpbSink<D> {
    /// Writes fields of the wire format by their numbers.
    pub(super) fn write_unknown(&mut self, bytes: &[u8], depth: u32) {
        let mut rest = bytes;
        while let Some((field, next)) = first(rest) {
            rest = next;
            let name = field.number.to_string();
            match field.value {
                Value::Varint(value) => self.scalar(&name, |out| write_u64(out, value)),
                // Writing to memory can't fail.
                Value::Four(value) => self.scalar(&name, |out| drop(write!(out, "0x{value:08x}"))),
                Value::Eight(value) => self.scalar(&name, |out| drop(write!(out, "0x{value:016x}"))),
                Value::Bytes(value) if depth < DEEPEST && is_message(value) => {
                    self.open(&name);
                    self.write_unknown(value, depth + 1);
                    self.close();
                }
                Value::Bytes(value) => self.scalar(&name, |out| write_bytes(out, value)),
                Value::Group(value) if depth < DEEPEST => {
                    self.open(&name);
                    self.write_unknown(value, depth + 1);
                    self.close();
                }
                Value::Group(value) => self.scalar(&name, |out| write_bytes(out, value)),
            }
        }
    }
}
