//! The elements of an XML document.

use super::super::read::is_allowed;
use super::fault::no_character;
use super::table::Scalar;
use demat_core::Result;
use demat_core::scalar::base64;

pub(super) const HEADER: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
<plist version=\"1.0\">\n";
pub(super) const FOOTER: &[u8] = b"</plist>\n";

fn indent(buffer: &mut Vec<u8>, depth: usize) {
    buffer.resize(buffer.len() + depth, b'\t');
}

/// Writes a line with a tag.
fn line(buffer: &mut Vec<u8>, depth: usize, tag: &str) {
    indent(buffer, depth);
    buffer.extend_from_slice(tag.as_bytes());
    buffer.push(b'\n');
}

/// Writes the opening tag of a container with children.
pub(super) fn open(buffer: &mut Vec<u8>, depth: usize, is_dict: bool) {
    line(buffer, depth, if is_dict { "<dict>" } else { "<array>" });
}

/// Writes the closing tag of a container.
pub(super) fn close(buffer: &mut Vec<u8>, depth: usize, is_dict: bool, is_filled: bool) {
    let tag = match (is_dict, is_filled) {
        (true, true) => "</dict>",
        (true, false) => "<dict/>",
        (false, true) => "</array>",
        (false, false) => "<array/>",
    };
    line(buffer, depth, tag);
}

/// Returns whether a byte is a character that needs no escape and is allowed.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=0x7e) && !matches!(byte, b'&' | b'<' | b'>')
}

/// Writes an element with escaped text.
pub(super) fn element(buffer: &mut Vec<u8>, depth: usize, name: &str, text: &str) -> Result<()> {
    indent(buffer, depth);
    for part in ["<", name, ">"] {
        buffer.extend_from_slice(part.as_bytes());
    }
    let mut plain = 0;
    let mut at = 0;
    loop {
        // Most text is plain ASCII, which is found byte by byte.
        at += text.as_bytes()[at..].iter().take_while(|byte| is_plain(**byte)).count();
        let Some(letter) = text[at..].chars().next() else { break };
        at += letter.len_utf8();
        let escaped = match letter {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            // An XML reader would convert it to a line feed.
            '\r' => "&#13;",
            letter if is_allowed(letter) => continue,
            letter => return Err(no_character(letter)),
        };
        buffer.extend_from_slice(&text.as_bytes()[plain..at - letter.len_utf8()]);
        buffer.extend_from_slice(escaped.as_bytes());
        plain = at;
    }
    buffer.extend_from_slice(&text.as_bytes()[plain..]);
    for part in ["</", name, ">\n"] {
        buffer.extend_from_slice(part.as_bytes());
    }
    Ok(())
}

/// Writes the element of a scalar.
pub(super) fn scalar(buffer: &mut Vec<u8>, depth: usize, scalar: Scalar<'_>) -> Result<()> {
    match scalar {
        Scalar::Bool(value) => {
            line(buffer, depth, if value { "<true/>" } else { "<false/>" });
            Ok(())
        }
        Scalar::Int(value) => element(buffer, depth, "integer", &value.to_string()),
        Scalar::Real(bits) => element(buffer, depth, "real", &real(f64::from_bits(bits))),
        // Only the binary form has dates in seconds.
        Scalar::Date(_) => Ok(()),
        Scalar::DateText(text) => element(buffer, depth, "date", text),
        Scalar::Text(text) => element(buffer, depth, "string", text),
        Scalar::Data(bytes) => {
            let mut text = String::new();
            base64::encode(bytes, &mut text);
            element(buffer, depth, "data", &text)
        }
    }
}

/// Returns the shortest text that parses as the same float.
fn real(value: f64) -> String {
    if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "+infinity".to_owned() } else { "-infinity".to_owned() }
    } else {
        format!("{value:?}")
    }
}
