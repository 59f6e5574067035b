//! Decimals as a mantissa and an exponent.

use super::bignum::Limbs;
use demat_core::scalar::{Decimal, Int};

/// The largest absolute exponent of a bigfloat: more than those of binary64.
pub(super) const MOST_BITS: u64 = 4096;

/// Returns the decimal of tag 4: mantissa × 10^exponent, with all digits of the mantissa.
///
/// It is written without an exponent where that adds few zeros: `1.50`, `0.000001`, `15e3`, `1e-7`.
pub(super) fn of_parts(mantissa: &Int<'_>, exponent: i128) -> Option<Decimal<'static>> {
    of_digits(&mantissa.to_string(), exponent)
}

fn of_digits(mantissa: &str, exponent: i128) -> Option<Decimal<'static>> {
    let (sign, digits) = mantissa.strip_prefix('-').map_or(("", mantissa), |digits| ("-", digits));
    // The number of digits before the point.
    let whole = digits.len() as i128 + exponent;
    let text = if exponent == 0 {
        mantissa.to_string()
    } else if exponent < 0 && whole > 0 {
        let (whole, fraction) = digits.split_at(usize::try_from(whole).ok()?);
        format!("{sign}{whole}.{fraction}")
    } else if exponent < 0 && whole > -6 {
        let zeros = usize::try_from(-whole).ok()?;
        format!("{sign}0.{:0<zeros$}{digits}", "")
    } else {
        format!("{sign}{digits}e{exponent}")
    };
    Decimal::parse(&text).map(Decimal::into_owned)
}

/// Returns the decimal of tag 5: mantissa × 2^exponent, exactly. `None` if the exponent is beyond [`MOST_BITS`].
pub(super) fn of_bigfloat(mantissa: &Int<'_>, exponent: i128) -> Option<Decimal<'static>> {
    let size = u64::try_from(exponent.unsigned_abs()).ok().filter(|size| *size <= MOST_BITS)? as u32;
    let mantissa = mantissa.to_string();
    let (sign, digits) = mantissa.strip_prefix('-').map_or(("", &*mantissa), |digits| ("-", digits));
    let mut limbs = Limbs::of_digits(digits);
    // A half is five tenths.
    let (base, exponent) = if exponent < 0 { (5, exponent) } else { (2, 0) };
    limbs.scale(base, size);
    of_digits(&format!("{sign}{}", limbs.digits()), exponent)
}

/// Returns the mantissa and the exponent of a decimal; `None` if the exponent is beyond 64 bits.
pub(super) fn parts(decimal: &Decimal<'_>) -> Option<(Int<'static>, i64)> {
    let text = decimal.as_str();
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    Int::from_digits(&format!("{sign}{digits}")).map(|mantissa| (mantissa.into_owned(), exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal<'_> {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn digits_are_kept() {
        for (text, mantissa, exponent, back) in [
            ("1.50", "150", -2, "1.50"),
            ("-0.00", "0", -2, "0.00"),
            ("-12", "-12", 0, "-12"),
            ("15E+3", "15", 3, "15e3"),
            ("0.000001", "1", -6, "0.000001"),
            ("1e-7", "1", -7, "1e-7"),
            ("-123.4e-9", "-1234", -10, "-1234e-10"),
            ("1e999999999", "1", 999_999_999, "1e999999999"),
            ("0.1e400", "1", 399, "1e399"),
        ] {
            let (found, exponent_found) = parts(&decimal(text)).unwrap();
            assert_eq!((found.to_string(), exponent_found), (mantissa.to_string(), exponent), "{text}");
            let again = of_parts(&found, exponent_found.into()).unwrap();
            assert_eq!(again, decimal(text));
            assert_eq!(again.as_str(), back);
        }
        assert!(parts(&decimal("1e9223372036854775808")).is_none());
        assert!(parts(&decimal("0.1e-9223372036854775808")).is_none());
    }

    #[test]
    fn bigfloats_are_exact() {
        for (mantissa, exponent, text) in
            [(3, -1, "1.5"), (-1, -4, "-0.0625"), (5, 3, "40"), (0, -3, "0.000"), (1, 70, "1180591620717411303424")]
        {
            assert_eq!(of_bigfloat(&Int::from(mantissa), exponent).unwrap().as_str(), text);
        }
        let smallest = of_bigfloat(&Int::from(1), -1074).unwrap();
        assert_eq!(smallest.to_f64().to_bits(), 1);
        assert!(of_bigfloat(&Int::from(1), 4097).is_none());
        assert!(of_bigfloat(&Int::from(1), i128::from(i64::MIN)).is_none());
    }
}
