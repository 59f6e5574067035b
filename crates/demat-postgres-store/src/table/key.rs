//! Keys of rows, and the names by which references address rows.

use super::spelled::{param_of, text_of, value_of};
use demat_core::Value;
use demat_place::{Condition, Test, sql_comparison};
use demat_postgres::{ColumnType, Fragment, Table, TypeClass, literal, quoted};

/// The columns of a table's key: those of the primary key, or of another unique list of columns that are never NULL. Empty
/// if the table has none whose values can be names.
#[derive(Debug, Clone, Default)]
pub(super) struct Key {
    pub(super) columns: Vec<usize>,
}

impl Key {
    pub(super) fn of(table: &Table) -> Self {
        if table.view {
            return Self::default();
        }
        let lists = core::iter::once(&table.key).chain(&table.unique);
        let columns = lists
            .filter(|names| !names.is_empty())
            .filter_map(|names| names.iter().map(|name| table.column(name)).collect::<Option<Vec<_>>>());
        let is_key = |columns: &Vec<usize>| columns.iter().all(|column| can_be_part(table, *column));
        Self { columns: columns.into_iter().find(is_key).unwrap_or_default() }
    }

    pub(super) fn has(&self, column: usize) -> bool {
        self.columns.contains(&column)
    }

    pub(super) fn is_none(&self) -> bool {
        self.columns.is_empty()
    }

    /// Returns the names of the columns.
    pub(super) fn names(&self, table: &Table) -> Vec<String> {
        self.columns.iter().map(|column| table.columns[*column].name.clone()).collect()
    }

    /// Returns the columns in SQL.
    pub(super) fn quoted(&self, table: &Table) -> String {
        let names = self.columns.iter().map(|column| quoted(&table.columns[*column].name));
        names.collect::<Vec<_>>().join(", ")
    }

    /// Returns the values of the columns for the name of a row; `None` if no row can have this name.
    pub(super) fn values(&self, table: &Table, name: &str) -> Option<Vec<(usize, Value)>> {
        let parts = self.parts(name);
        if self.is_none() || parts.len() != self.columns.len() {
            return None;
        }
        let value = |(column, part): (&usize, &String)| {
            let own = &table.columns[*column].own;
            let value = value_of(own, part)?;
            // Each row has one name: `+1` and `01` are none of row 1.
            let is_name = text_of(&value).as_ref() == Some(part) && is_as_kept(own, part);
            (is_name && param_of(own, &value).is_some()).then_some((*column, value))
        };
        self.columns.iter().zip(&parts).map(value).collect()
    }

    /// Returns the condition for the row with a name; `None` if no row can have this name.
    pub(super) fn found(&self, table: &Table, name: &str) -> Option<Fragment> {
        let values = self.values(table, name)?;
        let equal = |(column, value): &(usize, Value)| {
            let column = &table.columns[*column];
            let condition = Condition { field: column.name.clone(), test: Test::Eq, values: vec![text_of(value)?] };
            let mut equal = sql_comparison(column, &condition)?;
            if matches!(column.own.class, TypeClass::Numeric(_)) {
                // 1.5 and 1.50 are equal, and the row has one name.
                equal.text(&format!(" AND {}::text = {}", quoted(&column.name), literal(&text_of(value)?)));
            }
            Some(equal)
        };
        let equal = values.iter().map(equal).collect::<Option<Vec<_>>>()?;
        Some(Fragment::joined(&equal, " AND "))
    }

    /// Returns the name of a row by the values of its key's columns, as JSON has them.
    pub(super) fn name_of_values(&self, table: &Table, values: &[Value]) -> Option<String> {
        let own = |(column, value): (&usize, &Value)| value_of(&table.columns[*column].own, &text_of(value)?);
        let values = self.columns.iter().zip(values).map(own).collect::<Option<Vec<_>>>()?;
        let of = |column| self.columns.iter().position(|own| *own == column);
        self.name(table, |column| values.get(of(column)?).cloned())
    }

    /// Returns the name of a row by the values of its key; `None` if it lacks one.
    pub(super) fn name(&self, table: &Table, value: impl Fn(usize) -> Option<Value>) -> Option<String> {
        if self.is_none() {
            return None;
        }
        let part = |column: &usize| {
            let text = text_of(&value(*column)?)?;
            // What reads back as another value is no name.
            let read = value_of(&table.columns[*column].own, &text)?;
            (text_of(&read).as_ref() == Some(&text)).then_some(text)
        };
        let parts = self.columns.iter().map(part).collect::<Option<Vec<_>>>()?;
        if let [part] = &*parts {
            return Some(part.clone());
        }
        Some(parts.iter().map(|part| escaped(part)).collect::<Vec<_>>().join(","))
    }

    /// Splits a name into the texts of the columns. Several are separated by commas; a backslash escapes a comma or a
    /// backslash.
    fn parts(&self, name: &str) -> Vec<String> {
        if self.columns.len() < 2 {
            return vec![name.to_string()];
        }
        let (mut parts, mut part, mut letters) = (Vec::new(), String::new(), name.chars());
        while let Some(letter) = letters.next() {
            match letter {
                ',' => parts.push(core::mem::take(&mut part)),
                '\\' => part.extend(letters.next()),
                letter => part.push(letter),
            }
        }
        parts.push(part);
        // A name that escapes what needs no escape would be a second one.
        if parts.iter().map(|part| escaped(part)).collect::<Vec<_>>().join(",") == name { parts } else { Vec::new() }
    }
}

/// Whether the server writes a value as this text: a `numeric` has no exponent, and as many digits as it declares.
fn is_as_kept(own: &ColumnType, text: &str) -> bool {
    let TypeClass::Numeric(scale) = own.class else { return true };
    let digits = text.strip_prefix('-').unwrap_or(text);
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_minus_zero = digits.len() < text.len() && digits.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    is_plain && !is_minus_zero && scale.is_none_or(|scale| usize::try_from(scale).unwrap_or(0) == fraction)
}

fn escaped(part: &str) -> String {
    part.replace('\\', "\\\\").replace(',', "\\,")
}

/// Whether the values of a column can be parts of names, and are never NULL.
fn can_be_part(table: &Table, column: usize) -> bool {
    let column = &table.columns[column];
    let is_scalar = matches!(
        column.own.class,
        TypeClass::Bool
            | TypeClass::Int(_)
            | TypeClass::Oid
            | TypeClass::Numeric(_)
            | TypeClass::Text(_)
            | TypeClass::Char(_)
            | TypeClass::Enum(_)
            | TypeClass::Bytes
            | TypeClass::Date
            | TypeClass::Time(_)
            | TypeClass::Timestamp(_)
            | TypeClass::Instant(_)
            | TypeClass::Uuid
    );
    column.not_null && is_scalar
}
