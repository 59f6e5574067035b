//! Tables of PostgreSQL databases as stores.
//!
//! | concept | type |
//! |---|---|
//! | a table: its rows, and the values of their columns | [`Table`] |
//! | all tables of a database, by their names | [`tables`] |
//! | the connections that stores share, and whether others' changes are listened to | [`Base`], [`BaseOptions`] |
//!
//! `demat-store` has the contract, and knows no database. This crate maps it to PostgreSQL: queries become statements with
//! parameters, each write is a transaction, and versions are those of the rows, or of the server's snapshot.
//!
//! ```no_run
//! use demat_place::Format;
//! use demat_postgres::Address;
//! use demat_postgres_store::{Base, BaseOptions, Table};
//! use demat_store::{Query, Store};
//! let base = Base::open(&Address::parse("postgresql://ada@localhost/tasks")?, &BaseOptions::default())?;
//! let tasks = Table::of(&base, "tasks", None)?;
//! let json = tasks.encoded(&[], &Query::parse("done=false&order=-id&limit=10")?, Format::JSON, 1 << 20)?;
//! # Ok::<(), demat_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod base;
mod listening;
mod snapshot;
mod table;

pub use base::{Base, BaseOptions};
pub use table::{Table, tables};
