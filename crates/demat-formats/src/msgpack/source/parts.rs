//! Extension types, read as maps of two entries: `code` and `data`.
//!
//! The source stays at the head of the value until it has read the content. The count of the frame says which part is
//! next: [`entry`](Source::entry) and the end of a key decrement it.

use super::super::ext::{CODE, DATA, ext_at};
use super::MsgpackSource;
use crate::binary::{Frame, Header, Left, Within};
use demat_core::{Kind, Result, Source};
use std::borrow::Cow;

/// A part of an extension type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Key(&'static str),
    Code,
    Data,
}

/// The count of the frame when it is entered.
const PARTS: u64 = 4;

impl<'a> MsgpackSource<'a> {
    /// Steps into the extension type at the current position; `None` if it is none, or a timestamp.
    #[cold]
    pub(super) fn enter_parts(&mut self) -> Result<Option<usize>> {
        if self.part().is_some() || ext_at(self.input.bytes(), self.at).is_none() {
            return Err(self.mismatch("record"));
        }
        self.enter(self.at, Within::Parts, Left::Count(PARTS))?;
        Ok(Some(2))
    }

    /// Returns the part at the current position; `None` outside of extension types.
    pub(super) fn part(&mut self) -> Option<Part> {
        let Some(Frame { within: Within::Parts, left: Left::Count(left) }) = self.stack.top() else { return None };
        Some(match left {
            3 => Part::Key(CODE),
            2 => Part::Code,
            1 => Part::Key(DATA),
            _ => Part::Data,
        })
    }

    /// Steps from a key to its value.
    fn pass_key(&mut self) {
        if let Some(Frame { left: Left::Count(left), .. }) = self.stack.top() {
            *left -= 1;
        }
    }

    /// Returns the kind of a part, or of an extension type.
    #[cold]
    pub(super) fn kind_of_part(&mut self) -> Kind {
        match self.part() {
            Some(Part::Key(_)) => Kind::Text,
            Some(Part::Code) => Kind::Int,
            Some(Part::Data) => Kind::Bytes,
            None => Kind::Map,
        }
    }

    #[cold]
    pub(super) fn key_of_part(&mut self) -> Result<&'static str> {
        let Some(Part::Key(key)) = self.part() else { return Err(self.mismatch("text")) };
        self.pass_key();
        Ok(key)
    }

    #[cold]
    pub(super) fn code_of_part(&mut self) -> Result<i8> {
        match (self.part(), ext_at(self.input.bytes(), self.at)) {
            (Some(Part::Code), Some((code, ..))) => Ok(code),
            _ => Err(self.mismatch("int")),
        }
    }

    #[cold]
    pub(super) fn content_of_part(&mut self) -> Result<Cow<'a, [u8]>> {
        match (self.part(), ext_at(self.input.bytes(), self.at)) {
            (Some(Part::Data), Some((_, len, at))) => {
                let content = self.input.content(at, len.into(), "an extension")?;
                self.at = at + content.len();
                Ok(Cow::Borrowed(content))
            }
            _ => Err(self.mismatch("bytes")),
        }
    }

    /// Skips a part.
    #[cold]
    pub(super) fn skip_part(&mut self, part: Part) -> Result<()> {
        match part {
            Part::Key(_) => self.pass_key(),
            Part::Code => {}
            Part::Data => drop(self.content_of_part()?),
        }
        Ok(())
    }

    /// Returns a part as a value of its own, and moves past it.
    #[cold]
    pub(super) fn span_of_part(&mut self, part: Part) -> Result<Cow<'a, [u8]>> {
        let bytes = match part {
            Part::Key(key) => {
                self.pass_key();
                [&[0xa0 | key.len() as u8], key.as_bytes()].concat()
            }
            Part::Code => {
                vec![0xd0, self.code_of_part()?.cast_unsigned()]
            }
            Part::Data => {
                let content = self.content_of_part()?;
                [Header::new(0xc6, content.len() as u64, 4).as_bytes(), &content].concat()
            }
        };
        Ok(Cow::Owned(bytes))
    }

    /// Returns the name of a part in an error.
    pub(super) fn name_of_part(part: Part) -> &'static str {
        match part {
            Part::Key(_) => "text",
            Part::Code => "int",
            Part::Data => "bytes",
        }
    }
}
