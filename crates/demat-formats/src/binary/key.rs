//! Compares the next key with the one that is expected.

use crate::scan::prefix16;
use demat_core::KeyPattern;

/// Returns the end of the key at `at`, if it is this one and the length stands in its first byte, in the format's usual
/// form. `SHORT` is the first byte of an empty text, `LONGEST` the length of the longest one.
///
/// It does not look at other forms of the key, so `None` says nothing about it.
#[inline(always)]
pub(crate) fn end_of_key<const SHORT: u8, const LONGEST: usize>(
    bytes: &[u8],
    at: usize,
    key: &str,
    token: &KeyPattern,
) -> Option<usize> {
    let len = key.len();
    // An empty key is that of a field for unknown keys.
    if len == 0 || len > LONGEST {
        return None;
    }
    let first = SHORT | len as u8;
    if token.whole
        && let Some(word) = prefix16(bytes, at)
    {
        // The pattern has a quote before the key, where the format has the length, and two bytes after it.
        let mask = token.mask >> 16;
        let pattern = (token.head & mask & !0xff) | u128::from(first);
        return (word & mask == pattern).then_some(at + 1 + len);
    }
    let found = bytes.get(at..)?.get(..=len)?;
    (found[0] == first && &found[1..] == key.as_bytes()).then_some(at + 1 + len)
}
