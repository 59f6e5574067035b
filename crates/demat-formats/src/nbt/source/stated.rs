//! What a tag says of a value beyond its kind, as a shape.
//!
//! A list of optional ints stands for a list of ints, and a list of ints for an array: an array can't hold null.

use super::super::Tag;
use demat_core::{FloatWidth, IntWidth, Ref, Shape};

static BYTE: Shape = Shape::Int(IntWidth::Signed(8));
static SHORT: Shape = Shape::Int(IntWidth::Signed(16));
static INT: Shape = Shape::Int(IntWidth::Signed(32));
static LONG: Shape = Shape::Int(IntWidth::Signed(64));
static FLOAT: Shape = Shape::Float(FloatWidth::F32);
static DOUBLE: Shape = Shape::Float(FloatWidth::F64);
static TEXT: Shape = Shape::Text;
static BYTES: Shape = Shape::Bytes;
static NULL: Shape = Shape::Null;
static ANY: Shape = Shape::Any;
static LIST: Shape = Shape::List(Ref::Static(&ANY));
static MAP: Shape = Shape::Map(Ref::Static(&TEXT), Ref::Static(&ANY));
static INTS: Shape = Shape::List(Ref::Static(&INT));
static LONGS: Shape = Shape::List(Ref::Static(&LONG));
static MAYBE_BYTE: Shape = Shape::Option(Ref::Static(&BYTE));
static MAYBE_INT: Shape = Shape::Option(Ref::Static(&INT));
static MAYBE_LONG: Shape = Shape::Option(Ref::Static(&LONG));

/// The shape of an item of a list of this tag.
fn item(tag: Tag) -> &'static Shape {
    match tag {
        Tag::End => &NULL,
        Tag::Byte => &MAYBE_BYTE,
        Tag::Short => &SHORT,
        Tag::Int => &MAYBE_INT,
        Tag::Long => &MAYBE_LONG,
        Tag::Float => &FLOAT,
        Tag::Double => &DOUBLE,
        Tag::ByteArray => &BYTES,
        Tag::String => &TEXT,
        Tag::List => &LIST,
        Tag::Compound => &MAP,
        Tag::IntArray => &INTS,
        Tag::LongArray => &LONGS,
    }
}

/// The shape of a value of this tag, whose items are of that one if it is a list.
pub(super) fn shape_of(tag: Tag, of: Tag) -> Option<Shape> {
    Some(match tag {
        Tag::Byte => BYTE.clone(),
        Tag::Short => SHORT.clone(),
        Tag::Int => INT.clone(),
        Tag::Long => LONG.clone(),
        Tag::Float => FLOAT.clone(),
        Tag::IntArray => INTS.clone(),
        Tag::LongArray => LONGS.clone(),
        Tag::List => Shape::List(Ref::Static(item(of))),
        // Their kind says it.
        Tag::Double | Tag::ByteArray | Tag::String | Tag::Compound | Tag::End => return None,
    })
}
