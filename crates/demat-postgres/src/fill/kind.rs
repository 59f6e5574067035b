//! The conversions from a column's type to a field's shape that need no source.

use crate::column_type::TypeClass;
use demat_core::{FloatWidth, IntWidth, Shape};

/// How a cell becomes a value of its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellKind {
    Bool,
    /// An integer within these bounds, which are those of the field's width.
    Int {
        form: IntForm,
        least: i64,
        most: i64,
    },
    /// A float of four bytes, kept so.
    Single,
    /// A float of four bytes as one of eight.
    Widened,
    Float,
    /// An exact number as its digits.
    Digits,
    /// An exact number as the nearest float.
    Nearest,
    Text,
    Bytes,
    Date,
    Time,
    /// A timestamp, with or without a time zone.
    Moment,
    Duration,
    Uuid,
}

/// The form of an integer's cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IntForm {
    Int2,
    Int4,
    Int8,
    Oid,
}

impl CellKind {
    /// Returns the kind of a column's cells for a shape; `None` if a source must convert them.
    pub(super) fn of(class: &TypeClass, shape: &Shape) -> Option<Self> {
        Some(match (class, shape) {
            (TypeClass::Bool, Shape::Bool) => Self::Bool,
            (TypeClass::Int(bytes), Shape::Int(width)) => {
                let form = match bytes {
                    2 => IntForm::Int2,
                    4 => IntForm::Int4,
                    _ => IntForm::Int8,
                };
                Self::int(form, *width)?
            }
            (TypeClass::Oid, Shape::Int(width)) => Self::int(IntForm::Oid, *width)?,
            (TypeClass::Float4, Shape::Float(FloatWidth::F32)) => Self::Single,
            (TypeClass::Float4, Shape::Float(FloatWidth::F64)) => Self::Widened,
            (TypeClass::Float8, Shape::Float(FloatWidth::F64)) => Self::Float,
            (TypeClass::Numeric(_), Shape::Decimal) => Self::Digits,
            (TypeClass::Numeric(_), Shape::Float(FloatWidth::F64)) => Self::Nearest,
            (TypeClass::Text(_) | TypeClass::Char(_) | TypeClass::Enum(_), Shape::Text) => Self::Text,
            (TypeClass::Bytes, Shape::Bytes) => Self::Bytes,
            (TypeClass::Date, Shape::Date) => Self::Date,
            (TypeClass::Time(_), Shape::Time) => Self::Time,
            (TypeClass::Timestamp(_), Shape::DateTime) | (TypeClass::Instant(_), Shape::Instant) => Self::Moment,
            (TypeClass::Interval(_) | TypeClass::CoarseInterval, Shape::Duration) => Self::Duration,
            (TypeClass::Uuid, Shape::Uuid) => Self::Uuid,
            _ => return None,
        })
    }

    fn int(form: IntForm, width: IntWidth) -> Option<Self> {
        let (least, most) = match width {
            IntWidth::Any => (i64::MIN, i64::MAX),
            IntWidth::Signed(bits @ 1..=64) => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
            IntWidth::Unsigned(64) => (0, i64::MAX),
            IntWidth::Unsigned(bits @ 0..64) => (0, ((1_u64 << bits) - 1).cast_signed()),
            // Wider columns are decimals.
            _ => return None,
        };
        Some(Self::Int { form, least, most })
    }
}
