//! The next 8 or 16 bytes as one number.

/// Returns the 8 bytes at `from`, the first of them lowest; `None` if fewer are left.
///
/// ```
/// use demat_formats::scan::prefix8;
/// assert_eq!(prefix8(b"-12345678", 1), Some(u64::from_le_bytes(*b"12345678")));
/// assert_eq!(prefix8(b"-12345678", 2), None);
/// ```
#[inline(always)]
pub fn prefix8(bytes: &[u8], from: usize) -> Option<u64> {
    bytes.get(from..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

/// Returns the 16 bytes at `from`, the first of them lowest; `None` if fewer are left.
///
/// ```
/// use demat_formats::scan::prefix16;
/// assert_eq!(prefix16(b"{\"name\":\"Demat\"}", 0), Some(u128::from_le_bytes(*b"{\"name\":\"Demat\"}")));
/// assert_eq!(prefix16(b"short", 0), None);
/// ```
#[inline(always)]
pub fn prefix16(bytes: &[u8], from: usize) -> Option<u128> {
    bytes.get(from..)?.first_chunk().map(|chunk| u128::from_le_bytes(*chunk))
}

/// Returns the 8 bytes at `from`, the first of them lowest, with zeros for those past the end.
///
/// ```
/// use demat_formats::scan::padded8;
/// assert_eq!(padded8(b"abc", 1), u64::from_le_bytes(*b"bc\0\0\0\0\0\0"));
/// assert_eq!(padded8(b"abc", 9), 0);
/// ```
#[inline(always)]
pub fn padded8(bytes: &[u8], from: usize) -> u64 {
    let rest = bytes.get(from..).unwrap_or_default();
    match rest.first_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => padded_short(rest),
    }
}

/// Returns the 16 bytes at `from`, the first of them lowest, with zeros for those past the end.
///
/// ```
/// use demat_formats::scan::padded16;
/// assert_eq!(padded16(b"abc", 1), u128::from(u16::from_le_bytes(*b"bc")));
/// ```
#[inline(always)]
pub fn padded16(bytes: &[u8], from: usize) -> u128 {
    let rest = bytes.get(from..).unwrap_or_default();
    if let Some(chunk) = rest.first_chunk() {
        return u128::from_le_bytes(*chunk);
    }
    if rest.len() >= 4 { padded_four_or_more(rest) } else { u128::from(padded_short(rest)) }
}

/// Returns 4 to 15 bytes as a number, with four overlapping loads and no branch: the lengths of strings are
/// unpredictable.
///
/// From 8 bytes on, the first two loads are the first eight bytes and the last two the last eight. Below that, the
/// first two are both the first four, and the last two the last four. Overlapping parts are the same bytes, so all can
/// be combined with a bitwise or.
#[inline(always)]
fn padded_four_or_more(rest: &[u8]) -> u128 {
    let len = rest.len();
    debug_assert!((4..16).contains(&len));
    let step = len / 8 * 4;
    let at = len - 4 - step;
    let load = |at: usize| {
        debug_assert!(at + 4 <= len);
        // SAFETY: `4 <= len < 16`, so `step` is 0, or 4 where `len >= 8`. The loads are at 0, at `step <= len - 4`, at
        // `at = len - 4 - step`, which is not negative, and at `at + step = len - 4`: each has its four bytes inside.
        u64::from(u32::from_le_bytes(unsafe { rest.as_ptr().add(at).cast::<[u8; 4]>().read() }))
    };
    let first = load(0) | load(step) << (8 * step);
    let last = load(at) | load(at + step) << (8 * step);
    // `last` belongs at byte `at`, which is below 8: a shift of 128 bits by less than 64, spelled out to be cheap.
    let low = first | last << (8 * at);
    let high = last >> 1 >> (63 - 8 * at);
    u128::from(low) | u128::from(high) << 64
}

/// Returns fewer than 8 bytes as a number. A copy of unknown length would be a call; these are three branches and a few
/// overlapping loads.
#[inline]
fn padded_short(rest: &[u8]) -> u64 {
    let len = rest.len();
    match (rest.first_chunk(), rest.last_chunk(), rest) {
        (Some(low), Some(high), _) => {
            u64::from(u32::from_le_bytes(*low)) | u64::from(u32::from_le_bytes(*high)) << (8 * (len - 4))
        }
        // For one to three bytes, these are all: the first, the middle and the last.
        (_, _, [first, .., last]) => {
            u64::from(*first) | u64::from(rest[len / 2]) << (8 * (len / 2)) | u64::from(*last) << (8 * (len - 1))
        }
        (_, _, [only]) => u64::from(*only),
        _ => 0,
    }
}
