//! Exact decimal test for `multiple_of`.

use super::bound::Scalar;

/// The divisor of `multiple_of`: an int without trailing zeros, times a power of ten.
///
/// A float counts as its shortest decimal form: 19.99 is a multiple of 0.01, although in binary it is not. The cost
/// depends on the number of digits, not on the exponent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Multiple {
    divisor: u64,
    exponent: i64,
    /// The divisor as an `i64`, if it is one.
    whole: Option<i64>,
}

impl Multiple {
    /// Parses the divisor. Returns `None` if it is not a positive number, or if its digits exceed 64 bits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (digits, exponent) = parts(text)?;
        let divisor = core::str::from_utf8(&digits).ok()?.parse().ok().filter(|divisor| *divisor > 0)?;
        Some(Self { divisor, exponent, whole: text.parse().ok() })
    }

    /// Returns whether the value is a multiple; `false` if it is not a number.
    pub(super) fn divides(&self, value: Scalar<'_>) -> bool {
        match value {
            Scalar::I64(value) => match self.whole {
                Some(whole) => value % whole == 0,
                None => self.divides_text(&value.to_string()),
            },
            Scalar::Int(value) => self.divides_text(&value.to_string()),
            Scalar::Float(value) if value.is_finite() => self.divides_text(&format!("{value:e}")),
            Scalar::Decimal(value) => self.divides_text(value.as_str()),
            _ => false,
        }
    }

    fn divides_text(&self, text: &str) -> bool {
        let Some((digits, exponent)) = parts(text) else { return false };
        if digits == b"0" {
            return true;
        }
        let Some(tens) = exponent.checked_sub(self.exponent) else { return false };
        // The value has a nonzero digit below the divisor's last one.
        if tens < 0 {
            return false;
        }
        let divisor = u128::from(self.divisor);
        let rest = digits.iter().fold(0, |rest: u128, digit| (rest * 10 + u128::from(digit - b'0')) % divisor);
        (rest * power_of_ten(tens.unsigned_abs(), divisor)).is_multiple_of(divisor)
    }
}

fn power_of_ten(mut exponent: u64, divisor: u128) -> u128 {
    let (mut power, mut square) = (1 % divisor, 10 % divisor);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * square % divisor;
        }
        square = square * square % divisor;
        exponent >>= 1;
    }
    power
}

/// Returns the digits without sign, leading and trailing zeros, and the power of ten that multiplies them.
fn parts(text: &str) -> Option<(Vec<u8>, i64)> {
    let text = text.trim_start_matches(['+', '-']);
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        // Exponents out of range become the largest one.
        Some(at) => (&text[..at], text[at + 1..].parse::<i128>().ok()?.clamp(-(1 << 62), 1 << 62) as i64),
        None => (text, 0),
    };
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: Vec<u8> = before.bytes().chain(behind.bytes()).skip_while(|digit| *digit == b'0').collect();
    if !digits.iter().all(u8::is_ascii_digit) || before.len() + behind.len() == 0 {
        return None;
    }
    let mut exponent = exponent - i64::try_from(behind.len()).ok()?;
    while digits.last() == Some(&b'0') {
        digits.pop();
        exponent += 1;
    }
    if digits.is_empty() {
        return Some((b"0".to_vec(), 0));
    }
    Some((digits, exponent))
}
