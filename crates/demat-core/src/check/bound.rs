//! Bounds of the `check` notes, and comparison with them.

use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time};
use crate::{Kind, Shape};
use core::cmp::Ordering;

/// A scalar that rules are applied to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scalar<'v> {
    Null,
    Bool(bool),
    I64(i64),
    Int(&'v Int<'v>),
    Float(f64),
    Text(&'v str),
    Bytes(&'v [u8]),
    Decimal(&'v Decimal<'v>),
    Date(Date),
    Time(Time),
    DateTime(DateTime),
    Instant(Instant),
    Duration(Duration),
    Uuid,
}

impl Scalar<'_> {
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Bool(_) => Kind::Bool,
            Self::I64(_) | Self::Int(_) => Kind::Int,
            Self::Float(_) => Kind::Float,
            Self::Text(_) => Kind::Text,
            Self::Bytes(_) => Kind::Bytes,
            Self::Decimal(_) => Kind::Decimal,
            Self::Date(_) => Kind::Date,
            Self::Time(_) => Kind::Time,
            Self::DateTime(_) => Kind::DateTime,
            Self::Instant(_) => Kind::Instant,
            Self::Duration(_) => Kind::Duration,
            Self::Uuid => Kind::Uuid,
        }
    }
}

/// The bound of a comparison rule, of the same kind as the values.
#[derive(Debug, Clone)]
pub(super) enum Bound {
    I64(i64),
    Float(f64),
    /// Includes ints that `i64` can't hold.
    Decimal(Decimal<'static>),
    /// Negative or positive infinity: below or above every number.
    Infinite(Ordering),
    Date(Date),
    Time(Time),
    /// With an offset or without one; either compares only with values that are like it.
    Instant(Instant),
    Duration(Duration),
}

impl Bound {
    /// Parses the bound of a note for values of this shape. Returns `None` if it is invalid.
    pub(super) fn parse(shape: &Shape, text: &str) -> Option<Self> {
        let number = || {
            let infinite = match text.trim_start_matches(['+', '-']).to_ascii_lowercase().as_str() {
                "inf" | "infinity" => Some(if text.starts_with('-') { Ordering::Less } else { Ordering::Greater }),
                _ => None,
            };
            if let Some(sign) = infinite {
                return Some(Self::Infinite(sign));
            }
            match text.parse() {
                Ok(int) => Some(Self::I64(int)),
                Err(_) => Decimal::parse(text).map(|bound| Self::Decimal(bound.into_owned())),
            }
        };
        match shape.inner() {
            Shape::Int(_) | Shape::Decimal => number(),
            Shape::Float(_) => match number()? {
                Self::Infinite(sign) => Some(Self::Infinite(sign)),
                _ => text.parse().ok().map(Self::Float),
            },
            Shape::Date => Date::parse(text).map(Self::Date),
            Shape::Time => Time::parse(text).map(Self::Time),
            Shape::DateTime => DateTime::parse(text).map(|bound| Self::Instant(bound.into())),
            Shape::Instant => Instant::parse(text).map(Self::Instant),
            Shape::Duration => Duration::parse(text).map(Self::Duration),
            _ => None,
        }
    }

    /// Returns how a value compares with the bound. `None` if they have no order: NaN, or values of different kinds.
    pub(super) fn compare(&self, value: Scalar<'_>) -> Option<Ordering> {
        match (value, self) {
            (Scalar::I64(value), Self::I64(bound)) => Some(value.cmp(bound)),
            (Scalar::I64(value), _) => self.compare(Scalar::Int(&Int::I64(value))),
            (Scalar::Float(value), Self::Infinite(sign)) => {
                let bound = if *sign == Ordering::Less { f64::NEG_INFINITY } else { f64::INFINITY };
                value.partial_cmp(&bound)
            }
            (Scalar::Int(_) | Scalar::Decimal(_), Self::Infinite(sign)) => Some(sign.reverse()),
            (Scalar::Float(value), Self::Float(bound)) => value.partial_cmp(bound),
            (Scalar::Float(value), Self::I64(_) | Self::Decimal(_)) if value.is_finite() => {
                self.compare(Scalar::Decimal(&Decimal::from_f64(value)?))
            }
            (Scalar::Float(value), Self::I64(_) | Self::Decimal(_)) => value.partial_cmp(&0.0),
            (Scalar::Int(value), Self::I64(bound)) => Some(value.cmp(&Int::I64(*bound))),
            (Scalar::Int(value), Self::Decimal(bound)) => Some(Decimal::from_int(value.clone()).cmp(bound)),
            (Scalar::Int(value), Self::Float(bound)) => {
                Some(Decimal::from_int(value.clone()).cmp(&Decimal::from_f64(*bound)?))
            }
            (Scalar::Decimal(value), Self::I64(bound)) => Some(value.cmp(&Decimal::from_int(Int::I64(*bound)))),
            (Scalar::Decimal(value), Self::Decimal(bound)) => Some(value.cmp(bound)),
            (Scalar::Decimal(value), Self::Float(bound)) => Some(value.cmp(&Decimal::from_f64(*bound)?)),
            (Scalar::Date(value), Self::Date(bound)) => Some(value.cmp(bound)),
            (Scalar::Time(value), Self::Time(bound)) => Some(value.cmp(bound)),
            (Scalar::Duration(value), Self::Duration(bound)) => Some(value.cmp(bound)),
            (Scalar::Instant(value), Self::Instant(bound)) => Some(value.unix_nanos()?.cmp(&bound.unix_nanos()?)),
            (Scalar::DateTime(value), Self::Instant(bound)) => match bound.split() {
                (bound, None) => Some(value.cmp(&bound)),
                _ => None,
            },
            _ => None,
        }
    }
}
