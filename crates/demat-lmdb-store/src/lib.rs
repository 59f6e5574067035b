//! Collections of LMDB environments as stores.
//!
//! | concept | type |
//! |---|---|
//! | a collection: its records, and the values of their fields | [`Records`] |
//! | all collections of an environment, by their names | [`collections`] |
//! | a store's conditions for scans of a collection | [`predicate`] |
//!
//! `demat-store` has the contract, and knows no database. This crate maps it to LMDB: queries become ranges and
//! conditions, each change is a transaction, and versions are the number of the last one.
//!
//! ```
//! use demat_lmdb::{Environment, Key, Options, Wanted};
//! use demat_lmdb_store::Records;
//! use demat_place::Format;
//! use demat_store::{Encoded, Query, Store};
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path();
//! let environment = Environment::open(path, &Options::default())?;
//! let wanted = Wanted {
//!     shape: Some("id: int, title: text".parse()?),
//!     key: Some(Key::Fields(vec!["id".into()])),
//!     ..Wanted::default()
//! };
//! let tasks = Records::of(&environment.collection("tasks", &wanted)?)?;
//! let at = tasks.post(&[], &mut Encoded::new(Format::JSON, &br#"{"id":7,"title":"Clean Room"}"#[..]))?;
//! assert_eq!(at.to_string(), "/7");
//! let json = tasks.encoded(&[], &Query::parse("title.like=clean%25")?, Format::JSON, 1000)?;
//! assert_eq!(json.as_deref(), Some(&br#"[{"id":7,"title":"Clean Room"}]"#[..]));
//! # Ok::<(), demat_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod collections;
mod predicate;
mod records;

pub use collections::collections;
pub use predicate::predicate;
pub use records::Records;
