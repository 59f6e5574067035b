//! Parsing SNBT: converts text to NBT of the Java variant.

use super::number::{Word, fits, is_bare, word};
use crate::nbt::places::TextPlaces;
use crate::nbt::{Tag, write_java_text};
use crate::stream::{Base, MARK};
use demat_core::{Error, ErrorKind, Result};

/// A list or compound that is being parsed.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// The state of a list; `None` for a compound.
    list: Option<List>,
    /// Whether it has children.
    has_child: bool,
}

#[derive(Debug, Clone, Copy)]
struct List {
    /// The offset of the count, which follows the item tag.
    at: usize,
    tag: Option<Tag>,
    /// Whether it is an array, which has no item tag before its count.
    is_array: bool,
    count: u32,
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    depth: u32,
    out: Vec<u8>,
    pairs: Vec<(usize, usize)>,
    open: Vec<Open>,
    /// The offset for the tag of the next value, unless it is an item.
    slot: usize,
}

/// Converts a text to a document with an empty name. Also returns the positions of the values in the text.
///
/// # Errors
/// If the text is not SNBT, with line and column, or if it exceeds the depth.
pub(super) fn parse(text: &[u8], depth: u32) -> Result<(Vec<u8>, TextPlaces)> {
    let start = if text.starts_with(MARK) { MARK.len() } else { 0 };
    if let Err(error) = core::str::from_utf8(text) {
        let at = error.valid_up_to();
        let error = Error::mismatch(ErrorKind::Syntax, "text in UTF-8", format!("byte 0x{:02x}", text[at]));
        return Err(error.at(Base::default().position(text, at)));
    }
    let mut parser =
        Parser { text, at: start, depth, out: vec![0, 0, 0], pairs: vec![(0, start)], open: Vec::new(), slot: 0 };
    parser.document()?;
    Ok((parser.out, TextPlaces { text: text.to_vec(), pairs: parser.pairs }))
}

impl<'a> Parser<'a> {
    fn fault(&self, at: usize, expected: impl Into<String>, found: impl Into<String>) -> Error {
        let error = Error::mismatch(ErrorKind::Syntax, expected.into(), found.into());
        error.at(Base::default().position(self.text, at))
    }

    /// Returns the error for unexpected text at the cursor.
    #[cold]
    fn unexpected(&self, expected: &'static str) -> Error {
        let rest = core::str::from_utf8(&self.text[self.at..]).unwrap_or_default();
        let found = rest.chars().next().map_or("end of input".to_string(), |found| format!("`{found}`"));
        self.fault(self.at, expected, found)
    }

    /// Skips blanks, and returns the byte after them.
    fn next(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn document(&mut self) -> Result<()> {
        loop {
            self.value()?;
            // Moves to the next value, and closes the containers that have ended.
            while let Some(open) = self.open.last().copied() {
                if self.step(open)? {
                    break;
                }
                self.close();
            }
            if self.open.is_empty() {
                return if self.next().is_none() { Ok(()) } else { Err(self.unexpected("end of input")) };
            }
        }
    }

    /// Moves to the next value of the innermost container. Returns false at its end, which it consumes.
    fn step(&mut self, open: Open) -> Result<bool> {
        let (end, expected) = if open.list.is_some() { (b']', "`,` or `]`") } else { (b'}', "`,` or `}`") };
        if open.has_child {
            match self.next() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == end => {}
                _ => return Err(self.unexpected(expected)),
            }
        }
        if self.next() == Some(end) {
            self.at += 1;
            return Ok(false);
        }
        if let Some(open) = self.open.last_mut() {
            open.has_child = true;
        }
        if open.list.is_none() {
            self.key()?;
        }
        Ok(true)
    }

