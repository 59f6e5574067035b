//! Comparisons of columns that hold any values: a value compares only with what is of its kind.

use super::number::{with_float, with_int};
use super::{Column, operator_of};
use core::fmt::Write as _;
use demat_core::scalar::{Decimal, base64};
use demat_place::Number;
use demat_sqlite::{Affinity, Param};
use demat_store::Test;

/// Returns SQL that compares a column of any values. `quoted`: whether the value is text; `None` if it may be either.
pub(super) fn compared(
    column: &Column<'_>,
    test: Test,
    given: &str,
    quoted: Option<bool>,
    values: &mut Vec<Param>,
) -> String {
    let number = match given {
        _ if quoted == Some(true) => None,
        // Such a column has bools as ints.
        "true" => Number::parse("1"),
        "false" => Number::parse("0"),
        _ => Number::parse(given),
    };
    let text = (quoted != Some(false)).then(|| given.to_string());
    let bytes = text.as_ref().and_then(|text| base64::decode(text));
    if matches!(test, Test::Eq | Test::Ne) {
        equal(column, test == Test::Ne, number.as_ref(), (text, bytes), values)
    } else {
        ordered(column, operator_of(test), number.as_ref(), (text, bytes), values)
    }
}

/// A value equals a number, a text or bytes, and an index finds all of them.
fn equal(
    column: &Column<'_>,
    not: bool,
    number: Option<&Number>,
    (text, bytes): (Option<String>, Option<Vec<u8>>),
    values: &mut Vec<Param>,
) -> String {
    let mut name = column.sql.clone();
    let mut given = Vec::new();
    if let Some(number) = number {
        given.extend([with_int("=", number).1, with_float("=", number).1]);
    }
    let is_number = |text: &String| Number::parse(text.trim()).is_some();
    match column.affinity {
        // No text that is a number is stored as text, and SQLite would take the other for a number, too.
        Affinity::Integer | Affinity::Numeric | Affinity::Real if text.as_ref().is_some_and(is_number) => {
            if number.is_none() {
                name = format!("+{name}");
                given.extend(text.map(Param::Text));
            }
        }
        Affinity::Text => {
            // All numbers are text there, and SQLite would turn these into it.
            given.clear();
            given.extend(text.map(Param::Text));
        }
        _ => given.extend(text.map(Param::Text)),
    }
    given.extend(bytes.map(Param::Blob));
    let places = vec!["?"; given.len()].join(", ");
    values.extend(given);
    // `IN ()` is false for null, too.
    let mut sql = if places.is_empty() { format!("{name} <> {name}") } else { format!("{name} IN ({places})") };
    if let Some(float) = number.and_then(rounded) {
        sql = format!("({sql} AND NOT (typeof({name}) = 'integer' AND {name} = ?))");
        values.push(Param::Real(float));
    }
    if not { format!("NOT ({sql})") } else { sql }
}

/// Returns the float nearest to a number, if that is an int which does not equal the number.
fn rounded(number: &Number) -> Option<f64> {
    let Number::Decimal(decimal) = number else { return None };
    let float = decimal.to_f64();
    (float.fract() == 0.0 && Decimal::from_f64(float).is_some_and(|exact| exact != *decimal)).then_some(float)
}

/// A value is less or greater than another of its kind.
fn ordered(
    column: &Column<'_>,
    operator: &'static str,
    number: Option<&Number>,
    (text, bytes): (Option<String>, Option<Vec<u8>>),
    values: &mut Vec<Param>,
) -> String {
    // Without its affinity: SQLite must convert neither side.
    let name = format!("+{}", column.sql);
    let mut sql = format!("CASE typeof({name}) WHEN 'null' THEN NULL");
    let mut when = |kind: &str, (operator, value): (&str, Param)| {
        let _ = write!(sql, " WHEN '{kind}' THEN {name} {operator} ?"); // writing to a String cannot fail
        values.push(value);
    };
    if let Some(number) = number {
        when("integer", with_int(operator, number));
        when("real", with_float(operator, number));
    }
    if let Some(text) = text {
        when("text", (operator, Param::Text(text)));
    }
    if let Some(bytes) = bytes {
        when("blob", (operator, Param::Blob(bytes)));
    }
    sql + " ELSE FALSE END"
}
