//! Tables of SQLite databases as stores.
//!
//! | concept | type |
//! |---|---|
//! | a table: its rows, and the values of their columns | [`Table`] |
//! | all tables of a database, by their names | [`tables`] |
//! | how a database is served: read only, durable, with a log | [`TableOptions`] |
//!
//! `demat-store` has the contract, and knows no database. This crate maps it to SQLite: queries become statements,
//! writers share transactions, and versions are those of the rows.
//!
//! ```
//! use demat_core::Trouble;
//! use demat_sqlite::Database;
//! use demat_sqlite_store::{Table, TableOptions};
//! use demat_store::{Query, Store, collected, trouble_of};
//! let database = Database::memory()?;
//! database.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY)")?;
//! let tasks = Table::of(&database, "tasks", None, &TableOptions::default())?;
//! database.execute("DROP TABLE tasks")?;
//! let error = collected(&tasks, &[], &Query::default()).unwrap_err();
//! assert_eq!(trouble_of(&error), Some(Trouble::Broken));
//! # Ok::<(), demat_core::Error>(())
//! ```
//!
//! A read can replace values that a format can't represent, and report them:
//!
//! ```
//! use demat_place::Format;
//! use demat_sqlite::Database;
//! use demat_sqlite_store::{Table, TableOptions};
//! use demat_store::{Query, Store, Unrepresentable, tolerating};
//! let database = Database::memory()?;
//! database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x REAL)")?;
//! database.execute("INSERT INTO t VALUES (7, 9e999)")?;
//! let table = Table::of(&database, "t", None, &TableOptions::default())?;
//! let json = || table.encoded(&[], &Query::default(), Format::JSON, 1000);
//! assert!(json().is_err());
//! let (told, replaced) = tolerating(Unrepresentable::Null, false, json);
//! assert_eq!(told?.as_deref(), Some(&br#"[{"id":7,"x":null}]"#[..]));
//! assert!(replaced.lines()[0].starts_with("t: id=7, column `x`: expected a finite number"));
//! # Ok::<(), demat_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod table;
mod tolerance;

pub use table::{Table, TableOptions, tables};
