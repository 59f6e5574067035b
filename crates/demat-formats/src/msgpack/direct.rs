//! Heads for the fast path.

use super::ext::is_ext;
use super::head::{NIL, UNUSED, first_kind};
use super::sink::{Counted, append_short, header, write_counted, write_signed, write_unsigned};
use super::{MsgpackSource, ReadOptions, timestamp};
use crate::binary::{Header, Heads};
use crate::direct::give_up;
use crate::scan::{Room, append_bytes, append_fixed, append_number};
use crate::stream::Part;
use demat_core::scalar::{Date, DateTime, Decimal, Int, Offset, ToShortText, Uuid};
use demat_core::{Kind, Record, Result};

/// The heads of MessagePack.
#[derive(Debug)]
pub(super) struct MsgpackHeads;

/// The longest text whose length is in its first byte.
const SHORT: usize = 31;

/// Takes a first byte and a number behind it.
#[inline(always)]
fn number<'a, const N: usize>(rest: &mut &'a [u8], first: u8) -> Option<&'a [u8; N]> {
    let (number, behind) = rest.strip_prefix(&[first])?.split_first_chunk()?;
    *rest = behind;
    Some(number)
}

/// Takes the content of a value: `len` bytes behind a head.
#[inline(always)]
fn content<'a>(rest: &mut &'a [u8], behind: &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (content, behind) = behind.split_at_checked(len)?;
    *rest = behind;
    Some(content)
}

/// Takes a count in a short form, in 16 or in 32 bits.
#[inline(always)]
fn count(rest: &mut &[u8], short: u8, two: u8, four: u8) -> Option<u64> {
    match *rest {
        [first, behind @ ..] if first & 0xf0 == short => {
            *rest = behind;
            Some(u64::from(first & 0x0f))
        }
        [first, ..] if *first == two => number(rest, two).map(|count| u16::from_be_bytes(*count).into()),
        _ => number(rest, four).map(|count| u32::from_be_bytes(*count).into()),
    }
}

impl Heads for MsgpackHeads {
    type Source<'a> = MsgpackSource<'a>;

    const NAME: &'static str = "msgpack";

