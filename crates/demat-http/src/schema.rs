//! Shapes as JSON Schema (2020-12).

use crate::limits::limits;
use demat_core::scalar::Int;
use demat_core::{Field, IntWidth, Record, RecordRef, Shape, Tag, Union, UnionRef, Unknown, Value};

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

/// The number of records that are written inline. From then on each is written once and referred to, since shapes that
/// share records may expand to exponentially many.
const INLINE: usize = 1_000;

/// A part that may be recursive.
#[derive(Clone)]
enum Named {
    Record(RecordRef),
    Union(UnionRef),
}

impl Named {
    fn identity(&self) -> usize {
        match self {
            Self::Record(record) => core::ptr::from_ref::<Record>(&record.get()).addr(),
            Self::Union(union) => core::ptr::from_ref::<Union>(&union.get()).addr(),
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Record(record) => record.get().name().to_string(),
            Self::Union(union) => union.get().name().to_string(),
        }
    }
}

/// Writes schemas. A recursive record or union gets a name, and is referred to by it.
pub(crate) struct Schemas {
    /// The first and the last part of references.
    prefix: &'static str,
    suffix: &'static str,
    /// The parts that are referred to, with their names.
    named: Vec<(Named, String)>,
    /// The identities of the enclosing parts.
    around: Vec<usize>,
    /// The number of records and unions written so far.
    written: usize,
}

/// Returns the JSON Schema (2020-12) of a shape's values in JSON, including the checks in the notes of its fields.
/// Recursive records are defined in `$defs`.
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
    let mut schemas = Schemas::new("#/$defs/", "");
    let mut whole = schemas.of(shape);
    let definitions = schemas.definitions();
    if let (Value::Map(entries), false) = (&mut whole, definitions.is_empty()) {
        entries.push((text("$defs"), Value::Map(definitions)));
    }
    whole
}

impl Schemas {
    /// References consist of the prefix, the record's name, and the suffix.
    pub(crate) fn new(prefix: &'static str, suffix: &'static str) -> Self {
        Self { prefix, suffix, named: Vec::new(), around: Vec::new(), written: 0 }
    }

    /// Returns the schema of a shape.
    pub(crate) fn of(&mut self, shape: &Shape) -> Value {
        noted(shape, &[], self)
    }

    /// Returns the schema of a field's value, with its checks.
    pub(crate) fn of_field(&mut self, field: &Field) -> Value {
        limited(field, self)
    }

    /// Returns the records that are referred to, by their names with the suffix.
    pub(crate) fn definitions(mut self) -> Vec<(Value, Value)> {
        let mut definitions = Vec::new();
        // Writing one may refer to others.
        while let Some((named, name)) = self.named.get(definitions.len()).cloned() {
            self.around = vec![named.identity()];
            let whole = self.whole(&named);
            definitions.push((Value::Text((name + self.suffix).into()), whole));
        }
        definitions
    }

    /// Returns the schema of a record or union: a reference, if it is recursive.
    fn named(&mut self, named: Named) -> Value {
        let identity = named.identity();
        self.written += 1;
        if self.around.contains(&identity) || self.written > INLINE {
            return self.reference(named);
        }
        self.around.push(identity);
        let whole = self.whole(&named);
        self.around.pop();
        whole
    }

    fn whole(&mut self, named: &Named) -> Value {
        match named {
            Named::Record(record) => properties(&record.get(), self),
            Named::Union(union) => self::union(&union.get(), self),
        }
    }

    fn reference(&mut self, named: Named) -> Value {
        let identity = named.identity();
        let known = self.named.iter().find(|(own, _)| own.identity() == identity).map(|(_, name)| name.clone());
        let name = known.unwrap_or_else(|| {
            let is_word = |c: char| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '_' };
            let own: String = named.name().chars().map(is_word).collect();
            let own = if own.is_empty() { "Value".to_string() } else { own };
            let numbered = (2..).map(|number| format!("{own}_{number}"));
            let is_free = |name: &String| !self.named.iter().any(|(_, other)| other == name);
            let name = core::iter::once(own.clone()).chain(numbered).find(is_free).unwrap_or(own);
            self.named.push((named, name.clone()));
            name
        });
        map([("$ref", Value::Text(format!("{}{name}{}", self.prefix, self.suffix).into()))])
    }
}

