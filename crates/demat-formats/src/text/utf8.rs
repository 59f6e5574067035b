use crate::scan::{ascii_short, utf8_short};

/// Returns the bytes as text if they are UTF-8. Short ASCII takes a path without the setup cost of the vectorised
/// check.
#[inline]
pub(crate) fn utf8(bytes: &[u8]) -> Option<&str> {
    if let Some(text) = ascii_short(bytes) {
        return Some(text);
    }
    if bytes.len() < 64 { utf8_short(bytes) } else { simdutf8::basic::from_utf8(bytes).ok() }
}
