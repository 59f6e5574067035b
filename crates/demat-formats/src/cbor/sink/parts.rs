//! Tags: records of `tag` and `value`, of which only the number and the content are written.
//!
//! If the number comes first, which it does from each source and type of Demat's own, its bytes become the head of the
//! tag where they are. Otherwise it is moved in front of the content at the end.

use super::super::record::{TAG, VALUE};
use super::super::tag::{Meaning, meaning};
use super::CborSink;
use super::fault::bad_tag;
use super::header::Major;
use crate::Drain;
use demat_core::Result;

/// The state of an open tag. Offsets are those of the output's buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parts {
    /// Neither part has been written.
    Begun,
    /// The number is being written, from this offset on.
    Number { at: usize },
    /// The number has been written, and the content follows. Nothing moves any more.
    Content,
    /// The content is being written first, from this offset on.
    First { at: usize },
    /// The number is being written behind the content.
    Last { content: usize, at: usize },
}

impl Parts {
    /// Whether bytes in memory may still change.
    pub(super) fn is_pending(self) -> bool {
        self != Self::Content
    }

    /// Whether the content has to move, which a rollback could not undo.
    pub(super) fn is_late(self) -> bool {
        matches!(self, Self::First { .. } | Self::Last { .. })
    }
}

impl<D: Drain> CborSink<D> {
    /// Steps from the key that begins at `key` to its value.
    #[cold]
    pub(super) fn begin_part(&mut self, parts: Parts, key: usize) -> Result<()> {
        let written = self.output.buffer.get(key..).unwrap_or_default();
        let name = core::str::from_utf8(written.get(1..).unwrap_or_default()).unwrap_or_default();
        let is_tag = name == TAG;
        if !is_tag && name != VALUE {
            return Err(bad_tag("another key"));
        }
        self.output.buffer.truncate(key);
        let next = match (parts, is_tag) {
            (Parts::Begun, true) => Parts::Number { at: key },
            (Parts::Begun, false) => Parts::First { at: key },
            (Parts::Number { at }, false) => {
                self.become_tag(at)?;
                Parts::Content
            }
            (Parts::First { at }, true) => Parts::Last { content: at, at: key },
            _ => return Err(bad_tag("one of them twice")),
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.parts = Some(next);
        }
        Ok(())
    }

    /// Ends a tag.
    #[cold]
    pub(super) fn end_parts(&mut self, parts: Parts) -> Result<()> {
        match parts {
            Parts::Content => Ok(()),
            Parts::Last { content, at } => {
                self.become_tag(at)?;
                let moved = self.output.buffer.len() - at;
                self.output.buffer[content..].rotate_right(moved);
                for wide in self.wide.iter_mut().filter(|wide| wide.at >= content) {
                    wide.at += moved;
                }
                Ok(())
            }
            _ => Err(bad_tag("no more")),
        }
    }

    /// Turns the number at the end of the buffer into the head of a tag.
    fn become_tag(&mut self, at: usize) -> Result<()> {
        let written = self.output.buffer.get_mut(at..).unwrap_or_default();
        // After a rollback it may be a head already.
        let info = |byte: u8| if matches!(byte >> 5, 0 | 6) { byte & 0x1f } else { 31 };
        let number = match *written {
            [byte] if info(byte) < 24 => u64::from(info(byte)),
            [byte, ref digits @ ..] if matches!(info(byte), 24..=27) && matches!(digits.len(), 1 | 2 | 4 | 8) => {
                digits.iter().fold(0, |number, digit| number << 8 | u64::from(*digit))
            }
            _ => return Err(bad_tag("a `tag` that is no number")),
        };
        match meaning(number) {
            Meaning::Kind(_) => return Err(bad_tag(&format!("tag {number}, which is written for values of its kind"))),
            Meaning::Reference => return Err(bad_tag(&format!("tag {number}, which refers to another value"))),
            Meaning::SelfDescribed | Meaning::Unknown => {}
        }
        written[0] |= Major::Tag as u8;
        Ok(())
    }
}
