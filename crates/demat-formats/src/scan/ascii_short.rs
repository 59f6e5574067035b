//! UTF-8 check for short ASCII.

/// Returns the bytes as text if they are ASCII and at most 32. Otherwise returns `None`, and the caller has to check
/// them in another way.
///
/// ```
/// use demat_formats::scan::ascii_short;
/// assert_eq!(ascii_short(b"Winston_1234"), Some("Winston_1234"));
/// assert_eq!(ascii_short("gr\u{fc}n".as_bytes()), None);
/// assert_eq!(ascii_short(&[b'a'; 33]), None);
/// ```
#[inline(always)]
pub fn ascii_short(bytes: &[u8]) -> Option<&str> {
    let len = bytes.len();
    // Two overlapping words cover up to twice their size.
    let high = match len {
        0..4 => bytes.iter().fold(0, |all, byte| all | u64::from(*byte)),
        4..8 => u64::from(u32::from_ne_bytes(*bytes.first_chunk()?) | u32::from_ne_bytes(*bytes.last_chunk()?)),
        8..16 => u64::from_ne_bytes(*bytes.first_chunk()?) | u64::from_ne_bytes(*bytes.last_chunk()?),
        16..=32 => {
            let both = u128::from_ne_bytes(*bytes.first_chunk()?) | u128::from_ne_bytes(*bytes.last_chunk()?);
            both as u64 | (both >> 64) as u64
        }
        _ => return None,
    };
    // SAFETY: every byte was checked to be below 0x80, so all are ASCII, and ASCII is UTF-8.
    (high & 0x8080_8080_8080_8080 == 0).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}
