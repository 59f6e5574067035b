//! SQL for comparing a column with values.

use crate::affinity::Affinity;
use crate::stored::Stored;

/// What a column's values are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// The stored values.
    Themselves,
    /// The time that a timestamp denotes.
    Instant,
    /// The number of a decimal, whatever its digits. `near`: SQLite stores it as a number, so a range limits the search.
    Decimal { near: bool },
    /// The number of an int that has few or many digits. Each is stored in one way only.
    Digits,
    /// The length of a duration.
    Duration,
    /// The time of day, with any digits of its fraction.
    Time,
    /// A UUID, with hyphens or without, or its bytes.
    Uuid,
}

impl By {
    fn of(stored: Stored, affinity: Affinity) -> Self {
        match stored {
            Stored::DateTime | Stored::Instant => Self::Instant,
            Stored::Decimal => Self::Decimal { near: !matches!(affinity, Affinity::Text | Affinity::Blob) },
            Stored::Digits => Self::Digits,
            Stored::Duration => Self::Duration,
            Stored::Time => Self::Time,
            Stored::Uuid => Self::Uuid,
            _ => Self::Themselves,
        }
    }

    /// Returns the function of a column whose result sorts as the values do.
    fn key(self, column: &str) -> String {
        match self {
            Self::Themselves | Self::Time | Self::Uuid => column.to_string(),
            Self::Instant => format!("demat_instant({column})"),
            Self::Decimal { .. } | Self::Digits => format!("demat_decimal({column})"),
            Self::Duration => format!("demat_duration({column})"),
        }
    }

    /// Returns the function of a value that a column is compared with.
    fn asked(self, value: &str) -> String {
        match self {
            Self::Themselves | Self::Time | Self::Uuid => value.to_string(),
            Self::Instant => format!("demat_moment({value})"),
            Self::Decimal { .. } | Self::Digits => format!("demat_asked('decimal', {value})"),
            Self::Duration => format!("demat_asked('duration', {value})"),
        }
    }
}

/// Returns the SQL expression that a column sorts by: the column itself, or a function of it if its values don't sort
/// as SQLite stores them: timestamps, durations, and decimals and ints that are stored as text. `name` is the column's
/// [quoted](crate::quoted) name.
pub fn sorted_by(name: &str, stored: Stored, affinity: Affinity) -> String {
    match By::of(stored, affinity) {
        // SQLite compares its numbers exactly.
        By::Decimal { near: true } => name.to_string(),
        by => by.key(name),
    }
}

/// Returns SQL that compares a column with a value by `=`, `<>`, `<`, `<=`, `>` or `>=`, and how often the value occurs
/// in it. `name` is the column's [quoted](crate::quoted) name or another expression, `value` the placeholder: `?` or
/// `:name`.
///
/// Values are compared by what they denote, in whatever spelling they are stored: `1.1` and `1.10`, `PT120S` and `PT2M`,
/// `2021-01-01 00:00:00` and `2021-01-01T01:00:00+01:00` are equal. Timestamps without an offset are UTC, as in SQLite's
/// own functions. For most kinds SQLite can use an index of the column, since the SQL compares the column itself, or
/// includes a range of it. It can't for durations, for decimals in a column of text, and for the order of ints that may
/// exceed 64 bits.
///
/// ```
/// use demat_sqlite::{Affinity, Stored, compared};
/// let (sql, times) = compared("\"a\"", Stored::Int, Affinity::Integer, "<", "?");
/// assert_eq!((&*sql, times), (r#""a" < ?"#, 1));
/// ```
pub fn compared(name: &str, stored: Stored, affinity: Affinity, operator: &str, value: &str) -> (String, usize) {
    let by = By::of(stored, affinity);
    let (near, times) = match by {
        By::Themselves => return (format!("{name} {operator} {value}"), 1),
        By::Digits if matches!(operator, "=" | "<>") => return (format!("{name} {operator} {value}"), 1),
        By::Time => return time(name, operator, value),
        By::Uuid => return uuid(name, operator, value),
        By::Digits | By::Duration | By::Decimal { near: false } => (String::new(), 1),
        By::Instant => days(name, operator, value),
        By::Decimal { near: true } => numbers(name, operator, value),
    };
    (format!("({near}{} {operator} {})", by.key(name), by.asked(value)), times)
}

