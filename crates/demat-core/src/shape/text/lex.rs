//! The lexer.

use super::word::{begins, goes_on};
use crate::{Error, ErrorKind, Position, Result};
use std::borrow::Cow;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'t> {
    Word(&'t str),
    Quoted(Cow<'t, str>),
    /// Digits and what may belong to a number; the parser decides whether it is one.
    Number(&'t str),
    Sign(char),
    /// `...`
    Dots,
    End,
}

impl Token<'_> {
    /// The description of a found token in errors.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Word(word) | Self::Number(word) => cut(word),
            Self::Quoted(text) => format!("\"{}\"", cut(text)),
            Self::Sign(sign) => sign.to_string(),
            Self::Dots => "...".to_string(),
            Self::End => "end of the shape".to_string(),
        }
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(32) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[derive(Debug, Clone)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the next token and its offset.
    pub(super) fn next(&mut self) -> Result<(usize, Token<'t>)> {
        let rest = self.text[self.at..].trim_start();
        let start = self.text.len() - rest.len();
        self.at = start;
        let Some(first) = rest.chars().next() else { return Ok((start, Token::End)) };
        let token = match first {
            '"' => Token::Quoted(self.quoted()?),
            '-' | '0'..='9' => Token::Number(self.run(rest, |c| matches!(c, '0'..='9' | '.' | 'e' | 'E' | '+' | '-'))),
            _ if begins(first) => Token::Word(self.run(rest, goes_on)),
            '.' if rest.starts_with("...") => {
                self.at += 3;
                Token::Dots
            }
            _ => {
                self.at += first.len_utf8();
                Token::Sign(first)
            }
        };
        Ok((start, token))
    }

    /// Returns the longest run of such characters. The first character must be one.
    fn run(&mut self, rest: &'t str, belongs: impl Fn(char) -> bool) -> &'t str {
        let len = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn quoted(&mut self) -> Result<Cow<'t, str>> {
        let start = self.at + 1;
        self.at = start;
        let mut text = Cow::Borrowed("");
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|c: char| matches!(c, '"' | '\\') || c < ' ').unwrap_or(rest.len());
            if text.is_empty() {
                text = Cow::Borrowed(&rest[..plain]);
            } else {
                text.to_mut().push_str(&rest[..plain]);
            }
            self.at += plain;
            match rest.as_bytes().get(plain) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    let char = self.escape()?;
                    text.to_mut().push(char);
                }
                Some(_) => return Err(self.error(self.at, "an escape", "a control character")),
                None => return Err(self.error(self.at, "`\"`", Token::End.describe())),
            }
        }
    }

    fn escape(&mut self) -> Result<char> {
        let start = self.at;
        let escaped = self.text.as_bytes().get(start + 1).copied();
        self.at += 2;
        Ok(match escaped {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let mut unit = self.hex(start)?;
                if (0xD800..0xDC00).contains(&unit) && self.text[self.at..].starts_with("\\u") {
                    self.at += 2;
                    let low = self.hex(start)?;
                    if (0xDC00..0xE000).contains(&low) {
                        unit = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                    }
                }
                char::from_u32(unit).ok_or_else(|| self.error(start, "a character", "a lone surrogate"))?
            }
            _ => return Err(self.error(start, "an escape of JSON", "another one")),
        })
    }

    fn hex(&mut self, start: usize) -> Result<u32> {
        let digits = self.text.get(self.at..self.at + 4).filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += 4;
        unit.ok_or_else(|| self.error(start, "four hexadecimal digits", "others"))
    }

    /// Returns the position of a byte. The text usually is one line, but may be a file.
    pub(super) fn position(&self, at: usize) -> Position {
        let before = &self.text[..at];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        Position {
            offset: Some(at as u64),
            line: Some(before.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1),
            column: Some(before[line..].chars().count() as u64 + 1),
            record: None,
        }
    }

    #[cold]
    pub(super) fn error(&self, at: usize, expected: impl Into<Cow<'static, str>>, found: impl Into<String>) -> Error {
        Error::mismatch(ErrorKind::Syntax, expected, found.into()).at(self.position(at))
    }
}

/// Whether a `:` occurs outside of all brackets, as between the fields of a record without braces.
pub(super) fn has_fields(text: &str) -> bool {
    let mut lexer = Lexer::new(text);
    let mut depth = 0usize;
    loop {
        match lexer.next() {
            Ok((_, Token::Sign('[' | '(' | '{'))) => depth += 1,
            Ok((_, Token::Sign(']' | ')' | '}'))) => depth = depth.saturating_sub(1),
            Ok((_, Token::Sign(':'))) if depth == 0 => return true,
            Ok((_, Token::End)) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}
