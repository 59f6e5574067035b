//! Translates queries to SQL: names are quoted, and values are parameters.

mod predicate;
#[cfg(test)]
mod tests;

use super::Table;
use super::key::{Key, param};
use demat_core::scalar::{Date, Decimal, Instant, Int, Time, Uuid};
use demat_core::{Error, Result};
use demat_sqlite::{Affinity, Param, Select, Stored, among, compared, quoted};
use demat_store::{Condition, Fault, Query, Test, like_pattern};

impl Table {
    /// Translates a query on the table.
    pub(super) fn select(&self, query: &Query) -> Result<Select> {
        let mut select = Select { limit: query.limit, offset: query.offset, ..Select::default() };
        if let Some(fields) = &query.fields {
            select.columns = fields.iter().map(|field| self.column_of(field)).collect::<Result<_>>()?;
        }
        for order in &query.order {
            select.order.push((self.column_of(&order.field)?, order.descends));
        }
        // Pages of a result need a total order.
        let is_page =
            select.limit.is_some() || select.offset.is_some() || query.after.is_some() || query.until.is_some();
        if is_page && let Key::Columns(columns) = &self.key {
            let names = columns.iter().map(|column| &self.about.columns[*column].name);
            let more: Vec<_> = names.filter(|name| select.order.iter().all(|(own, _)| own != *name)).collect();
            select.order.extend(more.into_iter().map(|name| (name.clone(), false)));
        }
        let mut parts = Vec::new();
        for condition in &query.filter {
            parts.push(self.condition(condition, &mut select.values)?);
        }
        if let Some(predicate) = &query.predicate {
            parts.push(format!("({})", self.predicate(predicate, &mut select.values)?));
        }
        if let Some(words) = &query.search {
            parts.push(self.search(words, &mut select.values)?);
        }
        // Its values come behind those of the conditions.
        parts.extend(self.paged(query, &mut select)?);
        select.filter = (!parts.is_empty()).then(|| parts.join(" AND "));
        Ok(select)
    }

    /// Returns the column of a field.
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
        let column = self.column_of(field)?;
        let stored = self.about.column(&column).map_or(Stored::Any, |column| self.stored[column]);
        let declared = self.about.column(&column).map_or("", |column| &self.about.columns[column].declared);
        let is_text = Affinity::of(declared, false) == Affinity::Text;
        let name = quoted(&column);
        let operator = match test {
            Test::Null if given.first().is_some_and(|given| given == "false") => {
                return Ok(format!("{name} IS NOT NULL"));
            }
            Test::Null => return Ok(format!("{name} IS NULL")),
            Test::Like | Test::Contains => {
                let given = given.concat();
                if matches!(stored, Stored::Blob | Stored::Bool) {
                    return Err(bad(format!("`{field}` is no text, and has nothing to be like")));
                }
                values.push(pattern(*test, &given)?);
                return Ok(format!("{name} LIKE ? ESCAPE '\\'"));
            }
            Test::In => {
                for given in given {
                    values.push(value(field, stored, given)?);
                }
                return Ok(among(&column, stored, &vec!["?".to_string(); given.len()]));
            }
            Test::Eq => "=",
            Test::Ne => "<>",
            Test::Lt => "<",
            Test::Le => "<=",
            Test::Gt => ">",
            Test::Ge => ">=",
        };
        let value = value(field, stored, &given.concat())?;
        // These columns store numbers as text, but compare as numbers.
        if is_text && matches!(stored, Stored::Decimal | Stored::Digits) {
            values.push(value);
            return Ok(format!("CAST({name} AS NUMERIC) {operator} CAST(? AS NUMERIC)"));
        }
        let (sql, times) = compared(&column, stored, operator, "?");
        values.extend(core::iter::repeat_n(value, times));
        Ok(sql)
    }
}

/// SQLite refuses patterns of more than 50,000 bytes.
const LONGEST_PATTERN: usize = 50_000;

/// Returns the pattern of a test that searches text.
fn pattern(test: Test, given: &str) -> Result<Param> {
    let pattern = if test == Test::Like { given.to_string() } else { like_pattern(given) };
    if pattern.len() > LONGEST_PATTERN {
        return Err(bad(format!("a pattern has at most {LONGEST_PATTERN} bytes")));
    }
    Ok(Param::Text(pattern))
}

/// Parses the value that a field is compared with; an error if the field can't have it.
fn value(field: &str, stored: Stored, given: &str) -> Result<Param> {
    let midnight;
    let mut given = given;
    let is_one = match stored {
        Stored::Decimal => Decimal::parse(given).is_some(),
        Stored::Digits => Int::from_digits(given).is_some(),
        Stored::Date => Date::parse(given).is_some(),
        Stored::Time => Time::parse(given).is_some(),
        // A date without a time counts as its midnight.
        Stored::DateTime | Stored::Instant if Date::parse(given).is_some() => {
            midnight = format!("{given}T00:00:00Z");
            given = &midnight;
            true
        }
        Stored::DateTime | Stored::Instant => Instant::parse(given).is_some(),
        Stored::Uuid => {
            let uuid = Uuid::parse(given).map(|uuid| Param::Text(uuid.to_string()));
            return uuid.ok_or_else(|| bad(format!("`{given}` is no value of `{field}`")));
        }
        _ => true,
    };
    let value = if is_one { param(stored, given) } else { None };
    value.ok_or_else(|| bad(format!("`{given}` is no value of `{field}`")))
}

#[cold]
fn bad(message: String) -> Error {
    Fault::BadQuery.because(message)
}
