//! Values for readers without a shape: reads a scalar, or enters a container, by one look at its head.

use super::super::head::Head;
use super::MsgpackSource;
use demat_core::scalar::Int;
use demat_core::{Result, Source, Text, Token};
use std::borrow::Cow;

impl<'a> MsgpackSource<'a> {
    /// As [`Token::by_asking`], the slow twin.
    #[inline(always)]
    pub(super) fn take_value(&mut self) -> Result<Token<'a, '_>> {
        if let Some(text) = self.short_text() {
            return Ok(Token::Text(Text::Input(text)));
        }
        if let Some(int) = self.short_int() {
            return Ok(Token::I64(int));
        }
        self.take_other()
    }

    /// As [`take_value`](Self::take_value), for any head.
    #[inline(always)]
    fn take_other(&mut self) -> Result<Token<'a, '_>> {
        let (head, end) = self.head()?;
        let token = match head {
            Head::Str(len) => {
                let text = self.input.text(end, len.into())?;
                self.at = end + text.len();
                return Ok(Token::Text(Text::Input(text)));
            }
            Head::Bin(len) => {
                let content = self.input.content(end, len.into(), "bytes")?;
                self.at = end + content.len();
                return Ok(Token::Bytes(Cow::Borrowed(content)));
            }
            Head::Unsigned(value) => Token::of_int(Int::from(value)),
            Head::Signed(value) => Token::I64(value),
            Head::Float64(value) => Token::Float(value),
            Head::Float32(value) => Token::Float(value.into()),
            Head::Bool(value) => Token::Bool(value),
            Head::Nil => Token::Null,
            Head::Array(_) => return self.list().map(Token::List),
            Head::Map(_) if self.stack.depth() > 0 => return self.map().map(Token::Map),
            // At the start it may be one of several maps that are a list.
            Head::Map(_) | Head::Ext(..) => return Token::by_asking(self),
        };
        self.at = end;
        Ok(token)
    }
}
