//! Errors. Their details are worked out only after a fast check has failed.

use super::JsonSource;
use crate::stream::MARK;
use crate::text::{EscapeCause, EscapeFault};
use demat_core::excerpt::{self, SHOWN};
use demat_core::{Error, ErrorKind, Kind, Result, Signal, Source};

impl JsonSource<'_> {
    /// Returns the error for an unexpected byte at `at`. At the end of a window that is not the last, the error is
    /// [`Signal::Incomplete`].
    #[cold]
    pub(super) fn unexpected(&self, at: usize, expected: &'static str) -> Error {
        if !self.last && (at >= self.bytes.len() || self.is_cut(at)) {
            return Error::signalled(Signal::Incomplete);
        }
        let found = match self.bytes.get(at) {
            None => self.ending.to_string(),
            Some(byte @ 0x21..=0x7E) => format!("`{}`", char::from(*byte)),
            Some(_) => match self.char_at(at) {
                Some(char) => format!("`{}`", char.escape_debug()),
                None => format!("byte 0x{:02x}", self.bytes[at]),
            },
        };
        Error::mismatch(ErrorKind::Syntax, expected, found).at(self.base.position(self.bytes, at))
    }

    /// Returns the excerpt of the scalar that was begun, which the grammar allows. A text needs only be valid as
    /// far as it is shown; if it is not, there is none.
    ///
    /// # Errors
    /// [`Signal::Incomplete`] if the window ends before enough of it.
    #[cold]
    pub(super) fn excerpt(&self, kind: Kind) -> Result<Option<String>> {
        let rest = &self.bytes[self.start..];
        Ok(match kind {
            Kind::Bool => Some(if rest.first() == Some(&b't') { "true" } else { "false" }.to_owned()),
            Kind::Int | Kind::Float => {
                let rest = &rest[..rest.len().min(SHOWN + 1)];
                let end = number_end(rest);
                if end.is_none_or(|end| end == rest.len()) && rest.len() <= SHOWN && !self.last {
                    return Err(Error::signalled(Signal::Incomplete));
                }
                core::str::from_utf8(&rest[..end.unwrap_or(rest.len())]).ok().map(excerpt::plain)
            }
            Kind::Text => {
                let (end, is_whole) = excerpt_end(rest);
                if end == rest.len() && !is_whole {
                    return if self.last { Ok(None) } else { Err(Error::signalled(Signal::Incomplete)) };
                }
                // The end may be between the two escapes of a character.
                let halved = end.saturating_sub(if is_whole { 0 } else { ESCAPE });
                unescaped(&rest[..end], is_whole).or_else(|| unescaped(&rest[..halved], is_whole))
            }
            _ => None,
        })
    }

    /// Whether the window ends within the character or the byte order mark at `at`, so that it can't be identified yet.
    fn is_cut(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        let character = rest.len() < 4 && core::str::from_utf8(rest).is_err_and(|error| error.error_len().is_none());
        character || (at == 0 && self.base.offset == 0 && MARK.starts_with(rest))
    }

    /// Returns the start of the last key that was read, for an error about it.
    #[cold]
    pub(super) fn key_before(&self) -> usize {
        let read = self.bytes[..self.at].trim_ascii_end();
        let Some(inner) = read.strip_suffix(b":").unwrap_or(read).trim_ascii_end().strip_suffix(b"\"") else {
            return self.at;
        };
        // A quote within the key has an odd number of backslashes before it.
        let mut at = inner.len();
        while let Some(quote) = memchr::memrchr(b'"', &inner[..at]) {
            let slashes = inner[..quote].iter().rev().take_while(|byte| **byte == b'\\').count();
            if slashes % 2 == 0 {
                return quote;
            }
            at = quote;
        }
        self.at
    }

    fn char_at(&self, at: usize) -> Option<char> {
        let rest = &self.bytes[at..self.bytes.len().min(at + 4)];
        let valid = match core::str::from_utf8(rest) {
            Ok(valid) => valid,
            Err(error) => core::str::from_utf8(&rest[..error.valid_up_to()]).ok()?,
        };
        valid.chars().next()
    }

    /// Returns the error for a byte that begins no value.
    #[cold]
    pub(super) fn no_value(&self) -> Error {
        self.unexpected(self.at, "a value")
    }

    #[cold]
    pub(super) fn no_key(&self) -> Error {
        self.unexpected(self.at, "a key in quotes")
    }

    #[cold]
    pub(super) fn no_child(&self, bracket: u8) -> Error {
        let expected = match (bracket, self.fresh) {
            (b']', false) => "`,` or `]`",
            (b']', true) => "a value or `]`",
            (_, false) => "`,` or `}`",
            (_, true) => "a key or `}`",
        };
        self.unexpected(self.at, expected)
    }

    /// Returns the error for a literal that is misspelled or cut off.
    #[cold]
    pub(super) fn no_literal(&self, literal: &'static str) -> Error {
        let rest = &self.bytes[self.at..];
        let same = rest.iter().zip(literal.as_bytes()).take_while(|(own, other)| own == other).count();
        if same == rest.len() && !self.last {
            return Error::signalled(Signal::Incomplete);
        }
        self.unexpected(self.at + same, literal)
    }

    #[cold]
    pub(super) fn too_deep(&self) -> Error {
        Error::limit("the depth of nesting", self.options.depth).at(self.base.position(self.bytes, self.at))
    }

    /// Returns the error for a fault within a string.
    #[cold]
    pub(super) fn in_string(&self, fault: EscapeFault) -> Error {
        let expected = match fault.cause {
            EscapeCause::End => return self.unexpected(self.bytes.len(), "`\"` at the end of text"),
            EscapeCause::Control => "an escape in place of a control character",
            EscapeCause::Escape => "an escape that JSON has",
            EscapeCause::Surrogate => "a pair of surrogates",
            EscapeCause::Utf8 => return self.bad_utf8(fault.at),
        };
        self.unexpected(fault.at, expected)
    }

    #[cold]
    pub(super) fn bad_utf8(&self, at: usize) -> Error {
        let found = self.bytes.get(at).map_or(self.ending.to_string(), |byte| format!("byte 0x{byte:02x}"));
        Error::mismatch(ErrorKind::Syntax, "text in UTF-8", found).at(self.base.position(self.bytes, at))
    }
}

