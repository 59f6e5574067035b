//! The XML form.
//!
//! The parser supports only what property lists consist of: their elements, text, comments, the five entities of XML
//! and character references. It supports neither external entities nor entities that a document defines.

use super::super::date;
use super::super::document::{Document, Id, Object, Span};
use super::text::Cursor;
use super::xml_text::{decoded, unescaped};
use super::{Fault, unexpected};
use demat_core::excerpt;
use demat_core::scalar::base64;
use demat_core::{Error, ErrorKind};

/// An open element.
struct Open {
    is_dict: bool,
    /// The offset of its tag.
    at: usize,
    /// The index of its first child among the pending ones.
    first: usize,
}

/// Parses a document that begins at an offset.
pub(super) fn read(text: &str, begin: usize, depth: u32, document: &mut Document) -> Result<(), Fault> {
    let mut cursor = Cursor { text, at: begin };
    prolog(&mut cursor)?;
    let wrapped = opening(&mut cursor)?;
    document.root = value(&mut cursor, depth, document)?;
    misc(&mut cursor)?;
    if wrapped {
        if !cursor.take("</plist") {
            return Err(cursor.wrong("`</plist>`"));
        }
        close(&mut cursor)?;
        misc(&mut cursor)?;
    }
    if cursor.peek().is_some() {
        return Err(cursor.wrong("end of input"));
    }
    Ok(())
}

/// Skips the XML declaration, and a document type without an internal subset.
fn prolog(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    cursor.blanks();
    let begin = cursor.at;
    if cursor.take("<?xml") {
        let inside = cursor.until("?>", "`?>`")?;
        let lower = inside.to_ascii_lowercase();
        if let Some((_, encoding)) = lower.split_once("encoding") {
            let encoding = encoding.trim_start_matches([' ', '\t', '\r', '\n', '=', '"', '\'']);
            let name = encoding.split(['"', '\'']).next().unwrap_or_default();
            if !["utf-8", "utf8", "us-ascii", "ascii"].contains(&name) {
                return Err(unexpected("the encoding UTF-8", name, begin));
            }
        }
    }
    misc(cursor)?;
    if cursor.take("<!DOCTYPE") {
        loop {
            cursor.run(|byte| !matches!(byte, b'>' | b'[' | b'"' | b'\''));
            let at = cursor.at;
            match cursor.peek() {
                Some(b'>') => {
                    cursor.at += 1;
                    break;
                }
                Some(b'[') => {
                    let message = "a document type with definitions of its own is refused";
                    return Err((Error::new(ErrorKind::Syntax, message), at));
                }
                Some(quote) => {
                    cursor.at += 1;
                    cursor.until(if quote == b'"' { "\"" } else { "'" }, "the end of a quoted name")?;
                }
                None => return Err(cursor.wrong("`>`")),
            }
        }
    }
    misc(cursor)
}

/// Skips blanks and comments.
fn misc(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    loop {
        cursor.blanks();
        if !cursor.take("<!--") {
            return Ok(());
        }
        cursor.until("-->", "`-->`")?;
    }
}

/// Parses the opening tag `plist`, if it is there.
fn opening(cursor: &mut Cursor<'_>) -> Result<bool, Fault> {
    let is_plist = cursor.rest().starts_with("<plist");
    if is_plist {
        cursor.at += "<plist".len();
        // The version, 1.0 or 0.9, which does not matter.
        cursor.run(|byte| !matches!(byte, b'>' | b'<' | b'/'));
        close(cursor)?;
    }
    Ok(is_plist)
}

/// Skips blanks and the end of a tag.
fn close(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    cursor.blanks();
    if cursor.take(">") { Ok(()) } else { Err(cursor.wrong("`>`")) }
}

/// Parses a value with everything in it. Depth uses memory and not the call stack.
fn value(cursor: &mut Cursor<'_>, depth: u32, document: &mut Document) -> Result<Id, Fault> {
    let mut open: Vec<Open> = Vec::new();
    let mut waiting: Vec<Id> = Vec::new();
    loop {
        misc(cursor)?;
        let at = cursor.at;
        let done = if cursor.take("</") {
            let Some(ended) = open.pop() else { return Err(unexpected("a value", "`</`", at)) };
            let name = if ended.is_dict { "dict" } else { "array" };
            if cursor.run(|byte| byte.is_ascii_alphanumeric()) != name {
                let expected = if ended.is_dict { "`</dict>`" } else { "`</array>`" };
                return Err(unexpected(expected, "another tag", at));
            }
            close(cursor)?;
            let own = waiting.get(ended.first..).unwrap_or_default();
            if ended.is_dict && own.len() % 2 == 1 {
                return Err(unexpected("a value behind the key", "`</dict>`", at));
            }
            let children = document.adopt(own);
            waiting.truncate(ended.first);
            let object = if ended.is_dict { Object::Dict(children) } else { Object::Array(children) };
            document.push(object, ended.at)
        } else {
            let is_key = open.last().is_some_and(|open| open.is_dict && (waiting.len() - open.first).is_multiple_of(2));
            let Some(id) = element(cursor, is_key, document)? else {
                let is_dict = cursor.text.get(at..).is_some_and(|tag| tag.starts_with("<dict"));
                if open.len() >= depth as usize {
                    return Err((Error::limit("the depth of nesting", depth), at));
                }
                open.push(Open { is_dict, at, first: waiting.len() });
                continue;
            };
            id
        };
        if open.is_empty() {
            return Ok(done);
        }
        waiting.push(done);
    }
}

