//! The parameters of a header's value: `form-data; name="a"; filename="b"`.

use percent_encoding::percent_decode_str;

/// The maximum number of parameters.
const MOST: usize = 32;

/// Parses parameters, each behind a semicolon. Names are in lower case. Returns `None` if they are malformed, or one is
/// repeated.
///
/// In quotes, a backslash escapes a quote or a backslash, and stands for itself otherwise, as in the paths that old
/// browsers send.
pub(super) fn parameters(text: &str) -> Option<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut rest = text.trim_matches([' ', '\t']);
    rest = rest.strip_prefix(';').unwrap_or(rest);
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let name = name.trim_matches([' ', '\t']).to_ascii_lowercase();
        if name.is_empty() || !name.bytes().all(is_token) {
            return None;
        }
        let (value, after) = if let Some(quoted) = after.strip_prefix('"') {
            unquoted(quoted)?
        } else {
            let end = after.find([';', ' ', '\t']).unwrap_or(after.len());
            let (value, after) = after.split_at(end);
            if value.is_empty() || !value.bytes().all(is_token) {
                return None;
            }
            (value.to_string(), after)
        };
        // Each is compared with all before.
        if found.len() == MOST || found.iter().any(|(other, _)| *other == name) {
            return None;
        }
        found.push((name, value));
        let after = after.trim_start_matches([' ', '\t']);
        rest = if after.is_empty() { "" } else { after.strip_prefix(';')? };
        rest = rest.trim_matches([' ', '\t']);
    }
    Some(found)
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Reads up to the closing quote. Returns the text, and what follows.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut own = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return Some((own, &text[at + 1..])),
            '\\' => match chars.next_if(|(_, next)| matches!(next, '"' | '\\')) {
                Some((_, next)) => own.push(next),
                None => own.push(char),
            },
            _ if char.is_control() => return None,
            _ => own.push(char),
        }
    }
    None
}

/// Decodes the name of a field or a file as browsers encode it: `%22`, `%0D` and `%0A`, and nothing else.
pub(super) fn from_browser(text: &str) -> String {
    if text.contains('%') {
        text.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n")
    } else {
        text.to_string()
    }
}

/// Decodes an extended value (RFC 8187): `UTF-8''%e2%82%ac`.
pub(super) fn extended(text: &str) -> Option<String> {
    let (charset, rest) = text.split_once('\'')?;
    let (_, value) = rest.split_once('\'')?;
    if !charset.eq_ignore_ascii_case("utf-8") {
        return None;
    }
    percent_decode_str(value).decode_utf8().ok().map(Into::into)
}