    fn source(rest: &[u8], depth: u32) -> MsgpackSource<'_> {
        MsgpackSource::over(Part::whole(rest), ReadOptions { depth, ..ReadOptions::default() })
    }

    fn pass_one(source: &mut MsgpackSource<'_>) -> Result<()> {
        source.pass_one()
    }

    #[inline(always)]
    fn is_odd(record: &Record) -> bool {
        is_ext(record)
    }

    fn list(count: u32) -> Header {
        header(Counted::Array, count)
    }

    fn map(count: u32) -> Header {
        header(Counted::Map, count)
    }

    #[inline(always)]
    fn write_list(out: &mut impl Room, count: u32) {
        if count < 16 {
            append_fixed(out, [0x90 | count as u8]);
        } else {
            append_bytes(out, header(Counted::Array, count).as_bytes());
        }
    }

    #[inline(always)]
    fn write_map(out: &mut impl Room, count: u32) {
        if count < 16 {
            append_fixed(out, [0x80 | count as u8]);
        } else {
            append_bytes(out, header(Counted::Map, count).as_bytes());
        }
    }

    #[inline(always)]
    fn write_null(out: &mut impl Room) {
        append_fixed(out, [NIL]);
    }

    #[inline(always)]
    fn write_bool(out: &mut impl Room, value: bool) {
        append_fixed(out, [0xc2 + u8::from(value)]);
    }

    #[inline(always)]
    fn write_i64(out: &mut impl Room, value: i64) {
        write_signed(out, value);
    }

    #[inline(always)]
    fn write_u64(out: &mut impl Room, value: u64) {
        write_unsigned(out, value);
    }

    fn write_int(out: &mut Vec<u8>, value: &Int<'_>) -> Result<()> {
        match (value.to_i64(), value.to_u64()) {
            (Some(value), _) => write_signed(out, value),
            (None, Some(value)) => write_unsigned(out, value),
            _ => return give_up(),
        }
        Ok(())
    }

    #[inline(always)]
    fn write_f64(out: &mut impl Room, value: f64) {
        append_number(out, 0xcb, value.to_be_bytes());
    }

    #[inline(always)]
    fn write_f32(out: &mut impl Room, value: f32) {
        append_number(out, 0xca, value.to_be_bytes());
    }

    #[inline(always)]
    fn write_text(out: &mut impl Room, value: &str) -> Result<()> {
        if value.len() <= SHORT {
            append_short(out, value.as_bytes());
            return Ok(());
        }
        let Ok(len) = u32::try_from(value.len()) else { return give_up() };
        out.append(|out| write_counted(out, Counted::Text, len, value.as_bytes()));
        Ok(())
    }

    fn write_bytes(out: &mut Vec<u8>, value: &[u8]) -> Result<()> {
        let Ok(len) = u32::try_from(value.len()) else { return give_up() };
        write_counted(out, Counted::Bytes, len, value);
        Ok(())
    }

    fn write_date(out: &mut Vec<u8>, value: Date) -> Result<()> {
        Self::write_text(out, value.to_short_text().as_str())
    }

    fn write_instant(out: &mut Vec<u8>, at: DateTime, offset: Offset) -> Result<()> {
        if timestamp::write(at.with_offset(offset), out) { Ok(()) } else { give_up() }
    }

    fn write_decimal(out: &mut Vec<u8>, value: &Decimal<'_>) -> Result<()> {
        Self::write_text(out, value.as_str())
    }

    fn write_uuid(out: &mut Vec<u8>, value: Uuid) -> Result<()> {
        Self::write_text(out, value.to_short_text().as_str())
    }

    fn kind(rest: &[u8]) -> Option<Kind> {
        first_kind(*rest.first()?)
    }

    #[inline(always)]
    fn null(rest: &mut &[u8]) -> Option<bool> {
        match *rest {
            [NIL, behind @ ..] => {
                *rest = behind;
                Some(true)
            }
            [] | [UNUSED, ..] => None,
            _ => Some(false),
        }
    }

    #[inline(always)]
    fn bool(rest: &mut &[u8]) -> Option<bool> {
        let [first @ 0xc2..=0xc3, behind @ ..] = *rest else { return None };
        *rest = behind;
        Some(*first == 0xc3)
    }

    #[inline(always)]
    fn i64(rest: &mut &[u8]) -> Option<i64> {
        match *rest {
            [first @ (0..=0x7f | 0xe0..), behind @ ..] => {
                *rest = behind;
                Some(first.cast_signed().into())
            }
            _ => wide_i64(rest),
        }
    }

    #[inline(always)]
    fn u64(rest: &mut &[u8]) -> Option<u64> {
        match *rest {
            [first @ 0..=0x7f, behind @ ..] => {
                *rest = behind;
                Some((*first).into())
            }
            [0xcf, ..] => number(rest, 0xcf).map(|number| u64::from_be_bytes(*number)),
            _ => wide_u64(rest),
        }
    }

    #[inline(always)]
    fn f64(rest: &mut &[u8]) -> Option<f64> {
        number(rest, 0xcb).map(|number| f64::from_be_bytes(*number))
    }

    #[inline(always)]
    fn text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
        match *rest {
            [first @ 0xa0..=0xbf, behind @ ..] => content(rest, behind, usize::from(first & 0x1f)),
            [0xd9, len, behind @ ..] => content(rest, behind, usize::from(*len)),
            [0xda, a, b, behind @ ..] => content(rest, behind, usize::from(u16::from_be_bytes([*a, *b]))),
            [0xdb, a, b, c, d, behind @ ..] => content(rest, behind, u32::from_be_bytes([*a, *b, *c, *d]) as usize),
            _ => None,
        }
    }

    #[inline(always)]
    fn bytes<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
        match *rest {
            [0xc4, len, behind @ ..] => content(rest, behind, usize::from(*len)),
            [0xc5, a, b, behind @ ..] => content(rest, behind, usize::from(u16::from_be_bytes([*a, *b]))),
            _ => None,
        }
    }

    #[inline(always)]
    fn list_count(rest: &mut &[u8]) -> Option<u64> {
        count(rest, 0x90, 0xdc, 0xdd)
    }

    #[inline(always)]
    fn map_count(rest: &mut &[u8]) -> Option<u64> {
        count(rest, 0x80, 0xde, 0xdf)
    }

    #[inline(always)]
    fn behind_key<'a>(rest: &'a [u8], key: &str) -> Option<&'a [u8]> {
        // An empty key is that of a field for unknown keys.
        if key.is_empty() || key.len() > SHORT {
            return None;
        }
        rest.strip_prefix(&[0xa0 | key.len() as u8])?.strip_prefix(key.as_bytes())
    }
}

/// Takes an int of more than one byte.
#[inline]
fn wide_i64(rest: &mut &[u8]) -> Option<i64> {
    Some(match rest.first()? {
        0xcc => u8::from_be_bytes(*number(rest, 0xcc)?).into(),
        0xcd => u16::from_be_bytes(*number(rest, 0xcd)?).into(),
        0xce => u32::from_be_bytes(*number(rest, 0xce)?).into(),
        0xd0 => i8::from_be_bytes(*number(rest, 0xd0)?).into(),
        0xd1 => i16::from_be_bytes(*number(rest, 0xd1)?).into(),
        0xd2 => i32::from_be_bytes(*number(rest, 0xd2)?).into(),
        0xd3 => i64::from_be_bytes(*number(rest, 0xd3)?),
        _ => return None,
    })
}

/// Takes an unsigned int of two to five bytes.
#[inline]
fn wide_u64(rest: &mut &[u8]) -> Option<u64> {
    Some(match rest.first()? {
        0xcc => u8::from_be_bytes(*number(rest, 0xcc)?).into(),
        0xcd => u16::from_be_bytes(*number(rest, 0xcd)?).into(),
        0xce => u32::from_be_bytes(*number(rest, 0xce)?).into(),
        _ => return None,
    })
}