/// Returns the end of the number at the start, as far as the grammar goes; `None` if what follows the end of the slice
/// decides it.
fn number_end(rest: &[u8]) -> Option<usize> {
    let digits =
        |from: usize| from + rest[from.min(rest.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(usize::from(rest.first() == Some(&b'-')));
    if rest.get(end) == Some(&b'.') {
        rest.get(end + 1)?;
        let fraction = digits(end + 1);
        if fraction > end + 1 {
            end = fraction;
        }
    }
    if matches!(rest.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(end + 1)?, b'+' | b'-'));
        rest.get(end + 1 + sign)?;
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    Some(end)
}

/// The length of an escape by a code.
const ESCAPE: usize = 6;

/// Returns the excerpt of a string from its opening quote on.
fn unescaped(string: &[u8], is_whole: bool) -> Option<String> {
    // A piece becomes a string of its own, since it may have escapes.
    let piece = [string, b"\""].concat();
    let mut source = JsonSource::new(&piece);
    let text = source.text().ok()?;
    if is_whole { Some(excerpt::text(&text)) } else { excerpt::text_bytes(text.as_bytes(), false) }
}

/// Returns the offset of the quote that ends the string at the start, or an offset behind the characters that an excerpt
/// shows; and whether it is the quote.
fn excerpt_end(string: &[u8]) -> (usize, bool) {
    let mut at = 1;
    // A character may be two escapes, which are then two steps.
    for _ in 0..=2 * SHOWN {
        at += match string.get(at) {
            Some(b'"') => return (at, true),
            Some(b'\\') if string.get(at + 1) == Some(&b'u') => ESCAPE,
            Some(0xF0..) => 4,
            Some(0xE0..) => 3,
            Some(b'\\' | 0xC0..) => 2,
            Some(_) => 1,
            None => return (string.len(), false),
        };
    }
    (at.min(string.len()), false)
}
