//! The tags that follow from shapes.

use super::Tag;
use demat_core::{FloatWidth, IntWidth, Shape, Tag as UnionTag};

/// Returns the array that holds exactly the ints of this shape.
#[inline(always)]
pub(super) fn array_of(item: &Shape) -> Option<Tag> {
    match item {
        Shape::Int(IntWidth::Signed(8)) => Some(Tag::ByteArray),
        Shape::Int(IntWidth::Signed(32)) => Some(Tag::IntArray),
        Shape::Int(IntWidth::Signed(64)) => Some(Tag::LongArray),
        _ => None,
    }
}

/// Returns the tag that holds every value of the shape, if there is one.
pub(super) fn tag_of(shape: &Shape, uuid_ints: bool) -> Option<Tag> {
    match shape.inner() {
        Shape::Null => Some(Tag::End),
        inner => value_tag(inner, uuid_ints),
    }
}

/// As [`tag_of`], of a shape without null.
#[inline(always)]
pub(super) fn value_tag(shape: &Shape, uuid_ints: bool) -> Option<Tag> {
    Some(match shape {
        Shape::Bool | Shape::Int(IntWidth::Signed(..=8) | IntWidth::Unsigned(..=7)) => Tag::Byte,
        Shape::Int(IntWidth::Signed(..=16) | IntWidth::Unsigned(..=15)) => Tag::Short,
        Shape::Int(IntWidth::Signed(..=32) | IntWidth::Unsigned(..=31)) => Tag::Int,
        Shape::Int(IntWidth::Signed(..=64) | IntWidth::Unsigned(..=64)) => Tag::Long,
        Shape::Float(FloatWidth::F32) => Tag::Float,
        Shape::Float(FloatWidth::F64) => Tag::Double,
        Shape::Bytes => Tag::ByteArray,
        Shape::Uuid if uuid_ints => Tag::IntArray,
        Shape::Text
        | Shape::Decimal
        | Shape::Date
        | Shape::Time
        | Shape::DateTime
        | Shape::Instant
        | Shape::Duration
        | Shape::Uuid
        | Shape::Enum(_) => Tag::String,
        Shape::List(item) => array_of(item).unwrap_or(Tag::List),
        Shape::Tuple(_) => Tag::List,
        Shape::Map(..) | Shape::Record(_) => Tag::Compound,
        Shape::Union(union) => match union.get().tag() {
            UnionTag::Field(_) | UnionTag::Pair(_) => Tag::Compound,
            UnionTag::Key | UnionTag::None => return None,
        },
        Shape::Int(_) | Shape::Any | Shape::Option(_) | Shape::Null => return None,
    })
}
