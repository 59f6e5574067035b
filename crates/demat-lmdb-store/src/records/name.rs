//! The names of records in references: their keys as text.

use demat_core::scalar::{Date, DateTime, Instant, Int, Uuid, base64};
use demat_core::{Record, Result, Shape, Value};
use demat_lmdb::{Collection, Encoding, Key, Part, Parts, auto_key};

/// How records are called.
#[derive(Debug)]
pub(super) enum Name {
    /// By the values of these fields.
    Fields { names: Vec<String>, shapes: Vec<Shape>, projected: Shape, encoding: Encoding },
    /// By the number that the collection gave.
    Number,
    /// By nothing: a program makes the keys.
    None,
}

/// A key, and the fields whose values it is made of.
pub(super) struct Named {
    pub(super) key: Vec<u8>,
    pub(super) values: Vec<(String, Value)>,
}

impl Name {
    pub(super) fn of(collection: &Collection, record: &Record) -> Result<Self> {
        let definition = collection.definition();
        let names = match definition.key {
            Key::Auto => return Ok(Self::Number),
            Key::Given => return Ok(Self::None),
            Key::Fields(names) => names,
        };
        // A key is made of the stored fields, whether or not the class has them.
        let stored = definition.shape.row().map(|row| row.get().clone());
        let stored = stored.as_ref().unwrap_or(record);
        let field = |name: &String| stored.index_of(name).map(|index| stored.fields()[index].clone());
        let fields: Vec<_> = names.iter().filter_map(field).collect();
        let shapes = fields.iter().map(|field| field.shape().clone()).collect();
        let projected = Shape::record(Record::new(stored.name().to_string(), fields)?);
        Ok(Self::Fields { names, shapes, projected, encoding: definition.encoding })
    }

    /// The fields of the key.
    pub(super) fn fields(&self) -> &[String] {
        if let Self::Fields { names, .. } = self { names } else { &[] }
    }

    /// Returns the key of the record with a name; `None` if no record can have it.
    pub(super) fn named(&self, collection: &Collection, name: &str) -> Option<Named> {
        match self {
            Self::None => None,
            Self::Number => {
                let number = name.parse::<i64>().ok().filter(|number| number.to_string() == name)?;
                Some(Named { key: auto_key(number).ok()?, values: Vec::new() })
            }
            Self::Fields { names, shapes, projected, encoding } => {
                let parts = split(name, shapes);
                if parts.len() != names.len() {
                    return None;
                }
                let value = |(shape, part): (&Shape, &Option<String>)| match part {
                    Some(part) => value(shape, part),
                    None => shape.allows_null().then_some(Value::Null),
                };
                let values = shapes.iter().zip(&parts).map(value).collect::<Option<Vec<_>>>()?;
                let values: Vec<_> = names.iter().cloned().zip(values).collect();
                let entry = |(name, value): &(String, Value)| (Value::Text(name.clone().into()), value.clone());
                let record = encoding.encode(projected, &Value::Map(values.iter().map(entry).collect())).ok()?;
                let key = collection.key_of(&record).ok()?;
                // Each record has exactly one name: `01` does not address record 1.
                (self.of_key(&key).as_deref() == Some(name)).then_some(Named { key, values })
            }
        }
    }

    /// Returns the name of the record with a key; `None` if no reference can address it.
    pub(super) fn of_key(&self, key: &[u8]) -> Option<String> {
        if matches!(self, Self::None) {
            return None;
        }
        let shape = |index: usize| if let Self::Fields { shapes, .. } = self { shapes.get(index) } else { None };
        let mut parts = Vec::new();
        for (index, part) in Parts::new(key).enumerate() {
            let part = part.ok()?;
            // Where the shape leaves the kind open, another key could have the same name.
            if matches!(shape(index).map(Shape::inner), Some(Shape::Any | Shape::Union(_))) {
                return None;
            }
            parts.push(text_of(&part));
        }
        let escaped = |part: &Option<String>| match part {
            Some(part) => part.replace('\\', "\\\\").replace(',', "\\,"),
            None => NULL.to_string(),
        };
        Some(match &*parts {
            [Some(one)] if !shape(0).is_some_and(may_be_like_null) => one.clone(),
            [Some(one)] => one.replace('\\', "\\\\"),
            parts => parts.iter().map(escaped).collect::<Vec<_>>().join(","),
        })
    }
}

