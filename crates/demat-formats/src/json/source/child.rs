//! Steps between values: blanks, brackets, commas and colons.
//!
//! What machines write is dealt with in line, where 64 bytes are left to be looked at without asking again: compact
//! documents, and those with a line of its own for each child, indented by spaces. All else is a call.

use super::JsonSource;
use crate::scan::{indent_end, prefetch_ahead, space_end};
use demat_core::{Result, Source};

impl<'a> JsonSource<'a> {
    /// Passes over blanks and gives the byte there.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<u8> {
        self.at = space_end(self.bytes, self.at);
        self.bytes.get(self.at).copied()
    }

    /// As [`next`](Self::next), where a value begins.
    #[inline(always)]
    pub(super) fn begin(&mut self) -> Option<u8> {
        let byte = self.next();
        self.start = self.at;
        byte
    }

    /// The 64 bytes from the next that is no blank on, if that is easily found and so many are left; stands there then.
    #[inline(always)]
    pub(super) fn next_block(&mut self) -> Option<&'a [u8; 64]> {
        let block = self.wide.block(self.at)?;
        if block[0] > b' ' {
            return Some(block);
        }
        let blanks = if block[0] == b' ' && block[1] > b' ' { 1 } else { self.indent(block)? };
        self.at += blanks;
        self.wide.block(self.at)
    }

    /// How long the line end and the indent are that stand here.
    #[inline(always)]
    fn indent(&self, block: &[u8; 64]) -> Option<usize> {
        let end = block.first_chunk().map_or(0, indent_end);
        // What lies behind the slice is no part of it, though it may look like an indent.
        (matches!(block[0], b'\n' | b' ') && block[end] > b' ' && self.at + end < self.bytes.len()).then_some(end)
    }

    #[inline(always)]
    pub(super) fn open(&mut self, bracket: u8, expected: &'static str) -> Result<()> {
        if self.begin() != Some(bracket) {
            return Err(self.mismatch(expected));
        }
        self.opened()
    }

    /// Steps past the bracket that stands here.
    #[inline(always)]
    pub(super) fn opened(&mut self) -> Result<()> {
        if self.depth >= self.options.depth {
            return Err(self.too_deep());
        }
        self.at += 1;
        self.depth += 1;
        self.fresh = true;
        Ok(())
    }

    #[inline(always)]
    pub(super) fn close(&mut self) {
        self.start = self.at; // what is missing is missing here
        self.at += 1;
        self.depth = self.depth.saturating_sub(1);
        self.fresh = false;
    }

    /// Steps to the next child of a container: past a comma, unless it is the first; false past the bracket.
    #[inline(always)]
    pub(super) fn next_child(&mut self, bracket: u8) -> Result<bool> {
        prefetch_ahead(self.bytes, self.at);
        if let Some(&byte) = self.bytes.get(self.at) {
            if byte == b',' && !self.fresh {
                self.at += 1;
                return Ok(true);
            }
            if byte == bracket {
                self.close();
                return Ok(false);
            }
            if self.fresh && byte > b' ' {
                self.fresh = false;
                return Ok(true);
            }
        }
        self.other_child(bracket)
    }

    #[inline(never)]
    fn other_child(&mut self, bracket: u8) -> Result<bool> {
        let byte = match self.next_block() {
            Some(block) => Some(block[0]),
            None => self.next(),
        };
        if byte == Some(b',') && !self.fresh {
            self.at += 1;
            return Ok(true);
        }
        if byte == Some(bracket) {
            self.close();
            return Ok(false);
        }
        if self.fresh && byte.is_some() {
            self.fresh = false;
            return Ok(true);
        }
        Err(self.no_child(bracket))
    }

    /// Steps to the next key of a map.
    #[inline(always)]
    pub(super) fn next_key(&mut self) -> Result<bool> {
        let more = self.next_child(b'}')?;
        self.key = more;
        if !more || self.next_block().is_some_and(|block| block[0] == b'"') {
            return Ok(more);
        }
        self.other_key()
    }

    #[inline(never)]
    fn other_key(&mut self) -> Result<bool> {
        if self.next() != Some(b'"') {
            return Err(self.no_key());
        }
        Ok(true)
    }

    /// Steps from a key to its value.
    #[inline(always)]
    pub(super) fn pass_colon(&mut self) -> Result<()> {
        self.key = false;
        if self.bytes.get(self.at) != Some(&b':') && self.next() != Some(b':') {
            return Err(self.unexpected(self.at, "`:`"));
        }
        self.at += 1;
        Ok(())
    }
}
