//! Arrow's columns as **places**.
#![forbid(unsafe_code)]

mod batches;
mod build;
mod columns;
mod drain;
#[cfg(any(feature = "ipc", feature = "parquet"))]
mod fault;
#[cfg(feature = "ipc")]
mod ipc;
#[cfg(feature = "parquet")]
mod parquet;
mod schema;
mod sink;
mod source;
mod whole;

pub use batches::Batches;
pub use columns::Columns;
pub use drain::BatchDrain;
#[cfg(feature = "ipc")]
pub use ipc::{IpcBatches, IpcDrain, IpcForm};
#[cfg(feature = "parquet")]
pub use parquet::{ParquetBatches, ParquetDrain};
pub use schema::{Options, schema, schema_with, shape};
pub use sink::ColumnsSink;
pub use source::ArrowSource;
pub use whole::{Bordered, columns_of};

#[cfg(test)]
mod tests;
