//! Integers of any size, as bytes and as decimal digits.
//!
//! Both directions take time that grows with the square of the length, so there is a limit.

/// The maximum length of an integer in bytes. Each number of 9,864 digits fits.
pub(crate) const MOST: usize = 4096;
/// The maximum number of digits of an integer of that length.
const MOST_DIGITS: usize = 9865;

/// The digits of a limb in decimal.
const DIGITS: usize = 9;
const DECIMAL: u64 = 1_000_000_000;
const BINARY: u64 = 1 << 32;

/// Digits in a base, the lowest first, without zeros at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Limbs<const BASE: u64>(Vec<u32>);

impl<const BASE: u64> Limbs<BASE> {
    /// Multiplies by a factor, and adds. Both are at most 2^32.
    fn multiply_add(&mut self, factor: u64, add: u64) {
        let mut carry = add;
        for limb in &mut self.0 {
            let product = u64::from(*limb) * factor + carry;
            *limb = (product % BASE) as u32;
            carry = product / BASE;
        }
        while carry > 0 {
            self.0.push((carry % BASE) as u32);
            carry /= BASE;
        }
    }
}

impl Limbs<DECIMAL> {
    /// Returns the number with these big-endian bytes, at most [`MOST`].
    fn of_bytes(bytes: &[u8]) -> Self {
        let mut limbs = Self(Vec::new());
        let (front, words) = bytes.as_rchunks::<4>();
        let front = front.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        limbs.multiply_add(1, front);
        for word in words {
            limbs.multiply_add(BINARY, u32::from_be_bytes(*word).into());
        }
        limbs
    }

    /// Returns the number with these decimal digits, without a sign.
    pub(super) fn of_digits(digits: &str) -> Self {
        let limbs = digits.as_bytes().rchunks(DIGITS).map(|chunk| number(chunk) as u32);
        let mut limbs: Vec<u32> = limbs.collect();
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Self(limbs)
    }

    /// Adds one.
    fn increment(&mut self) {
        self.multiply_add(1, 1);
    }

    /// Multiplies by a power of a base, at most 2^32 at once.
    pub(super) fn scale(&mut self, base: u64, mut exponent: u32) {
        let most = if base == 2 { 31 } else { 13 };
        while exponent > 0 {
            let step = exponent.min(most);
            self.multiply_add(base.pow(step), 0);
            exponent -= step;
        }
    }

    /// Returns the decimal digits.
    pub(super) fn digits(&self) -> String {
        use core::fmt::Write as _;
        let mut text = String::with_capacity(self.0.len() * DIGITS);
        let mut limbs = self.0.iter().rev();
        let _ = write!(text, "{}", limbs.next().unwrap_or(&0)); // writing to a String cannot fail
        for limb in limbs {
            let _ = write!(text, "{limb:09}");
        }
        text
    }
}

/// Returns the number with at most nine decimal digits.
fn number(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit.wrapping_sub(b'0')))
}

/// Returns the decimal digits, with a sign, of the bytes of tag 2 or 3; `None` if there are too many bytes.
pub(crate) fn digits(bytes: &[u8], negative: bool) -> Option<String> {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let bytes = bytes.get(zeros..).unwrap_or_default();
    if bytes.len() > MOST {
        return None;
    }
    let mut limbs = Limbs::of_bytes(bytes);
    if !negative {
        return Some(limbs.digits());
    }
    limbs.increment();
    Some(format!("-{}", limbs.digits()))
}

/// Returns the bytes of decimal digits, and whether the tag is 3; `None` if there are too many digits.
pub(crate) fn bytes(digits: &str) -> Option<(Vec<u8>, bool)> {
    let (digits, negative) = digits.strip_prefix('-').map_or((digits, false), |digits| (digits, true));
    if digits.len() > MOST_DIGITS {
        return None;
    }
    let mut limbs = Limbs::<BINARY>(Vec::new());
    let (front, rest) = digits.as_bytes().split_at(digits.len() % DIGITS);
    limbs.multiply_add(1, number(front));
    for chunk in rest.chunks(DIGITS) {
        limbs.multiply_add(DECIMAL, number(chunk));
    }
    if negative {
        // The number is -1 minus the bytes.
        for limb in &mut limbs.0 {
            let (less, borrow) = limb.overflowing_sub(1);
            *limb = less;
            if !borrow {
                break;
            }
        }
    }
    let bytes: Vec<u8> =
        limbs.0.iter().rev().flat_map(|limb| limb.to_be_bytes()).skip_while(|byte| *byte == 0).collect();
    (bytes.len() <= MOST).then_some((bytes, negative))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_bytes_are_the_same_number() {
        for (text, number, negative) in [
            ("0", &b""[..], false),
            ("-1", b"", true),
            ("255", b"\xff", false),
            ("-256", b"\xff", true),
            ("-257", b"\x01\x00", true),
            ("18446744073709551616", b"\x01\0\0\0\0\0\0\0\0", false),
            ("-18446744073709551617", b"\x01\0\0\0\0\0\0\0\0", true),
            ("1000000000", b"\x3b\x9a\xca\x00", false),
            ("79228162514264337593543950335", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", false),
        ] {
            assert_eq!(bytes(text), Some((number.to_vec(), negative)), "{text}");
            assert_eq!(digits(number, negative).as_deref(), Some(text));
            assert_eq!(digits(&[&[0, 0], number].concat(), negative).as_deref(), Some(text));
        }
        for len in 1..40_u8 {
            let number: Vec<u8> = (1..=len).map(|at| at.wrapping_mul(67)).collect();
            for negative in [false, true] {
                let text = digits(&number, negative).unwrap();
                assert_eq!(bytes(&text), Some((number.clone(), negative)));
                if len <= 16 {
                    let value = number.iter().fold(0_u128, |value, byte| value << 8 | u128::from(*byte));
                    let wanted = if negative { format!("-{}", value + 1) } else { value.to_string() };
                    assert_eq!(text, wanted);
                }
            }
        }
    }

    #[test]
    fn there_is_a_limit() {
        let largest = digits(&[0xff; MOST], false).unwrap();
        assert_eq!(bytes(&largest), Some((vec![0xff; MOST], false)));
        assert_eq!(largest.len(), MOST_DIGITS);
        assert_eq!(digits(&[0xff; MOST + 1], false), None);
        assert_eq!(bytes(&format!("9{}", "0".repeat(MOST_DIGITS - 1))), None);
        assert_eq!(bytes(&"9".repeat(1_000_000)), None);
    }

    #[test]
    fn powers_are_exact() {
        let mut limbs = Limbs::of_digits("3");
        limbs.scale(2, 100);
        assert_eq!(limbs.digits(), (3_u128 << 100).to_string());
        let mut limbs = Limbs::of_digits("7");
        limbs.scale(5, 40);
        assert_eq!(limbs.digits(), (7 * 5_u128.pow(40)).to_string());
        assert_eq!(Limbs::of_digits("0000000000").digits(), "0");
    }
}
