//! Skips values: as strict as decoding, without recursion.

use super::super::head::{BREAK, Head, head};
use super::super::tag::{Meaning, meaning};
use super::CborSource;
use demat_core::{Error, Result, Signal};

/// An open container in a skipped value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Open {
    /// The number of items that follow.
    Count(u64),
    /// An item or a break follows.
    Items,
    /// A key or a break follows.
    Key,
    /// A value follows, then a key or a break.
    Value,
}

impl CborSource<'_> {
    /// Advances `at` to the end of a value. `open` is empty at its beginning. After
    /// [`Incomplete`](Signal::Incomplete), the search can continue in a longer part.
    pub(in super::super) fn find_end(&self, at: &mut usize, open: &mut Vec<Open>) -> Result<()> {
        loop {
            *at = self.step_over(*at, open)?;
            while open.last() == Some(&Open::Count(0)) {
                open.pop();
            }
            match open.last_mut() {
                Some(Open::Count(left)) => *left -= 1,
                Some(_) => {}
                None => return Ok(()),
            }
        }
    }

    /// Skips a scalar, the head of a container, which it opens, or the break of one, which it closes. Returns where
    /// that ends.
    fn step_over(&self, begin: usize, open: &mut Vec<Open>) -> Result<usize> {
        let may_break = matches!(open.last(), Some(Open::Items | Open::Key));
        if may_break {
            match self.input.byte(begin) {
                None => return Err(self.input.ended("a value or a break")),
                Some(BREAK) => {
                    open.pop();
                    return Ok(begin + 1);
                }
                Some(_) => {}
            }
        }
        let (inner, end) = self.head_of_value(begin)?;
        if inner.is_some() && self.stack.depth() + open.len() >= self.options.depth as usize {
            return Err(self.input.too_deep(begin, self.options.depth));
        }
        match open.last_mut() {
            Some(top @ Open::Key) => *top = Open::Value,
            Some(top @ Open::Value) => *top = Open::Key,
            Some(Open::Count(_) | Open::Items) | None => {}
        }
        open.extend(inner);
        Ok(end)
    }

    /// Returns the container that begins at `at`, if any, and where its head ends; of a scalar, where it ends.
    fn head_of_value(&self, mut at: usize) -> Result<(Option<Open>, usize)> {
        let (head, end) = loop {
            match head(self.input.bytes(), at) {
                Ok((Head::Tag(number), end)) => match meaning(number) {
                    Meaning::Kind(tag) => return self.tagged(tag, end).map(|(_, end)| (None, end)),
                    _ => at = end,
                },
                Ok(found) => break found,
                Err(fault) => return Err(self.no_head(at, fault)),
            }
        };
        let inner = match head {
            Head::Array(Some(count)) => Open::Count(count),
            Head::Array(None) => Open::Items,
            // No input is long enough to reach the true number.
            Head::Map(Some(count)) => Open::Count(count.saturating_mul(2)),
            Head::Map(None) => Open::Key,
            Head::Text(Some(len)) => return self.input.text(end, len).map(|text| (None, end + text.len())),
            Head::Text(None) => return self.chunks_of_text(end, |_| {}).map(|end| (None, end)),
            Head::Bytes(Some(len)) => {
                return self.input.content(end, len, "bytes").map(|content| (None, end + content.len()));
            }
            Head::Bytes(None) => return self.chunks_of_bytes(end, |_| {}).map(|end| (None, end)),
            _ => return Ok((None, end)),
        };
        Ok((Some(inner), end))
    }

    /// Returns whether the whole input is a sequence: if the option is set, or if a map follows a map.
    pub(super) fn is_sequence(&mut self) -> Result<bool> {
        if !self.at_start() || self.options.sequence {
            return Ok(self.at_sequence());
        }
        if !self.begins_map(0)? {
            return Ok(false);
        }
        match self.end_of(0) {
            Ok(end) if end < self.input.bytes().len() => self.begins_map(end),
            Ok(_) if self.input.is_last() => Ok(false),
            Ok(_) => Err(Error::signalled(Signal::Incomplete)),
            Err(error) if error.signal().is_some() => Err(error),
            // The first map is malformed. Reading it returns the error with the path.
            Err(_) => Ok(false),
        }
    }
}