    fn key(&mut self) -> Result<()> {
        self.next();
        let start = self.at;
        self.slot = self.out.len();
        self.pairs.push((self.slot, start));
        self.out.push(0);
        let name = match self.text.get(self.at) {
            Some(quote @ (b'"' | b'\'')) => self.quoted(*quote)?,
            Some(byte) if is_bare(*byte) => self.bare().to_string(),
            _ => return Err(self.unexpected("a key or `}`")),
        };
        self.text_out(&name, start)?;
        if self.next() != Some(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        Ok(())
    }

    fn text_out(&mut self, text: &str, start: usize) -> Result<()> {
        if write_java_text(text, &mut self.out) {
            return Ok(());
        }
        Err(self.fault(start, "text of at most 65535 bytes in modified UTF-8", format!("{} bytes", text.len())))
    }

    fn bare(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let len = rest.iter().position(|byte| !is_bare(*byte)).unwrap_or(rest.len());
        self.at += len;
        core::str::from_utf8(&rest[..len]).unwrap_or_default()
    }

    /// Writes the tag of a value that begins at `start` in the text.
    fn tagged(&mut self, tag: Tag, start: usize) -> Result<()> {
        let own = if let Some(Some(list)) = self.open.last_mut().map(|open| &mut open.list) {
            list.count += 1;
            *list.tag.get_or_insert(tag)
        } else {
            self.out[self.slot] = tag as u8;
            tag
        };
        if own != tag {
            let expected = format!("{} as the other items, which all have one tag", own.name());
            return Err(self.fault(start, expected, tag.name()));
        }
        self.pairs.push((self.out.len(), start));
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        let first = self.next();
        let start = self.at;
        match first {
            Some(b'{') => {
                self.at += 1;
                self.tagged(Tag::Compound, start)?;
                self.begin(None, start)
            }
            Some(b'[') => self.list(start),
            Some(quote @ (b'"' | b'\'')) => {
                let text = self.quoted(quote)?;
                self.tagged(Tag::String, start)?;
                self.text_out(&text, start)
            }
            Some(byte) if is_bare(byte) => self.word(start),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn word(&mut self, start: usize) -> Result<()> {
        let text = self.bare();
        let array = self.open.last().and_then(|open| open.list).filter(|list| list.is_array).and_then(|list| list.tag);
        let word = match (array, word(text)) {
            // An item of an array needs no suffix letter.
            (Some(tag), Word::Int(Tag::Int, value)) if fits(value, tag) => Word::Int(tag, value),
            (Some(Tag::Long), Word::TooLarge(Tag::Int)) => {
                text.parse().map_or(Word::TooLarge(Tag::Long), |value| Word::Int(Tag::Long, value))
            }
            (_, word) => word,
        };
        match word {
            Word::Int(tag, value) => {
                self.tagged(tag, start)?;
                let bytes = value.to_be_bytes();
                let width = match tag {
                    Tag::Byte => 1,
                    Tag::Short => 2,
                    Tag::Int => 4,
                    _ => 8,
                };
                self.out.extend_from_slice(&bytes[8 - width..]);
                Ok(())
            }
            Word::Float(value) => {
                self.tagged(Tag::Float, start)?;
                self.out.extend_from_slice(&value.to_be_bytes());
                Ok(())
            }
            Word::Double(value) => {
                self.tagged(Tag::Double, start)?;
                self.out.extend_from_slice(&value.to_be_bytes());
                Ok(())
            }
            Word::Text(text) => {
                self.tagged(Tag::String, start)?;
                self.text_out(text, start)
            }
            Word::TooLarge(tag) => Err(self.fault(start, format!("a number that fits a {}", tag.name()), text)),
        }
    }

    fn list(&mut self, start: usize) -> Result<()> {
        let array = match self.text.get(self.at + 1..self.at + 3) {
            Some(b"B;") => Some(Tag::ByteArray),
            Some(b"I;") => Some(Tag::IntArray),
            Some(b"L;") => Some(Tag::LongArray),
            _ => None,
        };
        self.at += if array.is_some() { 3 } else { 1 };
        self.tagged(array.unwrap_or(Tag::List), start)?;
        if array.is_none() {
            self.out.push(Tag::End as u8);
        }
        let list = List { at: self.out.len(), tag: array.and_then(Tag::item), is_array: array.is_some(), count: 0 };
        self.out.extend_from_slice(&[0; 4]);
        self.begin(Some(list), start)
    }

    fn begin(&mut self, list: Option<List>, start: usize) -> Result<()> {
        let is_level = list.is_none_or(|list| !list.is_array);
        if is_level && self.open.len() >= self.depth as usize {
            let error = Error::limit("the depth of nesting", self.depth);
            return Err(error.at(Base::default().position(self.text, start)));
        }
        self.open.push(Open { list, has_child: false });
        Ok(())
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        match open.list {
            None => self.out.push(Tag::End as u8),
            Some(list) => {
                self.out[list.at..list.at + 4].copy_from_slice(&list.count.to_be_bytes());
                if let Some(tag) = list.tag.filter(|_| !list.is_array) {
                    self.out[list.at - 1] = tag as u8;
                }
            }
        }
    }

    /// Parses quoted text.
    fn quoted(&mut self, quote: u8) -> Result<String> {
        let start = self.at;
        self.at += 1;
        let mut text = Vec::new();
        loop {
            match self.text.get(self.at) {
                None => return Err(self.fault(start, "the end of the text", "end of input")),
                Some(byte) if *byte == quote => break,
                Some(b'\\') => {
                    let mut bytes = [0; 4];
                    text.extend_from_slice(self.escape()?.encode_utf8(&mut bytes).as_bytes());
                }
                Some(byte) => {
                    text.push(*byte);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        String::from_utf8(text).map_err(|_| self.fault(start, "text in UTF-8", "other bytes"))
    }

    fn escape(&mut self) -> Result<char> {
        let start = self.at;
        self.at += 2;
        let digits = match self.text.get(start + 1) {
            Some(b'n') => return Ok('\n'),
            Some(b't') => return Ok('\t'),
            Some(b'b') => return Ok('\x08'),
            Some(b'f') => return Ok('\x0c'),
            Some(b'r') => return Ok('\r'),
            Some(b's') => return Ok(' '),
            Some(byte @ (b'\\' | b'"' | b'\'')) => return Ok(char::from(*byte)),
            Some(b'x') => 2,
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => return Err(self.fault(start, "an escape that SNBT has", "another one")),
        };
        let hex = self.text.get(self.at..self.at + digits).filter(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        let code = hex.and_then(|hex| core::str::from_utf8(hex).ok()).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        self.at += digits;
        let found = code.map_or("other text".to_string(), |code| format!("U+{code:04X}"));
        code.and_then(char::from_u32)
            .ok_or_else(|| self.fault(start, format!("the {digits} hexadecimal digits of a character"), found))
    }
}
