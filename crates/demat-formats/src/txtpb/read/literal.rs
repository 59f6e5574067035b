//! Strings: their escapes, and several that stand side by side.

use super::lexer::Lexer;
use crate::txtpb::tape::{Slice, small};
use demat_core::Result;

impl Lexer<'_> {
    /// Reads a string, or several that stand side by side and are one. The caller has seen the first quote.
    pub(super) fn string(&mut self) -> Result<Slice> {
        let begin = self.at + 1;
        let plain = self.plain();
        let mut end = self.at;
        if plain && !matches!(self.next(), Some(b'"' | b'\'')) {
            let slice = Slice { at: small(begin)?, len: small(end - 1 - begin)?, own: false };
            self.at = end;
            return Ok(slice);
        }
        self.at = begin - 1;
        let own = self.own.len();
        while let Some(quote @ (b'"' | b'\'')) = self.next() {
            self.at += 1;
            self.unescape(quote)?;
            end = self.at;
        }
        self.at = end;
        Ok(Slice { at: small(own)?, len: small(self.own.len() - own)?, own: true })
    }

    /// Skips a string if it has no escapes and is complete.
    fn plain(&mut self) -> bool {
        let (begin, quote) = (self.at, self.input[self.at]);
        let rest = &self.input[begin + 1..];
        let end = rest.iter().position(|byte| *byte == quote || matches!(byte, b'\\' | b'\n' | 0));
        match end {
            Some(end) if rest[end] == quote => {
                self.at = begin + end + 2;
                true
            }
            _ => false,
        }
    }

    /// Appends the content of a string up to its closing quote.
    fn unescape(&mut self, quote: u8) -> Result<()> {
        loop {
            let rest = &self.input[self.at..];
            let len = rest.iter().position(|byte| *byte == quote || matches!(byte, b'\\' | b'\n' | 0));
            let len = len.unwrap_or(rest.len());
            self.own.extend_from_slice(&rest[..len]);
            self.at += len;
            match self.peek() {
                Some(b'\\') => self.escape()?,
                Some(byte) if byte == quote => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.expected("the end of a string")),
            }
        }
    }

    /// Appends the bytes of an escape.
    fn escape(&mut self) -> Result<()> {
        let begin = self.at;
        self.at += 2;
        let byte = match self.input.get(begin + 1) {
            Some(b'a') => 0x07,
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'v') => 0x0b,
            Some(byte @ (b'?' | b'\\' | b'\'' | b'"')) => *byte,
            Some(b'0'..=b'7') => {
                self.at -= 1;
                let value = self.radix(8, 3).unwrap_or_default();
                u8::try_from(value).map_err(|_| self.refused(begin, "a byte", "an octal escape above \\377"))?
            }
            Some(b'x') => {
                let value = self.radix(16, 2).ok_or_else(|| self.expected("a hexadecimal digit"))?;
                value as u8
            }
            Some(kind @ (b'u' | b'U')) => {
                let (len, hex) = (if *kind == b'u' { 4 } else { 8 }, self.at);
                let value = self.radix(16, len).filter(|_| self.at == hex + len);
                let value = value.ok_or_else(|| self.expected("a hexadecimal digit"))?;
                let Some(letter) = char::from_u32(value) else {
                    return Err(self.refused(begin, "a character", format!("U+{value:04X}, which is none")));
                };
                self.own.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.expected_at(begin + 1, "an escape")),
        };
        self.own.push(byte);
        Ok(())
    }

    /// Reads up to `most` digits. Returns `None` if there is none.
    fn radix(&mut self, radix: u32, most: usize) -> Option<u32> {
        let mut value = None;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(radix)) else { break };
            value = Some(value.unwrap_or(0) * radix + digit);
            self.at += 1;
        }
        value
    }
}
