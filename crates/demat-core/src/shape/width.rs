use crate::scalar::Int;

/// Which whole numbers an int shape holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntWidth {
    /// Every whole number.
    Any,
    /// Two's complement of this many bits (1 and up).
    Signed(u16),
    /// 0 up to 2^bits − 1.
    Unsigned(u16),
}

impl IntWidth {
    /// Whether the number fits.
    ///
    /// ```
    /// use demat_core::{IntWidth, scalar::Int};
    /// assert!(IntWidth::Signed(8).holds(&Int::I64(-128)));
    /// assert!(!IntWidth::Unsigned(8).holds(&Int::I64(256)));
    /// ```
    pub fn holds(self, int: &Int<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Signed(bits @ ..=127) => {
                int.to_i128().is_some_and(|i| (i >> (bits.max(1) - 1)) == 0 || (i >> (bits.max(1) - 1)) == -1)
            }
            Self::Signed(128) => int.to_i128().is_some(),
            Self::Unsigned(bits @ ..=127) => int.to_u128().is_some_and(|u| u >> bits == 0),
            Self::Unsigned(128) => int.to_u128().is_some(),
            // Wider than the host has integers: by digits, of which 2^bits has at least bits × log10(2).
            Self::Signed(bits) => digits(int) <= usize::from(bits - 1) * 30_103 / 100_000,
            Self::Unsigned(bits) => !negative(int) && digits(int) <= usize::from(bits) * 30_103 / 100_000,
        }
    }
}

fn digits(int: &Int<'_>) -> usize {
    match int {
        Int::Big(digits) => digits.trim_start_matches('-').len(),
        _ => 0, // anything that fits 64 bits fits a width past 128
    }
}

fn negative(int: &Int<'_>) -> bool {
    match int {
        Int::I64(i) => *i < 0,
        Int::U64(_) => false,
        Int::Big(digits) => digits.starts_with('-'),
    }
}

/// Which binary floating-point numbers a float shape holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatWidth {
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}