/// Returns the schema of a shape whose values also have notes.
fn noted(shape: &Shape, notes: &[&str], open: &mut Schemas) -> Value {
    if let Shape::Option(inner) = shape {
        return map([("anyOf", Value::List(vec![noted(inner, notes, open), of_type("null")]))]);
    }
    let below = |part: &str| -> Vec<&str> { notes.iter().filter_map(|note| note.strip_prefix(part)).collect() };
    let mut own = match shape {
        Shape::List(item) => map([("type", text("array")), ("items", noted(item, &below("item "), open))]),
        Shape::Tuple(items) => {
            let items = items.iter().enumerate();
            tuple(items.map(|(index, item)| noted(item, &below(&format!("at {index} ")), open)).collect())
        }
        Shape::Map(key, value) => {
            let mut own = vec![
                (text("type"), text("object")),
                (text("additionalProperties"), noted(value, &below("value "), open)),
            ];
            own.extend(names_of(key, &below("key "), open).map(|names| (text("propertyNames"), names)));
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

/// Returns the schema of a list with exactly these items.
fn tuple(items: Vec<Value>) -> Value {
    let count = || Value::Int(i64::try_from(items.len()).unwrap_or(i64::MAX).into());
    let (least, most) = (count(), count());
    let mut entries = vec![(text("type"), text("array"))];
    if !items.is_empty() {
        entries.push((text("prefixItems"), Value::List(items)));
    }
    entries.extend([(text("items"), Value::Bool(false)), (text("minItems"), least), (text("maxItems"), most)]);
    Value::Map(entries)
}

/// Returns the schema of an object's keys, which are always text. `None` if any text is valid.
fn names_of(key: &Shape, notes: &[&str], open: &mut Schemas) -> Option<Value> {
    let pattern = |pattern: &str| Some(map([("pattern", text(pattern))]));
    match key {
        Shape::Bool => Some(map([("enum", Value::List(vec![text("true"), text("false")]))])),
        Shape::Int(IntWidth::Unsigned(_)) => pattern("^(0|[1-9][0-9]*)$"),
        Shape::Int(_) => pattern("^-?(0|[1-9][0-9]*)$"),
        Shape::Text if notes.is_empty() => None,
        Shape::Text | Shape::Bytes | Shape::DateTime | Shape::Instant | Shape::Date | Shape::Time => {
            Some(as_names(noted(key, notes, open)))
        }
        Shape::Duration | Shape::Uuid | Shape::Enum(_) => Some(noted(key, notes, open)),
        _ => None,
    }
}

/// Adapts a schema for keys: numbers become text.
fn as_names(mut schema: Value) -> Value {
    if let Value::Map(entries) = &mut schema {
        for (key, value) in entries {
            if let (true, Value::List(values)) = (*key == text("enum"), value) {
                for value in values {
                    if let Value::Int(int) = value {
                        *value = text(&int.to_string());
                    }
                }
            }
        }
    }
    schema
}

fn plain(shape: &Shape, open: &mut Schemas) -> Value {
    match shape {
        Shape::Any => Value::Map(Vec::new()),
        Shape::Null => of_type("null"),
        Shape::Bool => of_type("boolean"),
        Shape::Int(width) => int(*width),
        Shape::Float(_) => of_type("number"),
        // The format `date-time` requires an offset.
        Shape::Text | Shape::DateTime => of_type("string"),
        Shape::Bytes => map([("type", text("string")), ("contentEncoding", text("base64"))]),
        // A number with all its digits, or its text.
        Shape::Decimal => {
            map([("type", Value::List(vec![text("number"), text("string")])), ("format", text("decimal"))])
        }
        Shape::Date => formatted("date"),
        Shape::Time => formatted("time"),
        Shape::Instant => formatted("date-time"),
        Shape::Duration => formatted("duration"),
        Shape::Uuid => formatted("uuid"),
        // Handled together with their parts.
        Shape::Option(_) | Shape::List(_) | Shape::Tuple(_) | Shape::Map(..) => noted(shape, &[], open),
        Shape::Record(record) => open.named(Named::Record(record.clone())),
        Shape::Enum(names) => {
            let names = (0..names.len()).map(|index| text(names.name_at(index))).collect();
            map([("enum", Value::List(names))])
        }
        Shape::Union(union) => open.named(Named::Union(union.clone())),
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

fn limited(field: &Field, open: &mut Schemas) -> Value {
    let notes: Vec<&str> = field.notes_for("check").collect();
    noted(field.shape().inner(), &notes, open)
}

fn properties(record: &Record, open: &mut Schemas) -> Value {
    let mut properties = Vec::new();
    let mut required = Vec::new();
    // If a field has aliases, one of its names is required.
    let mut choices = Vec::new();
    let mut additional = (record.unknown() == Unknown::Forbid).then_some(Value::Bool(false));
    for (index, field) in record.fields().iter().enumerate() {
        let own = limited(field, open);
        if record.unknown() == Unknown::Keep(index) {
            // The field is a map of unknown keys.
            additional = entry(own, "additionalProperties").filter(|own| *own != Value::Map(Vec::new()));
            continue;
        }
        let is_option = matches!(field.shape(), Shape::Option(_));
        let mut own = if is_option { map([("anyOf", Value::List(vec![own, of_type("null")]))]) } else { own };
        if let (Some(default), Value::Map(entries)) = (field.default(), &mut own) {
            entries.push((text("default"), default.clone()));
        }
        let names: Vec<&str> =
            core::iter::once(field.key()).chain(field.aliases().iter().map(|name| &**name)).collect();
        properties.extend(names.iter().map(|name| (text(name), own.clone())));
        match (&names[..], field.required()) {
            ([name], true) => required.push(text(name)),
            (names, true) => {
                let one = |name: &&str| map([("required", Value::List(vec![text(name)]))]);
                choices.push(map([("anyOf", Value::List(names.iter().map(one).collect()))]));
            }
            _ => {}
        }
    }
    let mut whole = vec![(text("type"), text("object")), (text("properties"), Value::Map(properties))];
    if !required.is_empty() {
        whole.push((text("required"), Value::List(required)));
    }
    if !choices.is_empty() {
        whole.push((text("allOf"), Value::List(choices)));
    }
    whole.extend(additional.map(|additional| (text("additionalProperties"), additional)));
    Value::Map(whole)
}

fn entry(schema: Value, name: &str) -> Option<Value> {
    let Value::Map(entries) = schema else { return None };
    entries.into_iter().find(|(key, _)| *key == text(name)).map(|(_, value)| value)
}

/// Returns the schema of a union of records that a field tells apart. Its `discriminator` is that of `OpenAPI`, which
/// wants references.
fn tagged(union: &Union, open: &mut Schemas) -> Option<Value> {
    let Tag::Field(tag) = union.tag() else { return None };
    let records = union.variants().iter().map(|variant| match variant.shape() {
        Shape::Record(record) => Some((variant.name(), record.clone())),
        _ => None,
    });
    let (mut variants, mut mapping) = (Vec::new(), Vec::new());
    for (name, record) in records.collect::<Option<Vec<_>>>()? {
        let reference = open.reference(Named::Record(record));
        mapping.extend(entry(reference.clone(), "$ref").map(|place| (text(name), place)));
        variants.push(reference);
    }
    let discriminator = [("propertyName", text(tag)), ("mapping", Value::Map(mapping))];
    Some(map([("anyOf", Value::List(variants)), ("discriminator", map(discriminator))]))
}

fn union(union: &Union, open: &mut Schemas) -> Value {
    if let Some(tagged) = tagged(union, open) {
        return tagged;
    }
    let object = |properties: Vec<(Value, Value)>| {
        let required = properties.iter().map(|(name, _)| name.clone()).collect();
        Value::Map(vec![
            (text("type"), text("object")),
            (text("properties"), Value::Map(properties)),
            (text("required"), Value::List(required)),
        ])
    };
    let variant = |variant: &demat_core::Variant, open: &mut Schemas| {
        let name = || map([("const", text(variant.name()))]);
        match union.tag() {
            Tag::Key if *variant.shape() == Shape::Null => name(),
            Tag::Key => object(vec![(text(variant.name()), open.of(variant.shape()))]),
            Tag::Pair(pair) => {
                let mut properties = vec![(text(pair.fields()[0].key()), name())];
                if *variant.shape() != Shape::Null {
                    properties.push((text(pair.fields()[1].key()), open.of(variant.shape())));
                }
                object(properties)
            }
            Tag::Field(_) | Tag::None => open.of(variant.shape()),
        }
    };
    let variants = union.variants().iter().map(|one| variant(one, open)).collect();
    map([("anyOf", Value::List(variants))])
}

#[cfg(test)]
mod tests;
