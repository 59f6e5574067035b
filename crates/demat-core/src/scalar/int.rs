//! [`Int`]: an integer of any size.

use super::Decimal;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use std::borrow::Cow;

mod from;
#[cfg(test)]
mod tests;

/// An **integer** of any size, in the smallest variant that can hold it.
///
/// | variant | holds |
/// |---|---|
/// | `I64` | −2⁶³ to 2⁶³ − 1 |
/// | `U64` | 2⁶³ to 2⁶⁴ − 1, nothing that `I64` could hold |
/// | `Big` | all others: decimal digits, a leading `-` if negative, no `+` and no leading zero |
///
/// Nearly every integer is an `I64`, so a reader should match it first. [`from_digits`](Int::from_digits) and the
/// `From` impls follow the table. Code that makes a `Big` directly must do so too, since comparing and hashing rely on
/// it.
///
/// ```
/// use demat_core::scalar::Int;
///
/// let avogadro = Int::from_digits("602214076000000000000000").unwrap();
/// assert!(matches!(avogadro, Int::Big(_)));
/// assert!(avogadro > Int::from(u64::MAX));
/// assert_eq!(avogadro.to_i64(), None);
/// assert_eq!(avogadro.to_i128(), Some(602_214_076_000_000_000_000_000));
/// assert_eq!(avogadro.to_string(), "602214076000000000000000");
/// ```
#[derive(Clone, Debug)]
pub enum Int<'a> {
    /// A number that fits `i64`.
    I64(i64),
    /// A number that fits `u64` and is greater than `i64::MAX`.
    U64(u64),
    /// A number that fits neither, as canonical decimal digits.
    Big(Cow<'a, str>),
}

impl<'a> Int<'a> {
    /// Parses `-?digits`, as in RFC 8259 §6: no `+`, no leading zero, no space. `-0` is zero.
    ///
    /// ```
    /// use demat_core::scalar::Int;
    ///
    /// assert_eq!(Int::from_digits("-0"), Some(Int::I64(0)));
    /// assert_eq!(Int::from_digits("18446744073709551615"), Some(Int::U64(u64::MAX)));
    /// assert_eq!(Int::from_digits("007"), None);
    /// ```
    pub fn from_digits(text: &'a str) -> Option<Int<'a>> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let well_formed = match digits.as_bytes() {
            [] | [b'0', _, ..] => false,
            bytes => bytes.iter().all(u8::is_ascii_digit),
        };
        if !well_formed {
            return None;
        }
        // `parse` stops at the first excess digit, so this is linear in the length of the text.
        let small = match digits.parse::<u64>() {
            Ok(size) if negative => 0i64.checked_sub_unsigned(size).map(Int::I64),
            Ok(size) => Some(Int::from(size)),
            Err(_) => None,
        };
        Some(small.unwrap_or(Int::Big(Cow::Borrowed(text))))
    }

    /// Returns the integer as an `i64`, if it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match *self {
            Int::I64(value) => Some(value),
            Int::U64(value) => value.try_into().ok(),
            Int::Big(_) => None,
        }
    }

    /// Returns the integer as a `u64`, if it fits.
    #[inline]
    pub fn to_u64(&self) -> Option<u64> {
        match *self {
            Int::I64(value) => value.try_into().ok(),
            Int::U64(value) => Some(value),
            Int::Big(_) => None,
        }
    }

    /// Returns the integer as an `i128`, if it fits.
    pub fn to_i128(&self) -> Option<i128> {
        match self {
            Int::I64(value) => Some((*value).into()),
            Int::U64(value) => Some((*value).into()),
            Int::Big(digits) => digits.parse().ok(),
        }
    }

    /// Returns the integer as a `u128`, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match self {
            Int::I64(value) => (*value).try_into().ok(),
            Int::U64(value) => Some((*value).into()),
            Int::Big(digits) => digits.parse().ok(),
        }
    }

    /// Returns the nearest `f64`, ties to even; infinite if the number is too large.
    ///
    /// ```
    /// use demat_core::scalar::Int;
    ///
    /// assert_eq!(Int::from(9_007_199_254_740_993_i64).to_f64(), 9_007_199_254_740_992.0);
    /// ```
    #[expect(clippy::cast_precision_loss, reason = "to round is what was asked for")]
    pub fn to_f64(&self) -> f64 {
        match self {
            Int::I64(value) => *value as f64,
            Int::U64(value) => *value as f64,
            // Can't fail on digits. A `Big` made directly from other text is not a number.
            Int::Big(digits) => digits.parse().unwrap_or(f64::NAN),
        }
    }

    /// Compares with a float by the exact values; `None` with NaN.
    ///
    /// ```
    /// use core::cmp::Ordering;
    /// use demat_core::scalar::Int;
    ///
    /// let int = Int::from(9_007_199_254_740_993_i64);
    /// assert_eq!(int.compare_f64(9_007_199_254_740_992.0), Some(Ordering::Greater));
    /// assert_eq!(int.compare_f64(f64::INFINITY), Some(Ordering::Less));
    /// ```
    pub fn compare_f64(&self, other: f64) -> Option<Ordering> {
        if !other.is_finite() {
            return 0.0.partial_cmp(&other);
        }
        let small = match self {
            Int::I64(value) => i128::from(*value),
            Int::U64(value) => i128::from(*value),
            Int::Big(_) => return Some(Decimal::from_int(self.clone()).cmp(&Decimal::from_f64(other)?)),
        };
        if other.abs() >= 1e20 {
            return 0.0.partial_cmp(&other);
        }
        // Exact below 2^127, as is the fraction, which has the sign of the float.
        let order = small.cmp(&(other.trunc() as i128));
        if order.is_eq() { 0.0.partial_cmp(&other.fract()) } else { Some(order) }
    }

    /// Returns the same integer without borrowing.
    pub fn into_owned(self) -> Int<'static> {
        match self {
            Int::I64(value) => Int::I64(value),
            Int::U64(value) => Int::U64(value),
            Int::Big(digits) => Int::Big(Cow::Owned(digits.into_owned())),
        }
    }
}

impl fmt::Display for Int<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Int::I64(value) => value.fmt(f),
            Int::U64(value) => value.fmt(f),
            Int::Big(digits) => match digits.strip_prefix('-') {
                Some(size) => f.pad_integral(false, "", size),
                None => f.pad_integral(true, "", digits),
            },
        }
    }
}

impl Ord for Int<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        // A `Big` is outside the range of both other variants, so its sign decides.
        let beyond = |digits: &str| if digits.starts_with('-') { Ordering::Less } else { Ordering::Greater };
        match (self, other) {
            (Int::Big(one), Int::Big(two)) => match (one.strip_prefix('-'), two.strip_prefix('-')) {
                (None, None) => compare_sizes(one, two),
                (Some(one), Some(two)) => compare_sizes(two, one),
                _ => beyond(one),
            },
            (Int::Big(one), _) => beyond(one),
            (_, Int::Big(two)) => beyond(two).reverse(),
            (Int::I64(one), Int::I64(two)) => one.cmp(two),
            _ => self.to_i128().cmp(&other.to_i128()),
        }
    }
}

/// Without leading zeros, the longer number is the greater.
fn compare_sizes(one: &str, two: &str) -> Ordering {
    one.len().cmp(&two.len()).then_with(|| one.cmp(two))
}

impl PartialOrd for Int<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Int<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Int<'_> {}

impl Hash for Int<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Int::Big(digits) => digits.hash(state),
            // The same width for both, so that a `U64` made directly hashes like the `I64` that it equals.
            small => small.to_i128().hash(state),
        }
    }
}
