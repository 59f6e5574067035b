//! Operations on rows.

use crate::failure::refused;
use crate::function::class;
use crate::name::{listed, quoted};
use crate::table::Table;
use demat_core::Result;

/// What to do with each written row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Verb {
    /// Insert the row; no row with its key may exist.
    #[default]
    Insert,
    /// Insert the row, or update the written columns of the row with its key.
    Upsert,
    /// Update the written columns of the row with its key; do nothing if there is none.
    Update,
    /// Delete the row with its key.
    Delete,
}

impl Verb {
    /// Returns the statement for rows with values for these columns, in this order of parameters.
    ///
    /// # Errors
    /// If the operation needs the primary key, and the table has none or a row does not contain it.
    pub(crate) fn sql(self, table: &Table, told: &[usize]) -> Result<String> {
        let name = quoted(&table.name);
        let columns = || told.iter().map(|column| &*table.columns[*column].name);
        let values = || (1..=told.len()).map(|value| format!("?{value}")).collect::<Vec<_>>().join(", ");
        let parameter = |column: usize| told.iter().position(|own| *own == column).map(|at| at + 1);
        match self {
            Self::Insert if told.is_empty() => Ok(format!("INSERT INTO {name} DEFAULT VALUES")),
            Self::Insert => Ok(format!("INSERT INTO {name} ({}) VALUES ({})", listed(columns()), values())),
            Self::Upsert => {
                let key = self.key(table)?;
                let set: Vec<_> = told
                    .iter()
                    .filter(|column| !key.contains(column))
                    .map(|column| {
                        let name = quoted(&table.columns[*column].name);
                        set(table, *column, &format!("excluded.{name}"))
                    })
                    .collect();
                let set = if set.is_empty() { "NOTHING".to_string() } else { format!("UPDATE SET {}", set.join(", ")) };
                let keys = listed(key.iter().map(|column| &*table.columns[*column].name));
                Ok(format!(
                    "INSERT INTO {name} ({}) VALUES ({}) ON CONFLICT ({keys}) DO {set}",
                    listed(columns()),
                    values()
                ))
            }
            Self::Update | Self::Delete => {
                let key = self.key(table)?;
                let mut found = Vec::new();
                for column in &key {
                    let own = &table.columns[*column].name;
                    let Some(at) = parameter(*column) else {
                        return Err(refused(format!("the row does not tell `{own}`, which is of the table's key")));
                    };
                    found.push(format!("{} = ?{at}", quoted(own)));
                }
                let found = found.join(" AND ");
                if self == Self::Delete {
                    return Ok(format!("DELETE FROM {name} WHERE {found}"));
                }
                let set: Vec<_> = told
                    .iter()
                    .enumerate()
                    .filter(|(_, column)| !key.contains(column))
                    .map(|(at, column)| set(table, *column, &format!("?{}", at + 1)))
                    .collect();
                if set.is_empty() {
                    return Err(refused("the row tells nothing but its key, and an update needs more"));
                }
                Ok(format!("UPDATE {name} SET {} WHERE {found}", set.join(", ")))
            }
        }
    }

    fn key(self, table: &Table) -> Result<Vec<usize>> {
        let key: Vec<usize> = table.key.iter().filter_map(|key| table.column(key)).collect();
        if key.is_empty() {
            let message = format!("the table `{}` has no key to {} rows by", table.name, self.name());
            return Err(refused(message));
        }
        Ok(key)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Upsert => "upsert",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}

/// Returns the SQL that assigns a column. If the new value equals the stored one, the stored bytes stay.
fn set(table: &Table, column: usize, value: &str) -> String {
    let column = &table.columns[column];
    let name = quoted(&column.name);
    match class(column.stored) {
        Some(class) => format!("{name} = demat_kept('{class}', {name}, {value})"),
        None => format!("{name} = {value}"),
    }
}
