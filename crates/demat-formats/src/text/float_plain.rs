//! Shortest text of common floats: those from 1/16 to 67 million.
//!
//! A float is `sig * 2^(exponent - 52)`. Times `10^k` it is `sig * 5^k`, with a number of bits behind the point that
//! depends on the exponent; in this range all of it is an exact number of 128 bits. Decimals that parse to the same
//! float are within half a step of it, and a step is `5^k` in this scale. `k` is chosen such that a step is less than
//! one and at least a tenth. So at most one integer is near enough, and it has the fewest digits; if none is, the
//! nearest tenth is near enough. Neither can be exactly half a step away, as that is half of an odd number.

use super::eight_digits::text_of;
use crate::scan::{Room, append_parts, sixteen_digits};
use core::hint::select_unpredictable;

/// Constants for one exponent.
#[derive(Clone, Copy)]
struct Scale {
    /// `5^k`, so that in the product with `sig` the point is before the last 64 bits.
    step: u64,
    /// `10^k`.
    one: u64,
    /// The factor that makes sixteen digits of `k`.
    widen: u64,
    /// The factor that makes sixteen digits of a tenth's; zero if there is no room for that.
    widen_tenth: u64,
    /// The number of bits of `sig` behind the point.
    point: u32,
}

/// The lowest exponent, as stored in a float: that of 1/16.
const LOWEST: usize = 1023 - 4;
/// The number of bits behind the point at the lowest exponent; each higher one has one less.
const POINT: u32 = 52 + 4;

static SCALES: [Scale; 30] = {
    let mut scales = [Scale { step: 0, one: 0, widen: 0, widen_tenth: 0, point: 0 }; 30];
    let mut point = POINT;
    while POINT - point < 30 {
        // The smallest `k` for which a step, `10^k / 2^point`, is at least a tenth. It is below 1, so that it fits.
        let mut k = 0_u32;
        while 10_u128.pow(k + 1) < 1 << point {
            k += 1;
        }
        scales[(POINT - point) as usize] = Scale {
            step: 5_u64.pow(k) << (64 - (point - k)),
            one: 10_u64.pow(k),
            widen: 10_u64.pow(16 - k),
            widen_tenth: if k < 16 { 10_u64.pow(15 - k) } else { 0 },
            point,
        };
        point -= 1;
    }
    scales
};

/// Appends the shortest text of a float, and the byte `behind` if there is one. Returns false, and appends nothing, if
/// the float is not in this range.
#[inline(always)]
pub(super) fn append_plain(out: &mut impl Room, number: f64, behind: Option<u8>) -> bool {
    let bits = number.to_bits();
    let mantissa = bits & ((1 << 52) - 1);
    let exponent = (bits >> 52 & 0x7ff) as usize;
    // Below a power of two the steps are half as wide, so powers of two are left to the general algorithm.
    let scale = SCALES.get(exponent.wrapping_sub(LOWEST));
    let (Some(scale), true) = (scale, mantissa != 0) else { return false };
    let sig = mantissa | 1 << 52;
    let scaled = u128::from(sig) * u128::from(scale.step);
    let (whole, rest) = ((scaled >> 64) as u64, scaled as u64);
    let half_step = scale.step / 2;
    let down = rest < half_step;
    let (_, up) = rest.overflowing_add(half_step);
    // The nearest tenth; of two, the even one.
    let tenths = u128::from(rest) * 10;
    let tenth = (tenths >> 64) as u64;
    let (_, more) = (tenths as u64).overflowing_add((1 << 63) - 1 + (tenth & 1));
    // This choice is unpredictable: a branch would be wrong every other time.
    let tenth = select_unpredictable(down | up, 0, tenth + u64::from(more));
    // The integer part does not change, unless the fraction was rounded up to one.
    let before = sig >> (scale.point & 63);
    let fraction = whole + u64::from(up) - before * scale.one;
    let carry = fraction == scale.one;
    let (before, fraction) = if carry { (before + 1, 0) } else { (before, fraction) };
    let digits = fraction * scale.widen + tenth * scale.widen_tenth;
    let (digits, len) = sixteen_digits((digits / 100_000_000) as u32, (digits % 100_000_000) as u32);
    let len = if scale.widen == 1 && tenth != 0 { 17 } else { len.max(1) };
    let (whole, whole_len) = text_of(before as u32);
    let sign = (bits >> 63 != 0).then_some(b'-');
    append_parts(out, sign, (whole.to_le_bytes(), whole_len), (digits, b'0' + tenth as u8, len), behind);
    true
}
