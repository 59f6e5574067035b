//! Arrow's columns as **places**.
#![forbid(unsafe_code)]

mod build;
mod columns;
mod schema;

pub use columns::Columns;
pub use schema::{Options, schema, schema_with, shape};

#[cfg(test)]
mod tests;
