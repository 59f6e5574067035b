//! Values for readers without a shape: reads a scalar, or enters a container, by one look at its head.

use super::super::head::Head;
use super::item::Item;
use super::{CborSource, negative};
use demat_core::scalar::Int;
use demat_core::{Result, Source, Text, Token};
use std::borrow::Cow;

impl<'a> CborSource<'a> {
    /// As [`Token::by_asking`], the slow twin.
    #[inline]
    pub(super) fn take_value(&mut self) -> Result<Token<'a, '_>> {
        // The outermost value may be a sequence, and a tag may be read as a map of its parts.
        if self.stack.depth() == 0 || self.is_kept_tag()? {
            return Token::by_asking(self);
        }
        if let Some(text) = self.short_text() {
            return Ok(Token::Text(Text::Input(text)));
        }
        if let Some(int) = self.short_int() {
            return Ok(Token::I64(int));
        }
        let Item::Plain(head, end) = self.here()? else { return Token::by_asking(self) };
        let token = match head {
            Head::Text(Some(len)) => {
                let text = self.input.text(end, len)?;
                self.at = end + text.len();
                return Ok(Token::Text(Text::Input(text)));
            }
            Head::Bytes(Some(len)) => {
                let content = self.input.content(end, len, "bytes")?;
                self.at = end + content.len();
                return Ok(Token::Bytes(Cow::Borrowed(content)));
            }
            Head::Unsigned(value) => Token::of_int(Int::from(value)),
            Head::Negative(value) => Token::of_int(negative(value)),
            Head::Double(value) | Head::Half(value) => Token::Float(value),
            Head::Single(value) => Token::Float(value.into()),
            Head::Bool(value) => Token::Bool(value),
            Head::Null => Token::Null,
            Head::Array(_) => return self.list().map(Token::List),
            Head::Map(_) => return self.map().map(Token::Map),
            _ => return Token::by_asking(self),
        };
        self.at = end;
        Ok(token)
    }
}
