//! Shapes as JSON Schema (2020-12).

use crate::limits::limits;
use demat_core::scalar::Int;
use demat_core::{Field, IntWidth, Record, RecordRef, Shape, Tag, UnionRef, Unknown, Value};

fn text(text: &str) -> Value {
    Value::Text(text.to_string().into())
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (text(key), value)).collect())
}

fn of_type(name: &str) -> Value {
    map([("type", text(name))])
}

fn formatted(format: &str) -> Value {
    map([("type", text("string")), ("format", text(format))])
}

/// Limit on the records in a schema: shapes that share records may expand to exponentially many.
const MOST: usize = 10_000;

/// State of the expansion.
#[derive(Default)]
struct Open {
    /// The records that enclose the current one.
    around: Vec<u64>,
    /// The number of records so far.
    records: usize,
}

/// The schema of what JSON says for a shape, with what is noted of the values of its fields. Records that are within themselves are anything from the second time on.
///
/// ```
/// let shape = "[{id: int, title: text?}]".parse()?;
/// let schema = demat_formats::json::encode(&demat_http::json_schema(&shape))?;
/// let expected = concat!(
///     r#"{"type":"array","items":{"type":"object","properties":"#,
///     r#"{"id":{"type":"integer"},"title":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["id"]}}"#,
/// );
/// assert_eq!(String::from_utf8_lossy(&schema), expected);
/// let shape = "n: int? #check:\"ge 0\"".parse()?;
/// let schema = demat_formats::json::encode(&demat_http::json_schema(&shape))?;
/// let expected = r#"{"type":"object","properties":{"n":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]}}}"#;
/// assert_eq!(String::from_utf8_lossy(&schema), expected);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn json_schema(shape: &Shape) -> Value {
    schema(shape, &mut Open::default())
}

fn schema(shape: &Shape, open: &mut Open) -> Value {
    noted(shape, &[], open)
}

/// Returns the schema of a shape whose values also have notes.
fn noted(shape: &Shape, notes: &[&str], open: &mut Open) -> Value {
    if let Shape::Option(inner) = shape {
        return map([("anyOf", Value::List(vec![noted(inner, notes, open), of_type("null")]))]);
    }
    let below = |part: &str| -> Vec<&str> { notes.iter().filter_map(|note| note.strip_prefix(part)).collect() };
    let mut own = match shape {
        Shape::List(item) => map([("type", text("array")), ("items", noted(item, &below("item "), open))]),
        Shape::Tuple(items) => {
            let items = items.iter().enumerate();
            let items = items.map(|(index, item)| noted(item, &below(&format!("at {index} ")), open)).collect();
            map([("type", text("array")), ("prefixItems", Value::List(items)), ("items", Value::Bool(false))])
        }
        Shape::Map(key, value) => {
            let mut own = vec![
                (text("type"), text("object")),
                (text("additionalProperties"), noted(value, &below("value "), open)),
            ];
            let keys = below("key ");
            if !keys.is_empty() && **key == Shape::Text {
                own.push((text("propertyNames"), noted(key, &keys, open)));
            }
            Value::Map(own)
        }
        other => plain(other, open),
    };
    if let Value::Map(entries) = &mut own {
        for (keyword, limit) in limits(shape, notes) {
            let keyword = text(keyword);
            // A field's own limit replaces that of its type.
            entries.retain(|(key, _)| *key != keyword);
            entries.push((keyword, limit));
        }
    }
    own
}

fn plain(shape: &Shape, open: &mut Open) -> Value {
    match shape {
        Shape::Any => Value::Map(Vec::new()),
        Shape::Null => of_type("null"),
        Shape::Bool => of_type("boolean"),
        Shape::Int(width) => int(*width),
        Shape::Float(_) => of_type("number"),
        // The format `date-time` wants an offset.
        Shape::Text | Shape::DateTime => of_type("string"),
        Shape::Bytes => map([("type", text("string")), ("contentEncoding", text("base64"))]),
        // A number with all its digits, or the text of one.
        Shape::Decimal => map([("type", Value::List(vec![text("number"), text("string")]))]),
        Shape::Date => formatted("date"),
        Shape::Time => formatted("time"),
        Shape::Instant => formatted("date-time"),
        Shape::Duration => formatted("duration"),
        Shape::Uuid => formatted("uuid"),
        // Handled together with their parts.
        Shape::Option(_) | Shape::List(_) | Shape::Tuple(_) | Shape::Map(..) => noted(shape, &[], open),
        Shape::Record(record) => self::record(record, open),
        Shape::Enum(names) => {
            let names = (0..names.len()).map(|index| text(names.name_at(index))).collect();
            map([("enum", Value::List(names))])
        }
        Shape::Union(union) => self::union(union, open),
    }
}

