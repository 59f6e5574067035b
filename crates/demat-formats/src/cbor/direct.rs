//! Heads for the fast path.

use super::head::BREAK;
use super::sink::{Major, scalar};
use super::{CborSource, ReadOptions};
use crate::binary::{Header, Heads};
use crate::scan::{Room, append_fixed, append_headed, append_number};
use crate::stream::Part;
use demat_core::scalar::{Date, DateTime, Decimal, Int, Offset, ToShortText, Uuid};
use demat_core::{Kind, Record, Result};

/// The heads of CBOR.
#[derive(Debug)]
pub(super) struct CborHeads;

/// Takes a head of this major type, whose argument has up to 32 bits.
#[inline(always)]
fn argument(rest: &mut &[u8], major: Major) -> Option<u64> {
    let first = *rest.first()?;
    if first & 0xe0 != major as u8 {
        return None;
    }
    let (argument, behind) = match (first & 0x1f, *rest) {
        (info @ 0..=23, [_, behind @ ..]) => (info.into(), behind),
        (24, [_, a, behind @ ..]) => ((*a).into(), behind),
        (25, [_, a, b, behind @ ..]) => (u16::from_be_bytes([*a, *b]).into(), behind),
        (26, [_, a, b, c, d, behind @ ..]) => (u32::from_be_bytes([*a, *b, *c, *d]).into(), behind),
        _ => return None,
    };
    *rest = behind;
    Some(argument)
}

/// Takes bytes, or those of a text.
#[inline(always)]
fn content<'a>(rest: &mut &'a [u8], major: Major) -> Option<&'a [u8]> {
    let mut behind = *rest;
    let len = argument(&mut behind, major)?;
    let (content, behind) = behind.split_at_checked(usize::try_from(len).ok()?)?;
    *rest = behind;
    Some(content)
}

/// Writes an argument in the shortest form.
#[inline(always)]
fn write_head(out: &mut impl Room, major: Major, argument: u64) {
    let major = major as u8;
    match argument {
        0..=23 => append_fixed(out, [major | argument as u8]),
        24..=0xff => append_fixed(out, [major | 0x18, argument as u8]),
        0x100..=0xffff => append_number(out, major | 0x19, (argument as u16).to_be_bytes()),
        0x1_0000..=0xffff_ffff => append_number(out, major | 0x1a, (argument as u32).to_be_bytes()),
        _ => append_number(out, major | 0x1b, argument.to_be_bytes()),
    }
}

/// Writes bytes, or those of a text.
#[inline(always)]
fn write_content(out: &mut impl Room, major: Major, content: &[u8]) {
    if content.len() <= SHORT {
        append_headed(out, major as u8 | content.len() as u8, content);
    } else {
        out.append(|out| write_long(out, major, content));
    }
}

#[inline(never)]
fn write_long(out: &mut Vec<u8>, major: Major, content: &[u8]) {
    out.reserve(content.len() + Header::MAX_LEN);
    write_head(out, major, content.len() as u64);
    out.extend_from_slice(content);
}

/// Writes a tag with text as its content.
fn write_tagged(out: &mut Vec<u8>, tag: u64, text: &impl ToShortText) {
    write_head(out, Major::Tag, tag);
    write_content(out, Major::Text, text.to_short_text().as_bytes());
}

/// The longest text whose length is in its first byte.
const SHORT: usize = 23;

impl Heads for CborHeads {
    type Source<'a> = CborSource<'a>;

    const NAME: &'static str = "cbor";

