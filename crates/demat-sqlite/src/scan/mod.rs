//! Reads whole tables directly from their pages: many times as fast as with statements.

mod ahead;
mod damage;
mod fetch;
mod fill;
mod hold;
mod leaf;
mod overflow;
mod paged_rows;
mod row;
mod rows;
mod scanner;
mod source;
#[cfg(test)]
pub(crate) mod tests;
mod vector;
mod walk;

pub use fill::{Filled, Vectors};
pub use paged_rows::PagedRows;
pub use row::Row;
pub use scanner::Scan;
pub(crate) use vector::Kind;
pub use vector::{Values, Vector};
