//! The exact text of a value, to compare values by: `1`, `1.0` and `true` differ, and so do the zeros.

use demat_core::{Shape, Value};

/// Returns the exact text of a value of a shape.
///
/// Two things do not count, since they mean nothing in a record: the order of its fields, and whether a field that is
/// null is there. Both count in a map.
pub(crate) fn exact(value: &Value, shape: &Shape) -> String {
    match (shape.inner(), value) {
        (Shape::Record(record), Value::Map(entries)) => {
            let record = record.get();
            let shape_of = |key: &Value| {
                let field = record.fields().iter().find(|field| matches!(key, Value::Text(key) if key == field.key()));
                field.map_or(&Shape::Any, |field| field.shape())
            };
            fields(entries.iter().map(|(key, value)| (key, exact(value, shape_of(key)), value)))
        }
        // Which variant it is does not matter to the text.
        (Shape::Union(_), Value::Map(entries)) => {
            fields(entries.iter().map(|(key, value)| (key, exact(value, shape), value)))
        }
        (Shape::List(item), Value::List(items)) => list(items.iter().map(|value| exact(value, item))),
        (Shape::Union(_), Value::List(items)) => list(items.iter().map(|value| exact(value, shape))),
        (Shape::Tuple(shapes), Value::List(items)) => {
            let shape_of = |index: usize| shapes.get(index).map_or(&Shape::Any, |shape| &**shape);
            list(items.iter().enumerate().map(|(index, value)| exact(value, shape_of(index))))
        }
        (Shape::Map(key, inner), Value::Map(entries)) => {
            let entry = |(own, value): &(Value, Value)| format!("{}: {}", exact(own, key), exact(value, inner));
            let entries: Vec<_> = entries.iter().map(entry).collect();
            format!("map{{{}}}", entries.join(", "))
        }
        (_, value) => format!("{value:?}"),
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn fields<'v>(entries: impl Iterator<Item = (&'v Value, String, &'v Value)>) -> String {
    let present = entries.filter(|(_, _, value)| !matches!(value, Value::Null));
    let mut texts: Vec<_> = present.map(|(key, text, _)| format!("{key:?}: {text}")).collect();
    texts.sort();
    format!("{{{}}}", texts.join(", "))
}
