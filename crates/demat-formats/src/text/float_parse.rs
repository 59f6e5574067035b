//! Converts decimal text to binary floating point.

/// Returns the `f64` nearest to a decimal number, with ties to even, as IEEE 754 requires.
///
/// The caller has checked the syntax, for example with [`scan_number`](super::scan_number()), since JSON and CSV accept
/// different forms. A number that is too large becomes infinity, for the caller to refuse; one that is too small
/// becomes zero with its sign. Returns `None` for text that is no number, including the names of infinity and NaN.
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

/// Returns the `f32` nearest to a decimal number; otherwise as [`parse_f64`].
///
/// This may differ from the nearest `f32` to the nearest `f64`, which is rounded twice.
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
    // All numbers end with a digit. Of the other texts that the crate accepts, only those with a plus sign do.
    if !text.last()?.is_ascii_digit() || text[0] == b'+' {
        return None;
    }
    fast_float2::parse(text).ok()
}
