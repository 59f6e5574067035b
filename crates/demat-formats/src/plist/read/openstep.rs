//! The old text form: `{ key = value; }`, `( item, item )`, `<0fbd77>`, `text` and `"quoted text"`.

use super::super::document::{Document, Id, Object, Span};
use super::text::Cursor;
use super::{Fault, unexpected};
use demat_core::{Error, ErrorKind};

struct Open {
    is_dict: bool,
    at: usize,
    /// The index of its first child among the pending ones.
    first: usize,
}

/// Parses a document that begins at an offset.
pub(super) fn read(text: &str, begin: usize, depth: u32, document: &mut Document) -> Result<(), Fault> {
    let mut cursor = Cursor { text, at: begin };
    document.root = value(&mut cursor, depth, document)?;
    blanks(&mut cursor)?;
    if cursor.peek().is_some() {
        return Err(cursor.wrong("end of input"));
    }
    Ok(())
}

/// Skips blanks and comments.
fn blanks(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    loop {
        cursor.blanks();
        if cursor.take("//") {
            cursor.run(|byte| !matches!(byte, b'\n' | b'\r'));
        } else if cursor.take("/*") {
            cursor.until("*/", "`*/`")?;
        } else {
            return Ok(());
        }
    }
}

/// Parses a value with everything in it. Depth uses memory and not the call stack.
fn value(cursor: &mut Cursor<'_>, depth: u32, document: &mut Document) -> Result<Id, Fault> {
    let mut open: Vec<Open> = Vec::new();
    let mut waiting: Vec<Id> = Vec::new();
    loop {
        blanks(cursor)?;
        let at = cursor.at;
        let ends = match open.last() {
            Some(open) => cursor.take(if open.is_dict { "}" } else { ")" }),
            None => false,
        };
        let done = if ends {
            let Some(ended) = open.pop() else { continue };
            let children = document.adopt(waiting.get(ended.first..).unwrap_or_default());
            waiting.truncate(ended.first);
            let object = if ended.is_dict { Object::Dict(children) } else { Object::Array(children) };
            document.push(object, ended.at)
        } else {
            if open.last().is_some_and(|open| open.is_dict) {
                let key = scalar(cursor, document)?.ok_or_else(|| cursor.wrong("a key"))?;
                waiting.push(key);
                blanks(cursor)?;
                if !cursor.take("=") {
                    return Err(cursor.wrong("`=`"));
                }
                blanks(cursor)?;
            }
            let at = cursor.at;
            let is_dict = cursor.peek() == Some(b'{');
            if is_dict || cursor.peek() == Some(b'(') {
                if open.len() >= depth as usize {
                    return Err((Error::limit("the depth of nesting", depth), at));
                }
                cursor.at += 1;
                open.push(Open { is_dict, at, first: waiting.len() });
                continue;
            }
            match cursor.peek() {
                Some(b'<') => data(cursor, document)?,
                _ => scalar(cursor, document)?.ok_or_else(|| cursor.wrong("a value"))?,
            }
        };
        let Some(around) = open.last() else { return Ok(done) };
        waiting.push(done);
        blanks(cursor)?;
        if around.is_dict {
            if !cursor.take(";") {
                return Err(cursor.wrong("`;`"));
            }
        } else if !cursor.take(",") && cursor.peek() != Some(b')') {
            let error = cursor.wrong("`,` or `)`");
            return Err(if cursor.at == at { unexpected("a value", "nothing", at) } else { error });
        }
    }
}

/// Parses data in hexadecimal digits.
fn data(cursor: &mut Cursor<'_>, document: &mut Document) -> Result<Id, Fault> {
    let at = cursor.at;
    cursor.at += 1;
    let mut digits = Vec::new();
    loop {
        cursor.blanks();
        let run = cursor.run(|byte| byte.is_ascii_hexdigit());
        digits.extend_from_slice(run.as_bytes());
        if run.is_empty() {
            break;
        }
    }
    if !cursor.take(">") {
        return Err(cursor.wrong("hexadecimal digits or `>`"));
    }
    if digits.len() % 2 == 1 {
        return Err(unexpected("two digits for each byte", "one digit", at));
    }
    let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect();
    let span = document.keep(&bytes);
    Ok(document.push(Object::Data(span), at))
}

