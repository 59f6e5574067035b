use crate::scalar::Int;

/// The range of an int shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntWidth {
    /// Every integer.
    Any,
    /// Two's complement of this many bits (1 and up).
    Signed(u16),
    /// 0 to 2^bits − 1.
    Unsigned(u16),
}

impl IntWidth {
    /// Whether the number is in range.
    ///
    /// ```
    /// use demat_core::{IntWidth, scalar::Int};
    /// assert!(IntWidth::Signed(8).holds(&Int::I64(-128)));
    /// assert!(!IntWidth::Unsigned(8).holds(&Int::I64(256)));
    /// ```
    #[inline]
    pub fn holds(self, int: &Int<'_>) -> bool {
        match (self, int) {
            // The common cases of numbers and widths.
            (Self::Signed(bits @ 1..=64), Int::I64(value)) => matches!(value >> (bits - 1), 0 | -1),
            (Self::Unsigned(bits @ 0..=63), Int::I64(value)) => value >> bits == 0,
            _ => self.holds_any(int),
        }
    }

    fn holds_any(self, int: &Int<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Signed(bits @ ..=127) => {
                int.to_i128().is_some_and(|i| (i >> (bits.max(1) - 1)) == 0 || (i >> (bits.max(1) - 1)) == -1)
            }
            Self::Signed(128) => int.to_i128().is_some(),
            Self::Unsigned(bits @ ..=127) => int.to_u128().is_some_and(|u| u >> bits == 0),
            Self::Unsigned(128) => int.to_u128().is_some(),
            // Wider than the host's integers.
            Self::Signed(bits) => fits(int, bits - 1, true),
            Self::Unsigned(bits) => fits(int, bits, false),
        }
    }
}

/// Whether the number is in `-2^bits .. 2^bits`; at least 0 if it is not signed.
fn fits(int: &Int<'_>, bits: u16, signed: bool) -> bool {
    let digits = match int {
        Int::I64(value) => return signed || *value >= 0,
        Int::U64(_) => return true,
        Int::Big(digits) => digits,
    };
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, &**digits),
    };
    if negative && !signed {
        return false;
    }
    // 10^(n-1) has more than 3.32 × (n-1) bits: this many digits can't fit, so nothing is computed for them.
    if (digits.len() - 1) * 332 / 100 > usize::from(bits) {
        return false;
    }
    let limbs = binary(digits);
    let top = limbs.last().copied().unwrap_or(0);
    let len = limbs.len() * 32 - top.leading_zeros() as usize;
    // The smallest number, -2^bits, fits as well.
    let least = negative && top.is_power_of_two() && limbs.iter().rev().skip(1).all(|limb| *limb == 0);
    len <= usize::from(bits) || (least && len == usize::from(bits) + 1)
}

/// Converts decimal digits to words of 32 bits, lowest first.
fn binary(digits: &str) -> Vec<u32> {
    let mut limbs: Vec<u32> = Vec::new();
    for chunk in digits.as_bytes().chunks(9) {
        let value = chunk.iter().fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'));
        let mut carry = value;
        for limb in &mut limbs {
            let wide = u64::from(*limb) * 10u64.pow(chunk.len() as u32) + carry;
            *limb = wide as u32;
            carry = wide >> 32;
        }
        if carry > 0 {
            limbs.push(carry as u32);
        }
    }
    limbs
}

/// The precision of a float shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatWidth {
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

#[cfg(test)]
mod tests {
    use super::IntWidth;
    use crate::scalar::Int;

    fn holds(width: IntWidth, digits: &str) -> bool {
        width.holds(&Int::from_digits(digits).unwrap())
    }

    #[test]
    fn borders_are_exact_at_every_width() {
        for bits in 1..=127u16 {
            let top = 1u128 << bits;
            assert!(holds(IntWidth::Unsigned(bits), &(top - 1).to_string()), "uint{bits}");
            assert!(!holds(IntWidth::Unsigned(bits), &top.to_string()), "uint{bits}");
            assert!(holds(IntWidth::Signed(bits + 1), &format!("-{top}")), "int{}", bits + 1);
            assert!(!holds(IntWidth::Signed(bits + 1), &top.to_string()), "int{}", bits + 1);
            assert!(!holds(IntWidth::Unsigned(bits), "-1"));
        }
        // 2^199 and 2^200, computed independently.
        let (half, whole) = (
            "803469022129495137770981046170581301261101496891396417650688",
            "1606938044258990275541962092341162602522202993782792835301376",
        );
        assert!(holds(IntWidth::Signed(200), &format!("-{half}")));
        assert!(!holds(IntWidth::Signed(200), half));
        assert!(holds(IntWidth::Unsigned(200), half));
        assert!(!holds(IntWidth::Unsigned(200), whole));
        assert!(!holds(IntWidth::Unsigned(200), &format!("-{half}")));
        assert!(!holds(IntWidth::Unsigned(200), &"9".repeat(1_000_000)));
    }
}
