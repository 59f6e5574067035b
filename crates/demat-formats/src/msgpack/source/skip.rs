//! Skips values: as strict as decoding, without recursion.

use super::super::head::{Head, begins_map, head};
use super::super::timestamp::{self, TIMESTAMP};
use super::MsgpackSource;
use demat_core::{Error, Result, Signal};

impl MsgpackSource<'_> {
    /// Advances `at` to the end of a value. `open` is empty at its beginning. After
    /// [`Incomplete`](Signal::Incomplete), the search can continue in a longer part.
    pub(in super::super) fn find_end(&self, at: &mut usize, open: &mut Vec<u64>) -> Result<()> {
        loop {
            *at = self.step_over(*at, open)?;
            while open.last() == Some(&0) {
                open.pop();
            }
            match open.last_mut() {
                Some(left) => *left -= 1,
                None => return Ok(()),
            }
        }
    }

    /// Skips a scalar, or the head of a container, which it opens.
    fn step_over(&self, at: usize, open: &mut Vec<u64>) -> Result<usize> {
        let (head, end) = head(self.input.bytes(), at).map_err(|fault| self.no_head(at, fault))?;
        let count = match head {
            Head::Str(len) => return self.input.text(end, len.into()).map(|text| end + text.len()),
            Head::Bin(len) => return self.input.content(end, len.into(), "bytes").map(|content| end + content.len()),
            Head::Ext(kind, len) => {
                let content = self.input.content(end, len.into(), "an extension")?;
                if kind == TIMESTAMP && timestamp::read(content).is_none() {
                    return Err(self.no_timestamp(at));
                }
                return Ok(end + content.len());
            }
            Head::Array(count) => u64::from(count),
            Head::Map(count) => 2 * u64::from(count),
            _ => return Ok(end),
        };
        if self.stack.depth() + open.len() >= self.options.depth as usize {
            return Err(self.input.too_deep(at, self.options.depth));
        }
        open.push(count);
        Ok(end)
    }

    /// Returns whether the whole input is a sequence of maps: whether a map follows a map.
    pub(super) fn is_sequence(&mut self) -> Result<bool> {
        if !self.at_start() || !self.input.byte(0).is_some_and(begins_map) {
            return Ok(false);
        }
        match self.end_of(0) {
            Ok(end) => match self.input.byte(end) {
                Some(byte) => Ok(begins_map(byte)),
                None if self.input.is_last() => Ok(false),
                None => Err(Error::signalled(Signal::Incomplete)),
            },
            Err(error) if error.signal().is_some() => Err(error),
            // The first map is malformed. Reading it returns the error with the path.
            Err(_) => Ok(false),
        }
    }
}
