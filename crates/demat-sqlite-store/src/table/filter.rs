//! Translates queries to SQL: names are quoted, and values are parameters.

mod any;
mod number;
mod predicate;
#[cfg(test)]
mod tests;

use super::Table;
use super::key::{Key, param};
use demat_core::scalar::{Date, Decimal, Duration, Instant, Time, Uuid};
use demat_core::{Error, Result};
use demat_place::Number;
use demat_sqlite::{Affinity, Param, Select, Stored, among, compared};
use demat_store::{Condition, Fault, Query, Test, like_pattern};
use number::{with_float, with_int};

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
        self.holds(condition, &|_| None, values)
    }

    /// Compares a column. `quoted` returns whether a value stands in quotes, if that is known.
    fn holds(
        &self,
        condition: &Condition,
        quoted: &dyn Fn(usize) -> Option<bool>,
        values: &mut Vec<Param>,
    ) -> Result<String> {
        let name = self.column_of(&condition.field)?;
        let place = self.about.column(&name);
        let column = Column {
            sql: demat_sqlite::quoted(&name),
            field: &condition.field,
            stored: place.map_or(Stored::Any, |place| self.stored[place]),
            affinity: place.map_or(Affinity::Blob, |place| self.about.columns[place].affinity(self.about.strict)),
        };
        column.holds(condition, quoted, values)
    }
}

/// A column, or another expression of SQL, that is compared.
struct Column<'c> {
    sql: String,
    field: &'c str,
    stored: Stored,
    affinity: Affinity,
}

/// Returns the operator of a comparison in SQL.
fn operator_of(test: Test) -> &'static str {
    match test {
        Test::Ne => "<>",
        Test::Lt => "<",
        Test::Le => "<=",
        Test::Gt => ">",
        Test::Ge => ">=",
        _ => "=",
    }
}

impl Column<'_> {
    fn holds(
        &self,
        condition: &Condition,
        quoted: &dyn Fn(usize) -> Option<bool>,
        values: &mut Vec<Param>,
    ) -> Result<String> {
        let Condition { test, values: given, .. } = condition;
        let name = &self.sql;
        match test {
            Test::Null if given.first().is_some_and(|given| given == "false") => Ok(format!("{name} IS NOT NULL")),
            Test::Null => Ok(format!("{name} IS NULL")),
            Test::Like | Test::Contains => {
                if matches!(self.stored, Stored::Blob | Stored::Bool) {
                    return Err(bad(format!("`{}` is no text, and has nothing to be like", self.field)));
                }
                values.push(pattern(*test, &given.concat())?);
                Ok(format!("{name} LIKE ? ESCAPE '\\'"))
            }
            Test::In if matches!(self.stored, Stored::Int | Stored::Real | Stored::Digits | Stored::Any) => {
                let each = |(place, given): (usize, &String)| self.compared(Test::Eq, given, quoted(place), values);
                let each: Vec<_> = given.iter().enumerate().map(each).collect::<Result<_>>()?;
                Ok(if each.is_empty() { "FALSE".to_string() } else { format!("({})", each.join(" OR ")) })
            }
            Test::In => {
                let (sql, times) = among(name, self.stored, self.affinity, &vec!["?".to_string(); given.len()]);
                for given in given {
                    let value = value(self.field, self.stored, given)?;
                    values.extend(core::iter::repeat_n(value, times));
                }
                Ok(sql)
            }
            test => self.compared(*test, &given.concat(), quoted(0), values),
        }
    }

    /// Compares it with one value.
    fn compared(&self, test: Test, given: &str, quoted: Option<bool>, values: &mut Vec<Param>) -> Result<String> {
        let (name, operator) = (&self.sql, operator_of(test));
        let number = || Number::parse(given).ok_or_else(|| no_value(self.field, given));
        let (operator, value) = match self.stored {
            Stored::Any => return Ok(any::compared(self, test, given, quoted, values)),
            Stored::Int => with_int(operator, &number()?),
            Stored::Real => with_float(operator, &number()?),
            Stored::Digits => return Ok(self.digits(operator, &number()?, values)),
            _ => {
                let value = value(self.field, self.stored, given)?;
                let (sql, times) = compared(name, self.stored, self.affinity, operator, "?");
                values.extend(core::iter::repeat_n(value, times));
                return Ok(sql);
            }
        };
        values.push(value);
        Ok(format!("{name} {operator} ?"))
    }

    /// Compares a column of ints of any size with a number.
    fn digits(&self, operator: &'static str, number: &Number, values: &mut Vec<Param>) -> String {
        let (value, is_int) = match number {
            Number::Int(int) => (int.to_i64().map_or_else(|| Param::Text(int.to_string()), Param::Int), true),
            Number::Decimal(decimal) => (Param::Text(decimal.as_str().to_string()), false),
            Number::Infinite(float) => (Param::Real(*float), false),
        };
        let mut sql = |operator: &str| {
            values.push(value.clone());
            compared(&self.sql, self.stored, self.affinity, operator, "?").0
        };
        match operator {
            // Equality compares with the one form of an int, which another number has not.
            "=" if !is_int => format!("({} AND {})", sql(">="), sql("<=")),
            "<>" if !is_int => format!("NOT ({} AND {})", sql(">="), sql("<=")),
            operator => sql(operator),
        }
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
        Stored::Decimal => {
            let number = Decimal::parse_lax(given).map(|own| Param::Text(own.as_str().to_string()));
            return number.ok_or_else(|| no_value(field, given));
        }
        Stored::Duration => Duration::parse(given).is_some(),
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
            return uuid.ok_or_else(|| no_value(field, given));
        }
        _ => true,
    };
    let value = if is_one { param(stored, given) } else { None };
    value.ok_or_else(|| no_value(field, given))
}

#[cold]
fn no_value(field: &str, given: &str) -> Error {
    bad(format!("`{given}` is no value of `{field}`"))
}

#[cold]
fn bad(message: String) -> Error {
    Fault::BadQuery.because(message)
}
