//! Keys of rows, and the names by which references address rows.

#[cfg(test)]
mod tests;

use demat_core::Value;
use demat_core::scalar::{Int, base64};
use demat_sqlite::{Param, Raw, Rows, Stored, Table, quoted};

/// The key of a table's rows.
#[derive(Debug, Clone)]
pub(super) enum Key {
    /// The columns of the primary key.
    Columns(Vec<usize>),
    /// The rowid, by one of SQLite's names for it that is no column.
    Number(&'static str),
    /// None: the rows of a view.
    None,
}

impl Key {
    pub(super) fn of(table: &Table) -> Self {
        let columns: Vec<usize> = table.key.iter().filter_map(|name| table.column(name)).collect();
        if !columns.is_empty() {
            return Self::Columns(columns);
        }
        let free = ["rowid", "_rowid_", "oid"].into_iter().find(|name| table.column(name).is_none());
        match free {
            Some(name) if !table.view && !table.without_rowid => Self::Number(name),
            _ => Self::None,
        }
    }

    pub(super) fn has(&self, column: usize) -> bool {
        matches!(self, Self::Columns(columns) if columns.contains(&column))
    }

    /// Returns the SQL names of the key's columns.
    pub(super) fn names(&self, table: &Table) -> Vec<String> {
        match self {
            Self::Columns(columns) => columns.iter().map(|column| quoted(&table.columns[*column].name)).collect(),
            Self::Number(name) => vec![(*name).to_string()],
            Self::None => Vec::new(),
        }
    }

    /// Returns the columns of the key and their values for a row's name.
    pub(super) fn values(&self, table: &Table, stored: &[Stored], name: &str) -> Vec<(usize, Value)> {
        let Self::Columns(columns) = self else { return Vec::new() };
        let Some((_, values)) = self.found(table, stored, name) else { return Vec::new() };
        let value = |(column, value): (&usize, Param)| {
            let value = match value {
                Param::Null => Value::Null,
                Param::Int(value) if stored[*column] == Stored::Bool => Value::Bool(value != 0),
                Param::Int(value) => Value::Int(value.into()),
                Param::Real(value) => Value::Float(value),
                Param::Text(value) if stored[*column] == Stored::Digits => match Int::from_digits(&value) {
                    Some(int) => Value::Int(int.into_owned()),
                    None => Value::Text(value.into()),
                },
                Param::Text(value) => Value::Text(value.into()),
                Param::Blob(value) => Value::Bytes(value.into()),
            };
            (*column, value)
        };
        columns.iter().zip(values).map(value).collect()
    }

    /// Returns the SQL condition for a row's name, and its parameters; `None` if no row can have this name.
    pub(super) fn found(&self, table: &Table, stored: &[Stored], name: &str) -> Option<(String, Vec<Param>)> {
        let (columns, parts) = (self.names(table), self.parts(name));
        if columns.is_empty() || columns.len() != parts.len() {
            return None;
        }
        let value = |(index, part): (usize, &String)| {
            let stored = if let Self::Columns(columns) = self { stored[columns[index]] } else { Stored::Int };
            // Each row has exactly one name: `01` does not address row 1.
            param(stored, part)
                .filter(|value| !matches!((stored, value), (Stored::Int, Param::Int(own)) if own.to_string() != *part))
        };
        let values = parts.iter().enumerate().map(value).collect::<Option<_>>()?;
        let equal: Vec<String> = columns.iter().map(|column| format!("{column} = ?")).collect();
        Some((equal.join(" AND "), values))
    }

    /// Splits the name of a row into the values of the key's columns. Several values are separated by commas; a
    /// backslash escapes a comma or a backslash.
    fn parts(&self, name: &str) -> Vec<String> {
        if !matches!(self, Self::Columns(columns) if columns.len() > 1) {
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

    /// Returns the name of the current row of `rows`, whose first columns are the key's. `None` if no name could
    /// address it.
    pub(super) fn name(&self, table: &Table, stored: &[Stored], rows: &impl Rows) -> Option<String> {
        let number: &[usize] = &[table.columns.len()];
        let columns = if let Self::Columns(columns) = self { columns } else { number };
        let several = columns.len() > 1;
        let mut name = String::new();
        for (column, of) in columns.iter().enumerate() {
            let part = part(stored.get(*of).copied().unwrap_or(Stored::Int), &rows.raw(column))?;
            if column > 0 {
                name.push(',');
            }
            if several {
                name.push_str(&part.replace('\\', "\\\\").replace(',', "\\,"));
            } else {
                name.push_str(&part);
            }
        }
        Some(name)
    }
}

impl Key {
    /// Returns the name of a row by the texts of its key's values.
    pub(super) fn name_of_parts(&self, parts: Vec<String>) -> Option<String> {
        match self {
            Self::Columns(columns) if columns.len() == 1 => parts.into_iter().next(),
            Self::Columns(_) => {
                let escaped = parts.iter().map(|part| part.replace('\\', "\\\\").replace(',', "\\,"));
                Some(escaped.collect::<Vec<_>>().join(","))
            }
            _ => None,
        }
    }
}

/// Returns a key value as part of a name (bytes as base64), if it reads back as the same value.
fn part(stored: Stored, raw: &Raw<'_>) -> Option<String> {
    let part = match raw {
        Raw::Int(value) => value.to_string(),
        Raw::Real(value) => format!("{value:?}"),
        Raw::Text(bytes) => core::str::from_utf8(bytes).ok()?.to_string(),
        Raw::Blob(bytes) if stored == Stored::Blob => base64_of(bytes),
        Raw::Blob(_) | Raw::Null => return None,
    };
    let leads = match (param(stored, &part)?, raw) {
        // A column of text turns an int into it.
        (_, Raw::Text(_)) if stored == Stored::Digits => true,
        (Param::Int(_) | Param::Real(_), Raw::Text(_))
        | (Param::Blob(_), Raw::Int(_) | Raw::Real(_) | Raw::Text(_)) => false,
        // In a numeric column, SQLite converts such text to the number.
        _ => true,
    };
    leads.then_some(part)
}

fn base64_of(bytes: &[u8]) -> String {
    let mut text = String::new();
    base64::encode(bytes, &mut text);
    text
}

/// Parses a text as a value of a column; `None` if the column can't have it.
pub(super) fn param(stored: Stored, text: &str) -> Option<Param> {
    Some(match stored {
        Stored::Int => Param::Int(text.parse().ok()?),
        Stored::Bool => Param::Int(match text {
            "true" | "1" => 1,
            "false" | "0" => 0,
            _ => return None,
        }),
        Stored::Real => Param::Real(text.parse::<f64>().ok().filter(|value| !value.is_nan())?),
        Stored::Any => match (text.parse(), text.parse::<f64>()) {
            (Ok(int), _) => Param::Int(int),
            (_, Ok(float)) if !float.is_nan() => Param::Real(float),
            _ => Param::Text(text.to_string()),
        },
        Stored::Blob => Param::Blob(base64::decode(text)?),
        // Those of 64 bits are integers, except in a column of text, which turns them into that.
        Stored::Digits => match text.parse::<i64>() {
            Ok(int) if int.to_string() == text => Param::Int(int),
            _ => Param::Text(text.to_string()),
        },
        _ => Param::Text(text.to_string()),
    })
}
