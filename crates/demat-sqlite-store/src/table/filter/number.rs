//! Exact comparisons of SQLite's numbers.
//!
//! SQLite compares ints with floats exactly, but a number may be neither, and an index of floats rounds ints. So the
//! number becomes one that the column can have, and the operator is changed with it.

#[cfg(test)]
mod tests;

use core::cmp::Ordering;
use demat_core::scalar::{Decimal, Int};
use demat_place::Number;
use demat_sqlite::Param;

/// A float that no int of 64 bits reaches.
const BEYOND: f64 = 1e19;

/// Returns how a column of ints is compared with a number: the operator and the value.
pub(super) fn with_int(operator: &'static str, number: &Number) -> (&'static str, Param) {
    match number {
        Number::Int(int) => (operator, bound(int)),
        Number::Infinite(float) => (operator, Param::Real(*float)),
        Number::Decimal(decimal) => {
            let Some(floor) = floor(decimal) else {
                let negative = decimal.as_str().starts_with('-');
                return (operator, Param::Real(if negative { -BEYOND } else { BEYOND }));
            };
            let whole = Decimal::from_int(Int::from(floor)) == *decimal;
            let operator = match operator {
                // No int is half.
                "=" | "<>" if !whole => return (operator, Param::Real(0.5)),
                "<" if !whole => "<=",
                ">=" if !whole => ">",
                other => other,
            };
            (operator, bound(&Int::from(floor)))
        }
    }
}

fn bound(int: &Int<'_>) -> Param {
    match int.to_i64() {
        Some(int) => Param::Int(int),
        None => Param::Real(if *int < Int::I64(0) { -BEYOND } else { BEYOND }),
    }
}

/// Returns the largest int that is not above a decimal; `None` if that has more than 64 bits.
fn floor(decimal: &Decimal<'_>) -> Option<i128> {
    let near = decimal.to_f64();
    if near.abs() >= BEYOND {
        return None;
    }
    // The nearest float differs by 1024 at most.
    let (mut low, mut high) = (near as i128 - 2048, near as i128 + 2048);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if Decimal::from_int(Int::from(middle)) <= *decimal {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

/// Returns how a column of floats is compared with a number. A number that is no int stands for the nearest float.
pub(super) fn with_float(operator: &'static str, number: &Number) -> (&'static str, Param) {
    let Number::Int(int) = number else {
        return (operator, Param::Real(number.as_float().unwrap_or(f64::INFINITY)));
    };
    let float = int.to_f64();
    let operator = match (int.compare_f64(float), operator) {
        (Some(Ordering::Equal), operator) => operator,
        // No float equals it, and none equals bytes.
        (_, "=" | "<>") => return (operator, Param::Blob(Vec::new())),
        // No float lies between the two.
        (Some(Ordering::Less), "<=") => "<",
        (Some(Ordering::Less), ">") => ">=",
        (Some(Ordering::Greater), "<") => "<=",
        (Some(Ordering::Greater), ">=") => ">",
        (_, operator) => operator,
    };
    (operator, Param::Real(float))
}
