//! Compares the records of two places.

use super::change::{Change, Kind, json};
use core::cmp::Ordering;
use demat_core::{Error, ErrorKind, Result, Value};
use std::collections::{HashMap, HashSet};

/// A comparison of records.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// The paths of the key fields.
    key: Vec<Vec<String>>,
    /// The old records; `None` if the new place has them.
    old: Vec<Option<Value>>,
    /// The old records that were not found yet, by key. The last one is found first.
    by_key: HashMap<String, Vec<usize>>,
    /// The keys of new records, to find two with one key.
    met: HashSet<String>,
    changes: Vec<Change>,
}

impl Comparison {
    pub(crate) fn new(key: &[String]) -> Self {
        let key = key.iter().map(|name| name.split('.').map(str::to_string).collect()).collect();
        Self { key, old: Vec::new(), by_key: HashMap::new(), met: HashSet::new(), changes: Vec::new() }
    }

    /// Adds a record of the old place.
    pub(crate) fn old(&mut self, record: Value) -> Result<()> {
        let key = self.key_of(&record)?;
        let same = self.by_key.entry(key).or_default();
        if !same.is_empty() && !self.key.is_empty() {
            return Err(self.twice(&record));
        }
        same.push(self.old.len());
        self.old.push(Some(record));
        Ok(())
    }

    /// Compares a record of the new place.
    pub(crate) fn new_record(&mut self, record: Value) -> Result<()> {
        let key = self.key_of(&record)?;
        if !self.key.is_empty() && !self.met.insert(key.clone()) {
            return Err(self.twice(&record));
        }
        let found = self.by_key.get_mut(&key).and_then(Vec::pop).and_then(|index| self.old[index].take());
        let Some(old) = found else {
            let change = self.whole(Kind::Added, record);
            self.changes.push(change);
            return Ok(());
        };
        let mut fields = Vec::new();
        differing(&old, &record, &mut String::new(), &mut fields);
        if !fields.is_empty() {
            self.changes.push(Change { kind: Kind::Changed, key: self.shown(&record), fields, record: Value::Null });
        }
        Ok(())
    }

    /// Returns the changes: removed records first, in the order of the old place, then others in the order of the new.
    pub(crate) fn changes(&mut self) -> Vec<Change> {
        let removed: Vec<_> = core::mem::take(&mut self.old).into_iter().flatten().collect();
        let mut changes: Vec<_> = removed.into_iter().map(|record| self.whole(Kind::Removed, record)).collect();
        changes.append(&mut self.changes);
        changes
    }

    /// Returns the change of a record that is in one place only.
    fn whole(&self, kind: Kind, record: Value) -> Change {
        let mut fields = Vec::new();
        let (old, new) = if kind == Kind::Added { (&Value::Null, &record) } else { (&record, &Value::Null) };
        differing(old, new, &mut String::new(), &mut fields);
        Change { kind, key: self.shown(&record), fields, record }
    }

    /// Returns the key of a record, or without key fields the whole record, as text that is the same for equal values.
    fn key_of(&self, record: &Value) -> Result<String> {
        if self.key.is_empty() {
            let mut text = String::new();
            normal(record, &mut text);
            return Ok(text);
        }
        let mut text = String::new();
        for path in &self.key {
            match path_in(record, path) {
                Some(value) if *value != Value::Null => normal(value, &mut text),
                _ => {
                    let message =
                        format!("a record has no value in the key field `{}`: {}", path.join("."), json(record));
                    return Err(Error::new(ErrorKind::Constraint, message));
                }
            }
        }
        Ok(text)
    }

    /// Returns the key for people: `id 3`.
    fn shown(&self, record: &Value) -> Option<String> {
        let value = |path: &Vec<String>| path_in(record, path).map(json).unwrap_or_default();
        let shown: Vec<_> = self.key.iter().map(|path| format!("{} {}", path.join("."), value(path))).collect();
        (!shown.is_empty()).then(|| shown.join(", "))
    }

