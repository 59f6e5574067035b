//! Eight digits of text in one register.
//!
//! A word of eight bytes, the first lowest, is treated as eight small numbers side by side. The arithmetic never
//! overflows a lane into the next; each function says why.

const ZEROS: u64 = u64::from_ne_bytes([b'0'; 8]);

/// Returns the number of digits before the first of the eight bytes that is none.
#[inline(always)]
pub(super) fn leading_digits(word: u64) -> usize {
    let values = word ^ ZEROS;
    // A digit's value plus 0x76 stays below 0x80; any other value below 0x80 does not, and those above are marked
    // already. A sum can carry only into later bytes, and only from a marked byte, so the first mark is right.
    let marks = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    marks.trailing_zeros() as usize / 8
}

/// Returns the value of the first `count` bytes, which must be digits; `count < 8`.
#[inline(always)]
pub(super) fn value_of(word: u64, count: usize) -> u64 {
    debug_assert!(count < 8);
    // Shifts out the bytes that follow, and zeros in before the digits. In two steps, since a shift by 64 is not
    // possible.
    join((word ^ ZEROS) << (56 - 8 * count) << 8)
}

/// Returns the value of eight digits.
#[inline(always)]
pub(super) fn value_of_eight(word: u64) -> u64 {
    join(word ^ ZEROS)
}

/// Returns the value of the first `count` of sixteen bytes, which must be digits; `count` is 1 to 16.
#[inline(always)]
pub(super) fn value_of_sixteen(digits: [u8; 16], count: usize) -> u64 {
    debug_assert!((1..=16).contains(&count));
    let zeros = u128::from_ne_bytes([b'0'; 16]);
    let values = (u128::from_le_bytes(digits) ^ zeros) << (128 - 8 * count);
    join(values as u64) * 100_000_000 + join((values >> 64) as u64)
}

/// Combines digit values to a number: digits to pairs, pairs to fours, fours to eight.
///
/// Each step multiplies by `1 + base << width`, which leaves `base * this + next` in every upper half of a lane pair;
/// it is at most 99, 9,999 and 99,999,999, so it fits its lane of 8, 16 and 32 bits.
#[inline(always)]
fn join(values: u64) -> u64 {
    let pairs = values.wrapping_mul(1 + (10 << 8)) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(1 + (100 << 16)) >> 16 & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(1 + (10_000 << 32)) >> 32
}

/// Returns the eight digits of a number below 100,000,000 as values, the first lowest: the inverse of [`join`].
///
/// It divides by multiplying by a rounded reciprocal: 5243/2^19 is exact for quotients of numbers below 10,000 by 100,
/// 103/2^10 for those below 100 by 10, and neither product leaves its lane.
#[inline(always)]
fn split(number: u32) -> u64 {
    debug_assert!(number < 100_000_000);
    let fours = u64::from(number / 10_000) | u64::from(number % 10_000) << 32;
    let hundreds = (fours * 5243) >> 19 & 0x0000_007f_0000_007f;
    let pairs = hundreds | (fours - hundreds * 100) << 16;
    let tens = (pairs * 103) >> 10 & 0x000f_000f_000f_000f;
    tens | (pairs - tens * 10) << 8
}

/// Returns the text of a number below 100,000,000 with all eight digits.
#[inline(always)]
pub(super) fn text_of_eight(number: u32) -> u64 {
    split(number) | ZEROS
}

/// Returns the text of a number below 100,000,000 without leading zeros, and its length. The bytes past it are zeros.
///
/// It formats three digits at a time with tables of 4 KiB. That is half the instructions of [`split`], in a shorter
/// dependency chain. The first three digits alone determine the length, since the position of the next output waits for
/// it.
#[inline(always)]
pub(super) fn text_of(number: u32) -> (u64, usize) {
    debug_assert!(number < 100_000_000);
    if number < 1000 {
        return first_of(number);
    }
    let (upper, last) = (number / 1000, u64::from(THREE[number as usize % 1000]));
    if upper < 1000 {
        let (text, len) = first_of(upper);
        return (text | last << (8 * len), len + 3);
    }
    let then = u64::from(THREE[upper as usize % 1000]) | last << 24;
    let (text, len) = first_of(upper / 1000);
    (text | then << (8 * len), len + 6)
}

/// Returns the text of a number below 1,000 and its length.
#[inline(always)]
fn first_of(number: u32) -> (u64, usize) {
    let text = SMALL[number as usize % 1024];
    (u64::from(text & 0xff_ffff), (text >> 24) as usize)
}

/// The texts of the numbers below 1,000, the first digit lowest; the length is in the highest byte. The rest is
/// padding.
static SMALL: [u32; 1024] = {
    let mut texts = [0; 1024];
    let mut number = 0;
    while number < 1000 {
        let (mut text, mut left, mut len) = (0, number as u32, 0);
        while left > 0 || len == 0 {
            text = text << 8 | (b'0' as u32 + left % 10);
            left /= 10;
            len += 1;
        }
        texts[number] = text | len << 24;
        number += 1;
    }
    texts
};

/// The same with leading zeros: three digits each.
static THREE: [u32; 1000] = {
    let mut texts = [0; 1000];
    let mut number = 0;
    while number < 1000 {
        let left = number as u32;
        let digits = (left / 100) | (left / 10 % 10) << 8 | (left % 10) << 16;
        texts[number] = digits | 0x0030_3030;
        number += 1;
    }
    texts
};
