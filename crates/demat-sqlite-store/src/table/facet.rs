//! The commonest values of a column.

#[cfg(test)]
mod tests;

use super::Table;
use super::reader::Reader;
use demat_core::scalar::{Decimal, base64};
use demat_core::{Result, Value};
use demat_sqlite::{Affinity, Raw, Rows as _, Select, Stored, quoted, sorted_by};
use demat_store::{Fault, Query};

impl Reader {
    /// Returns the commonest values of a column in the rows of a query, and their numbers.
    pub(super) fn facet(&mut self, table: &Table, query: &Query, field: &str, limit: u64) -> Result<Vec<(Value, u64)>> {
        let rest = Query { filter: query.filter.clone(), predicate: query.predicate.clone(), ..Query::default() };
        let rest = Query { search: query.search.clone(), ..rest };
        if rest != *query {
            return Err(Fault::BadQuery.because("the values of a field are counted by conditions and nothing else"));
        }
        let name = table.column_of(field)?;
        let column = table.about.column(&name).map(|column| &table.about.columns[column]);
        let stored = column.map_or(Stored::Any, |column| column.stored);
        let affinity = column.map_or(Affinity::Blob, |column| column.affinity(table.about.strict));
        let (sql, values) = Select { columns: vec![name.clone()], ..table.select(query)? }.sql(&table.about)?;
        let name = quoted(&name);
        let key = sorted_by(&name, stored, affinity);
        // Equal values are one, in the spelling that sorts first; what has no key is what it is.
        let (own, group) = if key == name {
            (name.clone(), name.clone())
        } else {
            (format!("min({name})"), format!("{key}, iif({key} IS NULL, {name}, NULL)"))
        };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = format!(
            "SELECT {own}, count(*) FROM ({sql}) GROUP BY {group} ORDER BY count(*) DESC, {group} LIMIT {limit}"
        );
        self.asked(&sql, &values, |statement| {
            let mut found = Vec::new();
            while statement.step()? {
                found.push((shown(&statement.raw(0), stored), statement.int(1).cast_unsigned()));
            }
            Ok(found)
        })
    }
}

/// Returns a value as a client sees it in JSON.
fn shown(raw: &Raw<'_>, stored: Stored) -> Value {
    match raw {
        Raw::Null => Value::Null,
        Raw::Int(value @ (0 | 1)) if stored == Stored::Bool => Value::Bool(*value == 1),
        Raw::Int(value) => Value::Int((*value).into()),
        Raw::Real(value) if value.is_finite() => Value::Float(*value),
        Raw::Real(value) => Value::Text(value.to_string().into()),
        Raw::Text(bytes) if matches!(stored, Stored::Decimal | Stored::Digits) => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let number = Decimal::parse(&text).map(|own| Value::Decimal(own.into_owned()));
            number.unwrap_or(Value::Text(text.into()))
        }
        Raw::Text(bytes) => Value::Text(String::from_utf8_lossy(bytes).into_owned().into()),
        Raw::Blob(bytes) => {
            let mut text = String::new();
            base64::encode(bytes, &mut text);
            Value::Text(text.into())
        }
    }
}
