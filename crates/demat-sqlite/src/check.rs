//! Translates `check` notes of fields to SQL constraints.

use crate::name::{quoted, text_literal};
use crate::stored::Stored;
use demat_core::{Field, Shape};

/// Returns the constraints of a field's column, as far as SQL can express them: `ge`, `gt`, `le`, `lt`, `multiple_of`,
/// `min_length`, `max_length`, and the names of an enum. The host checks the others: patterns, and bounds of values
/// that do not sort like their text (durations, instants of several offsets, decimals).
pub(crate) fn rules(field: &Field, stored: Stored) -> Vec<String> {
    let column = quoted(field.key());
    let mut rules: Vec<String> = field.notes_for("check").filter_map(|note| rule(&column, note, stored)).collect();
    if let Shape::Enum(names) = field.shape().inner() {
        let names: Vec<_> = (0..names.len()).map(|index| text_literal(names.name_at(index))).collect();
        rules.push(format!("{column} IN ({})", names.join(", ")));
    }
    if stored == Stored::Bool {
        rules.push(format!("{column} IN (0, 1)"));
    }
    rules
}

fn rule(column: &str, note: &str, stored: Stored) -> Option<String> {
    let (what, bound) = note.split_once(' ')?;
    let compared = match what {
        "ge" => ">=",
        "gt" => ">",
        "le" => "<=",
        "lt" => "<",
        "multiple_of" => "%",
        "min_length" => ">= length",
        "max_length" => "<= length",
        _ => return None,
    };
    let whole = bound.parse::<i64>().ok();
    let number = whole.map(|whole| whole.to_string()).or_else(|| float(bound));
    match (stored, compared) {
        (Stored::Text | Stored::Blob, ">= length") => Some(format!("length({column}) >= {}", whole?)),
        (Stored::Text | Stored::Blob, "<= length") => Some(format!("length({column}) <= {}", whole?)),
        // SQLite's remainder only works with integers.
        (Stored::Int, "%") => whole.filter(|whole| *whole != 0).map(|whole| format!("{column} % {whole} = 0")),
        (_, ">= length" | "<= length" | "%") => None,
        (Stored::Int | Stored::Real, compared) => Some(format!("{column} {compared} {}", number?)),
        (Stored::Date | Stored::Time, compared) => Some(format!("{column} {compared} {}", text_literal(bound))),
        _ => None,
    }
}

/// Returns the literal of a float bound.
fn float(bound: &str) -> Option<String> {
    bound.parse::<f64>().ok().filter(|float| float.is_finite()).map(|float| format!("{float:?}"))
}
