//! Parsing a document: its form, and its objects.

mod binary;
mod openstep;
mod text;
mod xml;
mod xml_text;

pub(super) use xml_text::is_allowed;

use super::ReadOptions;
use super::document::{Document, Id};
use crate::stream::{Base, Counter, MARK};
use demat_core::{Error, ErrorKind, Position, Result};

/// Parses a document of any form.
pub(super) fn document(input: &[u8], base: &Base, options: ReadOptions) -> Result<Document> {
    // Unescaped text has at most twice the size of the input, and positions have 32 bits.
    if i32::try_from(input.len()).is_err() {
        return Err(Error::limit("the length of a property list", "2 GiB"));
    }
    let mut document = Document::default();
    if binary::is_binary(input) {
        let read = binary::read(input, &mut document);
        read.map_err(|(error, at)| error.at(offset(base, at)))?;
    } else {
        document.has_lines = true;
        let lines = |(error, at): (Error, usize)| error.at(base.position(input, at));
        let text = utf8(input).map_err(lines)?;
        let begin = if text.as_bytes().starts_with(MARK) { MARK.len() } else { 0 };
        let read = if is_xml(&text[begin..]) {
            xml::read(text, begin, options.depth, &mut document)
        } else {
            document.is_text = true;
            openstep::read(text, begin, options.depth, &mut document)
        };
        read.map_err(lines)?;
    }
    let checked = document.check(options.depth, input.len());
    checked.map_err(|(error, id)| error.at(position(&document, &Counter::default(), input, base, id)))?;
    Ok(document)
}

/// An error and the offset that it refers to.
type Fault = (Error, usize);

/// Returns the position of an object in the input.
pub(super) fn position(document: &Document, counter: &Counter, input: &[u8], base: &Base, id: Id) -> Position {
    let at = document.offset(id);
    if document.has_lines { counter.position(base, input, at) } else { offset(base, at) }
}

fn offset(base: &Base, at: usize) -> Position {
    Position { offset: Some(base.offset + at as u64), ..Position::default() }
}

fn utf8(input: &[u8]) -> Result<&str, Fault> {
    if input.starts_with(b"\xfe\xff") || input.starts_with(b"\xff\xfe") {
        return Err(unexpected("text in UTF-8", "text in UTF-16", 0));
    }
    match simdutf8::compat::from_utf8(input) {
        Ok(text) => Ok(text),
        Err(error) => {
            let at = error.valid_up_to();
            let found = format!("byte 0x{:02x}", input.get(at).copied().unwrap_or_default());
            Err(unexpected("text in UTF-8", found, at))
        }
    }
}

/// Returns whether text is XML. In the old form, `<` begins data in hexadecimal digits.
fn is_xml(text: &str) -> bool {
    let rest = text.trim_start_matches([' ', '\t', '\r', '\n']);
    let is_name = |letter: char| letter.is_alphabetic() && !letter.is_ascii_hexdigit();
    match rest.strip_prefix('<') {
        Some(rest) if rest.starts_with(['?', '!']) => true,
        // `<array>`, `<date>`, `<data>`, `<dict>` and `<false/>` begin with letters that are also hexadecimal digits.
        Some(rest) => {
            let name = rest.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default();
            name.contains(is_name)
        }
        None => false,
    }
}

#[cold]
fn unexpected(expected: &'static str, found: impl Into<String>, at: usize) -> Fault {
    (Error::mismatch(ErrorKind::Syntax, expected, found.into()), at)
}
