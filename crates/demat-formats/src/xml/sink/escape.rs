//! Escapes text and the values of attributes.

use super::super::scan::chars::{is_char, is_space};
use super::fault::no_char;
use crate::scan::xml_escape;
use demat_core::Result;

/// The kind of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The only content of an element.
    Text,
    /// Text that may be beside elements: white space at its ends would be read as indentation.
    Beside,
    Attribute,
}

/// Writes text with escapes.
///
/// # Errors
/// If XML has no form for a character.
pub(super) fn write(out: &mut Vec<u8>, text: &str, place: Place) -> Result<()> {
    let bytes = text.as_bytes();
    let last = bytes.len().wrapping_sub(1);
    let mut from = 0;
    // Spaces at the ends are not in the class.
    let mut next = if place == Place::Beside { 0 } else { xml_escape(bytes, 0) };
    while let Some(byte) = bytes.get(next) {
        let at = next;
        next = match place {
            Place::Beside if at < last => xml_escape(bytes, at + 1).min(last),
            _ => xml_escape(bytes, at + 1),
        };
        let escape: &[u8] = match byte {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'\r' => b"&#13;",
            b'"' if place == Place::Attribute => b"&quot;",
            b'\n' if place == Place::Attribute => b"&#10;",
            b'\t' if place == Place::Attribute => b"&#9;",
            own if place == Place::Beside && (at == 0 || at == last) && is_space(*own) => match own {
                b'\n' => b"&#10;",
                b'\t' => b"&#9;",
                _ => b"&#32;",
            },
            0..0x20 | 0xEF => {
                if let Some(char) = text.get(at..).and_then(|rest| rest.chars().next()).filter(|char| !is_char(*char)) {
                    return Err(no_char(char));
                }
                continue;
            }
            _ => continue,
        };
        out.extend_from_slice(&bytes[from..at]);
        out.extend_from_slice(escape);
        from = at + 1;
    }
    out.extend_from_slice(bytes.get(from..).unwrap_or_default());
    Ok(())
}
