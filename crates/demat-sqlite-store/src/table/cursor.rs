//! Cursors: the place of a row in the order of a query, as text.
//!
//! A cursor is a JSON list with the values that the rows are sorted by; bytes are a list with their base64.

#[cfg(test)]
mod tests;

use super::Table;
use super::key::Key;
use super::reader::Reader;
use demat_core::scalar::base64;
use demat_core::{Error, Result, Value};
use demat_sqlite::{Param, Raw, Rows as _, Select, quoted, sorted_by};
use demat_store::{Fault, Query};

/// An expression that rows are sorted by.
struct Sorted {
    sql: String,
    descends: bool,
    /// Whether it may be null.
    nullable: bool,
}

impl Table {
    /// Returns the expressions of the order of a page, in which no two rows are equal.
    fn sorted(&self, select: &Select) -> Result<Vec<Sorted>> {
        if !matches!(self.key, Key::Columns(_)) {
            return Err(bad("the table has no primary key to page by with `after`; use `offset`"));
        }
        let sorted = |(name, descends): &(String, bool)| {
            let column = self.about.column(name).map(|index| &self.about.columns[index]);
            let column = column.ok_or_else(|| bad("a column is gone"))?;
            let is_rowid = self.about.rowid().is_some_and(|index| self.about.columns[index].name == column.name);
            let name = quoted(&column.name);
            let sql = sorted_by(&name, column.stored, column.affinity(self.about.strict));
            // What can't be read, such as a text that is no decimal, is null.
            let nullable = !(column.not_null || is_rowid) || sql != name;
            Ok(Sorted { sql, descends: *descends, nullable })
        };
        select.order.iter().map(sorted).collect()
    }

    /// Adds the limits of a page to a selection, whose order is total.
    pub(super) fn paged(&self, query: &Query, select: &mut Select) -> Result<Option<String>> {
        let mut parts = Vec::new();
        for (cursor, is_end) in [(&query.after, false), (&query.until, true)] {
            let Some(cursor) = cursor else { continue };
            let sorted = self.sorted(select)?;
            if cursor.is_empty() && !is_end {
                continue;
            }
            let values = parsed(cursor, sorted.len())?;
            if let Some(bound) = bound(&sorted[0], &values[0], is_end) {
                parts.push(bound);
                select.values.push(values[0].clone());
            }
            let behind = behind(&sorted, &values, &mut select.values);
            parts.push(if is_end { format!("NOT {behind}") } else { behind });
        }
        if query.after.is_some() && query.offset.is_some() {
            return Err(bad("`after` and `offset` can't be asked for together"));
        }
        Ok((!parts.is_empty()).then(|| parts.join(" AND ")))
    }
}

/// Returns the condition on the first expression that limits a scan of an index; the exact condition stands beside it.
fn bound(sorted: &Sorted, value: &Param, is_end: bool) -> Option<String> {
    if *value == Param::Null {
        return None;
    }
    let name = &sorted.sql;
    // Null comes first.
    Some(if sorted.descends == is_end {
        format!("{name} >= ?")
    } else if sorted.nullable {
        format!("({name} <= ? OR {name} IS NULL)")
    } else {
        format!("{name} <= ?")
    })
}

/// Returns the condition that a row comes after another, which is never null.
fn behind(sorted: &[Sorted], given: &[Param], values: &mut Vec<Param>) -> String {
    let mut ways = Vec::new();
    for (index, (own, value)) in sorted.iter().zip(given).enumerate() {
        let mut parts = Vec::new();
        for (before, value) in sorted.iter().zip(given).take(index) {
            parts.push(format!("{} IS ?", before.sql));
            values.push(value.clone());
        }
        let name = &own.sql;
        parts.push(match (value, own.descends) {
            (Param::Null, false) => format!("{name} IS NOT NULL"),
            (Param::Null, true) => "FALSE".to_string(),
            (_, descends) => {
                values.push(value.clone());
                match (descends, own.nullable) {
                    (false, true) => format!("({name} > ?) IS TRUE"),
                    (false, false) => format!("{name} > ?"),
                    (true, true) => format!("({name} < ? OR {name} IS NULL)"),
                    (true, false) => format!("{name} < ?"),
                }
            }
        });
        ways.push(format!("({})", parts.join(" AND ")));
    }
    format!("({})", ways.join(" OR "))
}

