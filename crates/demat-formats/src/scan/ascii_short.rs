//! Short texts that are ASCII.

/// The bytes as text, where they are ASCII, and few: of more than 32, and of others, whoever asks has to find out in another way.
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
    // Two words that overlap have all bytes of up to twice their size.
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
    // SAFETY: every byte was looked at and is below 0x80, and what is ASCII is UTF-8.
    (high & 0x8080_8080_8080_8080 == 0).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}
