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
                let parts = split(name, names.len());
                if parts.len() != names.len() {
                    return None;
                }
                let values =
                    shapes.iter().zip(&parts).map(|(shape, part)| value(shape, part)).collect::<Option<Vec<_>>>()?;
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
            let text = text_of(&part.ok()?)?;
            // Where the shape leaves the kind open, another key could have the same name.
            if matches!(shape(index).map(Shape::inner), Some(Shape::Any | Shape::Union(_))) {
                return None;
            }
            parts.push(text);
        }
        Some(match &*parts {
            [one] => one.clone(),
            parts => {
                parts.iter().map(|part| part.replace('\\', "\\\\").replace(',', "\\,")).collect::<Vec<_>>().join(",")
            }
        })
    }
}

/// Splits a name into the values of several fields. Commas separate them; a backslash escapes a comma or a backslash.
fn split(name: &str, fields: usize) -> Vec<String> {
    if fields == 1 {
        return vec![name.to_string()];
    }
    let (mut parts, mut letters) = (vec![String::new()], name.chars());
    while let Some(letter) = letters.next() {
        if letter == ',' {
            parts.push(String::new());
        } else {
            let own = if letter == '\\' { letters.next() } else { Some(letter) };
            parts.last_mut().into_iter().for_each(|part| part.extend(own));
        }
    }
    parts
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

/// Returns a part of a key as text.
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
