//! Decimal text to binary floating point.

/// The `f64` nearest to a decimal number, with ties to even, as IEEE 754 wants it.
///
/// The text is one whose syntax was checked, such as by [`scan_number`](super::scan_number()), since JSON and CSV differ
/// in what they let pass. Too big a number gives an infinity, for the caller to refuse; too small a one gives zero, and
/// keeps its sign. `None` is for text that is no number at all, the names of infinity and NaN among it.
///
/// ```
/// use demat_formats::text::parse_f64;
/// assert_eq!(parse_f64(b"0.1"), Some(0.1));
/// assert_eq!(parse_f64(b"-1e400"), Some(f64::NEG_INFINITY));
/// assert_eq!((parse_f64(b"inf"), parse_f64(b"1x")), (None, None));
/// ```
#[inline]
pub fn parse_f64(text: &[u8]) -> Option<f64> {
    parse(text)
}

/// The `f32` nearest to a decimal number; otherwise as [`parse_f64`].
///
/// It is not the same as the nearest `f32` to the nearest `f64`: that would round twice.
///
/// ```
/// use demat_formats::text::parse_f32;
/// assert_eq!(parse_f32(b"16777217.000000001"), Some(16_777_218.0));
/// ```
#[inline]
pub fn parse_f32(text: &[u8]) -> Option<f32> {
    parse(text)
}

#[inline]
fn parse<F: fast_float2::FastFloat>(text: &[u8]) -> Option<F> {
    // All numbers end with a digit, and none of what else the crate would take does but a plus sign's.
    if !text.last()?.is_ascii_digit() || text[0] == b'+' {
        return None;
    }
    fast_float2::parse(text).ok()
}
