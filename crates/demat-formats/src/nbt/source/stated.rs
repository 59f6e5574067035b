//! Converts a tag to a shape, to keep what the kind of a value does not say.
//!
//! A list of optional ints means a list, and a list of ints means an array, since an array can't hold null.

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

/// Returns the shape of an item in a list with this item tag.
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

/// Returns the shape of a value with this tag. `of` is the tag of its items, if it is a list.
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
        // The kind is enough.
        Tag::Double | Tag::ByteArray | Tag::String | Tag::Compound | Tag::End => return None,
    })
}
