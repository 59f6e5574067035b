//! Data items without their tags.

use super::super::UnknownTags;
use super::super::head::{Head, head};
use super::super::tag::{Meaning, Tag, meaning};
use super::CborSource;
use super::parts::Part;
use demat_core::{Error, Kind, Result};

/// A data item without the tags that have no meaning here.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item {
    /// An item without a meaningful tag, and the end of its head.
    Plain(Head, usize),
    /// A meaningful tag, and the start of its content.
    Tagged(Tag, usize),
    /// A part of a tag that is read as a map.
    Part(Part),
}

impl Item {
    /// Returns its kind; `None` for a simple value without a kind.
    pub(super) fn kind(self) -> Option<Kind> {
        Some(match self {
            Self::Plain(head, _) => match head {
                Head::Null => Kind::Null,
                Head::Bool(_) => Kind::Bool,
                Head::Unsigned(_) | Head::Negative(_) => Kind::Int,
                Head::Half(_) | Head::Single(_) | Head::Double(_) => Kind::Float,
                Head::Text(_) => Kind::Text,
                Head::Bytes(_) => Kind::Bytes,
                Head::Array(_) => Kind::List,
                Head::Map(_) => Kind::Map,
                // `item_at` skips tags.
                Head::Simple(_) | Head::Tag(_) => return None,
            },
            Self::Part(part) => part.kind(),
            Self::Tagged(tag, _) => match tag {
                Tag::DateTime | Tag::Epoch => Kind::Instant,
                Tag::Positive | Tag::Negative => Kind::Int,
                Tag::Decimal | Tag::Bigfloat => Kind::Decimal,
                Tag::Uuid => Kind::Uuid,
                Tag::Days | Tag::Date => Kind::Date,
            },
        })
    }

    /// Returns its name for errors.
    pub(super) fn name(self) -> String {
        match (self.kind(), self) {
            (Some(kind), _) => kind.name().to_string(),
            (None, Self::Plain(Head::Simple(value), _)) => format!("simple value {value}"),
            (None, _) => "a tag".to_string(),
        }
    }
}

impl CborSource<'_> {
    /// Returns the item at `at`.
    #[inline]
    pub(super) fn item_at(&self, at: usize) -> Result<Item> {
        match head(self.input.bytes(), at) {
            Ok((Head::Tag(number), end)) => self.behind_tags(at, number, end),
            Ok((head, end)) => Ok(Item::Plain(head, end)),
            Err(fault) => Err(self.no_head(at, fault)),
        }
    }

    /// Returns the item after the tag at `at` and further tags.
    fn behind_tags(&self, mut at: usize, mut number: u64, mut end: usize) -> Result<Item> {
        if at == self.at
            && let Some(part) = self.part()?
        {
            return Ok(Item::Part(part));
        }
        loop {
            match meaning(number) {
                Meaning::Kind(tag) => return Ok(Item::Tagged(tag, end)),
                Meaning::Reference => return Err(self.reference(at, number)),
                Meaning::Unknown if self.options.unknown_tags == UnknownTags::Refuse => {
                    return Err(self.unknown_tag(at, number));
                }
                Meaning::Unknown | Meaning::SelfDescribed => {}
            }
            at = end;
            match head(self.input.bytes(), at) {
                Ok((Head::Tag(inner), after)) => (number, end) = (inner, after),
                Ok((head, after)) => return Ok(Item::Plain(head, after)),
                Err(fault) => return Err(self.no_head(at, fault)),
            }
        }
    }

    /// Whether a map begins at `at`.
    pub(super) fn begins_map(&self, at: usize) -> Result<bool> {
        match self.item_at(at) {
            Ok(item) => Ok(matches!(item, Item::Plain(Head::Map(_), _))),
            Err(error) if error.signal().is_some() => Err(error),
            Err(_) => Ok(false),
        }
    }

    /// Returns the excerpt of a scalar without a tag and of known length.
    #[cold]
    fn excerpt(&self, item: Item) -> Result<Option<String>> {
        let Item::Plain(head, end) = item else { return Ok(None) };
        match head {
            Head::Bool(value) => Ok(Some(value.to_string())),
            Head::Unsigned(value) => Ok(Some(value.to_string())),
            Head::Negative(value) => Ok(Some((-1 - i128::from(value)).to_string())),
            Head::Half(value) | Head::Double(value) => Ok(Some(format!("{value:?}"))),
            Head::Single(value) => Ok(Some(format!("{value:?}"))),
            Head::Text(Some(len)) => self.input.text_excerpt(end, len),
            Head::Bytes(Some(len)) => self.input.bytes_excerpt(end, len),
            _ => Ok(None),
        }
    }

    /// Returns the error for a value of another kind at `at`.
    #[cold]
    pub(super) fn other_kind(&self, at: usize, expected: &'static str) -> Error {
        match self.item_at(at) {
            Ok(item) => match self.excerpt(item) {
                Ok(shown) => Error::expected(expected, item.name()).showing(shown).at(self.input.position_of(at)),
                Err(error) => error,
            },
            Err(error) => error,
        }
    }
}
