//! Cursors: the place of a row in the order of a query, as text.
//!
//! A cursor is a JSON list with the texts of the values that the rows are sorted by, and null for NULL.

use super::select::Sorted;
use super::spelled::{param_of, text_of, value_of};
use super::{Table, bad};
use demat_core::{Result, Value};
use demat_postgres::{Connection, Fragment, Param, TypeClass};
use demat_store::Query;

/// The maximum length of a cursor, which stands in a URL.
const LONGEST: usize = 8 << 10;

impl Table {
    /// Returns the limits of a page, whose order is total.
    pub(super) fn paged(&self, query: &Query, order: &[Sorted]) -> Result<Option<Fragment>> {
        if query.after.is_some() && query.offset.is_some() {
            return Err(bad("`after` and `offset` can't be asked for together"));
        }
        let mut parts = Vec::new();
        for (cursor, is_end) in [(&query.after, false), (&query.until, true)] {
            let Some(cursor) = cursor else { continue };
            self.has_pages(order)?;
            if cursor.is_empty() && !is_end {
                continue;
            }
            let values = self.parsed(cursor, order)?;
            if let Some(bound) = bound(order, &values, is_end) {
                parts.push(bound);
            }
            let behind = behind(order, &values);
            parts.push(if is_end {
                let mut not = Fragment::from("NOT ");
                not.enclose(&behind);
                not
            } else {
                behind
            });
        }
        Ok((!parts.is_empty()).then(|| Fragment::joined(&parts, " AND ")))
    }

    /// Refuses a table without a key, and an order by values that a cursor can't hold. JSON's null is a value to the server.
    fn has_pages(&self, order: &[Sorted]) -> Result<()> {
        if self.key.is_none() {
            return Err(bad("the table has no primary key to page by with `after`; use `offset`"));
        }
        let columns = order.iter().map(|own| &self.about.columns[own.column]);
        let no_text = |class: &TypeClass| matches!(class, TypeClass::Json | TypeClass::Jsonb | TypeClass::Array(_));
        match columns.into_iter().find(|column| no_text(&column.own.class)) {
            Some(column) => Err(bad(format!(
                "pages with `after` can't be in the order of `{}`, of the type {}; use `offset`",
                column.name, column.own.name
            ))),
            None => Ok(()),
        }
    }

    /// Returns the cursor of the last row of a page; `None` if no row follows it.
    pub(super) fn cursor_of(&self, connection: &Connection, query: &Query) -> Result<Option<String>> {
        let Some(limit) = query.limit else {
            return Err(bad("`after` needs a `limit`, the number of rows of a page"));
        };
        let mut select = self.select(query)?;
        self.has_pages(&select.order)?;
        if limit == 0 {
            return Ok(None);
        }
        let offset = query.offset.unwrap_or(0).saturating_add(limit - 1);
        (select.limit, select.offset) = (Some(2), Some(offset));
        select.columns = select.order.iter().map(|own| own.column).collect();
        let rows = self.values(connection, &select)?;
        let [last, _, ..] = &*rows else { return Ok(None) };
        let text = |value: &Value| match value {
            Value::Null => Some(Value::Null),
            value => text_of(value).map(|text| Value::Text(text.into())),
        };
        let values = last.iter().map(text).collect::<Option<Vec<_>>>();
        let values = values.ok_or_else(|| bad("a row is sorted by a value behind which no page begins"))?;
        let cursor = String::from_utf8(demat_formats::json::encode(&Value::List(values))?).unwrap_or_default();
        if cursor.len() > LONGEST {
            return Err(bad("a row is sorted by a text that is too long for a link; use `offset`, or another order"));
        }
        Ok(Some(cursor))
    }

    /// Parses a cursor.
    fn parsed(&self, cursor: &str, order: &[Sorted]) -> Result<Vec<Param>> {
        let none = || {
            bad(format!("`after` is the cursor that the `Link` of a page in this order has, and `{cursor}` is none"))
        };
        let value = demat_formats::json::decode::<Value>(cursor.as_bytes()).map_err(|_| none())?;
        let Value::List(values) = value else { return Err(none()) };
        if values.len() != order.len() {
            return Err(none());
        }
        let param = |(value, own): (Value, &Sorted)| match value {
            Value::Null => Some(Param::of_cell(None)),
            Value::Text(text) => {
                let own = &self.about.columns[own.column].own;
                param_of(own, &value_of(own, &text)?)
            }
            _ => None,
        };
        values.into_iter().zip(order).map(|pair| param(pair).ok_or_else(none)).collect()
    }
}

/// Returns the condition on the first expression that limits a scan of an index; the exact condition stands beside it.
fn bound(order: &[Sorted], values: &[Param], is_end: bool) -> Option<Fragment> {
    let (own, value) = (order.first()?, values.first()?);
    if own.nullable || value.is_null() {
        return None;
    }
    Some(operation(&own.sql, if own.descends == is_end { ">=" } else { "<=" }, value))
}

fn operation(left: &str, operator: &str, value: &Param) -> Fragment {
    let mut own = Fragment::from(&*format!("{left} {operator} "));
    own.value(value.clone(), "");
    own
}

/// Returns the condition that a row comes after another, which is never null.
fn behind(order: &[Sorted], values: &[Param]) -> Fragment {
    let mut ways = Vec::new();
    for (index, (own, value)) in order.iter().zip(values).enumerate() {
        let mut parts: Vec<_> = order[..index]
            .iter()
            .zip(values)
            .map(|(before, value)| match value.is_null() {
                true => Fragment::from(&*format!("{} IS NULL", before.sql)),
                false if before.nullable => operation(&before.sql, "IS NOT DISTINCT FROM", value),
                false => operation(&before.sql, "=", value),
            })
            .collect();
        parts.push(match (value.is_null(), own.descends) {
            // Null comes first.
            (true, false) => Fragment::from(&*format!("{} IS NOT NULL", own.sql)),
            (true, true) => Fragment::from("FALSE"),
            (false, descends) => {
                let mut after = operation(&own.sql, if descends { "<" } else { ">" }, value);
                if own.nullable && descends {
                    after.text(&format!(" OR {} IS NULL", own.sql));
                } else if own.nullable {
                    let mut known = Fragment::new();
                    known.enclose(&after);
                    known.text(" IS TRUE");
                    after = known;
                }
                after
            }
        });
        ways.push(Fragment::joined(&parts, " AND "));
    }
    Fragment::joined(&ways, " OR ")
}
