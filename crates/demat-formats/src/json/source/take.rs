//! Takes the next value, whatever its kind, in one step.

use super::JsonSource;
use crate::text::{Number, PLAIN, plain_number};
use demat_core::scalar::Int;
use demat_core::{Kind, Result, Source, Text, Token};

/// The literals by their first four bytes.
const NULL: u32 = u32::from_le_bytes(*b"null");
const TRUE: u32 = u32::from_le_bytes(*b"true");
const FALS: u32 = u32::from_le_bytes(*b"fals");

impl<'a> JsonSource<'a> {
    /// The frequent kinds are handled inline; the others are calls that return less than a whole [`Token`]. Then its
    /// parts need not go through memory, and a `match` on the result jumps directly to its arm.
    #[inline(always)]
    pub(super) fn take_value(&mut self) -> Result<Token<'a, '_>> {
        let Some(block) = self.next_block() else { return self.take_near_end() };
        self.start = self.at;
        match block[0] {
            b'"' => {
                if let Some(text) = self.short_text(block) {
                    return Ok(Token::Text(Text::Input(text)));
                }
                self.other_text().map(Token::Text)
            }
            b'-' | b'0'..=b'9' => match block.first_chunk::<PLAIN>().and_then(plain_number) {
                Some((Number::Int(int), len)) => {
                    self.at += len;
                    Ok(Token::I64(int))
                }
                Some((Number::Float(float), len)) => {
                    self.at += len;
                    Ok(Token::Float(float))
                }
                None => self.take_number(),
            },
            b'{' => self.opened().map(|()| Token::Map(None)),
            b'[' => self.opened().map(|()| Token::List(None)),
            _ => {
                let word = u32::from_le_bytes([block[0], block[1], block[2], block[3]]);
                if word == NULL || word == TRUE {
                    self.at += 4;
                    return Ok(if word == NULL { Token::Null } else { Token::Bool(true) });
                }
                if word == FALS && block[4] == b'e' {
                    self.at += 5;
                    return Ok(Token::Bool(false));
                }
                self.take_literal()
            }
        }
    }

    /// As [`take_value`](Self::take_value), near the end of the slice or after unusual whitespace.
    #[inline(always)]
    fn take_near_end(&mut self) -> Result<Token<'a, '_>> {
        match self.begin_near_end() {
            b'"' => self.other_text().map(Token::Text),
            b'-' | b'0'..=b'9' => self.take_number(),
            b'{' => self.opened().map(|()| Token::Map(None)),
            b'[' => self.opened().map(|()| Token::List(None)),
            _ => self.take_literal(),
        }
    }

    /// Returns the first byte of the next value; 0 at the end, since no value begins with it.
    #[inline(never)]
    fn begin_near_end(&mut self) -> u8 {
        self.begin().unwrap_or(0)
    }

    #[inline(always)]
    fn take_number(&mut self) -> Result<Token<'a, '_>> {
        match self.long_number() {
            Some(Number::Int(int)) => Ok(Token::I64(int)),
            Some(Number::Float(float)) => Ok(Token::Float(float)),
            None => match self.rare_number()? {
                Ok(int) => Ok(Token::of_int(int)),
                Err(float) => Ok(Token::Float(float)),
            },
        }
    }

    /// Reads an integer, or else a float.
    #[cold]
    #[inline(never)]
    fn rare_number(&mut self) -> Result<Result<Int<'a>, f64>> {
        match self.peek()? {
            Kind::Int => self.int().map(Ok),
            _ => self.float().map(Err),
        }
    }

    #[inline(always)]
    fn take_literal(&mut self) -> Result<Token<'a, '_>> {
        self.other_literal().map(|literal| literal.map_or(Token::Null, Token::Bool))
    }

    #[inline(never)]
    fn other_literal(&mut self) -> Result<Option<bool>> {
        match self.bytes.get(self.at) {
            Some(b't') => self.literal("true").map(|()| Some(true)),
            Some(b'f') => self.literal("false").map(|()| Some(false)),
            Some(b'n') => self.literal("null").map(|()| None),
            _ => Err(self.no_value()),
        }
    }

    /// Steps to the next key of a map and takes it.
    #[inline(always)]
    pub(super) fn take_key(&mut self) -> Result<Option<Token<'a, '_>>> {
        if !self.next_key()? {
            return Ok(None);
        }
        self.read_text().map(|text| Some(Token::Text(text)))
    }
}
