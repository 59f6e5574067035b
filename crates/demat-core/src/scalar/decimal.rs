//! [`Decimal`]: an exact decimal number of any size.

use super::{Int, front};
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use normal::Normal;
use std::borrow::Cow;

mod key;
mod normal;
#[cfg(test)]
mod tests;

/// An **exact decimal**, kept as its original text: `-?digits[.digits][(e|E)[+-]digits]`, the `number` of RFC 8259 §6.
///
/// No digit is lost or added: `1.50` stays `1.50`. Comparing and hashing use the exact number and not the text, in time
/// linear in the text and without expanding an exponent: `1e999999999` takes eleven bytes in every operation. There is
/// one zero: `-0.0` equals `0`.
///
/// ```
/// use demat_core::scalar::Decimal;
///
/// let price = Decimal::parse("1.50").unwrap();
/// assert_eq!(price.as_str(), "1.50");
/// assert_eq!(price, Decimal::parse("15e-1").unwrap());
/// assert!(price < Decimal::parse("1e999999999").unwrap());
/// assert_eq!(Decimal::parse("01.5"), None);
/// ```
#[derive(Clone, Debug)]
pub struct Decimal<'a>(Cow<'a, str>);

impl<'a> Decimal<'a> {
    /// Parses the text of one number. Refuses leading zeros, a bare point and a leading `+`, as JSON does.
    pub fn parse(text: &'a str) -> Option<Decimal<'a>> {
        let bytes = text.as_bytes();
        let (whole, mut rest) = front::run(bytes.strip_prefix(b"-").unwrap_or(bytes))?;
        if whole.len() > 1 && whole[0] == b'0' {
            return None;
        }
        if let Some(fraction) = front::byte(rest, b'.') {
            rest = front::run(fraction)?.1;
        }
        if let [b'e' | b'E', exponent @ ..] = rest {
            rest = match exponent {
                [b'+' | b'-', digits @ ..] | digits => front::run(digits)?.1,
            };
        }
        rest.is_empty().then_some(Decimal(Cow::Borrowed(text)))
    }

    /// Converts an integer.
    ///
    /// ```
    /// use demat_core::scalar::{Decimal, Int};
    ///
    /// assert_eq!(Decimal::from_int(Int::from(-7)).as_str(), "-7");
    /// ```
    pub fn from_int(int: Int<'a>) -> Decimal<'a> {
        match int {
            Int::Big(digits) => Decimal(digits),
            small => Decimal(Cow::Owned(small.to_string())),
        }
    }

    /// Returns the exact value of a float, with all its digits: up to about 1,100 of them. `None` if it is not finite.
    ///
    /// ```
    /// use demat_core::scalar::Decimal;
    ///
    /// assert_eq!(Decimal::from_f64(0.375), Decimal::parse("0.375"));
    /// assert!(Decimal::from_f64(0.1) > Decimal::parse("0.1")); // the nearest float is a little more
    /// ```
    pub fn from_f64(value: f64) -> Option<Decimal<'static>> {
        if !value.is_finite() {
            return None;
        }
        // The smallest float's last binary digit is its 1074th decimal digit.
        let digits = if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1074}") };
        Some(Decimal(Cow::Owned(digits)))
    }

    /// Parses a number as programs write it: also with a `+`, with leading zeros, and without a digit before or after
    /// the point. It is then in the form of [`parse`](Self::parse).
    ///
    /// ```
    /// use demat_core::scalar::Decimal;
    ///
    /// assert_eq!(Decimal::parse_lax("+.5").unwrap().as_str(), "0.5");
    /// assert_eq!(Decimal::parse_lax("007.").unwrap().as_str(), "7");
    /// assert_eq!(Decimal::parse_lax("."), None);
    /// ```
    pub fn parse_lax(text: &str) -> Option<Decimal<'_>> {
        if let Some(number) = Decimal::parse(text) {
            return Some(number);
        }
        let (sign, size) = match text.strip_prefix('-') {
            Some(size) => ("-", size),
            None => ("", text.strip_prefix('+').unwrap_or(text)),
        };
        let (number, exponent) = size.split_at(size.find(['e', 'E']).unwrap_or(size.len()));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && fraction.is_empty() || size.starts_with('-') {
            return None;
        }
        let whole = match whole.trim_start_matches('0') {
            "" => "0",
            digits => digits,
        };
        let point = if fraction.is_empty() { "" } else { "." };
        let text = format!("{sign}{whole}{point}{fraction}{exponent}");
        Decimal::parse(&text).map(Decimal::into_owned)
    }

    /// The original text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the nearest `f64`, ties to even; infinite if the number is too large.
    ///
    /// ```
    /// use demat_core::scalar::Decimal;
    ///
    /// assert_eq!(Decimal::parse("0.1").unwrap().to_f64(), 0.1);
    /// assert_eq!(Decimal::parse("-1e400").unwrap().to_f64(), f64::NEG_INFINITY);
    /// ```
    pub fn to_f64(&self) -> f64 {
        // The standard library stops reading an exponent somewhere past 65,536. That matters only if the number has
        // about as many digits, so longer texts are normalised first.
        let nearest = if self.0.len() < 0x8000 { self.0.parse() } else { self.normal().shortened().parse() };
        nearest.unwrap_or(f64::NAN) // never: both are well-formed numbers
    }

    /// Returns the same number without borrowing.
    pub fn into_owned(self) -> Decimal<'static> {
        Decimal(Cow::Owned(self.0.into_owned()))
    }

    fn normal(&self) -> Normal<'_> {
        Normal::of(self.0.as_bytes())
    }
}

impl fmt::Display for Decimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not `pad`, which would cut off digits at a precision and change the number.
        match self.0.strip_prefix('-') {
            Some(size) => f.pad_integral(false, "", size),
            None => f.pad_integral(true, "", &self.0),
        }
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.0 == other.0 { Ordering::Equal } else { self.normal().compare(&other.normal()) }
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Decimal<'_> {}

impl Hash for Decimal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.normal().hash(state);
    }
}
