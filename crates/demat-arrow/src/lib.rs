//! Arrow's columns as **places**.
#![forbid(unsafe_code)]

mod build;
mod columns;
mod drain;
mod schema;
mod sink;
mod source;

pub use columns::Columns;
pub use drain::BatchDrain;
pub use schema::{Options, schema, schema_with, shape};
pub use sink::ColumnsSink;
pub use source::ArrowSource;

#[cfg(test)]
mod tests;
