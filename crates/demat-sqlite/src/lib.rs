//! SQLite databases as sources and sinks of Demat.
//!
//! Tables are created from shapes, and shapes derived from tables. Rows are written with prepared statements, or as
//! whole tables page by page. They are read with statements, or for whole tables directly from the pages.

mod affinity;
mod batch;
pub mod build;
mod cell;
mod check;
mod comparison;
mod database;
mod ddl;
mod declared;
mod default;
mod drift;
mod failure;
mod fit;
mod format;
mod function;
mod handle;
mod introspect;
mod migrate;
mod moment;
mod name;
mod note;
mod observed;
mod of_shape;
mod order_key;
mod pages;
mod param;
mod restrict;
mod rows;
pub mod scan;
mod select;
mod sink;
mod source;
mod statement;
mod statement_cache;
mod stored;
mod table;
#[cfg(test)]
mod tests;
mod transaction;
mod verb;
mod write;

pub use affinity::Affinity;
pub use batch::Batch;
pub use cell::Cell;
pub use comparison::{among, compared, sorted_by};
pub use database::{Database, OpenOptions};
pub use declared::shape_of_declared;
pub use failure::SqliteFailure;
pub use migrate::{Allow, Loss, Migration, Step};
pub use name::{quoted, unquoted};
pub use note::is_plain_note;
pub use of_shape::{TableOptions, row_of};
pub use pages::Pages;
pub use param::Param;
pub use rows::{Class, Raw, Rows};
pub use select::Select;
pub use sink::{Plain, TableSink};
pub use source::{
    Instead, Mending, PlainRows, Replaced, RowSink, RowSource, copy_row, copy_rows, copy_rows_chosen, copy_rows_to,
};
pub use statement::Statement;
pub use stored::{Stored, keeps_digits};
pub use table::{Column, Index, Reference, Table};
pub use transaction::Transaction;
pub use verb::Verb;
pub use write::{RowWriter, Writer};
