//! Messages, fields, lists and values.

use super::draft::{Drafts, Fields};
use super::lexer::{Lexer, begins_word};
use crate::stream::{Base, Part};
use crate::txtpb::tape::{Content, Tape};
use demat_core::Result;

/// A message or a list that has begun.
enum Open {
    Message {
        fields: Fields,
        /// Its closing bracket; `None` for the whole.
        close: Option<u8>,
    },
    List {
        field: u32,
        /// Whether its items are messages, once there is one; in a list without a colon, they must be.
        messages: Option<bool>,
        is_empty: bool,
    },
}

/// Parses a document.
///
/// # Errors
/// If it does not follow the grammar, or messages nest too deep.
pub(in crate::txtpb) fn parse(part: &Part<'_>, depth: u32) -> Result<Tape> {
    let mut lexer = Lexer::new(part.bytes, part.base);
    if part.base == Base::default() && part.bytes.starts_with(crate::stream::MARK) {
        lexer.at = crate::stream::MARK.len();
    }
    let mut drafts = Drafts::default();
    let fields = drafts.message(None, lexer.at)?;
    let mut parser = Parser { lexer, drafts, open: vec![Open::Message { fields, close: None }], level: 1, depth };
    parser.run()?;
    let Parser { lexer, drafts, .. } = parser;
    drafts.into_tape(lexer.own)
}

struct Parser<'i> {
    lexer: Lexer<'i>,
    drafts: Drafts,
    open: Vec<Open>,
    /// The number of open messages, and how many there may be.
    level: u32,
    depth: u32,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<()> {
        loop {
            let byte = self.lexer.next();
            match self.open.last_mut() {
                None => return Ok(()),
                Some(Open::Message { close, .. }) => match byte {
                    None if close.is_none() => self.end_message()?,
                    Some(byte) if Some(byte) == *close => {
                        self.lexer.at += 1;
                        self.end_message()?;
                    }
                    Some(byte) if begins_word(byte) || byte == b'[' => self.field()?,
                    _ => {
                        let expected = match close {
                            None => "a field",
                            Some(b'>') => "a field or `>`",
                            Some(_) => "a field or `}`",
                        };
                        return Err(self.lexer.expected(expected));
                    }
                },
                Some(Open::List { field, messages, is_empty }) => {
                    let (field, messages) = (*field, *messages);
                    match byte {
                        Some(b']') => {
                            self.lexer.at += 1;
                            self.open.pop();
                            self.separator();
                            continue;
                        }
                        _ if *is_empty => *is_empty = false,
                        Some(b',') => self.lexer.at += 1,
                        _ => return Err(self.lexer.expected("`,` or `]`")),
                    }
                    self.item(field, messages)?;
                }
            }
        }
    }

    /// Ends the innermost message.
    fn end_message(&mut self) -> Result<()> {
        if let Some(Open::Message { fields, .. }) = self.open.pop() {
            self.drafts.close(&fields, self.lexer.at)?;
        }
        self.level -= 1;
        if let Some(Open::Message { .. }) = self.open.last() {
            self.separator();
        }
        Ok(())
    }

    /// Skips the separator behind a field, if there is one.
    fn separator(&mut self) {
        if let Some(b',' | b';') = self.lexer.next() {
            self.lexer.at += 1;
        }
    }

    /// Reads a field's name, and its value unless that is a message or a list.
    fn field(&mut self) -> Result<()> {
        let begin = self.lexer.at;
        let name = self.lexer.name()?;
        let end = self.lexer.at;
        let Some(Open::Message { fields, .. }) = self.open.last_mut() else { return Ok(()) };
        let bytes = (self.lexer.input, self.lexer.own.as_slice());
        let field = self.drafts.field(fields, name, bytes, (begin, end))?;
        let mut byte = self.lexer.next();
        let colon = byte == Some(b':');
        if colon {
            self.lexer.at += 1;
            byte = self.lexer.next();
        }
        match byte {
            Some(b'{' | b'<') => self.message(field),
            Some(b'[') => {
                self.lexer.at += 1;
                self.drafts.list(field);
                let messages = if colon { None } else { Some(true) };
                self.open.push(Open::List { field, messages, is_empty: true });
                Ok(())
            }
            _ if colon => {
                self.scalar(field)?;
                self.separator();
                Ok(())
            }
            _ => Err(self.lexer.expected("`:` or `{`")),
        }
    }

    /// Reads an item of a list, or begins it.
    fn item(&mut self, field: u32, expected: Option<bool>) -> Result<()> {
        let is_message = matches!(self.lexer.next(), Some(b'{' | b'<'));
        match expected {
            Some(true) if !is_message => return Err(self.lexer.expected("`{`")),
            Some(false) if is_message => return Err(self.lexer.expected("a scalar, as before in the list")),
            _ => {}
        }
        if let Some(Open::List { messages, .. }) = self.open.last_mut() {
            *messages = Some(is_message);
        }
        if is_message { self.message(field) } else { self.scalar(field) }
    }

    /// Begins a message.
    fn message(&mut self, field: u32) -> Result<()> {
        if self.level >= self.depth {
            return Err(self.lexer.limit("the depth of messages", self.depth));
        }
        self.level += 1;
        let close = if self.lexer.peek() == Some(b'<') { b'>' } else { b'}' };
        let fields = self.drafts.message(Some(field), self.lexer.at)?;
        self.lexer.at += 1;
        self.open.push(Open::Message { fields, close: Some(close) });
        Ok(())
    }

    /// Reads a scalar.
    fn scalar(&mut self, field: u32) -> Result<()> {
        let mut byte = self.lexer.next();
        let begin = self.lexer.at;
        let negative = byte == Some(b'-');
        if negative {
            self.lexer.at += 1;
            byte = self.lexer.next();
        }
        let content = match byte {
            Some(b'0'..=b'9' | b'.') => Content::Number { text: self.lexer.number()?, negative },
            Some(byte) if begins_word(byte) => {
                let at = self.lexer.at;
                let text = self.lexer.word()?;
                let word = &self.lexer.input[at..self.lexer.at];
                if negative && !is_special(word) {
                    return Err(self.lexer.expected_at(at, "a number, `inf` or `nan`"));
                }
                Content::Word { text, negative }
            }
            Some(b'"' | b'\'') if !negative => Content::Text(self.lexer.string()?),
            _ if negative => return Err(self.lexer.expected("a number")),
            _ => return Err(self.lexer.expected("a value")),
        };
        self.drafts.value(field, content, begin, self.lexer.at)
    }
}

/// Whether the word is a float.
fn is_special(word: &[u8]) -> bool {
    [&b"inf"[..], b"infinity", b"nan"].iter().any(|special| word.eq_ignore_ascii_case(special))
}
