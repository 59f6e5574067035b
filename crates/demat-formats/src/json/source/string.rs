//! Strings.

use super::JsonSource;
use crate::scan::{json_plain, json_plain_text, json_short_text, json_string_end};
use crate::text::unescape;
use demat_core::{Result, Source, Text};

/// A string that is not plain ASCII.
enum Slow<'a> {
    /// It stands in the input as it is.
    Whole(&'a str),
    /// It was unescaped into the scratch buffer.
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

    /// The string that stands here, where the block begins, if it is a short and plain one.
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

    /// The string whose opening quote stands here, if it is none of the short and plain ones.
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

    /// The string whose opening quote stands here.
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

    /// A string that has something else than plain ASCII in it, first at `from`.
    #[inline(never)]
    fn slow_string(&mut self, from: usize) -> Result<Slow<'a>> {
        let first = self.at + 1;
        let end = json_string_end(self.bytes, from);
        if self.bytes.get(end) == Some(&b'"') {
            let text = simdutf8::compat::from_utf8(&self.bytes[first..end])
                .map_err(|error| self.bad_utf8(first + error.valid_up_to()))?;
            self.at = end + 1;
            return Ok(Slow::Whole(text));
        }
        if end == self.bytes.len() {
            // It does not end here: nothing of it is copied to find that out.
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

    /// Passes over the string whose opening quote stands here.
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
