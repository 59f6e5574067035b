//! Values of parameters.

use crate::column_type::ColumnType;
use crate::failure::refused;
use crate::sink::{RowWriter, TableSink};
use crate::table::{Column, Table};
use bytes::BytesMut;
use demat_core::{Result, Sink};
use std::sync::Arc;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

/// A value in the binary format of a parameter's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param(Option<Vec<u8>>);

impl Param {
    /// Encodes the value that `write` writes, for a parameter of a type.
    ///
    /// # Errors
    /// If the type does not hold the value; and those of `write`.
    pub fn encode(own: &ColumnType, write: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<Self> {
        let column = Column {
            name: "$".into(),
            own: own.clone(),
            dimensions: 0,
            not_null: false,
            default: None,
            identity: false,
            generated: false,
        };
        let table = Table {
            name: String::new(),
            quoted: String::new(),
            columns: vec![column],
            key: Vec::new(),
            unique: Vec::new(),
            view: false,
        };
        let mut sink = TableSink::new(Arc::new(table), Row(Vec::new()));
        sink.begin_map(Some(1))?;
        sink.key("$")?;
        write(&mut sink)?;
        sink.end_map()?;
        sink.finish()?;
        // The row is the number of its cells, the length of the cell, and the cell.
        match sink.into_writer().0.split_at_checked(6) {
            Some(([_, _, 0xFF, 0xFF, 0xFF, 0xFF], [])) => Ok(Self(None)),
            Some((_, cell)) => Ok(Self(Some(cell.to_vec()))),
            None => Err(refused("a parameter has one value")),
        }
    }
}

impl Param {
    /// Returns a value by its bytes in the binary format; `None` is NULL.
    pub fn of_cell(bytes: Option<&[u8]>) -> Self {
        Self(bytes.map(<[u8]>::to_vec))
    }

    /// Whether it is NULL.
    pub fn is_null(&self) -> bool {
        self.0.is_none()
    }
}

/// Keeps a row.
struct Row(Vec<u8>);

impl RowWriter for Row {
    fn write(&mut self, _: &Arc<[usize]>, rows: &[u8], _: u64) -> Result<()> {
        self.0.extend_from_slice(rows);
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

impl ToSql for Param {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut BytesMut,
    ) -> core::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match &self.0 {
            Some(bytes) => {
                out.extend_from_slice(bytes);
                Ok(IsNull::No)
            }
            None => Ok(IsNull::Yes),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
