//! Passing over values: as strict as decoding, without recursion.

use super::super::head::{BREAK, Head, head};
use super::super::tag::{Meaning, meaning};
use super::CborSource;
use demat_core::{Error, Result, Signal};

/// A container that is passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    /// So many items are still to come.
    Count(u64),
    /// Items are still to come, up to a break.
    Items,
    /// A key or a break comes.
    Key,
    /// A value comes, then a key or a break.
    Value,
}

impl CborSource<'_> {
    /// Returns where the value at `at` ends.
    pub(super) fn end_of(&mut self, mut at: usize) -> Result<usize> {
        let mut open = core::mem::take(&mut self.open);
        open.clear();
        let ended = loop {
            let stepped = self.step_over(at, &mut open).and_then(|end| self.close(end, &mut open));
            match stepped {
                Ok(end) => at = end,
                Err(error) => break Err(error),
            }
            if open.is_empty() {
                break Ok(at);
            }
        };
        self.open = open;
        ended
    }

    /// Steps out of the containers that end at `at`, and on to the next value of the innermost one that doesn't.
    fn close(&self, mut at: usize, open: &mut Vec<Open>) -> Result<usize> {
        while let Some(top) = open.last_mut() {
            match top {
                Open::Count(0) => {}
                Open::Count(left) => {
                    *left -= 1;
                    return Ok(at);
                }
                Open::Value => {
                    *top = Open::Key;
                    return Ok(at);
                }
                Open::Items | Open::Key => match self.input.byte(at) {
                    None => return Err(self.input.ended("a value or a break")),
                    Some(BREAK) => at += 1,
                    Some(_) => {
                        if *top == Open::Key {
                            *top = Open::Value;
                        }
                        return Ok(at);
                    }
                },
            }
            open.pop();
        }
        Ok(at)
    }

    /// Passes over the value that stands here, never over a sequence.
    pub(in super::super) fn pass_one(&mut self) -> Result<()> {
        self.start = self.at;
        self.at = self.end_of(self.at)?;
        Ok(())
    }

    /// Passes over a scalar, or the head of a container, which is opened then.
    fn step_over(&self, mut at: usize, open: &mut Vec<Open>) -> Result<usize> {
        let (head, end) = loop {
            match head(self.input.bytes(), at) {
                Ok((Head::Tag(number), end)) => match meaning(number) {
                    Meaning::Kind(tag) => return self.tagged(tag, end).map(|(_, end)| end),
                    _ => at = end,
                },
                Ok(found) => break found,
                Err(fault) => return Err(self.no_head(at, fault)),
            }
        };
        let inner = match head {
            Head::Text(Some(len)) => return self.input.text(end, len).map(|text| end + text.len()),
            Head::Text(None) => return self.chunks_of_text(end, |_| {}),
            Head::Bytes(Some(len)) => return self.input.content(end, len, "bytes").map(|content| end + content.len()),
            Head::Bytes(None) => return self.chunks_of_bytes(end, |_| {}),
            Head::Array(Some(count)) => Open::Count(count),
            Head::Array(None) => Open::Items,
            // No input is so long that the true number would be reached.
            Head::Map(Some(count)) => Open::Count(count.saturating_mul(2)),
            Head::Map(None) => Open::Key,
            _ => return Ok(end),
        };
        if self.stack.depth() + open.len() >= self.options.depth as usize {
            return Err(self.input.too_deep(at, self.options.depth));
        }
        open.push(inner);
        Ok(end)
    }

    /// Returns whether the whole input is values one behind the other: as an option says, or a map and another one
    /// behind it.
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
