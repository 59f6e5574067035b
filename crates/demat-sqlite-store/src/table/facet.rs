//! The commonest values of a column.

#[cfg(test)]
mod tests;

use super::Table;
use super::reader::Reader;
use demat_core::scalar::{Decimal, base64};
use demat_core::{Result, Value};
use demat_sqlite::{Raw, Rows as _, Select, Stored, quoted};
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
        let stored = table.about.column(&name).map_or(Stored::Any, |column| table.stored[column]);
        let (sql, values) = Select { columns: vec![name.clone()], ..table.select(query)? }.sql(&table.about)?;
        let name = quoted(&name);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = format!(
            "SELECT {name}, count(*) FROM ({sql}) GROUP BY {name} ORDER BY count(*) DESC, {name} LIMIT {limit}"
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
