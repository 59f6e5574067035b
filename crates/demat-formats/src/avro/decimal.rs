//! Decimals: an integer of big-endian bytes in two's complement, with the point at a place that the schema says.

use crate::cbor::bignum;
use demat_core::scalar::Decimal;

/// The maximum number of digits. A file could otherwise demand any number of zeros for each byte.
pub(super) const MOST: u32 = 1_000;

/// Returns the decimal with these bytes; `None` if it has more digits than `precision`.
pub(super) fn of_bytes(bytes: &[u8], precision: u32, scale: u32) -> Option<Decimal<'static>> {
    let negative = bytes.first().is_some_and(|byte| *byte >= 0x80);
    // All but one of the bytes that repeat the sign. What is left has a limit, as conversion takes quadratic time.
    let sign = if negative { 0xff } else { 0 };
    let more = bytes.iter().take_while(|byte| **byte == sign).count();
    let bytes = bytes.get(more.saturating_sub(1)..).unwrap_or_default();
    if bytes.len() > most_bytes(precision) {
        return None;
    }
    let digits = if negative {
        let inverted: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
        bignum::digits(&inverted, true)?
    } else {
        bignum::digits(bytes, false)?
    };
    let (sign, digits) = digits.strip_prefix('-').map_or(("", &*digits), |digits| ("-", digits));
    if digits != "0" && digits.len() > precision as usize {
        return None;
    }
    let scale = scale as usize;
    let text = if scale == 0 {
        format!("{sign}{digits}")
    } else {
        let digits = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        format!("{sign}{whole}.{fraction}")
    };
    Decimal::parse(&text).map(Decimal::into_owned)
}

/// Returns a number of bytes that holds all decimals of so many digits, each of which takes 0.4153 bytes.
fn most_bytes(precision: u32) -> usize {
    precision as usize * 4_153 / 10_000 + 3
}

/// Returns the bytes of a decimal; `None` if it has other digits than these.
pub(super) fn to_bytes(decimal: &str, precision: u32, scale: u32) -> Option<Vec<u8>> {
    let (sign, number) = decimal.strip_prefix('-').map_or(("", decimal), |number| ("-", number));
    let (number, exponent) = match number.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.strip_prefix('+').unwrap_or(exponent).parse::<i64>().ok()?),
        None => (number, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut digits = format!("{whole}{fraction}");
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    digits.drain(..zeros);
    if digits.is_empty() {
        return Some(vec![0]);
    }
    let shift = i64::from(scale).checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(exponent)?;
    if shift >= 0 {
        let more = usize::try_from(shift).ok().filter(|more| digits.len() + more <= precision as usize)?;
        digits.extend(core::iter::repeat_n('0', more));
    } else {
        let less = usize::try_from(shift.unsigned_abs()).ok().filter(|less| *less < digits.len())?;
        if !digits.bytes().rev().take(less).all(|digit| digit == b'0') {
            return None;
        }
        digits.truncate(digits.len() - less);
    }
    if digits.len() > precision as usize {
        return None;
    }
    let (mut bytes, negative) = bignum::bytes(&format!("{sign}{digits}"))?;
    if negative {
        for byte in &mut bytes {
            *byte = !*byte;
        }
    }
    if bytes.first().is_none_or(|byte| (*byte >= 0x80) != negative) {
        bytes.insert(0, if negative { 0xff } else { 0 });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_survive() {
        for (text, bytes, same) in [
            ("0", &[0][..], "0.00"),
            ("1.27", &[127], "1.27"),
            ("1.28", &[0, 128], "1.28"),
            ("-1.28", &[128], "-1.28"),
            ("-1.29", &[0xff, 127], "-1.29"),
            ("-0.01", &[0xff], "-0.01"),
            ("1e1", &[3, 0xe8], "10.00"),
            ("1.500", &[0, 150], "1.50"),
            ("150e-2", &[0, 150], "1.50"),
        ] {
            assert_eq!(to_bytes(text, 9, 2).as_deref(), Some(bytes), "{text}");
            assert_eq!(of_bytes(bytes, 9, 2).unwrap().as_str(), same);
        }
        for text in ["0.001", "1e8", "123456789", "1e999999999999", "1e-999999999"] {
            assert_eq!(to_bytes(text, 9, 2), None, "{text}");
        }
        for digits in 1..200 {
            for text in
                ["9".repeat(digits), format!("-{}", "9".repeat(digits)), format!("-1{}", "0".repeat(digits - 1))]
            {
                let bytes = to_bytes(&text, digits as u32, 0).unwrap();
                assert!(bytes.len() <= most_bytes(digits as u32));
                let longer = [&vec![if text.starts_with('-') { 0xff } else { 0 }; 5_000][..], &bytes].concat();
                assert_eq!(of_bytes(&longer, digits as u32, 0).unwrap().as_str(), text);
            }
        }
        // What is converted stays short.
        assert!(most_bytes(1) <= 3 && most_bytes(MOST) < 420);
        assert_eq!(of_bytes(&[], 9, 2).unwrap().as_str(), "0.00");
        assert!(of_bytes(&[127; 5], 9, 2).is_none() && of_bytes(&[127; 5_000], 1_000, 2).is_none());
    }
}
