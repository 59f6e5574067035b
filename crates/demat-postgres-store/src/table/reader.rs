//! Reads rows of a table.

use super::select::{Select, code_points};
use super::{Table, bad};
use demat_core::{Decode as _, Result, Sink, Source, Value, copy_any};
use demat_formats::stream::{self, Stop};
use demat_postgres::{Connection, Fragment, RowSource, Rows, TypeClass, quoted};
use demat_store::{Fault, Query, Version};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

impl Table {
    /// Calls a function with the rows of a statement: by COPY, which takes no parameters, or by a prepared one.
    fn asked<T>(
        connection: &Connection,
        sql: &Fragment,
        ask: impl FnOnce(&mut RowSource<Box<dyn Rows>>) -> Result<T>,
    ) -> Result<T> {
        let (sql, values) = sql.sql();
        let rows: Box<dyn Rows> = if values.is_empty() {
            Box::new(connection.copy_out(&sql)?)
        } else {
            Box::new(connection.prepare(&sql)?.query(&values)?)
        };
        ask(&mut RowSource::new(rows))
    }

    /// Writes the rows of a query to a sink.
    pub(super) fn rows(&self, connection: &Connection, query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let shape = query.shape(&self.shape.clone().list())?;
        let sql = self.select(query)?.statement(&self.about);
        Self::asked(connection, &sql, |source| {
            stream::copy_repaired(source, &shape, sink, &mut Stop, None, None).map(drop)
        })
    }

    /// Returns the values of rows, in the order of the selected columns.
    pub(super) fn values(&self, connection: &Connection, select: &Select) -> Result<Vec<Vec<Value>>> {
        Self::asked(connection, &select.statement(&self.about), all_values)
    }

    /// Returns the number of rows of a query.
    pub(super) fn counted(&self, connection: &Connection, query: &Query) -> Result<u64> {
        query.shape(&self.shape.clone().list())?;
        let mut select = self.select(query)?;
        select.order.clear();
        let mut sql = Fragment::from("SELECT pg_catalog.count(*)::bigint FROM ");
        sql.enclose(&select.of_columns(&self.about, "1"));
        sql.text(" AS own");
        let rows = Self::asked(connection, &sql, all_values)?;
        Ok(match rows.first().and_then(|row| row.first()) {
            Some(Value::Int(count)) => count.to_i64().unwrap_or_default().unsigned_abs(),
            _ => 0,
        })
    }

    /// Returns the commonest values of a column, and their numbers.
    pub(super) fn common(
        &self,
        connection: &Connection,
        query: &Query,
        field: &str,
        limit: u64,
    ) -> Result<Vec<(Value, u64)>> {
        let rest = Query { filter: query.filter.clone(), predicate: query.predicate.clone(), ..Query::default() };
        if rest != *query {
            return Err(bad("the values of a field are counted by conditions and nothing else"));
        }
        let column = self.column_of(field)?;
        let own = &self.about.columns[column];
        if matches!(own.own.class, TypeClass::Json | TypeClass::Other) {
            return Err(bad(format!("values of `{field}`, of the type {}, can't be compared", own.own.name)));
        }
        // A collation may take different texts for one.
        let name = code_points(&own.own, quoted(&own.name));
        let mut sql = self
            .select(&rest)
            .map(|select| Select { order: Vec::new(), ..select })?
            .of_columns(&self.about, &format!("{name}, pg_catalog.count(*)::bigint"));
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        sql.text(&format!(" GROUP BY {name} ORDER BY 2 DESC, 1 NULLS FIRST LIMIT {limit}"));
        let rows = Self::asked(connection, &sql, all_values)?;
        let pair = |row: Vec<Value>| match <[Value; 2]>::try_from(row) {
            Ok([value, Value::Int(count)]) => Some((shown(value), count.to_i64()?.unsigned_abs())),
            _ => None,
        };
        Ok(rows.into_iter().filter_map(pair).collect())
    }

    /// Writes one row.
    pub(super) fn row(&self, connection: &Connection, name: &str, query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let only = Query { fields: query.fields.clone(), ..Query::default() };
        if only != *query {
            return Err(bad("a list is filtered, sorted and counted, and this is one record"));
        }
        let shape = query.shape(&self.shape)?;
        self.one(connection, name, self.select(&only)?, |source| {
            sink.begin(&shape)?;
            copy_any(source, &shape, sink)?;
            sink.finish()
        })
    }

