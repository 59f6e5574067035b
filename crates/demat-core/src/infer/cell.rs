//! Types of a column's text cells.

use crate::scalar::{Date, Decimal, Instant, Int};
use crate::{FloatWidth, IntWidth, Shape};

/// The set of kinds that all cells of a column can be parsed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cells(u8);

const BOOL: u8 = 1;
const INT: u8 = 2;
const FLOAT: u8 = 4;
const DATE: u8 = 8;
const DATE_TIME: u8 = 16;
const INSTANT: u8 = 32;

impl Cells {
    pub(super) fn of(text: &str) -> Self {
        let Some(first) = text.bytes().next() else { return Self(0) };
        // The first byte limits the kinds to try.
        Self(match first {
            b't' | b'f' if matches!(text, "true" | "false") => BOOL,
            b'-' | b'0'..=b'9' => {
                let int = if Int::from_digits(text).is_some() && text != "-0" { INT } else { 0 };
                let float = if Decimal::parse(text).is_some_and(|number| float_holds(&number)) { FLOAT } else { 0 };
                let date = if Date::parse(text).is_some() { DATE } else { 0 };
                // Cells of both sorts fit neither kind: a column of instants refuses values without an offset.
                let instant = match Instant::parse(text) {
                    Some(instant) if instant.offset.is_some() => INSTANT,
                    Some(_) => DATE_TIME,
                    None => 0,
                };
                int | float | date | instant
            }
            _ => 0,
        })
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn shape(self) -> Shape {
        match self.0 {
            kinds if kinds & BOOL != 0 => Shape::Bool,
            kinds if kinds & INT != 0 => Shape::Int(IntWidth::Any),
            kinds if kinds & FLOAT != 0 => Shape::Float(FloatWidth::F64),
            kinds if kinds & DATE != 0 => Shape::Date,
            kinds if kinds & DATE_TIME != 0 => Shape::DateTime,
            kinds if kinds & INSTANT != 0 => Shape::Instant,
            _ => Shape::Text,
        }
    }
}

/// Whether the number equals the shortest text of its nearest float.
pub(super) fn float_holds(number: &Decimal<'_>) -> bool {
    let float = number.to_f64();
    if !float.is_finite() {
        return false;
    }
    Decimal::parse(&format!("{float:e}")).is_some_and(|again| again == *number)
}
