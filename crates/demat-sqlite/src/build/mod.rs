//! Builds databases page by page, from the leaves up: many times as fast as inserting the rows.

mod behind;
mod builder;
mod column;
mod graft;
mod index;
mod index_tree;
mod interior;
mod load;
mod loader;
mod merge;
mod new_file;
mod number;
mod options;
mod order;
mod overflow;
mod pages;
mod refusal;
mod row;
mod rows;
mod run;
mod sink;
mod sorter;
mod table_tree;
#[cfg(test)]
pub(crate) mod tests;

pub use builder::{Builder, Complete};
pub use load::{Load, Loaded};
pub use options::Options;
pub use refusal::Refusal;
pub(crate) use refusal::refuse;
pub use rows::Rows;
