//! Names of fields: identifiers, and names of extensions and types in brackets.

use super::lexer::{Lexer, begins_word, is_word};
use crate::txtpb::tape::{Slice, small};
use demat_core::Result;

impl Lexer<'_> {
    /// Reads the name of a field. The caller has seen its first byte.
    pub(super) fn name(&mut self) -> Result<Slice> {
        match self.peek() {
            Some(b'[') => self.bracketed(),
            Some(byte) if begins_word(byte) => self.word(),
            _ => Err(self.expected("the name of a field")),
        }
    }

    /// Reads the name of an extension, or the URL of a type, in brackets. Whitespace and comments in it do not count.
    fn bracketed(&mut self) -> Result<Slice> {
        let (begin, own) = (self.at, self.own.len());
        self.own.push(b'[');
        self.at += 1;
        loop {
            match self.next() {
                Some(b']') => break,
                Some(byte) if is_word(byte) || b"-.~!$&()*+,;=%/".contains(&byte) => {
                    self.own.push(byte);
                    self.at += 1;
                }
                _ => return Err(self.expected("`]`")),
            }
        }
        self.at += 1;
        let content = &self.own[own + 1..];
        let (domain, name) = match memchr::memrchr(b'/', content) {
            Some(slash) => (Some(&content[..slash]), &content[slash + 1..]),
            None => (None, content),
        };
        let named = name.split(|byte| *byte == b'.').all(|part| {
            part.first().is_some_and(|first| begins_word(*first)) && part.iter().all(|byte| is_word(*byte))
        });
        if !named {
            return Err(self.refused(begin, "the full name of an extension or a type", "other text in `[…]`"));
        }
        if domain.is_some_and(|domain| domain.is_empty() || !is_escaped(domain)) {
            return Err(self.refused(begin, "a URL", "other text before the last `/`"));
        }
        self.own.push(b']');
        Ok(Slice { at: small(own)?, len: small(self.own.len() - own)?, own: true })
    }
}

/// Whether each `%` has two hexadecimal digits.
fn is_escaped(domain: &[u8]) -> bool {
    let mut parts = domain.split(|byte| *byte == b'%');
    parts.next();
    parts.all(|part| part.len() >= 2 && part[..2].iter().all(u8::is_ascii_hexdigit))
}
