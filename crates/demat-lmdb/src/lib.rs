//! LMDB environments as typed, ordered, transactional stores of records.
//!
//! A [`Collection`] holds records of one shape in the order of their keys. A record is bytes in one of three formats,
//! and a reader gets the bytes where the page is mapped. [Keys](key) are tuples whose bytes have the tuples' order.
//!
//! | is | type |
//! |---|---|
//! | a directory with a file that LMDB maps | [`Environment`] |
//! | a state to read | [`Snapshot`] |
//! | a transaction to write, with others nested in it | [`Writing`] |
//! | records of one shape, with indexes | [`Collection`] |
//! | records in a range | [`Scan`]; as a document of bytes, [`Document`] |
//! | a sink of records | [`CollectionSink`] |
//!
//! ```
//! # fn main() -> demat_core::Result<()> {
//! use demat_lmdb::{Environment, Key, Options, Put, Query, Scan, Wanted};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path();
//! let environment = Environment::open(path, &Options::default())?;
//! let wanted = Wanted {
//!     shape: Some("id: int, title: text".parse()?),
//!     key: Some(Key::Fields(vec!["id".into()])),
//!     encoding: Some("json".parse()?),
//!     ..Wanted::default()
//! };
//! let tasks = environment.collection("tasks", &wanted)?;
//!
//! let mut writing = environment.write()?;
//! for record in [r#"{"id":10,"title":"b"}"#, r#"{"id":-2,"title":"a"}"#] {
//!     let key = tasks.key_of(record.as_bytes())?;
//!     tasks.put(&mut writing, &key, record.as_bytes(), Put::New)?;
//! }
//! writing.commit()?;
//!
//! let mut scan = Scan::new(environment.read()?, &tasks, &Query::default())?;
//! assert_eq!(&*scan.next()?.unwrap().record, br#"{"id":-2,"title":"a"}"#);
//! # Ok(())
//! # }
//! ```
//!
//! # Who else writes to the file
//!
//! LMDB maps the file, and trusts what stands there. Only LMDB may write to it: opening a file that a stranger made, or
//! that another program writes to meanwhile, can crash the process.

mod appender;
mod collection;
mod definition;
mod document;
mod drift;
mod encoding;
mod environment;
mod failure;
mod filter;
mod index;
pub mod key;
mod key_of;
mod opening;
mod packing;
mod range;
mod reader;
mod reader_table;
mod scan;
mod sink;
#[cfg(test)]
mod tests;
mod transaction;

pub use collection::{Collection, KeyMaker, Put, Sizes, auto_key};
pub use definition::{By, Definition, IndexDefinition, Key};
pub use demat_formats::codec::Scalar;
pub use demat_formats::stream::Decide;
pub use document::{Document, OwnDocument};
pub use encoding::{Encoding, RecordReader};
pub use environment::{Environment, Options, Sync};
pub use failure::LmdbFailure;
pub use filter::Predicate;
pub use index::KeyFunction;
pub use key::{Part, Parts, beginning, key_of, shown};
pub use opening::Wanted;
pub use packing::Compression;
pub use range::Range;
pub use reader::Reader;
pub use scan::{Entry, OwnEntry, Query, Scan, count, keys, read_some};
pub use sink::CollectionSink;
pub use transaction::{Reads, Snapshot, Writing};
