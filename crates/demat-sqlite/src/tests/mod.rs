//! Tests of the crate's API, with databases in memory and in files.

mod building;
mod instants;
mod keeping;
mod observed;
mod order_keys;
mod tables;
mod values;
mod writing;

use crate::{Database, RowSource, Select, Table, TableOptions, TableSink, Transaction, Verb, Writer, row_of};
use demat_core::{Record, Result, Shape, Value, ValueSource, copy};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::{Keep, Output};
use std::sync::Arc;

/// Parses the record of a shape's text.
fn record(text: &str) -> Record {
    let shape: Shape = text.parse().unwrap();
    let record = row_of(&shape).unwrap();
    record.get().clone()
}

fn table(database: &Database, name: &str, text: &str) -> Arc<Table> {
    Arc::new(database.table(name, &record(text), &TableOptions::default()).unwrap())
}

/// Writes rows from JSON to a table, in one transaction.
fn tell(database: &Database, table: &Arc<Table>, shape: &str, rows: &str, verb: Verb) -> Result<u64> {
    let record = record(shape);
    let transaction = database.transaction()?;
    let writer = Writer::new(database.clone(), Arc::clone(table), verb);
    let mut sink = TableSink::new(Arc::clone(table), Some(&record), writer);
    let mut source = demat_formats::json::JsonSource::new(rows.as_bytes());
    copy(&mut source, &Shape::record(record).list(), &mut sink)?;
    let changed = sink.taker().changed();
    transaction.commit()?;
    Ok(changed)
}

/// Returns the rows of a table as JSON.
fn rows(database: &Database, table: &Table, record: &Record) -> Result<String> {
    let (sql, _) = Select::default().sql(table)?;
    let statement = database.statement(&sql)?;
    let stored = statement.stored_as(Some(record));
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    copy(&mut RowSource::new(statement, &stored), &Shape::record(record.clone()).list(), &mut sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

/// Writes values, and reads them back.
fn round_trip(shape: &str, values: Vec<Value>) -> Result<Vec<Value>> {
    let database = Database::memory()?;
    let table = table(&database, "t", shape);
    let record = record(shape);
    let whole = Shape::record(record.clone()).list();
    let transaction: Transaction = database.transaction()?;
    let writer = Writer::new(database.clone(), Arc::clone(&table), Verb::Insert);
    let mut sink = TableSink::new(Arc::clone(&table), Some(&record), writer);
    let value = Value::List(values);
    copy(&mut ValueSource::new(&value), &whole, &mut sink)?;
    transaction.commit()?;
    let (sql, _) = Select::default().sql(&table)?;
    let statement = database.statement(&sql)?;
    let stored = statement.stored_as(Some(&record));
    match Value::decode_as(&mut RowSource::new(statement, &stored), &whole)? {
        Value::List(values) => Ok(values),
        other => panic!("{other:?}"),
    }
}