/// Parses text, quoted or not. Returns `None` if there is none.
fn scalar(cursor: &mut Cursor<'_>, document: &mut Document) -> Result<Option<Id>, Fault> {
    let at = cursor.at;
    if let Some(quote @ (b'"' | b'\'')) = cursor.peek() {
        cursor.at += 1;
        let span = quoted(cursor, quote, document)?;
        return Ok(Some(document.push(Object::Text(span), at)));
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'/' | b':' | b'.' | b'-');
    let run = cursor.run(plain);
    if run.is_empty() {
        return Ok(None);
    }
    let span = Span { begin: at as u32, end: cursor.at as u32, in_scratch: false };
    Ok(Some(document.push(Object::Text(span), at)))
}

/// Parses text after its opening quote.
fn quoted(cursor: &mut Cursor<'_>, quote: u8, document: &mut Document) -> Result<Span, Fault> {
    let begin = cursor.at;
    let mut from = document.scratch.len();
    let mut escaped = false;
    loop {
        let rest = cursor.rest().as_bytes();
        let len = memchr::memchr2(quote, b'\\', rest);
        let Some(len) = len else { return Err(unexpected("the end of the text", "end of input", cursor.text.len())) };
        let is_end = rest[len] == quote;
        if escaped || !is_end {
            if !escaped {
                from = document.scratch.len();
                escaped = true;
            }
            document.scratch.extend_from_slice(&rest[..len]);
        }
        cursor.at += len + 1;
        if is_end && escaped {
            return Ok(Span { begin: from as u32, end: document.scratch.len() as u32, in_scratch: true });
        }
        if is_end {
            return Ok(Span { begin: begin as u32, end: (cursor.at - 1) as u32, in_scratch: false });
        }
        let letter = escape(cursor)?;
        document.scratch.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// Parses an escape after its backslash.
fn escape(cursor: &mut Cursor<'_>) -> Result<char, Fault> {
    let at = cursor.at - 1;
    let wrong = || (Error::mismatch(ErrorKind::Syntax, "an escape", "another one"), at);
    let Some(first) = cursor.rest().chars().next() else { return Err(cursor.wrong("an escape")) };
    cursor.at += first.len_utf8();
    Ok(match first {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\n' | '"' | '\'' | '\\' => first,
        'U' | 'u' => {
            let unit = unit(cursor).ok_or_else(wrong)?;
            let pair = (0xd800..0xdc00).contains(&unit) && (cursor.take("\\U") || cursor.take("\\u"));
            let units = if pair { vec![unit, self::unit(cursor).ok_or_else(wrong)?] } else { vec![unit] };
            let mut letters = char::decode_utf16(units);
            match (letters.next(), letters.next()) {
                (Some(Ok(letter)), None) => letter,
                _ => return Err(wrong()),
            }
        }
        // The upper half is the NeXTSTEP encoding, which is refused.
        '0'..='7' => {
            let mut value = first.to_digit(8).unwrap_or_default();
            for _ in 0..2 {
                let Some(digit) = cursor.peek().and_then(|byte| char::from(byte).to_digit(8)) else { break };
                value = value * 8 + digit;
                cursor.at += 1;
            }
            char::from_u32(value).filter(char::is_ascii).ok_or_else(wrong)?
        }
        _ => return Err(wrong()),
    })
}

/// Parses four hexadecimal digits.
fn unit(cursor: &mut Cursor<'_>) -> Option<u16> {
    let digits = cursor.rest().get(..4)?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let value = u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    cursor.at += 4;
    Some(value)
}