/// Parses a scalar or an empty container. Returns `None` if a container with children begins.
fn element(cursor: &mut Cursor<'_>, is_key: bool, document: &mut Document) -> Result<Option<Id>, Fault> {
    let at = cursor.at;
    let expected = if is_key { "a key" } else { "a value" };
    if !cursor.take("<") {
        return Err(cursor.wrong(expected));
    }
    let name = cursor.run(|byte| byte.is_ascii_alphanumeric());
    cursor.blanks();
    let empty = cursor.take("/");
    if is_key != (name == "key") {
        return Err(unexpected(expected, format!("`<{name}>`"), at));
    }
    if !cursor.take(">") {
        return Err(cursor.wrong("`>`"));
    }
    let object = match name {
        "array" | "dict" if !empty => return Ok(None),
        "array" => Object::Array(document.adopt(&[])),
        "dict" => Object::Dict(document.adopt(&[])),
        "true" | "false" => {
            if !empty {
                cursor.blanks();
                end(cursor, name)?;
            }
            Object::Bool(name == "true")
        }
        "key" | "string" | "data" | "date" | "integer" | "real" => {
            let span =
                if empty { Span { begin: 0, end: 0, in_scratch: false } } else { content(cursor, name, document)? };
            scalar(cursor.text, name, span, at, document)?
        }
        _ => {
            let expected = "one of array, data, date, dict, false, integer, key, real, string, true";
            return Err(unexpected(expected, format!("`<{name}>`"), at));
        }
    };
    Ok(Some(document.push(object, at)))
}

/// Parses the closing tag of an element.
fn end(cursor: &mut Cursor<'_>, name: &str) -> Result<(), Fault> {
    let at = cursor.at;
    if cursor.take("</") && cursor.run(|byte| byte.is_ascii_alphanumeric()) == name {
        return close(cursor);
    }
    cursor.at = at;
    Err(unexpected("the end of the element", format!("no `</{name}>`"), at))
}

/// Parses the text of an element. If it has escapes, the unescaped text goes to the document's scratch memory.
fn content(cursor: &mut Cursor<'_>, name: &str, document: &mut Document) -> Result<Span, Fault> {
    let begin = cursor.at;
    let plain = memchr::memchr3(b'<', b'&', b'\r', cursor.rest().as_bytes());
    let end_at = plain.map_or(cursor.text.len(), |len| begin + len);
    cursor.at = end_at;
    if cursor.rest().starts_with("</") {
        end(cursor, name)?;
        super::xml_text::check(cursor.text, begin, end_at)?;
        return Ok(Span { begin: begin as u32, end: end_at as u32, in_scratch: false });
    }
    cursor.at = begin;
    let from = document.scratch.len();
    unescaped(cursor, &mut document.scratch)?;
    end(cursor, name)?;
    Ok(Span { begin: from as u32, end: document.scratch.len() as u32, in_scratch: true })
}

/// Converts the text of an element to an object.
fn scalar(text: &str, name: &str, span: Span, at: usize, document: &mut Document) -> Result<Object, Fault> {
    if matches!(name, "key" | "string") {
        return Ok(Object::Text(span));
    }
    let own = core::str::from_utf8(document.bytes(text.as_bytes(), span)).unwrap_or_default();
    let trimmed = own.trim_matches([' ', '\t', '\r', '\n']);
    let wrong = |expected: &'static str| {
        let found = excerpt::name(trimmed);
        (Error::mismatch(ErrorKind::Syntax, expected, found), at)
    };
    match name {
        "integer" => decoded::int(trimmed).map(Object::Int).ok_or_else(|| wrong("an int of at most 64 bits")),
        "real" => decoded::real(trimmed).map(Object::Real).ok_or_else(|| wrong("a number")),
        "date" => date::parse(trimmed).map(Object::Date).ok_or_else(|| wrong("a date as YYYY-MM-DDTHH:MM:SSZ")),
        _ => {
            let compact: String = own.chars().filter(|letter| !letter.is_ascii_whitespace()).collect();
            let bytes = base64::decode(&compact).ok_or_else(|| wrong("data in base64"))?;
            Ok(Object::Data(document.keep(&bytes)))
        }
    }
}
