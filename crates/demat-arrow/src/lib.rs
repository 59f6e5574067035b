//! Arrow's columns as **places**.
//!
//! | is | type |
//! |---|---|
//! | the schema of a shape, and the shape of a schema | [`schema`](schema()), [`shape`] |
//! | columns that read records from a source | [`Columns`] |
//! | columns that a sink writes records to | [`ColumnsSink`] |
//! | the rows of batches | [`ArrowSource`] |
//! | the records of a reader, batch by batch | [`Batches`] |
//! | the records of a whole input, on several threads | [`columns_of`] |
//! | a check of batches that another program handed over | [`Integrity`] |
//! | a callback before memory is filled | [`on_reserve`] |
//! | Arrow's own format, with the feature `ipc` | `IpcBatches`, `IpcDrain`, `IpcBytes` |
//! | Parquet, with the feature `parquet` | `ParquetBatches`, `ParquetDrain` |
//!
//! ```
//! use demat_arrow::{ArrowSource, Options, columns_of, shape};
//! use demat_core::Decode;
//! use demat_formats::ndjson::Ndjson;
//! use std::collections::BTreeMap;
//!
//! let text = b"{\"id\": 1}\n{\"id\": 2}\n";
//! let batches = columns_of(text, &Ndjson::default(), &"id:int64".parse()?, &Options::default(), 2)?;
//! assert_eq!(shape(batches[0].schema_ref())?, "[{id: int64}]".parse()?);
//! let rows = Vec::<BTreeMap<String, i64>>::decode(&mut ArrowSource::new(batches.into_iter().map(Ok)))?;
//! assert_eq!(rows[1]["id"], 2);
//! # Ok::<(), demat_core::Error>(())
//! ```
#![forbid(unsafe_code)]
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "Arrow's offsets and lengths are signed and never negative; what might not fit is converted with a check"
)]

mod batches;
mod build;
mod columns;
mod drain;
#[cfg(any(feature = "ipc", feature = "parquet"))]
mod fault;
mod integrity;
#[cfg(feature = "ipc")]
mod ipc;
#[cfg(feature = "ipc")]
mod ipc_bytes;
#[cfg(feature = "ipc")]
mod ipc_check;
#[cfg(feature = "ipc")]
mod ipc_dictionaries;
mod layout_cache;
mod memory;
mod message_rows;
#[cfg(feature = "parquet")]
mod parquet;
mod schema;
mod sink;
mod source;
mod whole;

pub use batches::Batches;
pub use columns::Columns;
pub use demat_formats::stream::Bordered;
pub use drain::BatchDrain;
pub use integrity::Integrity;
#[cfg(feature = "ipc")]
pub use ipc::{IpcBatches, IpcDrain, IpcForm};
#[cfg(feature = "ipc")]
pub use ipc_bytes::IpcBytes;
pub use memory::on_reserve;
#[cfg(feature = "parquet")]
pub use parquet::{GroupBounds, ParquetBatches, ParquetDrain};
pub use schema::{Dictionaries, Options, column_index, schema, schema_with, shape, values_shape};
pub use sink::ColumnsSink;
pub use source::ArrowSource;
pub use whole::columns_of;

#[cfg(test)]
mod tests;