/// The maximum length of a cursor, which stands in a URL.
const LONGEST: usize = 8 << 10;

impl Reader {
    /// Returns the cursor of the last row of a page; `None` if no row follows it.
    pub(super) fn cursor(&mut self, table: &Table, query: &Query) -> Result<Option<String>> {
        let Some(limit) = query.limit else {
            return Err(bad("`after` needs a `limit`, the number of rows of a page"));
        };
        let select = table.select(query)?;
        let sorted = table.sorted(&select)?;
        if limit == 0 {
            return Ok(None);
        }
        let columns: Vec<_> = sorted.iter().map(|own| own.sql.clone()).collect();
        let order = sorted.iter().map(|own| format!("{}{}", own.sql, if own.descends { " DESC" } else { "" }));
        let filter = select.filter.as_ref().map(|filter| format!(" WHERE ({filter})")).unwrap_or_default();
        let sql = format!(
            "SELECT {} FROM {}{filter} ORDER BY {} LIMIT 2 OFFSET {}",
            columns.join(", "),
            quoted(&table.about.name),
            order.collect::<Vec<_>>().join(", "),
            i64::try_from(limit - 1).unwrap_or(i64::MAX)
        );
        self.asked(&sql, &select.values, |statement| {
            if !statement.step()? {
                return Ok(None);
            }
            let values = (0..columns.len()).map(|column| shown(&statement.raw(column))).collect::<Result<_>>()?;
            let cursor = demat_formats::json::encode(&Value::List(values))?;
            let cursor = String::from_utf8(cursor).map_err(|_| bad("a row is sorted by a text that is not UTF-8"))?;
            let is_more = statement.step()?;
            if is_more && cursor.len() > LONGEST {
                return Err(bad(
                    "a row is sorted by a text that is too long for a link; use `offset`, or another order",
                ));
            }
            Ok(is_more.then_some(cursor))
        })
    }
}

/// Returns a value of a cursor.
fn shown(raw: &Raw<'_>) -> Result<Value> {
    Ok(match raw {
        Raw::Null => Value::Null,
        Raw::Int(value) => Value::Int((*value).into()),
        Raw::Real(value) if value.is_finite() => Value::Float(*value),
        Raw::Real(_) => return Err(bad("a row is sorted by an infinite number, behind which no page begins")),
        Raw::Text(bytes) => match core::str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_string().into()),
            Err(_) => return Err(bad("a row is sorted by a text that is not UTF-8, behind which no page begins")),
        },
        Raw::Blob(bytes) => {
            let mut text = String::new();
            base64::encode(bytes, &mut text);
            Value::List(vec![Value::Text(text.into())])
        }
    })
}

/// Parses a cursor of so many values.
fn parsed(cursor: &str, len: usize) -> Result<Vec<Param>> {
    let none =
        || bad(format!("`after` is the cursor that the `Link` of a page in this order has, and `{cursor}` is none"));
    let value = demat_formats::json::decode::<Value>(cursor.as_bytes()).map_err(|_| none())?;
    let Value::List(values) = value else { return Err(none()) };
    if values.len() != len {
        return Err(none());
    }
    let param = |value: Value| match value {
        Value::Null => Some(Param::Null),
        Value::Int(value) => value.to_i64().map(Param::Int),
        Value::Float(value) => Some(Param::Real(value)),
        Value::Text(text) => Some(Param::Text(text.to_string())),
        Value::List(values) => match &values[..] {
            [Value::Text(text)] => base64::decode(text).map(Param::Blob),
            _ => None,
        },
        _ => None,
    };
    values.into_iter().map(|value| param(value).ok_or_else(none)).collect()
}

#[cold]
fn bad(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Fault::BadQuery.because(message)
}
