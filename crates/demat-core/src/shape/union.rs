use super::layout::{Layout, Layouts};
use super::{Field, Named, Note, Record, Ref, Reference, Shape};
use crate::Result;
use std::borrow::Cow;
use std::sync::Arc;

/// A value of one of several shapes.
#[derive(Debug, Clone)]
pub struct Union {
    name: Cow<'static, str>,
    variants: Cow<'static, [Variant]>,
    tag: Tag,
    /// Layouts that codecs compiled from the variants, as in records.
    layouts: Option<Arc<Layouts>>,
}

/// A union within a shape.
pub type UnionRef = Reference<Union>;

impl Named for Union {
    const KIND: &'static str = "Union";

    fn name(&self) -> &str {
        &self.name
    }
}

impl PartialEq for Union {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.variants == other.variants && self.tag == other.tag
    }
}

/// One of the shapes of a union, with a name and a number like a field.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    name: Cow<'static, str>,
    number: u32,
    shape: Ref<Shape>,
    notes: Cow<'static, [Note]>,
}

/// How a value shows which variant it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Tag {
    /// By a field among the variant's own: `{"kind": "circle", "radius": 1}`. Every variant is a record whose field
    /// with this key is an enum of one name, so that the tag is a field like the others for a sink.
    Field(Cow<'static, str>),
    /// By the only key of a map: `{"circle": {"radius": 1}}`. A variant without content is its name as text.
    Key,
    /// By a field, with the content in another: `{"kind": "circle", "value": {"radius": 1}}`. The record has these two
    /// fields, in this order.
    Pair(Ref<Record>),
    /// Not at all: the first variant that fits.
    None,
}

impl Tag {
    /// Returns a tag with a separate content field.
    ///
    /// # Errors
    /// If both have the same name.
    pub fn pair(tag: impl Into<Cow<'static, str>>, content: impl Into<Cow<'static, str>>) -> Result<Self> {
        let fields = vec![
            Field::new(tag, 1, Shape::Text).with_required(true),
            Field::new(content, 2, Shape::Any).with_required(false),
        ];
        Ok(Self::Pair(Ref::new(Record::new("", fields)?)))
    }
}

impl Variant {
    /// Returns a variant in a constant.
    pub const fn fixed(name: &'static str, number: u32, shape: &'static Shape) -> Self {
        Self { name: Cow::Borrowed(name), number, shape: Ref::Static(shape), notes: Cow::Borrowed(&[]) }
    }

    /// Returns a variant made at run time.
    pub fn new(name: impl Into<Cow<'static, str>>, number: u32, shape: Shape) -> Self {
        Self { name: name.into(), number, shape: Ref::new(shape), notes: Cow::Borrowed(&[]) }
    }

    /// Adds a note for one place, as [`Field::with_note`] does.
    #[must_use]
    pub fn with_note(mut self, place: impl Into<Cow<'static, str>>, note: impl Into<Cow<'static, str>>) -> Self {
        self.notes.to_mut().push((place.into(), note.into()));
        self
    }

    /// The notes, each with its place.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the notes for a place.
    pub fn notes_for<'n>(&'n self, place: &'n str) -> impl Iterator<Item = &'n str> {
        self.notes.iter().filter(move |(own, _)| own == place).map(|(_, note)| &**note)
    }

    /// Returns whether it is a constant, as [`fixed`](Self::fixed) makes it.
    #[inline]
    pub fn is_fixed(&self) -> bool {
        matches!(self.shape, Ref::Static(_))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its number: by default its position, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Its shape; [`Shape::Null`] if it has no content.
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
    /// Returns a union in a constant.
    pub const fn fixed(name: &'static str, variants: &'static [Variant], tag: Tag) -> Self {
        Self { name: Cow::Borrowed(name), variants: Cow::Borrowed(variants), tag, layouts: None }
    }

    /// Returns a union made at run time.
    pub fn new(name: impl Into<Cow<'static, str>>, variants: Vec<Variant>, tag: Tag) -> Self {
        Self { name: name.into(), variants: Cow::Owned(variants), tag, layouts: Some(Arc::default()) }
    }

    /// Its name; empty if it has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its variants in order.
    pub fn variants(&self) -> &[Variant] {
        &self.variants
    }

    /// How a value shows which variant it is.
    pub fn tag(&self) -> &Tag {
        &self.tag
    }

    /// Returns a codec's layout of the variants, as [`Record::layout`] does.
    pub fn layout<L: Layout<Variant>>(&self) -> &Arc<L> {
        Layouts::find(self.layouts.as_deref(), &self.variants)
    }

    /// Returns the index of the variant with this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.variants.iter().position(|variant| variant.name == name)
    }

    /// Lists all names for an error.
    pub fn names(&self) -> String {
        let names: Vec<_> = self.variants.iter().map(|variant| format!("`{}`", variant.name)).collect();
        names.join(" or ")
    }
}
