//! Stores: **places** with references.
//!
//! A [`Store`] supports get, put, patch, post and delete for a reference, which is a path of names: `/tasks/3/title`. A
//! get writes to a [`Sink`](demat_core::Sink), and a put takes a [`Body`], which writes itself to the store's sink. So
//! nothing stands between a store and an encoding.
//!
//! | store | is |
//! |---|---|
//! | [`Memory`] | values in memory |
//! | [`Objects`] | a list of a program's own objects |
//! | [`Folder`] | a folder of files, as their values or as bytes |
//! | [`Environment`] | the variables of the process's environment |
//! | [`Template`] | functions, by routes such as `/tasks/:id` |
//! | `Table`, `tables` of `demat-sqlite-store` | a table of an SQLite database, or all of them |
//! | `Records`, `collections` of `demat-lmdb-store` | a collection of an LMDB environment, or all of them |
//! | `Remote` of `demat-http` | a store that another server offers over HTTP |
//!
//! A [`Layer`] is a store over another:
//!
//! | layer | does |
//! |---|---|
//! | [`ReadOnly`] | refuses changes |
//! | [`Relative`] | exposes the subtree under a reference |
//! | [`Cache`] | caches answers; writes through, or back |
//! | [`Typed`] | decodes and encodes the bytes of the other as a shape in a format |
//! | [`Mapped`] | maps references, written values and read values by functions |
//! | [`Log`] | calls a function for each operation |
//! | [`Timed`] | counts and times operations |
//!
//! Some stores combine several others:
//!
//! | store | offers |
//! |---|---|
//! | [`Switch`] | each of them under a name |
//! | [`Named`] | those of one database under their names |
//! | [`Sequence`] | the value of the first store that has one |
//! | [`Merge`] | the values of all stores, merged |
//!
//! [`Store::describe`] returns the tree of stores, as text or as a picture ([`Node::to_svg`], [`Node::to_dot`]).
//!
//! ```
//! use demat_place::Format;
//! use demat_store::{Cache, Encoded, Environment, Memory, Query, ReadOnly, Store, Switch, When};
//! use std::sync::Arc;
//! let store = Switch::new()
//!     .with("notes", Arc::new(Cache::over(Arc::new(Memory::new()), 1 << 20)))?
//!     .with("env", Arc::new(ReadOnly::over(Arc::new(Environment::new()))))?;
//! let at = ["notes", "first"].map(String::from);
//! store.put(&at, &mut Encoded::new(Format::JSON, &br#"{"text":"hello"}"#[..]), &When::Absent)?;
//! let json = store.encoded(&at[..1], &Query::default(), Format::JSON, 1000)?;
//! assert_eq!(json.as_deref(), Some(&br#"{"first":{"text":"hello"}}"#[..]));
//! let tree = "switch\n├─ env: read only\n│  └─ environment\n└─ notes: cache 1048576 bytes\n   └─ memory\n";
//! assert_eq!(store.describe().to_string(), tree);
//! # Ok::<(), demat_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod body;
mod bulk_change;
mod bytes_sink;
mod cache;
mod change;
mod change_feed;
mod collected;
mod environment;
mod fault;
mod filter;
mod folder;
mod layer;
mod log;
mod mapped;
mod memory;
mod merge;
mod named;
mod node;
mod objects;
mod posted;
mod query;
mod read_only;
mod reference;
mod relation;
mod relative;
mod relaxed;
mod sequence;
mod several;
mod store;
mod switch;
mod template;
mod timed;
mod typed;
mod unrepresentable;
mod verb;
mod version;

pub use body::{Body, Encoded, Host, ValueBody};
pub use bulk_change::BulkChange;
/// Shared bytes: a clone does not copy them.
pub use bytes::Bytes;
pub use cache::Cache;
pub use change::{Change, Changes, Watch, Watcher, within};
pub use change_feed::{ChangeFeed, Update, UpdateKind, Waited};
pub use collected::{JsonWithin, collected, json_within, representation};
/// A failure of the store itself, which the client did not cause: see [`trouble_of`].
pub use demat_core::Trouble;
pub use demat_place::{Condition, Test, like_pattern};
pub use environment::Environment;
pub use fault::{Fault, fault_of, trouble_of};
pub use filter::Filter;
pub use folder::Folder;
pub use layer::Layer;
pub use log::{Log, Logged};
pub use mapped::Mapped;
pub use memory::Memory;
pub use merge::Merge;
pub use named::{Named, served_name};
pub use node::Node;
pub use objects::Objects;
pub use posted::{Duplicates, Posted};
pub use query::{Order, Query};
pub use read_only::ReadOnly;
pub use reference::{Reference, shown};
pub use relation::Relation;
pub use relative::Relative;
pub use relaxed::{relaxed, reshaped};
pub use sequence::Sequence;
pub use store::{Put, Store};
pub use switch::Switch;
pub use template::{RouteRequest, Template};
pub use timed::{Timed, Times};
pub use typed::Typed;
pub use unrepresentable::{Replacements, Tolerance, Unrepresentable, tolerating};
pub use verb::{Verb, Verbs};
pub use version::{Version, When};
