use crate::scan::ascii_short;

/// The bytes as text; short ones without the setting up that long ones gain by.
#[inline]
pub(super) fn utf8(bytes: &[u8]) -> Option<&str> {
    if let Some(text) = ascii_short(bytes) {
        return Some(text);
    }
    if bytes.len() < 64 { core::str::from_utf8(bytes).ok() } else { simdutf8::basic::from_utf8(bytes).ok() }
}