/// The name of a null in a key.
const NULL: &str = "\\null";

/// Whether a name of one value has escapes, since the value may be null, or a text that looks like the name of null.
fn may_be_like_null(shape: &Shape) -> bool {
    shape.allows_null() && matches!(shape.inner(), Shape::Text | Shape::Enum(_))
}

/// Splits a name into the values of several fields, of which null is `None`. Commas separate them; a backslash escapes a
/// comma or a backslash.
fn split(name: &str, shapes: &[Shape]) -> Vec<Option<String>> {
    match shapes {
        [one] if name == NULL && one.allows_null() => return vec![None],
        [one] if !may_be_like_null(one) => return vec![Some(name.to_string())],
        _ => {}
    }
    let (mut parts, mut letters) = (vec![Some(String::new())], name.chars());
    while let Some(letter) = letters.next() {
        if letter == ',' && shapes.len() > 1 {
            parts.push(Some(String::new()));
            continue;
        }
        let is_first = parts.last().is_some_and(|part| part.as_deref() == Some(""));
        if is_first && letter == '\\' && is_null(letters.as_str()) {
            letters.nth(NULL.len() - 2);
            parts.pop();
            parts.push(None);
            continue;
        }
        let own = if letter == '\\' { letters.next() } else { Some(letter) };
        match parts.last_mut() {
            Some(Some(part)) => part.extend(own),
            // Nothing follows a null but a comma.
            _ => return Vec::new(),
        }
    }
    parts
}

/// Whether what follows a backslash is the rest of the name of null, as a whole part.
fn is_null(rest: &str) -> bool {
    rest.strip_prefix(&NULL[1..]).is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
}

/// Parses a part of a name as a value of a field.
fn value(shape: &Shape, text: &str) -> Option<Value> {
    Some(match shape.inner() {
        Shape::Bool => Value::Bool(text.parse().ok()?),
        Shape::Int(_) => Value::Int(Int::from_digits(text)?.into_owned()),
        Shape::Float(_) => Value::Float(text.parse().ok().filter(|value: &f64| !value.is_nan())?),
        Shape::Text | Shape::Enum(_) => Value::Text(text.to_string().into()),
        Shape::Bytes => Value::Bytes(base64::decode(text)?.into()),
        Shape::Date => Value::Date(Date::parse(text)?),
        Shape::DateTime => Value::DateTime(DateTime::parse(text)?),
        Shape::Instant => Value::from(Instant::parse(text)?),
        Shape::Uuid => Value::Uuid(Uuid::parse(text)?),
        _ => return None,
    })
}

/// Parses a text as a part of a key, for the kinds whose keys have the order of their values.
pub(super) fn part(shape: &Shape, text: &str) -> Option<Part<'static>> {
    Some(match shape.inner() {
        Shape::Bool => Part::Bool(match text {
            "true" | "1" => true,
            "false" | "0" => false,
            _ => return None,
        }),
        Shape::Int(_) => Part::Int(Int::from_digits(text)?.into_owned()),
        Shape::Text => Part::Text(text.to_string().into()),
        Shape::Bytes => Part::Bytes(base64::decode(text)?.into()),
        Shape::Date => Part::Date(Date::parse(text)?),
        Shape::DateTime => Part::DateTime(DateTime::parse(text)?),
        Shape::Instant => Part::Instant(Instant::parse(text).filter(|own| own.unix_nanos().is_some())?),
        Shape::Uuid => Part::Uuid(Uuid::parse(text)?),
        _ => return None,
    })
}

/// Returns a part of a key as text; `None` for null.
fn text_of(part: &Part<'_>) -> Option<String> {
    Some(match part {
        Part::Null => return None,
        Part::Int(value) => value.to_string(),
        Part::Float(value) => format!("{value:?}"),
        Part::Bool(value) => value.to_string(),
        Part::Bytes(bytes) => {
            let mut text = String::new();
            base64::encode(bytes, &mut text);
            text
        }
        Part::Text(text) => text.to_string(),
        Part::Uuid(value) => value.to_string(),
        Part::Date(value) => value.to_string(),
        Part::DateTime(value) => value.to_string(),
        Part::Instant(value) => value.to_string(),
    })
}
