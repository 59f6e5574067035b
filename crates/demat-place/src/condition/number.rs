//! Numbers that numbers are compared with.

use core::cmp::Ordering;
use demat_core::scalar::{Decimal, Int};

/// A number as a condition gives it.
///
/// Ints are compared with its exact value. Floats are compared with the exact value of an int, and with the float
/// nearest to any other number: 0.1 equals the float that is written so.
///
/// ```
/// use core::cmp::Ordering;
/// use demat_place::Number;
/// let number = Number::parse("9007199254740993").unwrap();
/// assert_eq!(number.compare_float(9_007_199_254_740_992.0), Some(Ordering::Greater));
/// assert_eq!(Number::parse("0.1").unwrap().compare_float(0.1), Some(Ordering::Equal));
/// ```
#[derive(Debug, Clone)]
pub enum Number {
    /// An int.
    Int(Int<'static>),
    /// Any other finite number.
    Decimal(Decimal<'static>),
    /// An infinity.
    Infinite(f64),
}

impl Number {
    /// Parses a number, with or without a sign, a point and an exponent, or the name of an infinity. `None` for other
    /// text, and for NaN.
    pub fn parse(given: &str) -> Option<Self> {
        let Some(number) = Decimal::parse_lax(given) else {
            let float: f64 = given.parse().ok()?;
            return float.is_infinite().then_some(Self::Infinite(float));
        };
        Some(match Int::from_digits(number.as_str()) {
            Some(int) => Self::Int(int.into_owned()),
            None => Self::Decimal(number.into_owned()),
        })
    }

    /// Compares it with an int.
    pub fn compare_int(&self, int: &Int<'_>) -> Ordering {
        match self {
            Self::Int(own) => own.cmp(int),
            Self::Decimal(own) => own.cmp(&Decimal::from_int(int.clone())),
            Self::Infinite(own) if *own > 0.0 => Ordering::Greater,
            Self::Infinite(_) => Ordering::Less,
        }
    }

    /// Compares it with a float; `None` if that is NaN.
    pub fn compare_float(&self, float: f64) -> Option<Ordering> {
        match self {
            Self::Int(own) => own.compare_f64(float),
            Self::Decimal(own) => own.to_f64().partial_cmp(&float),
            Self::Infinite(own) => own.partial_cmp(&float),
        }
    }

    /// Returns the float that compares with floats as this number does; `None` if there is none.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Int(own) => {
                let float = own.to_f64();
                own.compare_f64(float).is_some_and(Ordering::is_eq).then_some(float)
            }
            Self::Decimal(own) => Some(own.to_f64()),
            Self::Infinite(own) => Some(*own),
        }
    }
}
