//! Whatever stands here, taken in one step.

use super::JsonSource;
use crate::scan::json_short_text;
use crate::text::{Number, PLAIN, other_number, plain_number};
use demat_core::{Result, Taken, Text};

impl<'a> JsonSource<'a> {
    /// The frequent kinds are read in line; all others are calls.
    #[inline(always)]
    pub(super) fn take_value(&mut self) -> Result<Taken<'a, '_>> {
        match self.begin() {
            Some(b'"') => {
                if let Some(text) = json_short_text(self.wide, self.at + 1) {
                    self.at += text.len() + 2;
                    return Ok(Taken::Text(Text::Lasting(text)));
                }
                self.take_text()
            }
            Some(b'-' | b'0'..=b'9') => {
                if let Some(block) = self.wide.get(self.at..).and_then(|rest| rest.first_chunk::<PLAIN>())
                    && let Some((number, len)) = plain_number(block)
                {
                    self.at += len;
                    return Ok(taken(number));
                }
                self.take_number()
            }
            Some(b'{') => self.open(b'{', "record").map(|()| Taken::Map(None)),
            Some(b'[') => self.open(b'[', "list").map(|()| Taken::List(None)),
            _ => self.take_literal(),
        }
    }

    #[inline(never)]
    fn take_text(&mut self) -> Result<Taken<'a, '_>> {
        self.quoted().map(Taken::Text)
    }

    #[inline(never)]
    fn take_number(&mut self) -> Result<Taken<'a, '_>> {
        if let Some((number, end)) = other_number(self.bytes, self.at)
            && (end < self.bytes.len() || self.last)
        {
            self.at = end;
            return Ok(taken(number));
        }
        Taken::by_asking(self)
    }

    #[inline(never)]
    fn take_literal(&mut self) -> Result<Taken<'a, '_>> {
        match self.bytes.get(self.at) {
            Some(b't') => self.literal("true").map(|()| Taken::Bool(true)),
            Some(b'f') => self.literal("false").map(|()| Taken::Bool(false)),
            Some(b'n') => self.literal("null").map(|()| Taken::Null),
            _ => Err(self.no_value()),
        }
    }
}

#[inline(always)]
fn taken<'a, 's>(number: Number) -> Taken<'a, 's> {
    match number {
        Number::Int(int) => Taken::I64(int),
        Number::Float(float) => Taken::Float(float),
    }
}
