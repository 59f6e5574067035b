//! Floats of 16 bits.

/// Returns the value of a binary16.
pub(super) fn to_f64(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let size = match bits >> 10 & 0x1f {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction > 0.0 => f64::NAN,
        31 => f64::INFINITY,
        exponent => (1024.0 + fraction) * 2_f64.powi(i32::from(exponent) - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// Returns the binary16 with exactly this value. All NaNs become one.
pub(super) fn of_f64(value: f64) -> Option<u16> {
    if value.is_nan() {
        return Some(0x7e00);
    }
    let sign = u16::from(value.is_sign_negative()) << 15;
    let size = value.abs();
    let bits = if size.is_infinite() {
        0x7c00
    } else if size >= 2_f64.powi(-14) {
        // Below 2^16, there are 30 exponents, and the fraction has 10 bits.
        let wide = size.to_bits();
        let exponent = (wide >> 52).checked_sub(1023 - 15).filter(|exponent| *exponent < 31)?;
        (wide & ((1 << 42) - 1) == 0).then_some((exponent << 10 | wide >> 42 & 0x3ff) as u16)?
    } else {
        let units = size * 2_f64.powi(24);
        #[allow(clippy::cast_sign_loss)] // of what has no sign
        (units.fract() == 0.0).then_some(units as u16)?
    };
    Some(sign | bits)
}

#[cfg(test)]
mod tests {
    use super::{of_f64, to_f64};

    #[test]
    fn all_halves_come_back() {
        for bits in 0..=u16::MAX {
            let value = to_f64(bits);
            let wanted = if value.is_nan() { 0x7e00 } else { bits };
            assert_eq!(of_f64(value), Some(wanted), "{bits:04x} {value}");
            if value.is_nan() || value.is_infinite() {
                continue;
            }
            // The neighbours in binary32 and in binary64 have no binary16.
            let narrow = value as f32;
            for other in [f32::from_bits(narrow.to_bits() + 1), f32::from_bits(narrow.to_bits() ^ 1)] {
                assert_eq!(of_f64(other.into()), None, "{bits:04x}");
            }
            assert_eq!(of_f64(f64::from_bits(value.to_bits() ^ 1)), None, "{bits:04x}");
        }
        for value in [65_520.0, 65_536.0, 1e300, f64::MIN_POSITIVE, 1e-8] {
            assert_eq!(of_f64(value), None, "{value}");
        }
        assert_eq!((of_f64(1.5), of_f64(65_504.0), of_f64(-0.0)), (Some(0x3e00), Some(0x7bff), Some(0x8000)));
    }
}
