//! Encodes any text as the name of an element or attribute. Characters that names can't have are written `_x0020_`, as
//! in ISO 9075-14 and .NET.

use super::scan::chars::{begins_name, is_in_name};
use core::fmt::Write;
use std::borrow::Cow;

/// The key of an element's text in a map.
pub(super) const TEXT: &str = "#text";
/// The key of an element's own name in a map, where names are part of the value.
pub(super) const NAME: &str = "#name";

/// Returns a name for a text. A colon between two names stays only if `prefixed` says so.
pub(super) fn encode(text: &str, prefixed: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let colon = text.find(':').filter(|colon| {
        let (prefix, local) = (&text[..*colon], &text[colon + 1..]);
        is_plain(prefix) && is_plain(local) && prefixed(prefix)
    });
    if is_plain(text) || colon.is_some() {
        return Cow::Borrowed(text);
    }
    let mut name = String::with_capacity(text.len() + 8);
    if text.is_empty() {
        // No character has this encoding, so it is free for the empty text.
        name.push_str("_x_");
    }
    for (at, char) in text.char_indices() {
        let fits = char != ':' && if at == 0 { begins_name(char) } else { is_in_name(char) };
        let escaped = char == '_' && looks_encoded(&text[at..]);
        if fits && !escaped {
            name.push(char);
        } else {
            // Writing to a text never fails.
            let _ = write!(name, "_x{:04X}_", u32::from(char));
        }
    }
    Cow::Owned(name)
}

/// Whether the text is a name without a colon that is decoded as itself.
fn is_plain(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first != ':' && begins_name(first))
        && chars.all(|char| char != ':' && is_in_name(char))
        && !text.match_indices('_').any(|(at, _)| looks_encoded(&text[at..]))
}

/// Whether a text begins with an encoded character.
fn looks_encoded(text: &str) -> bool {
    text.starts_with("_x_") || encoded(text).is_some()
}

/// Returns the encoded character at the start of a text, and the length of its encoding.
fn encoded(text: &str) -> Option<(char, usize)> {
    let inside = text.strip_prefix("_x")?;
    let len = inside.find('_').filter(|len| (4..=8).contains(len))?;
    let digits = &inside[..len];
    let is_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let char = u32::from_str_radix(digits, 16).ok().filter(|_| is_digits).and_then(char::from_u32)?;
    Some((char, len + 3))
}

/// Returns the text that a name encodes.
pub(super) fn decode(name: &str) -> Cow<'_, str> {
    if name == "_x_" {
        return Cow::Borrowed("");
    }
    if !name.contains("_x") {
        return Cow::Borrowed(name);
    }
    let mut text = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find("_x") {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (char, len) = encoded(rest).unwrap_or(('_', 1));
        text.push(char);
        rest = &rest[len..];
    }
    text.push_str(rest);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn any_text_comes_back() {
        let texts = [
            "",
            "a",
            "a b",
            "1",
            "-",
            "_x0020_",
            "_x_",
            "_",
            "__",
            "_x",
            "x:y",
            ":",
            "é",
            "\u{1F600}",
            "_x1F600_",
            "@a",
            "#text",
            "a_x0041_b",
            "_x00_x0020_",
        ];
        for text in texts {
            let name = encode(text, |_| false);
            assert!(super::is_plain(&encode("n", |_| false)) && !name.contains(':'), "{name}");
            assert_eq!(decode(&name), text, "{name}");
        }
        assert_eq!(encode("due date", |_| false), "due_x0020_date");
        assert_eq!(encode("dc:title", |prefix| prefix == "dc"), "dc:title");
        assert_eq!(encode("dc:title", |_| false), "dc_x003A_title");
        assert_eq!(decode("_xyz_"), "_xyz_");
    }
}
