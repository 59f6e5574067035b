//! Parses unions.

use super::draft::{Drafts, tags};
use super::lex::Token;
use super::parse::{Parser, TagOf};
use super::word::is_taken;
use crate::{RecordRef, Result, Shape, Tag, Union, UnionRef, Variant};
use std::borrow::Cow;
use std::collections::HashSet;

/// Returns the default name of a variant.
pub(super) fn usual_name(shape: &Shape) -> Cow<'_, str> {
    let (name, kind) = match shape {
        Shape::Record(RecordRef::Link(name, _)) => (name.clone(), "record"),
        Shape::Record(RecordRef::Shared(record)) => (Cow::Borrowed(record.name()), "record"),
        Shape::Record(RecordRef::Static(record)) => (Cow::Borrowed(record().name()), "record"),
        Shape::Union(UnionRef::Link(name, _)) => (name.clone(), "union"),
        Shape::Union(UnionRef::Shared(union)) => (Cow::Borrowed(union.name()), "union"),
        Shape::Union(UnionRef::Static(union)) => (Cow::Borrowed(union().name()), "union"),
        Shape::Enum(names) => (Cow::Borrowed(names.name()), "enum"),
        other => (Cow::Borrowed(other.name()), "value"),
    };
    if name.is_empty() { Cow::Borrowed(kind) } else { name }
}

/// Whether a union can be written as the shapes of its variants alone.
pub(super) fn is_usual(union: &Union) -> bool {
    let usual = |(index, variant): (usize, &Variant)| {
        variant.number() as usize == index + 1
            && variant.name() == usual_name(variant.shape())
            && variant.notes().is_empty()
    };
    let untagged = union.name().is_empty() && *union.tag() == Tag::None && union.variants().len() > 1;
    untagged && union.variants().iter().enumerate().all(usual)
}

impl Parser<'_> {
    /// Parses the rest of `T | U`.
    pub(super) fn alternatives(&mut self, first: Shape) -> Result<Shape> {
        let mut variants = vec![Variant::new(usual_name(&first).into_owned(), 1, first)];
        while self.takes('|')? {
            let shape = self.single()?;
            variants.push(Variant::new(usual_name(&shape).into_owned(), variants.len() as u32 + 1, shape));
        }
        Ok(Shape::Union(UnionRef::new(Union::new("", variants, Tag::None))))
    }

    pub(super) fn union(&mut self) -> Result<Shape> {
        self.advance()?;
        let named = matches!(self.next, Token::Word(_) | Token::Quoted(_));
        let name = if named { self.name("a name")? } else { String::new() };
        let tag = self.tag()?;
        self.union_of(&name, tag, Self::variants)
    }

    fn tag(&mut self) -> Result<Tag> {
        let at = self.at;
        if !self.takes('[')? {
            return Ok(Tag::Key);
        }
        if self.takes(']')? {
            return Ok(Tag::None);
        }
        let tag = self.name("the name of a field or `]`")?;
        let tag = if self.takes(',')? {
            let content = self.name("the name of a field")?;
            if tag == content {
                return Err(self.wrong(at, "two names", "one"));
            }
            Tag::pair(tag, content)?
        } else {
            Tag::Field(Cow::Owned(tag))
        };
        self.expect(']', "`]`")?;
        Ok(tag)
    }

    fn variants(&mut self, tag: &Tag) -> Result<Vec<Variant>> {
        self.enter('(', "`(`")?;
        let mut variants = Vec::new();
        let mut names = HashSet::new();
        let mut more = self.any(')')?;
        while more {
            let at = self.at;
            let name = self.name("the name of a variant")?;
            if !names.insert(name.clone()) {
                return Err(self.wrong(at, "a new name", name));
            }
            let number = if self.takes('@')? { self.number("a number of 32 bits")? } else { variants.len() as u32 + 1 };
            let shape = match (self.takes(':')?, tag) {
                (true, Tag::Field(tag)) => self.tagged((tag, &name))?,
                (true, _) => self.shape()?,
                (false, Tag::Field(tag)) => Self::only_tag((tag, &name))?,
                (false, Tag::Key | Tag::Pair(_)) => Shape::Null,
                (false, Tag::None) => return Err(self.unexpected("`:`")),
            };
            let notes = self.notes()?.into_iter();
            variants
                .push(notes.fold(Variant::new(name, number, shape), |own, (place, note)| own.with_note(place, note)));
            more = self.another(')', "`,` or `)`")?;
        }
        Ok(variants)
    }

    /// Parses a variant that is tagged by a field: a record, to which the field is added if necessary.
    fn tagged(&mut self, (tag, variant): TagOf<'_>) -> Result<Shape> {
        let at = self.at;
        let shape = match &self.next {
            Token::Sign('{') => self.record("", Some((tag, variant)), true)?,
            Token::Word(word) if !is_taken(word) => self.named(Some((tag, variant)))?,
            Token::Quoted(_) => self.named(Some((tag, variant)))?,
            _ => return Err(self.unexpected("a record, to be tagged by a field")),
        };
        let fits = match &shape {
            Shape::Record(RecordRef::Link(name, _)) => {
                self.scope.demand(name, tag, variant, at);
                true
            }
            Shape::Record(record) => tags(&record.get(), tag, variant),
            _ => false,
        };
        if fits {
            Ok(shape)
        } else {
            Err(self.wrong(at, format!("a record with `{tag}: enum({variant})`"), "another shape"))
        }
    }

    fn only_tag((tag, variant): TagOf<'_>) -> Result<Shape> {
        let mut drafts = Drafts::default();
        drafts.add_tag(tag, variant);
        drafts.record("").map(Shape::record)
    }
}
