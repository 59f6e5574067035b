//! A column compared with a value, in SQL.

use crate::name::quoted;
use crate::stored::Stored;

/// What a column sorts by, in SQL: itself, or what its values mean where they may be spelled in several ways.
pub fn sorted_by(column: &str, stored: Stored) -> String {
    match stored {
        Stored::Instant => format!("demat_instant({})", quoted(column)),
        _ => quoted(column),
    }
}

/// A column compared with one value by `=`, `<>`, `<`, `<=`, `>` or `>=`, in SQL. The value stands there as `value` says: `?` or
/// `:name`. Gives how often it does.
///
/// Dates with times are compared by the time they mean: `2021-01-01 00:00:00` and `2021-01-01T01:00:00+01:00` are equal. What
/// has no offset is in UTC, as SQLite's own functions have it. An index of the column is used to find the days around.
///
/// ```
/// use demat_sqlite::{Stored, compared};
/// assert_eq!(compared("a", Stored::Int, "<", "?"), (r#""a" < ?"#.to_string(), 1));
/// ```
pub fn compared(column: &str, stored: Stored, operator: &str, value: &str) -> (String, usize) {
    let name = quoted(column);
    if stored != Stored::Instant {
        return (format!("{name} {operator} {value}"), 1);
    }
    // All texts of the instants of a day begin with that day, the one before or the one after: offsets are less than a day.
    // Numbers stand before all texts.
    let (from, to) = (format!("demat_day({value}, -1)"), format!("demat_day({value}, 2)"));
    let (near, times) = match operator {
        "=" => (format!("({name} BETWEEN {from} AND {to} OR {name} < '') AND "), 3),
        "<" | "<=" => (format!("{name} < {to} AND "), 2),
        ">" | ">=" => (format!("({name} >= {from} OR {name} < '') AND "), 2),
        _ => (String::new(), 1),
    };
    (format!("({near}demat_instant({name}) {operator} demat_moment({value}))"), times)
}

/// A column that is one of some values, in SQL, where these stand as `values` say: `?` or `:name`.
pub fn among(column: &str, stored: Stored, values: &[String]) -> String {
    let value =
        |value: &String| if stored == Stored::Instant { format!("demat_moment({value})") } else { value.clone() };
    let values: Vec<_> = values.iter().map(value).collect();
    format!("{} IN ({})", sorted_by(column, stored), values.join(", "))
}
