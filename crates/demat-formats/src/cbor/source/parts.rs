//! Tags without a kind, read as maps of two entries: `tag` and `value`.
//!
//! The source stays at the head of the tag until it has read the key `value`. The count of the frame says which part is
//! next: [`entry`](demat_core::Source::entry) and the end of a key decrement it. At zero the source stands at the content, which is
//! a value like any other.

use super::super::head::{Head, head};
use super::super::record::{TAG, VALUE};
use super::super::tag::{Meaning, meaning};
use super::super::{UnknownTags, sink};
use super::CborSource;
use crate::binary::{Frame, Left, Within};
use demat_core::{Kind, Result};
use std::borrow::Cow;

/// A part of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Key(&'static str),
    Number(u64),
}

impl Part {
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Key(_) => Kind::Text,
            Self::Number(_) => Kind::Int,
        }
    }
}

/// The count of the frame when it is entered.
const PARTS: u64 = 4;

/// Whether an item with this first byte is a tag.
const fn begins_tag(byte: u8) -> bool {
    byte >> 5 == 6
}

impl<'a> CborSource<'a> {
    /// Returns the number of the tag at the current position and the start of its content, if the tag has no kind.
    #[cold]
    fn unknown_here(&self) -> Result<Option<(u64, usize)>> {
        let mut at = self.at;
        loop {
            match head(self.input.bytes(), at) {
                Ok((Head::Tag(number), end)) => match meaning(number) {
                    Meaning::Unknown => return Ok(Some((number, end))),
                    Meaning::SelfDescribed => at = end,
                    Meaning::Kind(_) | Meaning::Reference => return Ok(None),
                },
                Ok(_) => return Ok(None),
                Err(fault) => return Err(self.no_head(at, fault)),
            }
        }
    }

    /// Whether a reader without a type finds a tag here that it reads as a map of its parts.
    #[inline]
    pub(super) fn is_kept_tag(&self) -> Result<bool> {
        match self.input.byte(self.at) {
            Some(byte) if begins_tag(byte) => self.keeps_tag(),
            _ => Ok(false),
        }
    }

    #[cold]
    fn keeps_tag(&self) -> Result<bool> {
        let keeps = self.options.unknown_tags == UnknownTags::Keep && self.left_of_parts().is_none();
        Ok(keeps && self.unknown_here()?.is_some())
    }

    /// Steps into the tag at the current position. Returns false if none without a kind is there.
    #[cold]
    pub(super) fn enter_parts(&mut self) -> Result<bool> {
        if self.left_of_parts().is_some() || self.unknown_here()?.is_none() {
            return Ok(false);
        }
        self.enter(self.at, Within::Parts, Left::Count(PARTS))?;
        Ok(true)
    }

    /// Returns the count of the frame, if the source is inside of a tag and before its content.
    fn left_of_parts(&self) -> Option<u64> {
        match self.stack.innermost() {
            Some(Frame { within: Within::Parts, left: Left::Count(left @ 1..) }) => Some(left),
            _ => None,
        }
    }

    /// Returns the part at the current position; `None` outside of tags and at their content.
    #[cold]
    pub(super) fn part(&self) -> Result<Option<Part>> {
        Ok(match self.left_of_parts() {
            None => None,
            Some(3) => Some(Part::Key(TAG)),
            Some(1) => Some(Part::Key(VALUE)),
            Some(_) => self.unknown_here()?.map(|(number, _)| Part::Number(number)),
        })
    }

    /// Steps from a key to its value.
    pub(super) fn pass_part_key(&mut self) -> Result<()> {
        if self.left_of_parts() == Some(1)
            && let Some((_, content)) = self.unknown_here()?
        {
            self.at = content;
        }
        if let Some(Frame { left: Left::Count(left), .. }) = self.stack.top() {
            *left -= 1;
        }
        Ok(())
    }

    /// Skips a part.
    #[cold]
    pub(super) fn skip_part(&mut self, part: Part) -> Result<()> {
        if let Part::Key(_) = part { self.pass_part_key() } else { Ok(()) }
    }

    /// Returns a part as a value of its own, and moves past it.
    #[cold]
    pub(super) fn span_of_part(&mut self, part: Part) -> Result<Cow<'a, [u8]>> {
        self.skip_part(part)?;
        Ok(Cow::Owned(match part {
            Part::Key(key) => sink::text(key),
            Part::Number(number) => sink::number(number),
        }))
    }
}
