//! Numbers and tags as bytes.

use crate::proto::layout::Form;
use crate::proto::tag::WireType;
use crate::proto::varint::{varint_word, zigzag};
use crate::scan::{Room, append_block};

/// Bytes, lowest first, and their number.
pub(in crate::proto) type Block = (u128, usize);

/// No bytes.
pub(in crate::proto) const NOTHING: Block = (0, 0);

/// Returns the tag of a field.
#[inline(always)]
pub(in crate::proto) fn tag(number: u32, wire: WireType) -> Block {
    match crate::proto::tag::tag(number, wire) {
        tag @ 0..0x80 => (u128::from(tag), 1),
        tag @ 0x80..0x4000 => (u128::from(tag & 0x7f | 0x80 | tag >> 7 << 8), 2),
        tag => varint_word(tag),
    }
}

#[inline(always)]
pub(in crate::proto) fn varint(value: u64) -> Block {
    if value < 0x80 { (u128::from(value), 1) } else { varint_word(value) }
}

#[inline(always)]
pub(in crate::proto) fn four(bytes: [u8; 4]) -> Block {
    (u128::from(u32::from_le_bytes(bytes)), 4)
}

#[inline(always)]
pub(in crate::proto) fn eight(bytes: [u8; 8]) -> Block {
    (u128::from(u64::from_le_bytes(bytes)), 8)
}

/// Encodes an integer. Returns `None` if the form can't hold it.
#[inline(always)]
pub(in crate::proto) fn signed(form: Form, value: i64) -> Option<Block> {
    let (narrow, bare) = (i32::try_from(value), u32::try_from(value));
    Some(match (form, narrow, bare) {
        (Form::Sint64, ..) => varint(zigzag(value)),
        (Form::Sfixed64, ..) => eight(value.to_le_bytes()),
        (Form::Int64, ..) | (Form::Int32 | Form::Enum, Ok(_), _) => varint(value.cast_unsigned()),
        (Form::Sint32, Ok(_), _) => varint(u64::from(zigzag(value) as u32)),
        (Form::Sfixed32, Ok(value), _) => four(value.to_le_bytes()),
        (Form::Uint32, _, Ok(value)) => varint(u64::from(value)),
        (Form::Fixed32, _, Ok(value)) => four(value.to_le_bytes()),
        (Form::Uint64, ..) if value >= 0 => varint(value.cast_unsigned()),
        (Form::Fixed64, ..) if value >= 0 => eight(value.to_le_bytes()),
        _ => return None,
    })
}

/// Appends a tag and up to eleven bytes of a value.
#[inline(always)]
pub(in crate::proto) fn put(out: &mut impl Room, (tag, front): Block, (value, len): Block) {
    let block = tag | value << (8 * front);
    append_block(out, false, block.to_le_bytes(), front + len);
}