    #[cold]
    fn twice(&self, record: &Value) -> Error {
        let key = self.shown(record).unwrap_or_default();
        Error::new(ErrorKind::Constraint, format!("two records have the key {key}"))
    }
}

/// Returns the value at a path of names.
fn path_in<'v>(record: &'v Value, path: &[String]) -> Option<&'v Value> {
    // A key may have points.
    record.get(&path.join(".")).or_else(|| path.iter().try_fold(record, |value, name| value.get(name)))
}

/// Whether two values are equal: numbers by what they are, fields in any order, null as an absent field.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_equal(one, other))
        }
        (Value::Map(_), Value::Map(_)) | (Value::Int(_), Value::Float(_)) | (Value::Float(_), Value::Int(_)) => {
            let (mut text, mut again) = (String::new(), String::new());
            normal(one, &mut text);
            normal(other, &mut again);
            text == again
        }
        (Value::Float(one), Value::Float(other)) => {
            one.partial_cmp(other).is_some_and(Ordering::is_eq) || one.is_nan() && other.is_nan()
        }
        _ => one == other,
    }
}

/// Adds the fields in which two values differ, with their paths.
fn differing(old: &Value, new: &Value, path: &mut String, fields: &mut Vec<(String, Value, Value)>) {
    let empty = Vec::new();
    let (one, other) = match (old, new) {
        (Value::Map(one), Value::Map(other)) => (one, other),
        // A record that was removed or added.
        (Value::Map(one), Value::Null) if path.is_empty() => (one, &empty),
        (Value::Null, Value::Map(other)) if path.is_empty() => (&empty, other),
        _ => {
            if !is_equal(old, new) {
                fields.push((path.clone(), old.clone(), new.clone()));
            }
            return;
        }
    };
    let len = path.len();
    let mut step = |key: &Value, old: &Value, new: &Value| {
        if !path.is_empty() {
            path.push('.');
        }
        match key {
            Value::Text(name) => path.push_str(name),
            key => path.push_str(&json(key)),
        }
        differing(old, new, path, fields);
        path.truncate(len);
    };
    let by_key = |entries: &'_ [(Value, Value)]| -> HashMap<String, usize> {
        entries.iter().enumerate().map(|(index, (key, _))| (format!("{key:?}"), index)).collect()
    };
    let (of_one, of_other) = (by_key(one), by_key(other));
    for (key, value) in one {
        let new = of_other.get(&format!("{key:?}")).map_or(&Value::Null, |index| &other[*index].1);
        step(key, value, new);
    }
    for (key, value) in other.iter().filter(|(key, _)| !of_one.contains_key(&format!("{key:?}"))) {
        step(key, &Value::Null, value);
    }
}

/// Writes text that is the same for equal values, and only for them.
fn normal(value: &Value, text: &mut String) {
    use core::fmt::Write as _;
    let _ = match value {
        Value::List(items) => {
            text.push('[');
            for item in items {
                normal(item, text);
            }
            text.push(']');
            Ok(())
        }
        Value::Map(entries) => {
            let mut parts: Vec<String> = Vec::new();
            for (key, value) in entries.iter().filter(|(_, value)| *value != Value::Null) {
                let mut part = format!("{key:?}:");
                normal(value, &mut part);
                parts.push(part);
            }
            parts.sort_unstable();
            write!(text, "{{{}}}", parts.join(","))
        }
        // A float that is whole is the int. Any below 2^127 is one, exactly.
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e38 => write!(text, "{};", *number as i128),
        Value::Float(number) => write!(text, "{number:?};"),
        Value::Int(number) => write!(text, "{number};"),
        // Other digits of the same number, such as 1.10 and 1.1, are no other value.
        Value::Decimal(number) => write!(text, "d{:?};", number.sort_key()),
        other => write!(text, "{other:?};"),
    }; // to a String
}
