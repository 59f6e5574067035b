//! JSON Schema keywords for the checks of a field's values.

use demat_core::{Shape, Value};

/// Returns the JSON Schema keywords for the `check` notes of a shape's values. Notes without a keyword, such as bounds
/// of dates, are left out, so the schema may accept more than the server does.
pub(crate) fn limits<'n>(
    shape: &'n Shape,
    notes: &'n [&'n str],
) -> impl Iterator<Item = (&'static str, Value)> + use<'n> {
    notes.iter().filter_map(move |note| {
        let (what, bound) = note.split_once(' ')?;
        limit(shape, what, bound)
    })
}

fn limit(shape: &Shape, what: &str, bound: &str) -> Option<(&'static str, Value)> {
    let is_number = matches!(shape, Shape::Int(_) | Shape::Float(_) | Shape::Decimal);
    let keyword = match (what, shape) {
        ("ge", _) if is_number => "minimum",
        ("gt", _) if is_number => "exclusiveMinimum",
        ("le", _) if is_number => "maximum",
        ("lt", _) if is_number => "exclusiveMaximum",
        ("multiple_of", _) if is_number => "multipleOf",
        ("min_length", Shape::Text | Shape::Bytes) => "minLength",
        ("max_length", Shape::Text | Shape::Bytes) => "maxLength",
        ("min_length", Shape::List(_)) => "minItems",
        ("max_length", Shape::List(_)) => "maxItems",
        ("min_length", Shape::Map(..)) => "minProperties",
        ("max_length", Shape::Map(..)) => "maxProperties",
        ("one_of", _) => {
            let values: Value = demat_formats::json::decode(bound.as_bytes()).ok()?;
            return Some(("enum", values));
        }
        ("pattern", Shape::Text) => return Some(("pattern", Value::Text(bound.to_string().into()))),
        _ => return None,
    };
    let number = match (bound.parse::<i64>(), bound.parse::<f64>()) {
        // Bytes are base64: four characters for every three bytes or part of three.
        (Ok(whole), _) if *shape == Shape::Bytes => Value::Int((whole.checked_add(2)? / 3 * 4).into()),
        (Ok(whole), _) => Value::Int(whole.into()),
        (_, Ok(float)) if float.is_finite() => Value::Float(float),
        _ => return None,
    };
    Some((keyword, number))
}
