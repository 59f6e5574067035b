//! A query as SQL: names are quoted, and values are parameters.

use super::Table;
use super::key::{Key, param};
use crate::fault::Fault;
use crate::query::{Condition, Query, Test};
use demat_core::{Error, Result};
use demat_sqlite::{Param, Select, Stored, quoted};

impl Table {
    /// What a query asks of the table.
    pub(super) fn select(&self, query: &Query) -> Result<Select> {
        let mut select = Select { limit: query.limit, offset: query.offset, ..Select::default() };
        if let Some(fields) = &query.fields {
            select.columns = fields.iter().map(|field| self.column_of(field)).collect::<Result<_>>()?;
        }
        for order in &query.order {
            select.order.push((self.column_of(&order.field)?, order.descends));
        }
        // What is given in parts must come in one order.
        if (select.limit.is_some() || select.offset.is_some())
            && let Key::Columns(columns) = &self.key
        {
            let names = columns.iter().map(|column| &self.about.columns[*column].name);
            let more: Vec<_> = names.filter(|name| select.order.iter().all(|(own, _)| own != *name)).collect();
            select.order.extend(more.into_iter().map(|name| (name.clone(), false)));
        }
        let mut parts = Vec::new();
        for condition in &query.filter {
            parts.push(self.condition(condition, &mut select.values)?);
        }
        select.filter = (!parts.is_empty()).then(|| parts.join(" AND "));
        Ok(select)
    }

    /// The column of a field.
    pub(super) fn column_of(&self, field: &str) -> Result<String> {
        if let Some(column) = self.about.column(field) {
            Ok(self.about.columns[column].name.clone())
        } else {
            let names: Vec<_> = self.about.columns.iter().map(|column| format!("`{}`", column.name)).collect();
            Err(bad(format!("there is no field `{field}`; there are {}", names.join(", "))))
        }
    }

    fn condition(&self, condition: &Condition, values: &mut Vec<Param>) -> Result<String> {
        let Condition { field, test, values: given } = condition;
        let name = self.column_of(field)?;
        let stored = self.about.column(&name).map_or(Stored::Any, |column| self.stored[column]);
        let name = quoted(&name);
        let operator = match test {
            Test::Null if given.first().is_some_and(|given| given == "false") => {
                return Ok(format!("{name} IS NOT NULL"));
            }
            Test::Null => return Ok(format!("{name} IS NULL")),
            Test::Like => {
                values.push(Param::Text(given.concat()));
                return Ok(format!("{name} LIKE ?"));
            }
            Test::In => {
                for given in given {
                    values.push(value(field, stored, given)?);
                }
                return Ok(format!("{name} IN ({})", vec!["?"; given.len()].join(", ")));
            }
            Test::Eq => "=",
            Test::Ne => "<>",
            Test::Lt => "<",
            Test::Le => "<=",
            Test::Gt => ">",
            Test::Ge => ">=",
        };
        for given in given {
            values.push(value(field, stored, given)?);
        }
        Ok(format!("{name} {operator} ?"))
    }
}

fn value(field: &str, stored: Stored, given: &str) -> Result<Param> {
    param(stored, given).ok_or_else(|| bad(format!("`{given}` is no value of `{field}`")))
}

#[cold]
fn bad(message: String) -> Error {
    Fault::BadQuery.because(message)
}
