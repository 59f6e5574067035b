//! Maps declared types of columns to shapes.

use crate::affinity::Affinity;
use crate::stored::{is_json, wide_of};
use demat_core::{FloatWidth, IntWidth, Shape};

/// Returns the shape of a column's values, by its declared type: first by names that give text or numbers a meaning,
/// then by affinity.
///
/// | declared | shape |
/// |---|---|
/// | `BOOLEAN`, `BOOL` | bool |
/// | `DATE`, `TIME`, `DATETIME`, `TIMESTAMP…`, `DURATION`, `UUID`, `GUID` | date, time, instant, duration, uuid |
/// | `DECIMAL…`, `NUMERIC…`, `MONEY` | decimal |
/// | `JSON…` | any, as JSON |
/// | `U64 BLOB`, `I128 BLOB` and the like | int of that width |
/// | `…INT…` | int |
/// | `…CHAR…`, `…CLOB…`, `…TEXT…` | text |
/// | `…BLOB…` | bytes |
/// | `…REAL…`, `…FLOA…`, `…DOUB…` | float |
/// | nothing, `ANY`, anything else | any |
pub fn shape_of_declared(declared: &str) -> Shape {
    let upper = declared.to_ascii_uppercase();
    if let Some(width) = wide_of(&upper) {
        return Shape::Int(width);
    }
    let name = upper.split(['(', ' ']).next().unwrap_or_default();
    match name {
        "BOOLEAN" | "BOOL" => Shape::Bool,
        "DATE" => Shape::Date,
        "TIME" => Shape::Time,
        "DATETIME" | "TIMESTAMP" | "TIMESTAMPTZ" => Shape::Instant,
        "DURATION" => Shape::Duration,
        "UUID" | "GUID" => Shape::Uuid,
        "DECIMAL" | "NUMERIC" | "MONEY" => Shape::Decimal,
        _ if is_json(&upper) => Shape::Any,
        _ => match Affinity::of(&upper, false) {
            Affinity::Integer => Shape::Int(IntWidth::Any),
            Affinity::Text => Shape::Text,
            Affinity::Real => Shape::Float(FloatWidth::F64),
            Affinity::Blob if !upper.is_empty() => Shape::Bytes,
            Affinity::Blob | Affinity::Numeric => Shape::Any,
        },
    }
}
