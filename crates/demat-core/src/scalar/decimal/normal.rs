//! The **normal form** of a decimal: ± 0.d₁d₂d₃… × 10ᵖ, where neither the first nor the last digit is zero.
//!
//! Every number except zero has exactly one, so numbers are equal if their normal forms are. It is a view of the text:
//! nothing is copied. The point `p` is the sum of the exponent, which may have a million digits, and a shift, which is
//! at most the length of the text. They are never added; see [`Exponent`].

use core::cmp::Ordering;
use core::fmt::Write;
use core::hash::Hasher;

/// A decomposed decimal text.
pub(super) struct Normal<'t> {
    negative: bool,
    /// The significant digits: first those of `whole`, then those of `fraction`. Zero has none.
    whole: &'t [u8],
    fraction: &'t [u8],
    exponent: Exponent<'t>,
    /// `p` is the exponent plus this.
    shift: i128,
}

impl<'t> Normal<'t> {
    /// Decomposes a text that `Decimal::parse` has accepted.
    pub(super) fn of(text: &'t [u8]) -> Normal<'t> {
        let (negative, size) = sign(text);
        let (number, exponent) = cut(size, |byte| matches!(byte, b'e' | b'E'));
        let (mut whole, mut fraction) = cut(number, |byte| byte == b'.');
        let shift;
        if whole == b"0" {
            // No significant digit yet: each zero behind the point shifts it one to the left.
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

    pub(super) fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.iter().chain(self.fraction).copied()
    }

    /// Returns -1, 0 or 1. A zero has no sign.
    pub(super) fn signum(&self) -> i8 {
        match (self.whole.is_empty() && self.fraction.is_empty(), self.negative) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => -1,
        }
    }

    /// Returns the point `p`: whether it is negative, and its decimal digits, without leading zeros.
    pub(super) fn point(&self) -> (bool, Vec<u8>) {
        self.exponent.plus(self.shift)
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

    /// Compares the absolute values of two numbers other than zero. The first digit is not zero, so the point decides,
    /// and then the digits in lexicographic order.
    fn compare_sizes(&self, other: &Normal<'_>) -> Ordering {
        let points = self.exponent.minus(&other.exponent) + self.shift;
        points.cmp(&other.shift).then_with(|| self.digits().cmp(other.digits()))
    }

    /// Hashes what equal numbers have in common.
    pub(super) fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_i8(self.signum());
        if self.signum() != 0 {
            self.digits().for_each(|digit| state.write_u8(digit));
            state.write_u8(0); // marks the end of the digits
            state.write_u64(self.exponent.wrapped().wrapping_add_signed(self.shift as i64));
        }
    }

    /// Returns a short text with the same nearest `f64`.
    ///
    /// The first 768 significant digits, and whether any follow, decide whether a number is above, on or below the
    /// middle of two neighbouring floats. Beyond 10^±400 all numbers are infinite or zero.
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
        // One more, since a zero before the digits ensures that there is at least one.
        let _infallible = write!(text, "e{}", point.clamp(-9_999, 9_999) + 1);
        text
    }
}

/// An exponent of any number of digits, without leading zeros.
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

    /// Returns the digit at a place, counted from the units, with the exponent's sign.
    fn digit(&self, place: usize) -> i128 {
        let Some(at) = self.digits.len().checked_sub(place + 1) else { return 0 };
        let digit = i128::from(self.digits[at] - b'0');
        if self.negative { -digit } else { digit }
    }

    /// Returns the difference: exact if it is less than 2⁶⁶, otherwise with the right sign and at least that large.
    ///
    /// From the highest place down, a difference of two or more can only grow. So it is safe to stop as soon as no
    /// shift (at most 2⁶³ either way) could compensate for it.
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

    /// Returns the sum with a shift: whether it is negative, and its digits, without leading zeros.
    fn plus(&self, shift: i128) -> (bool, Vec<u8>) {
        // A shift has at most 20 digits, so a longer exponent keeps its sign.
        let (head, tail) = self.digits.split_at(self.digits.len().saturating_sub(30));
        let tail = tail.iter().fold(0i128, |size, digit| size * 10 + i128::from(digit - b'0'));
        if head.is_empty() {
            let sum = if self.negative { -tail } else { tail } + shift;
            let size = if sum == 0 { Vec::new() } else { sum.unsigned_abs().to_string().into_bytes() };
            return (sum < 0, size);
        }
        let mut tail = if self.negative { tail - shift } else { tail + shift };
        let carry = tail.div_euclid(10i128.pow(30));
        tail = tail.rem_euclid(10i128.pow(30));
        let mut digits = head.to_vec();
        step(&mut digits, carry);
        digits.extend(format!("{tail:030}").into_bytes());
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        digits.drain(..zeros);
        (self.negative, digits)
    }

    /// Returns the exponent modulo 2⁶⁴. Equal sums of exponent and shift stay equal under it, which is enough for a
    /// hash.
    fn wrapped(&self) -> u64 {
        let size = self.digits.iter().fold(0u64, |size, digit| {
            let digit = u64::from(digit - b'0');
            size.wrapping_mul(10).wrapping_add(digit)
        });
        if self.negative { size.wrapping_neg() } else { size }
    }
}

/// Adds -1, 0 or 1 to a positive number in decimal digits.
fn step(digits: &mut Vec<u8>, by: i128) {
    let (turns, to) = match by {
        0 => return,
        1.. => (b'9', b'0'),
        _ => (b'0', b'9'),
    };
    for digit in digits.iter_mut().rev() {
        if *digit != turns {
            *digit = if by > 0 { *digit + 1 } else { *digit - 1 };
            return;
        }
        *digit = to;
    }
    // Only of 99…9: no positive number is all zeros.
    digits.insert(0, b'1');
}

/// Strips a sign. Returns whether it was a minus, and the rest.
fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] | rest => (false, rest),
    }
}

/// Returns the text before and after the first matching byte.
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
