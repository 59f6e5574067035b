//! Chooses the tag of a value from its shape or from the note of its field.

use super::super::Tag;
use super::super::notes::noted;
use super::super::shapes::{array_of, tag_of};
use demat_core::{FloatWidth, Record, Ref, Shape};

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
