//! Scalars of a sample.

use super::cell::{Cells, float_holds};
use crate::scalar::{Decimal, Int};
use crate::{FloatWidth, IntWidth, Kind, Shape};

/// The kind of the scalars at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    /// Integers; whether floats represent all of them exactly.
    Int { float: bool },
    /// Non-empty cells.
    Cells(Cells),
    /// Numbers in text, one of which is beyond binary64. All of them can be read as decimals.
    Wide,
    /// One other kind for all.
    Of(Kind),
}

impl Scalar {
    pub(super) fn int(int: &Int<'_>) -> Self {
        const EXACT: u64 = 1 << 53;
        let float = match int {
            Int::I64(int) => int.unsigned_abs() <= EXACT || float_holds(&Decimal::from_int(Int::I64(*int))),
            other => float_holds(&Decimal::from_int(other.clone())),
        };
        Self::Int { float }
    }

    /// Returns the narrowest kind of both; `None` if that is only `any`.
    pub(super) fn join(self, other: Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Int { float: one }, Self::Int { float: other }) => Self::Int { float: one && other },
            (Self::Int { float: true }, float @ Self::Of(Kind::Float))
            | (float @ Self::Of(Kind::Float), Self::Int { float: true }) => float,
            (Self::Int { .. }, decimal @ Self::Of(Kind::Decimal))
            | (decimal @ Self::Of(Kind::Decimal), Self::Int { .. }) => decimal,
            // As with floats, so that the order does not matter.
            (Self::Wide, Self::Int { float: true } | Self::Of(Kind::Float))
            | (Self::Int { float: true } | Self::Of(Kind::Float), Self::Wide) => Self::Wide,
            (Self::Cells(one), Self::Cells(other)) => Self::Cells(one.and(other)),
            (one, other) if one == other => one,
            _ => return None,
        })
    }

    pub(super) fn shape(self) -> Shape {
        match self {
            Self::Int { .. } => Shape::Int(IntWidth::Any),
            Self::Cells(cells) => cells.shape(),
            Self::Wide => Shape::Decimal,
            Self::Of(kind) => match kind {
                Kind::Bool => Shape::Bool,
                Kind::Int => Shape::Int(IntWidth::Any),
                Kind::Float => Shape::Float(FloatWidth::F64),
                Kind::Text => Shape::Text,
                Kind::Bytes => Shape::Bytes,
                Kind::Decimal => Shape::Decimal,
                Kind::Date => Shape::Date,
                Kind::Time => Shape::Time,
                Kind::DateTime => Shape::DateTime,
                Kind::Instant => Shape::Instant,
                Kind::Duration => Shape::Duration,
                Kind::Uuid => Shape::Uuid,
                Kind::Null | Kind::List | Kind::Map => Shape::Any,
            },
        }
    }
}
