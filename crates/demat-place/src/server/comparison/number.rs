//! Comparisons with numbers.

use super::{between, constant, operation, param};
use crate::{Number, Test};
use core::cmp::Ordering;
use demat_postgres::Fragment;

/// Compares a column of ints by their exact values.
pub(super) fn int_compared(name: &str, test: Test, operator: &str, given: &str) -> Option<Fragment> {
    let numeric = format!("{name}::numeric");
    Some(match Number::parse(given)? {
        Number::Int(int) => match int.to_i64() {
            Some(int) => operation(name, operator, param(20, |sink| sink.i64(int))?, "bigint"),
            None => operation(&numeric, operator, param(1_700, |sink| sink.int(&int))?, "numeric"),
        },
        // As a float, 2^53 and the int behind it were one.
        Number::Decimal(value) => operation(&numeric, operator, param(1_700, |sink| sink.decimal(&value))?, "numeric"),
        Number::Infinite(value) => {
            let is = |wanted: Ordering| (wanted == Ordering::Less) == (value > 0.0);
            constant(
                name,
                match test {
                    Test::Lt | Test::Le => is(Ordering::Less),
                    Test::Gt | Test::Ge => is(Ordering::Greater),
                    test => test == Test::Ne,
                },
            )
        }
    })
}

/// Compares a column of floats: with the exact value of an int, and with the float nearest to any other number.
///
/// To PostgreSQL a NaN is the greatest of all.
pub(super) fn float_compared(name: &str, test: Test, operator: &str, given: &str) -> Option<Fragment> {
    let number = Number::parse(given)?;
    if let Some(float) = number.as_float() {
        return with_float(name, test, operator, float);
    }
    let Number::Int(int) = number else { return None };
    let float = int.to_f64();
    let below = int.compare_f64(float) == Some(Ordering::Greater);
    between::compared(name, test, below, |test, operator| with_float(name, test, operator, float))
}

fn with_float(name: &str, test: Test, operator: &str, float: f64) -> Option<Fragment> {
    let mut own = operation(name, operator, param(701, |sink| sink.float(float))?, "float8");
    if matches!(test, Test::Gt | Test::Ge) {
        own.text(&format!(" AND {name} <> 'NaN'"));
    }
    Some(own)
}
