//! SQL for comparing a column with values.

use crate::name::quoted;
use crate::stored::Stored;

/// Returns the SQL expression that a column sorts by: the column itself, or its instant if that has several spellings.
pub fn sorted_by(column: &str, stored: Stored) -> String {
    if stored.is_moment() { format!("demat_instant({})", quoted(column)) } else { quoted(column) }
}

/// Returns SQL that compares a column with a value by `=`, `<>`, `<`, `<=`, `>` or `>=`, and how often the value occurs
/// in it. `value` is the placeholder: `?` or `:name`.
///
/// Timestamps are compared by the time they denote: `2021-01-01 00:00:00` and `2021-01-01T01:00:00+01:00` are equal.
/// Without an offset they are UTC, as in SQLite's own functions. The SQL includes a range of days, so that SQLite can
/// use an index of the column.
///
/// ```
/// use demat_sqlite::{Stored, compared};
/// assert_eq!(compared("a", Stored::Int, "<", "?"), (r#""a" < ?"#.to_string(), 1));
/// ```
pub fn compared(column: &str, stored: Stored, operator: &str, value: &str) -> (String, usize) {
    let name = quoted(column);
    if !stored.is_moment() {
        return (format!("{name} {operator} {value}"), 1);
    }
    // An instant's text begins with the same day or a neighboring one, since offsets are shorter than a day. SQLite
    // sorts numbers before all text.
    let (from, to) = (format!("demat_day({value}, -1)"), format!("demat_day({value}, 2)"));
    let (near, times) = match operator {
        "=" => (format!("({name} BETWEEN {from} AND {to} OR {name} < '') AND "), 3),
        "<" | "<=" => (format!("{name} < {to} AND "), 2),
        ">" | ">=" => (format!("({name} >= {from} OR {name} < '') AND "), 2),
        _ => (String::new(), 1),
    };
    (format!("({near}demat_instant({name}) {operator} demat_moment({value}))"), times)
}

/// Returns SQL that tests whether a column equals one of several values. `values` are the placeholders: `?` or `:name`.
pub fn among(column: &str, stored: Stored, values: &[String]) -> String {
    let value = |value: &String| if stored.is_moment() { format!("demat_moment({value})") } else { value.clone() };
    let values: Vec<_> = values.iter().map(value).collect();
    format!("{} IN ({})", sorted_by(column, stored), values.join(", "))
}