/// Returns a range of days around an instant, with AND, and how often the value occurs in it and behind it.
fn days(name: &str, operator: &str, value: &str) -> (String, usize) {
    // An instant's text begins with the same day or a neighboring one, since offsets are shorter than a day. SQLite
    // sorts numbers before all text.
    let (from, to) = (format!("demat_day({value}, -1)"), format!("demat_day({value}, 2)"));
    match operator {
        "=" => (format!("({name} BETWEEN {from} AND {to} OR {name} < '') AND "), 3),
        "<" | "<=" => (format!("{name} < {to} AND "), 2),
        ">" | ">=" => (format!("({name} >= {from} OR {name} < '') AND "), 2),
        _ => (String::new(), 1),
    }
}

/// As `days`, for a decimal: a range of numbers around it.
fn numbers(name: &str, operator: &str, value: &str) -> (String, usize) {
    let (from, to) = (format!("demat_near({value}, -1)"), format!("demat_near({value}, 1)"));
    match operator {
        "=" => (format!("{name} BETWEEN {from} AND {to} AND "), 3),
        "<" | "<=" => (format!("{name} <= {to} AND "), 2),
        ">" | ">=" => (format!("{name} >= {from} AND "), 2),
        _ => (String::new(), 1),
    }
}

/// Compares a time of day: all spellings of one lie between those with the fewest and the most digits.
fn time(name: &str, operator: &str, value: &str) -> (String, usize) {
    let (least, most) = (format!("demat_time({value}, 0)"), format!("demat_time({value}, 9)"));
    match operator {
        "=" => (format!("{name} BETWEEN {least} AND {most}"), 2),
        "<>" => (format!("{name} NOT BETWEEN {least} AND {most}"), 2),
        "<" | ">=" => (format!("{name} {operator} {least}"), 1),
        _ => (format!("{name} {operator} {most}"), 1),
    }
}

/// The ways in which programs write UUIDs.
const UUID_FORMS: usize = 5;

fn uuid(name: &str, operator: &str, value: &str) -> (String, usize) {
    let not = match operator {
        "=" => "",
        "<>" => "NOT ",
        // By the text, so that an index has the order.
        _ => return (format!("{name} {operator} demat_uuid({value}, 0)"), 1),
    };
    (format!("{name} {not}IN ({})", uuid_forms(value)), UUID_FORMS)
}

fn uuid_forms(value: &str) -> String {
    (0..UUID_FORMS).map(|form| format!("demat_uuid({value}, {form})")).collect::<Vec<_>>().join(", ")
}

/// Returns SQL that tests whether a column equals one of several values, and how often each occurs in it, one after
/// the other. `values` are the placeholders: `?` or `:name`.
pub fn among(name: &str, stored: Stored, affinity: Affinity, values: &[String]) -> (String, usize) {
    match By::of(stored, affinity) {
        By::Uuid => {
            let forms: Vec<_> = values.iter().map(|value| uuid_forms(value)).collect();
            (format!("{name} IN ({})", forms.join(", ")), UUID_FORMS)
        }
        By::Time | By::Decimal { near: true } if !values.is_empty() => {
            let each: Vec<_> = values.iter().map(|value| compared(name, stored, affinity, "=", value)).collect();
            let times = each[0].1;
            let each: Vec<_> = each.into_iter().map(|(sql, _)| sql).collect();
            (format!("({})", each.join(" OR ")), times)
        }
        By::Themselves | By::Digits => (format!("{name} IN ({})", values.join(", ")), 1),
        by => {
            let values: Vec<_> = values.iter().map(|value| by.asked(value)).collect();
            (format!("{} IN ({})", by.key(name), values.join(", ")), 1)
        }
    }
}
