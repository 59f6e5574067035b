//! Formats sixteen digits at a time.

/// Returns the digits of two numbers below 100,000,000, one after the other, eight of each; and the number of digits up
/// to the last one that is not zero, or 0 if all are.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn sixteen_digits(first: u32, last: u32) -> ([u8; 16], usize) {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi8, _mm_cmpeq_epi8, _mm_movemask_epi8, _mm_mul_epu32, _mm_mulhi_epu16, _mm_mullo_epi16,
        _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_set1_epi16, _mm_set1_epi64x, _mm_setzero_si128,
        _mm_slli_epi16, _mm_slli_epi32, _mm_slli_epi64, _mm_srli_epi16, _mm_srli_epi64, _mm_sub_epi16, _mm_sub_epi64,
    };
    debug_assert!(first < 100_000_000 && last < 100_000_000);
    // SAFETY: every x86_64 has SSE2, and each vector has the size of the type that it is converted to.
    let (digits, zeros) = unsafe {
        // Each step divides by the rounded reciprocal, which is exact for numbers of this size, and puts the remainder
        // behind the quotient: eight digits become four and four, four become two and two, two become one and one.
        let eights = _mm_set_epi64x(i64::from(last), i64::from(first));
        let upper = _mm_srli_epi64::<45>(_mm_mul_epu32(eights, _mm_set1_epi64x(0xd1b7_1759)));
        let lower = _mm_sub_epi64(eights, _mm_mul_epu32(upper, _mm_set1_epi64x(10_000)));
        let fours = _mm_or_si128(upper, _mm_slli_epi64::<32>(lower));
        let upper = _mm_srli_epi16::<3>(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)));
        let lower = _mm_sub_epi16(fours, _mm_mullo_epi16(upper, _mm_set1_epi16(100)));
        let pairs = _mm_or_si128(upper, _mm_slli_epi32::<16>(lower));
        let upper = _mm_mulhi_epu16(pairs, _mm_set1_epi16(6554));
        let lower = _mm_sub_epi16(pairs, _mm_mullo_epi16(upper, _mm_set1_epi16(10)));
        let ones = _mm_or_si128(upper, _mm_slli_epi16::<8>(lower));
        let text = _mm_add_epi8(ones, _mm_set1_epi8(b'0'.cast_signed()));
        let zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(ones, _mm_setzero_si128()));
        (core::mem::transmute::<__m128i, [u8; 16]>(text), zeros)
    };
    // A bit for each digit other than zero, and one below all of them.
    let others = (!zeros.cast_unsigned() & 0xffff) << 1 | 1;
    (digits, others.ilog2() as usize)
}

/// As [`sixteen_digits`], with plain arithmetic.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
pub(super) fn sixteen_digits_one_by_one(first: u32, last: u32) -> ([u8; 16], usize) {
    let mut digits = [b'0'; 16];
    let mut number = u64::from(first) * 100_000_000 + u64::from(last);
    for digit in digits.iter_mut().rev() {
        *digit += (number % 10) as u8;
        number /= 10;
    }
    (digits, digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1))
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use sixteen_digits_one_by_one as sixteen_digits;
