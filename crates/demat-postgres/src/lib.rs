//! PostgreSQL tables as sources and sinks of Demat.
//!
//! Tables are created from shapes, and shapes derived from tables. Rows are written and read by `COPY` in its binary
//! format, and statements have parameters in the same format. Nothing is converted to text on the way.
//!
//! # Limits
//!
//! - The server is trusted not to send types that are arrays of arrays without end: `tokio-postgres` looks types up
//!   recursively, and would exhaust the stack.
//! - Rows that lack different columns with a default are sent in one COPY per list of columns, in their order.
//! - `jsonb` loses the sign of `-0.0`, and arrays are read without their lower bounds.
//! - [`Connection::copy_out`] reads what COPY takes as a query: not `SHOW` or `EXPLAIN`.

mod address;
mod batch;
mod cancel;
mod catalog;
mod column_type;
mod connection;
mod copy_in;
mod copy_out;
mod drift;
mod failure;
mod fill;
mod fragment;
mod gathered;
mod kept_rows;
mod listener;
mod name;
mod note;
mod notify;
mod numbered;
mod of_shape;
mod param;
mod rows;
mod shared;
mod sink;
mod source;
mod sql;
mod statement;
mod table;
#[cfg(test)]
mod tests;
mod tls;
mod transaction;
mod update;
mod upsert;
mod value;

pub use address::{Address, masked};
pub use batch::RowBatch;
pub use column_type::{ColumnType, TypeClass};
pub use connection::Connection;
pub use copy_in::CopyIn;
pub use copy_out::{CopyOut, CopyRows, Pieces};
pub use failure::PostgresFailure;
pub use fill::{ColumnFiller, Filled, Values, Vector, Vectors};
pub use fragment::Fragment;
pub use kept_rows::{KeptRow, KeptRows};
pub use listener::{Keys, Listener, TableChange, Told};
pub use name::{TableName, literal, quoted};
pub use note::is_plain_note;
pub use numbered::Numbered;
pub use of_shape::{ColumnDefinition, Definition};
pub use param::Param;
pub use rows::{RowColumn, Rows};
pub use sink::{RowWriter, TableSink};
pub use source::RowSource;
pub use statement::{QueryRows, Statement, record_of};
pub use table::{Column, Table};
pub use transaction::Transaction;
pub use update::Update;
pub use upsert::Upsert;
