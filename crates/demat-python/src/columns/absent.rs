//! Absent fields in rows that were read from columns, where they are nulls.

use demat_core::{Record, RecordRef, Ref, Result, Shape, Value};

/// Returns a shape whose fields may be null if they may be absent, to read such rows.
///
/// # Errors
/// Never in practice: the record is one already.
pub(super) fn with_nulls(shape: &Shape) -> Result<Shape> {
    Ok(match shape {
        Shape::Option(inner) => with_nulls(inner)?.optional(),
        Shape::List(item) => with_nulls(item)?.list(),
        Shape::Map(key, value) => Shape::Map(key.clone(), Ref::new(with_nulls(value)?)),
        // A record within itself is as it was.
        Shape::Record(RecordRef::Link(..)) => shape.clone(),
        Shape::Record(record) => {
            let record = record.get();
            let mut fields = Vec::with_capacity(record.fields().len());
            for field in record.fields() {
                let shape = with_nulls(field.shape())?;
                let may_be_null = !field.required() && !shape.allows_null();
                fields.push(field.clone().with_inner(if may_be_null { shape.optional() } else { shape }));
            }
            let made = Record::new(record.name().to_string(), fields)?;
            Shape::record(made.with_unknown(record.unknown()).with_items(record.items().cloned()))
        }
        other => other.clone(),
    })
}

/// Takes the fields away that are null and may be absent, but not null: their columns had no value for them. So the class
/// gives them their defaults, which functions of its own may make.
pub(super) fn without_absent(value: &mut Value, shape: &Shape) {
    match (value, shape) {
        (Value::Map(entries), Shape::Record(record)) => {
            let record = record.get();
            let field = |key: &Value| match key {
                Value::Text(key) => record.index_of(key).map(|index| &record.fields()[index]),
                _ => None,
            };
            entries.retain_mut(|(key, value)| {
                let Some(field) = field(key) else { return true };
                if matches!(value, Value::Null) && !field.required() && !field.shape().allows_null() {
                    return false;
                }
                without_absent(value, field.shape());
                true
            });
        }
        (value, Shape::Option(inner)) => without_absent(value, inner),
        (Value::List(items), Shape::List(item)) => items.iter_mut().for_each(|value| without_absent(value, item)),
        (Value::Map(entries), Shape::Map(_, inner)) => {
            for (_, value) in entries {
                without_absent(value, inner);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{with_nulls, without_absent};
    use demat_core::{Shape, Value, ValueSource};

    #[test]
    fn only_what_can_be_nothing_but_absent_is_taken_away() {
        let shape: Shape = "c: text, d?: [{a?: text, b?: text?}], e?: text?, f?: any, g: int".parse().unwrap();
        let text = |text: &'static str| Value::Text(text.into());
        let map = |entries: Vec<(&'static str, Value)>| {
            Value::Map(entries.into_iter().map(|(key, value)| (text(key), value)).collect())
        };
        let row = |part: Value, rest: Vec<(&'static str, Value)>| {
            let mut entries = vec![("c", text("x")), ("d", Value::List(vec![part]))];
            entries.extend(rest);
            entries.push(("g", Value::Int(1.into())));
            map(entries)
        };
        let rest = || vec![("e", Value::Null), ("f", Value::Null)];
        let given = row(map(vec![("a", Value::Null), ("b", Value::Null)]), rest());
        assert!(Value::decode_as(&mut ValueSource::new(&given), &shape).is_err());
        let mut read = Value::decode_as(&mut ValueSource::new(&given), &with_nulls(&shape).unwrap()).unwrap();
        without_absent(&mut read, &shape);
        assert_eq!(read, row(map(vec![("b", Value::Null)]), rest()));
    }
}
