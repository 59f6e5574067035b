mod encrypted;
mod failing;
mod hostile;
mod rows_left;
mod server;
mod tables;
mod values;

use crate::column_type::{ColumnType, TypeClass};
use crate::rows::RowColumn;
use crate::{Connection, RowSource, RowWriter, TableName, TableSink};
use demat_core::{Result, Shape, Source, copy};
use demat_formats::json::{JsonSink, JsonSource, NonFinite, WriteOptions};
use demat_formats::{Keep, Output};
use std::sync::Arc;

/// Returns a column of a built-in type.
fn column(name: &str, oid: u32) -> RowColumn {
    let class = TypeClass::of_oid(oid, -1).unwrap();
    RowColumn { name: name.to_string(), own: ColumnType { oid, name: name.to_string(), class } }
}

/// Writes JSON to a table as rows of a shape. Returns the number of rows.
fn load(connection: &Connection, table: &str, shape: &Shape, json: &str) -> Result<u64> {
    let table = Arc::new(connection.existing(&TableName::parse(table)?)?);
    let transaction = connection.transaction()?;
    let mut sink = TableSink::new(Arc::clone(&table), connection.copy_in(&table));
    copy(&mut JsonSource::new(json.as_bytes()), shape, &mut sink)?;
    let rows = sink.into_writer().rows();
    transaction.commit()?;
    Ok(rows)
}

/// Reads a query by COPY, as JSON.
fn json(connection: &Connection, query: &str) -> Result<String> {
    let rows = connection.copy_out(query)?;
    let shape = Shape::record(crate::record_of(crate::Rows::columns(&rows))?).list();
    as_json(&mut RowSource::new(rows), &shape)
}

fn as_json<'a>(source: &mut impl Source<'a>, shape: &Shape) -> Result<String> {
    let options = WriteOptions { nonfinite: NonFinite::Text, ..WriteOptions::default() };
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), options);
    copy(source, shape, &mut sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

/// Keeps rows in memory.
#[derive(Debug, Default)]
struct Kept {
    rows: Vec<u8>,
    count: u64,
}

impl RowWriter for Kept {
    fn write(&mut self, _: &Arc<[usize]>, rows: &[u8], count: u64) -> Result<()> {
        self.rows.extend_from_slice(rows);
        self.count += count;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Returns what the server said.
fn failure(error: &demat_core::Error) -> &crate::PostgresFailure {
    std::error::Error::source(error).and_then(|cause| cause.downcast_ref()).unwrap()
}
