//! Chooses the tag of a value from its shape or from the note of its field.

use super::super::Tag;
use super::super::notes::noted;
use demat_core::{FloatWidth, IntWidth, Record, Ref, Shape, Tag as UnionTag};

/// What is known about the next value.
#[derive(Debug, Clone, Default)]
pub(super) enum Expect {
    #[default]
    Nothing,
    /// Its shape.
    Shape(Shape),
    /// The tag of its ints and floats, or of its arrays.
    Noted(Tag),
}

/// What is known about the items of a list.
#[derive(Debug, Clone)]
pub(super) enum Items {
    /// The same for all items.
    All(Expect),
    /// Each item has its own shape.
    Each(Ref<[Ref<Shape>]>),
}

impl Items {
    /// Returns what is known about the item at this index.
    pub(super) fn at(&self, index: u64) -> Expect {
        match self {
            Self::All(expect) => expect.clone(),
            Self::Each(shapes) => {
                let shape = usize::try_from(index).ok().and_then(|index| shapes.get(index));
                shape.map_or(Expect::Nothing, |shape| Expect::of(shape))
            }
        }
    }
}

impl Expect {
    pub(super) fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Any => Self::Nothing,
            shape => Self::Shape(shape.clone()),
        }
    }

    /// Returns what is known about a field.
    pub(super) fn of_field(record: &Record, index: usize) -> Self {
        let Some(field) = record.fields().get(index) else { return Self::Nothing };
        match noted(field) {
            Some(tag) => Self::Noted(tag),
            None => Self::of(field.shape()),
        }
    }

    fn shape(&self) -> Option<&Shape> {
        if let Self::Shape(shape) = self { Some(shape.inner()) } else { None }
    }

    /// Returns the tag of an int, or `None` if its value decides.
    pub(super) fn int(&self) -> Option<Tag> {
        match self {
            Self::Noted(tag) if tag.is_int() => Some(*tag),
            Self::Noted(tag) => tag.item(),
            _ => tag_of(self.shape()?, false).filter(|tag| tag.is_int()),
        }
    }

    /// Returns whether floats have 32 bits.
    pub(super) fn is_float(&self) -> bool {
        matches!(self, Self::Noted(Tag::Float)) || matches!(self.shape(), Some(Shape::Float(FloatWidth::F32)))
    }

    /// Returns what is known about the values of a map.
    pub(super) fn values(&self) -> Self {
        match (self, self.shape()) {
            (Self::Noted(_), _) => self.clone(),
            (_, Some(Shape::Map(_, value))) => Self::of(value),
            _ => Self::Nothing,
        }
    }

    /// Returns what is known about the items of a list, and the array's tag if the list is an array.
    pub(super) fn items(&self) -> (Items, Option<Tag>) {
        match (self, self.shape()) {
            (Self::Noted(tag), _) => (Items::All(self.clone()), tag.item().map(|_| *tag)),
            (_, Some(Shape::List(item))) => Self::items_of(item),
            (_, Some(Shape::Tuple(items))) => (Items::Each(items.clone()), None),
            _ => (Items::All(Self::Nothing), None),
        }
    }

    /// As [`items`](Self::items), of a list whose items have this shape.
    pub(super) fn items_of(item: &Shape) -> (Items, Option<Tag>) {
        (Items::All(Self::of(item)), array_of(item))
    }

    /// Returns the tag of the value, if it follows from what is known.
    pub(super) fn tag(&self, uuid_ints: bool) -> Option<Tag> {
        match self {
            Self::Noted(tag) => Some(*tag).filter(|tag| tag.is_int() || matches!(tag, Tag::Float | Tag::Double)),
            _ => tag_of(self.shape()?, uuid_ints),
        }
    }
}

/// Returns the array that holds exactly the ints of this shape.
fn array_of(item: &Shape) -> Option<Tag> {
    match item {
        Shape::Int(IntWidth::Signed(8)) => Some(Tag::ByteArray),
        Shape::Int(IntWidth::Signed(32)) => Some(Tag::IntArray),
        Shape::Int(IntWidth::Signed(64)) => Some(Tag::LongArray),
        _ => None,
    }
}

/// Returns the tag that holds every value of the shape, if there is one.
fn tag_of(shape: &Shape, uuid_ints: bool) -> Option<Tag> {
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
        Shape::Option(inner) => return tag_of(inner.inner(), uuid_ints),
        Shape::Null => Tag::End,
        Shape::Union(union) => match union.get().tag() {
            UnionTag::Field(_) | UnionTag::Pair(_) => Tag::Compound,
            UnionTag::Key | UnionTag::None => return None,
        },
        Shape::Int(_) | Shape::Any => return None,
    })
}
