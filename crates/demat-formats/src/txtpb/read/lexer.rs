//! Tokens: whitespace, comments, identifiers and numbers.

use crate::stream::Base;
use crate::txtpb::tape::{Slice, small};
use demat_core::{Error, ErrorKind, Result};

/// Reads tokens from the input.
#[derive(Debug)]
pub(super) struct Lexer<'i> {
    pub(super) input: &'i [u8],
    pub(super) at: usize,
    /// Strings and names that do not stand in the input as they are.
    pub(super) own: Vec<u8>,
    base: Base,
}

/// Whether an identifier can begin with the byte.
pub(super) fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether an identifier can have the byte.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'i> Lexer<'i> {
    pub(super) fn new(input: &'i [u8], base: Base) -> Self {
        Self { input, at: 0, own: Vec::new(), base }
    }

    /// Returns the next byte, if there is one.
    pub(super) fn peek(&self) -> Option<u8> {
        self.input.get(self.at).copied()
    }

    /// Skips whitespace and comments, and returns the next byte.
    pub(super) fn next(&mut self) -> Option<u8> {
        loop {
            match self.peek()? {
                b' ' | b'\n' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'#' => {
                    let rest = &self.input[self.at..];
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                other => return Some(other),
            }
        }
    }

    /// Returns bytes of the input as a slice.
    pub(super) fn slice(&self, begin: usize) -> Result<Slice> {
        Ok(Slice { at: small(begin)?, len: small(self.at - begin)?, own: false })
    }

    /// Reads an identifier. The caller has seen its first byte.
    pub(super) fn word(&mut self) -> Result<Slice> {
        let begin = self.at;
        while self.peek().is_some_and(is_word) {
            self.at += 1;
        }
        self.slice(begin)
    }

    fn digits(&mut self, is_digit: fn(&u8) -> bool) -> usize {
        let begin = self.at;
        while self.peek().is_some_and(|byte| is_digit(&byte)) {
            self.at += 1;
        }
        self.at - begin
    }

    /// Reads a number without its sign. The caller has seen a digit or a point.
    pub(super) fn number(&mut self) -> Result<Slice> {
        let begin = self.at;
        let second = self.input.get(begin + 1);
        if self.peek() == Some(b'0') && matches!(second, Some(b'x' | b'X')) {
            self.at += 2;
            if self.digits(u8::is_ascii_hexdigit) == 0 {
                return Err(self.expected("hexadecimal digits"));
            }
        } else if self.peek() == Some(b'0') && second.is_some_and(u8::is_ascii_digit) {
            self.digits(|byte| matches!(byte, b'0'..=b'7'));
        } else {
            let mut digits = self.digits(u8::is_ascii_digit);
            if self.peek() == Some(b'.') {
                self.at += 1;
                digits += self.digits(u8::is_ascii_digit);
            }
            if digits == 0 {
                return Err(self.expected("a digit"));
            }
            if matches!(self.peek(), Some(b'e' | b'E')) {
                self.at += 1;
                if matches!(self.peek(), Some(b'+' | b'-')) {
                    self.at += 1;
                }
                if self.digits(u8::is_ascii_digit) == 0 {
                    return Err(self.expected("the digits of an exponent"));
                }
            }
            if matches!(self.peek(), Some(b'f' | b'F')) {
                self.at += 1;
            }
        }
        if self.peek().is_some_and(is_word) {
            return Err(self.expected("the end of a number"));
        }
        self.slice(begin)
    }

    /// Returns the error for something else than expected at the current position.
    #[cold]
    pub(super) fn expected(&self, expected: &'static str) -> Error {
        self.expected_at(self.at, expected)
    }

    /// Returns the error for something else than expected.
    #[cold]
    pub(super) fn expected_at(&self, at: usize, expected: &'static str) -> Error {
        let found = match self.input.get(at) {
            None => "end of input".to_string(),
            Some(b'\n') => "end of line".to_string(),
            Some(byte @ b' '..=b'~') => format!("`{}`", char::from(*byte)),
            Some(byte) => format!("byte 0x{byte:02x}"),
        };
        self.refused(at, expected, found)
    }

    /// Returns a syntax error.
    #[cold]
    pub(super) fn refused(&self, at: usize, expected: &'static str, found: impl Into<String>) -> Error {
        Error::mismatch(ErrorKind::Syntax, expected, found.into()).at(self.base.position(self.input, at))
    }

    /// Returns the error for an exceeded limit.
    #[cold]
    pub(super) fn limit(&self, what: &str, limit: u32) -> Error {
        Error::limit(what, limit).at(self.base.position(self.input, self.at))
    }
}
