//! The **normal form** of a decimal: ± 0.d₁d₂d₃… × 10ᵖ, where neither the first digit nor the last is a zero.
//!
//! Every number but zero has exactly one, so numbers are equal when their normal forms are. It is a view of the text:
//! nothing is copied. The point `p` is the exponent, which may have a million digits, plus a shift, which is no longer
//! than the text. They are never added up; see [`Exponent`].

use core::cmp::Ordering;
use core::fmt::Write;
use core::hash::Hasher;

/// A decimal text, taken apart.
pub(super) struct Normal<'t> {
    negative: bool,
    /// The significant digits are those of `whole`, then those of `fraction`. Zero has none.
    whole: &'t [u8],
    fraction: &'t [u8],
    exponent: Exponent<'t>,
    /// `p` is the exponent and this.
    shift: i128,
}

impl<'t> Normal<'t> {
    /// Takes apart what `Decimal::parse` let pass.
    pub(super) fn of(text: &'t [u8]) -> Normal<'t> {
        let (negative, size) = sign(text);
        let (number, exponent) = cut(size, |byte| matches!(byte, b'e' | b'E'));
        let (mut whole, mut fraction) = cut(number, |byte| byte == b'.');
        let shift;
        if whole == b"0" {
            // Nothing significant yet: each zero behind the point shifts it one to the left.
            whole = &[];
            let zeros = fraction.iter().take_while(|digit| **digit == b'0').count();
            fraction = &fraction[zeros..];
            shift = -(zeros as i128);
        } else {
            shift = whole.len() as i128;
        }
        fraction = without_trailing_zeros(fraction);
        if fraction.is_empty() {
            whole = without_trailing_zeros(whole);
        }
        Normal { negative, whole, fraction, exponent: Exponent::of(exponent), shift }
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.iter().chain(self.fraction).copied()
    }

    /// -1, 0 or 1. A zero has no sign.
    fn signum(&self) -> i8 {
        match (self.whole.is_empty() && self.fraction.is_empty(), self.negative) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => -1,
        }
    }

    /// The numeric order.
    pub(super) fn compare(&self, other: &Normal<'_>) -> Ordering {
        match (self.signum(), other.signum()) {
            (0, 0) => Ordering::Equal,
            (1, 1) => self.compare_sizes(other),
            (-1, -1) => other.compare_sizes(self),
            (one, two) => one.cmp(&two),
        }
    }

    /// The order of two numbers that are not zero, signs aside: the first digit is not a zero, so the point decides,
    /// and then the digits as in a dictionary.
    fn compare_sizes(&self, other: &Normal<'_>) -> Ordering {
        let points = self.exponent.minus(&other.exponent) + self.shift;
        points.cmp(&other.shift).then_with(|| self.digits().cmp(other.digits()))
    }

    /// Feeds what is the same for equal numbers.
    pub(super) fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_i8(self.signum());
        if self.signum() != 0 {
            self.digits().for_each(|digit| state.write_u8(digit));
            state.write_u8(0); // the digits end here
            state.write_u64(self.exponent.wrapped().wrapping_add_signed(self.shift as i64));
        }
    }

    /// A short text with the same nearest `f64`.
    ///
    /// Whether a number lies above, on or below the middle of two neighbouring floats is settled by its first 768
    /// significant digits and whether anything follows; and beyond 10^±400 all are infinite, or zero.
    pub(super) fn shortened(&self) -> String {
        const SIGNIFICANT: usize = 800;
        let mut digits = self.digits();
        let mut text = String::with_capacity(SIGNIFICANT + 16);
        text.push_str(if self.negative { "-0.0" } else { "0.0" });
        text.extend(digits.by_ref().take(SIGNIFICANT).map(char::from));
        if digits.next().is_some() {
            text.push('1');
        }
        let point = self.exponent.minus(&Exponent::ZERO) + self.shift;
        // One more, as a zero went in front of the digits so that there is at least one.
        let _infallible = write!(text, "e{}", point.clamp(-9_999, 9_999) + 1);
        text
    }
}

/// An exponent of any number of digits, leading zeros left out.
struct Exponent<'t> {
    negative: bool,
    digits: &'t [u8],
}

impl<'t> Exponent<'t> {
    const ZERO: Exponent<'static> = Exponent { negative: false, digits: &[] };

    fn of(text: &'t [u8]) -> Exponent<'t> {
        let (negative, digits) = sign(text);
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        Exponent { negative, digits: &digits[zeros..] }
    }

    /// The digit at this place, counted from the ones, with the sign of the whole.
    fn digit(&self, place: usize) -> i128 {
        let Some(at) = self.digits.len().checked_sub(place + 1) else { return 0 };
        let digit = i128::from(self.digits[at] - b'0');
        if self.negative { -digit } else { digit }
    }

    /// The difference: exact where it is less than 2⁶⁶, and else of the right sign and at least as much.
    ///
    /// Going from the highest place down, a difference of two or more can only grow, so it is safe to stop as soon as
    /// no shift (at most 2⁶³ either way) could make up for it.
    fn minus(&self, other: &Exponent<'_>) -> i128 {
        let mut difference = 0i128;
        for place in (0..self.digits.len().max(other.digits.len())).rev() {
            difference = difference * 10 + self.digit(place) - other.digit(place);
            if difference.unsigned_abs() >= 1 << 66 {
                break;
            }
        }
        difference
    }

    /// The exponent modulo 2⁶⁴: equal sums of exponent and shift stay equal under it, which is all a hash needs.
    fn wrapped(&self) -> u64 {
        let size = self.digits.iter().fold(0u64, |size, digit| {
            let digit = u64::from(digit - b'0');
            size.wrapping_mul(10).wrapping_add(digit)
        });
        if self.negative { size.wrapping_neg() } else { size }
    }
}

/// Takes a sign off the front: whether it was a minus, and the rest.
fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] | rest => (false, rest),
    }
}

/// What stands before the first such byte, and after it.
fn cut(text: &[u8], at: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    match text.iter().position(|byte| at(*byte)) {
        Some(place) => (&text[..place], &text[place + 1..]),
        None => (text, &[]),
    }
}

fn without_trailing_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().rev().take_while(|digit| **digit == b'0').count();
    &digits[..digits.len() - zeros]
}