fn int(width: IntWidth) -> Value {
    let between = |least: Int<'_>, most: Int<'_>, format: Option<&str>| {
        let mut entries = vec![(text("type"), text("integer"))];
        entries.extend(format.map(|format| (text("format"), text(format))));
        let bounds = [("minimum", least), ("maximum", most)];
        entries.extend(bounds.map(|(key, bound)| (text(key), Value::Int(bound.into_owned()))));
        Value::Map(entries)
    };
    match width {
        IntWidth::Signed(bits @ 1..=64) => {
            let most = i64::MAX >> (64 - bits);
            let format = if bits == 64 { Some("int64") } else { (bits == 32).then_some("int32") };
            between((-1 - most).into(), most.into(), format)
        }
        IntWidth::Unsigned(bits @ 1..=64) => between(0.into(), (u64::MAX >> (64 - bits)).into(), None),
        IntWidth::Unsigned(_) => map([("type", text("integer")), ("minimum", Value::Int(0.into()))]),
        _ => of_type("integer"),
    }
}

/// The schema of a field's value: of what it is where it is something, with what it must be then.
pub(crate) fn value(field: &Field) -> Value {
    limited(field, &mut Open::default())
}

fn limited(field: &Field, open: &mut Open) -> Value {
    let notes: Vec<&str> = field.notes_for("check").collect();
    noted(field.shape().inner(), &notes, open)
}

fn record(record: &RecordRef, open: &mut Open) -> Value {
    let record = record.get();
    open.records += 1;
    if open.around.contains(&record.identity()) || open.records > MOST {
        return of_type("object");
    }
    open.around.push(record.identity());
    let whole = properties(&record, open);
    open.around.pop();
    whole
}

fn properties(record: &Record, open: &mut Open) -> Value {
    let mut properties = Vec::new();
    let mut required = Vec::new();
    for field in record.fields() {
        let own = limited(field, open);
        let is_option = matches!(field.shape(), Shape::Option(_));
        let mut own = if is_option { map([("anyOf", Value::List(vec![own, of_type("null")]))]) } else { own };
        if let (Some(default), Value::Map(entries)) = (field.default(), &mut own) {
            entries.push((text("default"), default.clone()));
        }
        properties.push((text(field.key()), own));
        if field.required() {
            required.push(text(field.key()));
        }
    }
    let mut whole = vec![(text("type"), text("object")), (text("properties"), Value::Map(properties))];
    if !required.is_empty() {
        whole.push((text("required"), Value::List(required)));
    }
    if record.unknown() == Unknown::Forbid {
        whole.push((text("additionalProperties"), Value::Bool(false)));
    }
    Value::Map(whole)
}

fn union(union: &UnionRef, open: &mut Open) -> Value {
    let union = union.get();
    if open.around.len() > 64 {
        return Value::Map(Vec::new());
    }
    let variant = |variant: &demat_core::Variant, open: &mut Open| {
        let own = schema(variant.shape(), open);
        match union.tag() {
            Tag::Key if *variant.shape() == Shape::Null => map([("const", text(variant.name()))]),
            Tag::Key => Value::Map(vec![
                (text("type"), text("object")),
                (text("properties"), Value::Map(vec![(text(variant.name()), own)])),
                (text("required"), Value::List(vec![text(variant.name())])),
            ]),
            _ => own,
        }
    };
    let variants = union.variants().iter().map(|one| variant(one, open)).collect();
    map([("anyOf", Value::List(variants))])
}
