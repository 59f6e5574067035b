//! The difference between two records.

use core::fmt;
use demat_core::{Result, Shape, Value};
use demat_place::{Format, WriteOptions};

/// A change.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub(super) kind: Kind,
    /// The values of the key fields, as text; `None` without key fields.
    pub(super) key: Option<String>,
    /// The fields that differ: their paths, and their values before and after. A removed or added value that is no
    /// record has one without a path.
    pub(super) fields: Vec<(String, Value, Value)>,
    /// The record that was removed or added.
    pub(super) record: Value,
}

/// What has become of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Removed,
    Added,
    Changed,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Added => "added",
            Self::Changed => "changed",
        }
    }
}

impl Change {
    /// The shape of the changes as data.
    ///
    /// # Errors
    /// Never, since the text is a shape.
    pub(super) fn shape() -> Result<Shape> {
        "[{change: text, key: text?, field: text, old: any, new: any}]".parse()
    }

    /// Returns the change as data: a record for each field.
    pub(super) fn records(&self) -> impl Iterator<Item = Value> {
        self.fields.iter().map(|(field, old, new)| {
            let entries = [
                ("change", text(self.kind.name())),
                ("key", self.key.as_deref().map_or(Value::Null, text)),
                ("field", text(field)),
                ("old", old.clone()),
                ("new", new.clone()),
            ];
            Value::Map(entries.into_iter().map(|(name, value)| (text(name), value)).collect())
        })
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_string().into())
}

/// Writes the change as a line.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key.as_deref().unwrap_or_default();
        match self.kind {
            Kind::Removed => writeln!(f, "- {}", json(&self.record)),
            Kind::Added => writeln!(f, "+ {}", json(&self.record)),
            Kind::Changed => {
                write!(f, "~ {key}")?;
                for (index, (field, old, new)) in self.fields.iter().enumerate() {
                    let comma = if index == 0 { ":" } else { "," };
                    write!(f, "{comma} {field} {} -> {}", json(old), json(new))?;
                }
                writeln!(f)
            }
        }
    }
}

/// Returns a value as JSON.
pub(super) fn json(value: &Value) -> String {
    use demat_core::{Encode as _, Sink as _};
    let mut bytes = Vec::new();
    let written = demat_place::sink(Format::JSON, &WriteOptions::of(Format::JSON), &mut bytes)
        .and_then(|mut sink| value.encode(&mut *sink).and_then(|()| sink.finish()));
    // JSON has no infinity, and no keys that are lists.
    if written.is_err() {
        return format!("{value:?}");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
