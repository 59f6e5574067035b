//! Steps between values: whitespace, brackets, commas and colons.
//!
//! The common layouts of machine-written JSON are handled inline, if at least 64 bytes remain: compact documents, and
//! those with a line for each child, indented by spaces. Everything else is a function call.

use super::JsonSource;
use crate::scan::{indent_end, prefetch_ahead, space_end};
use demat_core::{Result, Source};

impl<'a> JsonSource<'a> {
    /// Skips whitespace and returns the next byte.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<u8> {
        self.at = space_end(self.bytes, self.at);
        self.bytes.get(self.at).copied()
    }

    /// As [`next`](Self::next), and records the position as the start of a value.
    #[inline(always)]
    pub(super) fn begin(&mut self) -> Option<u8> {
        let byte = self.next();
        self.start = self.at;
        byte
    }

    /// Moves to the next byte that is not whitespace, and returns the 64 bytes from there on. Returns `None` if the
    /// whitespace is unusual or fewer bytes remain.
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

    /// Returns the length of the line end and the indent at the current position.
    #[inline(always)]
    fn indent(&self, block: &[u8; 64]) -> Option<usize> {
        let end = block.first_chunk().map_or(0, indent_end);
        // Bytes behind the slice do not belong to it, even if they look like an indent.
        (matches!(block[0], b'\n' | b' ') && block[end] > b' ' && self.at + end < self.bytes.len()).then_some(end)
    }

    #[inline(always)]
    pub(super) fn open(&mut self, bracket: u8, expected: &'static str) -> Result<()> {
        if self.begin() != Some(bracket) {
            return Err(self.mismatch(expected));
        }
        self.opened()
    }

    /// Steps past the opening bracket at the current position.
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
        self.start = self.at; // an error about a missing value points here
        self.at += 1;
        self.depth = self.depth.saturating_sub(1);
        self.fresh = false;
    }

    /// Steps to the next child of a container: past a comma, unless the child is the first. Returns false past the
    /// bracket.
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