    /// Writes the value of a row's column.
    pub(super) fn field(&self, connection: &Connection, name: &str, column: usize, sink: &mut dyn Sink) -> Result<()> {
        let shape = self.field_shape(column);
        let select = Select { columns: vec![column], ..Select::default() };
        self.one(connection, name, select, |source| {
            source.map()?;
            source.entry()?;
            source.value()?;
            sink.begin(&shape)?;
            copy_any(source, &shape, sink)?;
            sink.finish()
        })
    }

    /// Calls a function with the source at the row of a name.
    fn one<T>(
        &self,
        connection: &Connection,
        name: &str,
        select: Select,
        tell: impl FnOnce(&mut RowSource<Box<dyn Rows>>) -> Result<T>,
    ) -> Result<T> {
        let absent = || Fault::NotFound.about(&[name.to_string()]);
        let filter = self.key.found(&self.about, name).ok_or_else(absent)?;
        let sql = Select { filter, order: Vec::new(), ..select }.statement(&self.about);
        Self::asked(connection, &sql, |source| {
            source.list()?;
            if source.item()? { tell(source) } else { Err(absent()) }
        })
    }

    /// Returns the version of a row, a hash of its values; `None` if it does not exist. `locks`: nobody else changes it
    /// before the transaction's end.
    pub(super) fn version_of(&self, connection: &Connection, name: &str, locks: bool) -> Result<Option<Version>> {
        let Some(filter) = self.key.found(&self.about, name) else { return Ok(None) };
        let columns = (0..self.about.columns.len()).collect();
        let mut sql = Select { columns, filter, ..Select::default() }.statement(&self.about);
        if locks {
            sql.text(" FOR UPDATE");
        }
        let (sql, values) = sql.sql();
        let mut rows = connection.prepare(&sql)?.query(&values)?;
        let mut version = None;
        while rows.step()? {
            let mut hasher = DefaultHasher::new();
            for column in 0..self.about.columns.len() {
                rows.cell(column).hash(&mut hasher);
            }
            version = Some(Version(hasher.finish()));
        }
        Ok(version)
    }

    /// Returns the names of the rows that a condition chooses.
    pub(super) fn names(&self, connection: &Connection, filter: Fragment, locks: bool) -> Result<Vec<String>> {
        if self.key.is_none() {
            return Err(bad("the rows of this have no names"));
        }
        let order = self.select(&Query::default())?.order;
        let select = Select { columns: self.key.columns.clone(), filter, order, ..Select::default() };
        let mut sql = select.statement(&self.about);
        if locks {
            sql.text(" FOR UPDATE");
        }
        let (sql, values) = sql.sql();
        let rows: Box<dyn Rows> = Box::new(connection.prepare(&sql)?.query(&values)?);
        let rows = all_values(&mut RowSource::new(rows))?;
        let names = rows.into_iter().map(|row| self.name_of_key(&row));
        names.map(|name| name.ok_or_else(unnamed)).collect()
    }

    /// Returns the name of a row by the values of its key's columns.
    pub(super) fn name_of_key(&self, values: &[Value]) -> Option<String> {
        let of = |column| self.key.columns.iter().position(|own| *own == column);
        self.key.name(&self.about, |column| values.get(of(column)?).cloned())
    }
}

/// Reads all rows: their values, in the order of the columns.
pub(super) fn all_values(source: &mut RowSource<Box<dyn Rows>>) -> Result<Vec<Vec<Value>>> {
    let mut rows = Vec::new();
    source.list()?;
    while source.item()? {
        let mut row = Vec::new();
        source.map()?;
        while source.entry()? {
            source.skip()?;
            source.value()?;
            row.push(Value::decode(source)?);
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Returns a value as a client sees it in JSON.
fn shown(value: Value) -> Value {
    match &value {
        Value::Bytes(_) => super::spelled::text_of(&value).map_or(Value::Null, |text| Value::Text(text.into())),
        Value::Float(float) if !float.is_finite() => Value::Text(float.to_string().into()),
        _ => value,
    }
}

#[cold]
pub(super) fn unnamed() -> demat_core::Error {
    Fault::Conflict.because("a row has a key that no reference can name")
}
