//! References to schemas that have another name in the description of a server.

use super::text;
use demat_core::Value;

/// Keywords whose values are no schemas, but values.
const VALUES: [&str; 4] = ["const", "default", "enum", "examples"];
/// Keywords whose keys are names.
const NAMED: [&str; 3] = ["properties", "patternProperties", "$defs"];

const SCHEMAS: &str = "#/components/schemas/";

/// Returns a part of a description with other names for schemas.
pub(super) fn renamed(part: &Value, names: &[(String, String)]) -> Value {
    if names.is_empty() {
        return part.clone();
    }
    match part {
        Value::List(parts) => Value::List(parts.iter().map(|part| renamed(part, names)).collect()),
        Value::Map(entries) => Value::Map(entries.iter().map(|(key, value)| entry(key, value, names)).collect()),
        other => other.clone(),
    }
}

fn entry(key: &Value, value: &Value, names: &[(String, String)]) -> (Value, Value) {
    let Value::Text(word) = key else { return (key.clone(), value.clone()) };
    let moved = |value: &Value| {
        let Value::Text(reference) = value else { return value.clone() };
        let new = reference.strip_prefix(SCHEMAS).and_then(|name| names.iter().find(|(own, _)| own == name));
        new.map_or_else(|| value.clone(), |(_, new)| text(&format!("{SCHEMAS}{new}")))
    };
    let own = match value {
        Value::Text(_) if word == "$ref" => moved(value),
        // Of a `discriminator`: references by tags. A field of this name stands in `properties`.
        Value::Map(parts) if word == "mapping" => {
            Value::Map(parts.iter().map(|(name, part)| (name.clone(), moved(part))).collect())
        }
        _ if VALUES.contains(&&**word) => value.clone(),
        Value::Map(parts) if NAMED.contains(&&**word) => {
            Value::Map(parts.iter().map(|(name, part)| (name.clone(), renamed(part, names))).collect())
        }
        other => renamed(other, names),
    };
    (key.clone(), own)
}
