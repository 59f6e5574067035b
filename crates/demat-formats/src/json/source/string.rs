//! Strings.

use super::JsonSource;
use crate::scan::{json_plain, json_plain_text, json_short_text, json_string_end};
use crate::text::{unescape, utf8};
use demat_core::{Result, Source, Text};

/// A string that is not plain ASCII.
enum Slow<'a> {
    /// The text is in the input, without escapes.
    Whole(&'a str),
    /// The text was unescaped into the scratch buffer.
    Unescaped,
}

impl<'a> JsonSource<'a> {
    #[inline(always)]
    pub(super) fn read_text(&mut self) -> Result<Text<'a, '_>> {
        match self.wide.block(self.at).and_then(|block| self.short_text(block)) {
            Some(text) => Ok(Text::Input(text)),
            None => self.any_text(),
        }
    }

    /// Returns the string at the start of the block, if it is short and plain.
    #[inline(always)]
    pub(super) fn short_text(&mut self, block: &'a [u8; 64]) -> Option<&'a str> {
        if block[0] != b'"' {
            return None;
        }
        let text = json_short_text(block, 1)?;
        self.start = self.at;
        self.at += text.len() + 2;
        Some(text)
    }

    /// Reads the string at the current position that is not short and plain.
    #[inline(never)]
    pub(super) fn other_text(&mut self) -> Result<Text<'a, '_>> {
        self.quoted()
    }

    #[inline(never)]
    fn any_text(&mut self) -> Result<Text<'a, '_>> {
        if let Some(text) = self.next_block().and_then(|block| self.short_text(block)) {
            return Ok(Text::Input(text));
        }
        if self.begin() != Some(b'"') {
            return Err(self.mismatch("text"));
        }
        self.quoted()
    }

    /// Reads the string whose opening quote is at the current position.
    #[inline(always)]
    pub(super) fn quoted(&mut self) -> Result<Text<'a, '_>> {
        let bytes = self.bytes;
        let (text, end) = json_plain_text(bytes, self.at + 1);
        if bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Text::Input(text));
        }
        match self.slow_string(end)? {
            Slow::Whole(text) => Ok(Text::Input(text)),
            Slow::Unescaped => Ok(Text::Scratch(&self.scratch)),
        }
    }

    /// Reads a string with anything other than plain ASCII, first at `from`.
    #[inline(never)]
    fn slow_string(&mut self, from: usize) -> Result<Slow<'a>> {
        let first = self.at + 1;
        let end = json_string_end(self.bytes, from);
        if self.bytes.get(end) == Some(&b'"') {
            let bytes = &self.bytes[first..end];
            let text = match utf8(bytes) {
                Some(text) => text,
                None => {
                    simdutf8::compat::from_utf8(bytes).map_err(|error| self.bad_utf8(first + error.valid_up_to()))?
                }
            };
            self.at = end + 1;
            return Ok(Slow::Whole(text));
        }
        if end == self.bytes.len() {
            // The string does not end here. Finding that out copies nothing.
            return Err(match simdutf8::compat::from_utf8(&self.bytes[first..]) {
                Err(error) if error.error_len().is_some() || self.last => self.bad_utf8(first + error.valid_up_to()),
                _ => self.unexpected(end, "`\"` at the end of text"),
            });
        }
        self.scratch.clear();
        match unescape(self.bytes, first, &mut self.scratch) {
            Ok(end) => {
                self.at = end;
                Ok(Slow::Unescaped)
            }
            Err(fault) => Err(self.in_string(fault)),
        }
    }

    /// Skips the string whose opening quote is at the current position.
    #[inline]
    pub(super) fn skip_string(&mut self) -> Result<()> {
        let end = json_plain(self.bytes, self.at + 1);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(());
        }
        self.slow_string(end).map(drop)
    }
}