    fn source(rest: &[u8], depth: u32) -> CborSource<'_> {
        CborSource::over(Part::whole(rest), ReadOptions { depth, ..ReadOptions::default() })
    }

    fn pass_one(source: &mut CborSource<'_>) -> Result<()> {
        source.pass_one()
    }

    #[inline(always)]
    fn is_odd(_: &Record) -> bool {
        false
    }

    fn list(count: u32) -> Header {
        Major::Array.with(count.into())
    }

    fn map(count: u32) -> Header {
        Major::Map.with(count.into())
    }

    #[inline(always)]
    fn write_list(out: &mut impl Room, count: u32) {
        write_head(out, Major::Array, count.into());
    }

    #[inline(always)]
    fn write_map(out: &mut impl Room, count: u32) {
        write_head(out, Major::Map, count.into());
    }

    #[inline(always)]
    fn write_null(out: &mut impl Room) {
        append_fixed(out, [0xf6]);
    }

    #[inline(always)]
    fn write_bool(out: &mut impl Room, value: bool) {
        append_fixed(out, [0xf4 + u8::from(value)]);
    }

    #[inline(always)]
    fn write_i64(out: &mut impl Room, value: i64) {
        // The bits of -1 minus the value, if it is negative.
        let argument = (value ^ value >> 63).cast_unsigned();
        write_head(out, if value < 0 { Major::Negative } else { Major::Unsigned }, argument);
    }

    #[inline(always)]
    fn write_u64(out: &mut impl Room, value: u64) {
        write_head(out, Major::Unsigned, value);
    }

    fn write_int(out: &mut Vec<u8>, value: &Int<'_>) -> Result<()> {
        scalar::int(out, value)
    }

    #[inline(always)]
    fn write_f64(out: &mut impl Room, value: f64) {
        append_number(out, 0xfb, value.to_be_bytes());
    }

    #[inline(always)]
    fn write_f32(out: &mut impl Room, value: f32) {
        append_number(out, 0xfa, value.to_be_bytes());
    }

    #[inline(always)]
    fn write_text(out: &mut impl Room, value: &str) -> Result<()> {
        write_content(out, Major::Text, value.as_bytes());
        Ok(())
    }

    fn write_bytes(out: &mut Vec<u8>, value: &[u8]) -> Result<()> {
        write_content(out, Major::Bytes, value);
        Ok(())
    }

    fn write_date(out: &mut Vec<u8>, value: Date) -> Result<()> {
        write_tagged(out, 1004, &value);
        Ok(())
    }

    fn write_instant(out: &mut Vec<u8>, at: DateTime, offset: Offset) -> Result<()> {
        write_tagged(out, 0, &at.with_offset(offset));
        Ok(())
    }

    fn write_decimal(out: &mut Vec<u8>, value: &Decimal<'_>) -> Result<()> {
        scalar::decimal(out, value)
    }

    fn write_uuid(out: &mut Vec<u8>, value: Uuid) -> Result<()> {
        write_head(out, Major::Tag, 37);
        write_content(out, Major::Bytes, &value.0);
        Ok(())
    }

    fn kind(rest: &[u8]) -> Option<Kind> {
        Some(match rest.first()? {
            0x00..=0x3b => Kind::Int,
            0x40..=0x5b | 0x5f => Kind::Bytes,
            0x60..=0x7b | 0x7f => Kind::Text,
            0x80..=0x9b | 0x9f => Kind::List,
            0xa0..=0xbb | 0xbf => Kind::Map,
            0xf4 | 0xf5 => Kind::Bool,
            0xf6 | 0xf7 => Kind::Null,
            0xf9..=0xfb => Kind::Float,
            _ => return None,
        })
    }

    #[inline(always)]
    fn null(rest: &mut &[u8]) -> Option<bool> {
        match *rest {
            [0xf6 | 0xf7, behind @ ..] => {
                *rest = behind;
                Some(true)
            }
            // A tag may stand in front of a null.
            [] | [0xc0..=0xdf | BREAK, ..] => None,
            _ => Some(false),
        }
    }

    #[inline(always)]
    fn bool(rest: &mut &[u8]) -> Option<bool> {
        let [first @ 0xf4..=0xf5, behind @ ..] = *rest else { return None };
        *rest = behind;
        Some(*first == 0xf5)
    }

    #[inline(always)]
    fn i64(rest: &mut &[u8]) -> Option<i64> {
        match *rest {
            [first @ 0..=23, behind @ ..] => {
                *rest = behind;
                Some((*first).into())
            }
            [first @ 0x20..=0x37, behind @ ..] => {
                *rest = behind;
                Some(-1 - i64::from(first & 0x1f))
            }
            [0x20..=0xff, ..] => argument(rest, Major::Negative).map(|argument| !argument.cast_signed()),
            _ => argument(rest, Major::Unsigned).map(u64::cast_signed),
        }
    }

    #[inline(always)]
    fn u64(rest: &mut &[u8]) -> Option<u64> {
        argument(rest, Major::Unsigned)
    }

    #[inline(always)]
    fn f64(rest: &mut &[u8]) -> Option<f64> {
        let (number, behind) = rest.strip_prefix(&[0xfb])?.split_first_chunk()?;
        *rest = behind;
        Some(f64::from_be_bytes(*number))
    }

    #[inline(always)]
    fn text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
        content(rest, Major::Text)
    }

    #[inline(always)]
    fn bytes<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
        content(rest, Major::Bytes)
    }

    #[inline(always)]
    fn list_count(rest: &mut &[u8]) -> Option<u64> {
        argument(rest, Major::Array)
    }

    #[inline(always)]
    fn map_count(rest: &mut &[u8]) -> Option<u64> {
        argument(rest, Major::Map)
    }

    #[inline(always)]
    fn behind_key<'a>(rest: &'a [u8], key: &str) -> Option<&'a [u8]> {
        // An empty key is that of a field for unknown keys.
        if key.is_empty() {
            return None;
        }
        let behind = if key.len() <= SHORT {
            rest.strip_prefix(&[Major::Text as u8 | key.len() as u8])?
        } else {
            rest.strip_prefix(&[Major::Text as u8 | 0x18, u8::try_from(key.len()).ok()?])?
        };
        behind.strip_prefix(key.as_bytes())
    }
}
