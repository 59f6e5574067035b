//! What is stored about a collection.

use crate::encoding::Encoding;
use crate::failure::refused;
use crate::packing::Compression;
use demat_core::scalar::Int;
use demat_core::{Error, Record, Result, Shape, Value};
use demat_formats::json;

/// What a collection is: stored beside its records as JSON, under its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// What the keys are made of.
    pub key: Key,
    /// How records are encoded.
    pub encoding: Encoding,
    /// How records are compressed.
    pub compression: Option<Compression>,
    /// The shape of a record: all fields that there ever were.
    pub shape: Shape,
    /// The indexes.
    pub indexes: Vec<IndexDefinition>,
    /// The number of dictionaries for compression. The last one is in use.
    pub dictionaries: u8,
}

/// What the keys of a collection are made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// Fields of the record.
    Fields(Vec<String>),
    /// A function of a program, or whatever the caller gives.
    Given,
    /// A number that the collection gives: 1, 2, and so on. None is given twice.
    Auto,
}

/// An index of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexDefinition {
    /// Its name.
    pub name: String,
    /// What its keys are made of.
    pub by: By,
    /// Whether no two records have the same key in it.
    pub unique: bool,
}

/// What the keys of an index are made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// Fields of the record. Each item of a list is a key.
    Fields(Vec<String>),
    /// A function of a program, in this version.
    Function(String),
}

impl core::fmt::Display for Key {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Fields(names) => f.write_str(&names.join(", ")),
            Self::Given => f.write_str("a function"),
            Self::Auto => f.write_str("auto"),
        }
    }
}

impl core::fmt::Display for By {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Fields(names) => write!(f, "by {}", names.join(", ")),
            Self::Function(version) => write!(f, "by a function, version {version:?}"),
        }
    }
}

const FORMAT: i64 = 1;

impl Definition {
    /// The record.
    pub(crate) fn record(&self) -> Result<Record> {
        match self.shape.inner() {
            Shape::Record(record) => Ok(record.get().clone()),
            other => Err(refused(format!("a collection is of records, and this is a {}", other.name()))),
        }
    }

    pub(crate) fn encode(&self) -> Result<Vec<u8>> {
        let key = match &self.key {
            Key::Fields(names) => texts(names),
            Key::Given => text("given"),
            Key::Auto => text("auto"),
        };
        let index = |index: &IndexDefinition| {
            let by = match &index.by {
                By::Fields(names) => ("fields", texts(names)),
                By::Function(version) => ("version", text(version)),
            };
            map(vec![("name", text(&index.name)), by, ("unique", Value::Bool(index.unique))])
        };
        let value = map(vec![
            ("format", Value::Int(FORMAT.into())),
            ("key", key),
            ("encoding", text(&self.encoding.to_string())),
            ("compression", self.compression.map_or(Value::Null, |compression| text(compression.name()))),
            ("dictionaries", Value::Int(i64::from(self.dictionaries).into())),
            ("shape", text(&self.shape.to_string())),
            ("indexes", Value::List(self.indexes.iter().map(index).collect())),
        ]);
        json::encode(&value)
    }

    pub(crate) fn decode(name: &str, bytes: &[u8]) -> Result<Self> {
        Self::parse(bytes)
            .map_err(|error| refused(format!("the definition of the collection `{name}` is damaged")).because(error))
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        let value: Value = json::decode(bytes)?;
        let get = |key: &str| value.get(key).ok_or_else(|| Error::missing(key));
        let format = int(get("format")?)?;
        if format != FORMAT {
            return Err(Error::expected(format!("format {FORMAT}"), format!("format {format}")));
        }
        let key = match get("key")? {
            Value::Text(key) if key == "auto" => Key::Auto,
            Value::Text(_) => Key::Given,
            names => Key::Fields(names.to::<Vec<String>>()?),
        };
        let index = |value: &Value| -> Result<IndexDefinition> {
            let get = |key: &str| value.get(key).ok_or_else(|| Error::missing(key));
            let by = match value.get("fields") {
                Some(names) => By::Fields(names.to::<Vec<String>>()?),
                None => By::Function(get("version")?.to()?),
            };
            Ok(IndexDefinition { name: get("name")?.to()?, by, unique: get("unique")?.to()? })
        };
        let Value::List(indexes) = get("indexes")? else { return Err(Error::expected("list", "another value")) };
        let compression = get("compression")?.to::<Option<String>>()?;
        Ok(Self {
            key,
            encoding: Encoding::named(&get("encoding")?.to::<String>()?)?,
            compression: compression.map(|name| name.parse()).transpose()?,
            shape: get("shape")?.to::<String>()?.parse()?,
            indexes: indexes.iter().map(index).collect::<Result<_>>()?,
            dictionaries: u8::try_from(int(get("dictionaries")?)?)
                .map_err(|_| Error::expected("uint8", "another int"))?,
        })
    }
}

fn text(value: &str) -> Value {
    Value::Text(value.to_string().into())
}

fn texts(values: &[String]) -> Value {
    Value::List(values.iter().map(|value| text(value)).collect())
}

fn map(entries: Vec<(&'static str, Value)>) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (Value::Text(key.into()), value)).collect())
}

fn int(value: &Value) -> Result<i64> {
    match value {
        Value::Int(value) => Int::to_i64(value).ok_or_else(|| Error::expected("int64", "another int")),
        other => Err(Error::expected("int", other.kind().name())),
    }
}

/// Checks the name of a collection or an index.
pub(crate) fn check_name(name: &str) -> Result<()> {
    let is_good = !name.is_empty() && name.len() <= 200 && !name.contains(['/', '\0', '#']) && name != DEFINITIONS;
    if is_good {
        return Ok(());
    }
    Err(refused(format!(
        "{name:?} can't be a name here: one has 1 to 200 bytes, is not `{DEFINITIONS}`, and has no `/`, no `#` and no zero"
    )))
}

/// The table of definitions.
pub(crate) const DEFINITIONS: &str = "demat";
