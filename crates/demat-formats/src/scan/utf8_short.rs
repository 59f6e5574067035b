//! UTF-8 check for short text beyond ASCII.

use super::prefix::padded8;

/// The highest bit of each byte: zero in ASCII.
const BEYOND: u64 = 0x8080_8080_8080_8080;

/// Returns the bytes as text if they are UTF-8. It is for a few dozen bytes: a vectorised check takes longer to begin.
///
/// Alphabets have characters of two bytes, four of which are checked at once; the scripts of East Asia have characters of
/// three, of which two are.
///
/// ```
/// use demat_formats::scan::utf8_short;
/// assert_eq!(utf8_short("Käse, 語 😀".as_bytes()), Some("Käse, 語 😀"));
/// assert_eq!(utf8_short(b"K\xe4se"), None);
/// ```
#[inline]
pub fn utf8_short(bytes: &[u8]) -> Option<&str> {
    // SAFETY: the check holds for nothing but UTF-8.
    is_utf8(bytes).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// Whether bytes are UTF-8, as table 3-7 of the Unicode Standard has it.
fn is_utf8(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        // Past the end there are zeros. These are ASCII, so that they end no character that lacks a byte.
        let word = padded8(bytes, at);
        let ascii = (word & BEYOND).trailing_zeros() as usize / 8;
        if ascii > 0 {
            at += ascii;
        } else if word & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0 {
            // Four characters of two bytes. Their upper four bits, shifted by one, must not be zero: with 0xFE added, they
            // reach the next byte.
            let upper = word & 0x001E_001E_001E_001E;
            if upper.wrapping_add(0x00FE_00FE_00FE_00FE) & 0x0100_0100_0100_0100 != 0x0100_0100_0100_0100 {
                return false;
            }
            at += 8;
        } else if word & 0xC0_C0F0 == 0x80_80E0 {
            let two = word >> 24;
            let both = two & 0xC0_C0F0 == 0x80_80E0;
            if !is_of_three(word) || both && !is_of_three(two) {
                return false;
            }
            at += if both { 6 } else { 3 };
        } else if word & 0xC0E0 == 0x80C0 {
            if word & 0x1E == 0 {
                return false;
            }
            at += 2;
        } else if word & 0xC0C0_C0F8 == 0x8080_80F0 {
            // From U+10000 to U+10FFFF.
            let upper = (word & 7) << 6 | word >> 8 & 0x3F;
            if !(0x10..0x110).contains(&upper) {
                return false;
            }
            at += 4;
        } else {
            return false;
        }
    }
    true
}

/// Whether three bytes of the right pattern are a character: neither one that needs less bytes, nor a surrogate.
#[inline(always)]
fn is_of_three(word: u64) -> bool {
    let upper = (word & 0xF) << 6 | word >> 8 & 0x3F;
    upper >= 0x20 && upper & 0x3E0 != 0x360
}
