//! Converts a decimal of up to 19 digits to the nearest binary64.
//!
//! The method is that of Eisel and Lemire ("Number Parsing at a Gigabyte per Second", 2021): one multiplication by a
//! power of five known to 128 bits, and a second one if the first does not settle the bits. Here it is restricted to
//! powers for which exactness is easily proved, which are those of nearly all numbers:
//!
//! * Powers from 0 to 55 fit 128 bits, so the product is exact except for the bits cut off below.
//! * The reciprocals of those from 1 to 27 are rounded up, so a product by one is too large by less than one unit of
//!   its second word. It could be wrong only if the exact product were closer than that below a number that ends where
//!   the first word's last nine bits begin. The distance between the two is a multiple of 2^128 divided by the power,
//!   which is below 2^63: at least 2^65, in the units of the third word, and the error is below 2^64.
//! * A tie (half way between two floats) is exact in 54 bits: it needs a product with no more of them, so a power of 23
//!   at most, or a reciprocal of 4 at most, which must divide the number. A product of the first kind has only zeros
//!   below the 54 bits. One of the second kind would have, were the reciprocal exact, and is too large by less than one
//!   unit of the second word; any number that is no tie differs from one by more than 2^54 of these. So in both cases
//!   the second word is 0, and it is so for no other number.

/// The smallest and the largest power of ten in the table.
const SMALLEST: i32 = -27;
const LARGEST: i32 = 55;

/// Powers of five as 128 bits, the highest of which is set: the upper half and the lower.
static POWERS: [(u64, u64); (LARGEST - SMALLEST + 1) as usize] = {
    let mut powers = [(0, 0); (LARGEST - SMALLEST + 1) as usize];
    let mut index = 0;
    while index < powers.len() {
        let power = index.cast_signed() as i32 + SMALLEST;
        let bits =
            if power < 0 { reciprocal(5_u64.pow(power.unsigned_abs())) } else { 5_u128.pow(power.cast_unsigned()) };
        let bits = bits << bits.leading_zeros();
        powers[index] = ((bits >> 64) as u64, bits as u64);
        index += 1;
    }
    powers
};

/// Returns 128 bits of `1 / divisor`, rounded up: long division of a power of two, bit by bit.
const fn reciprocal(divisor: u64) -> u128 {
    let (mut quotient, mut rest) = (0_u128, 1_u128);
    // The division of a power of two by an odd number always leaves a remainder, so the last step sets the quotient's
    // highest bit.
    while quotient >> 127 == 0 {
        rest <<= 1;
        quotient <<= 1;
        if rest >= divisor as u128 {
            rest -= divisor as u128;
            quotient |= 1;
        }
    }
    quotient + 1
}

/// Returns the `f64` nearest to `number * 10^power`, with ties to even; `None` for powers beyond the table.
#[inline(always)]
pub(super) fn nearest_f64(number: u64, power: i32) -> Option<f64> {
    let &(upper, lower) = POWERS.get(power.wrapping_sub(SMALLEST).cast_unsigned() as usize)?;
    if number == 0 {
        return Some(0.0);
    }
    let zeros = number.leading_zeros();
    let number = number << zeros;
    let first = u128::from(number) * u128::from(upper);
    let (mut high, mut low) = ((first >> 64) as u64, first as u64);
    if high & 0x1ff == 0x1ff {
        // The product with the lower half may carry into the significant bits.
        let (sum, carry) = low.overflowing_add(((u128::from(number) * u128::from(lower)) >> 64) as u64);
        low = sum;
        high += u64::from(carry);
    }
    // The highest bit of the product is its first or its second. From there on, take 54 bits, one more than a float
    // has.
    let second = 1 - (high >> 63) as u32;
    let shift = 10 - second;
    let mut bits = high >> shift;
    if low == 0 && bits & 3 == 1 && bits << shift == high && (-4..=23).contains(&power) {
        bits -= 1; // a tie above an even number: down
    }
    // The number of integer bits of 10^power, less one: 217706 / 2^16 is the logarithm to base 2, closely enough.
    let exponent = ((217_706 * power) >> 16) + 64 - (zeros + second).cast_signed();
    // The float's highest bit, which is not stored, adds one to the exponent; a carry from rounding adds another.
    let biased = u64::from((exponent + 1022).cast_unsigned());
    Some(f64::from_bits((biased << 52) + ((bits + (bits & 1)) >> 1)))
}
