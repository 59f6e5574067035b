use super::{Field, Held, Note, Record, Ref, Shape, Wire, same::same};
use crate::Result;
use core::fmt;
use std::borrow::Cow;
use std::sync::{Arc, Weak};

/// A value of one of several shapes.
#[derive(Debug, Clone, PartialEq)]
pub struct Union {
    name: Cow<'static, str>,
    variants: Cow<'static, [Variant]>,
    tag: Tag,
}

/// One of the shapes of a union, with a name and a number as a field has them.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    name: Cow<'static, str>,
    number: u32,
    shape: Ref<Shape>,
    notes: Cow<'static, [Note]>,
    wire: Wire,
}

/// How the value says which variant it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Tag {
    /// By a field beside the variant's own: `{"kind": "circle", "radius": 1}`. Every variant is a record whose field
    /// of this key is an enum of one name, so that to a sink the tag is a field like the others.
    Field(Cow<'static, str>),
    /// By the one key of a map: `{"circle": {"radius": 1}}`; a variant without content is the text alone.
    Key,
    /// By a field, with the content in another: `{"kind": "circle", "value": {"radius": 1}}`. The record has these
    /// two fields, in this order.
    Pair(Ref<Record>),
    /// Not at all: the first variant that fits.
    None,
}

impl Tag {
    /// A tag by a pair of fields.
    ///
    /// # Errors
    /// Where both have the same name.
    pub fn pair(tag: impl Into<Cow<'static, str>>, content: impl Into<Cow<'static, str>>) -> Result<Self> {
        let fields = vec![
            Field::new(tag, 1, Shape::Text).with_required(true),
            Field::new(content, 2, Shape::Any).with_required(false),
        ];
        Ok(Self::Pair(Ref::new(Record::new("", fields)?)))
    }
}

impl Variant {
    /// A variant as a constant.
    pub const fn fixed(name: &'static str, number: u32, shape: &'static Shape) -> Self {
        let wire = Wire::fixed(shape, false);
        Self { name: Cow::Borrowed(name), number, shape: Ref::Static(shape), notes: Cow::Borrowed(&[]), wire }
    }

    /// A variant made at run time.
    pub fn new(name: impl Into<Cow<'static, str>>, number: u32, shape: Shape) -> Self {
        let wire = Wire::of(&shape);
        Self { name: name.into(), number, shape: Ref::new(shape), notes: Cow::Borrowed(&[]), wire }
    }

    /// Adds what only one place cares about, as [`Field::with_note`] does.
    #[must_use]
    pub fn with_note(mut self, place: impl Into<Cow<'static, str>>, note: impl Into<Cow<'static, str>>) -> Self {
        self.notes.to_mut().push((place.into(), note.into()));
        self.wire = Wire::of_variant(&self);
        self
    }

    /// What only one place cares about, each with that place.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What is noted for a place.
    pub fn notes_for<'n>(&'n self, place: &'n str) -> impl Iterator<Item = &'n str> {
        self.notes.iter().filter(move |(own, _)| own == place).map(|(_, note)| &**note)
    }

    /// How it is written where variants go by number.
    #[inline]
    pub fn wire(&self) -> Wire {
        self.wire
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its number: position from 1, unless given.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Its shape; [`Shape::Null`] where it has no content.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether it has no content.
    #[inline]
    pub fn is_empty(&self) -> bool {
        matches!(*self.shape, Shape::Null)
    }
}

impl Union {
    /// A union as a constant.
    pub const fn fixed(name: &'static str, variants: &'static [Variant], tag: Tag) -> Self {
        Self { name: Cow::Borrowed(name), variants: Cow::Borrowed(variants), tag }
    }

    /// A union made at run time.
    pub fn new(name: impl Into<Cow<'static, str>>, variants: Vec<Variant>, tag: Tag) -> Self {
        Self { name: name.into(), variants: Cow::Owned(variants), tag }
    }

    /// Its name; empty where it has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its variants in order.
    pub fn variants(&self) -> &[Variant] {
        &self.variants
    }

    /// How a value says which variant it is.
    pub fn tag(&self) -> &Tag {
        &self.tag
    }

    /// The index of the variant with this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.variants.iter().position(|variant| variant.name == name)
    }

    /// All names, as an error lists them.
    pub fn names(&self) -> String {
        let names: Vec<_> = self.variants.iter().map(|variant| format!("`{}`", variant.name)).collect();
        names.join(" or ")
    }
}

/// A union within a shape.
#[derive(Clone)]
pub enum UnionRef {
    /// A constant, reached by a function so that a constant may refer to itself.
    Static(fn() -> &'static Union),
    /// Made at run time.
    Shared(Arc<Union>),
    /// Recursion: the union of that name that this stands in.
    Link(Cow<'static, str>, Weak<Union>),
}

impl UnionRef {
    /// Shares a union made at run time.
    pub fn new(union: Union) -> Self {
        Self::Shared(Arc::new(union))
    }

    /// The union.
    ///
    /// # Panics
    /// Where a link is followed after the shape that it is part of is gone.
    pub fn get(&self) -> Held<'_, Union> {
        match self {
            Self::Static(union) => Held::Borrowed(union()),
            Self::Shared(union) => Held::Borrowed(union),
            Self::Link(name, union) => {
                Held::Shared(union.upgrade().unwrap_or_else(|| panic!("the shape around union `{name}` is gone")))
            }
        }
    }
}

impl UnionRef {
    /// The union, kept alive by itself.
    pub fn own(&self) -> Ref<Union> {
        match self {
            Self::Static(union) => Ref::Static(union()),
            Self::Shared(union) => Ref::Shared(Arc::clone(union)),
            Self::Link(..) => match self.get() {
                Held::Shared(union) => Ref::Shared(union),
                Held::Borrowed(union) => Ref::new(union.clone()),
            },
        }
    }
}

impl PartialEq for UnionRef {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Link(a, _), Self::Link(b, _)) => a == b,
            (Self::Link(a, _), Self::Static(b)) | (Self::Static(b), Self::Link(a, _)) => a == b().name(),
            (Self::Static(a), Self::Static(b)) if core::ptr::eq(a(), b()) => true,
            (Self::Link(..), _) | (_, Self::Link(..)) => false,
            _ => same(&*self.get(), &*other.get()),
        }
    }
}

impl fmt::Debug for UnionRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shared(union) => union.fmt(f),
            Self::Static(union) => f.debug_tuple("Union").field(&union().name()).finish(),
            Self::Link(name, _) => f.debug_tuple("Link").field(name).finish(),
        }
    }
}
