//! Stores: **places** with references, that values are got from and put to.
//!
//! A [`Store`] answers get, put, patch, post and delete for a reference, which is a path of names: `/tasks/3/title`. What it
//! gets it tells a [`Sink`](demat_core::Sink); what is put is [`Body`], and tells itself. So no value stands between a store
//! and what it is encoded to.
//!
//! | store | is |
//! |---|---|
//! | [`Memory`] | values in memory |
//! | [`Objects`] | a list of a program's own objects |
//! | [`Table`], [`Tables`] | a table of an SQLite database, or all of them |
//! | [`Folder`] | a folder of files, as the values that are in them or as bytes |
//! | [`Environment`] | the variables of the process's environment |
//! | [`Template`] | functions, by routes such as `/tasks/:id` |
//! | `Remote` of `demat-http` | what somebody else serves, over HTTP |
//!
//! A [`Layer`] is a store over another:
//!
//! | layer | does |
//! |---|---|
//! | [`ReadOnly`] | changes nothing |
//! | [`Relative`] | has what is below a reference of the other |
//! | [`Cache`] | keeps what was got at hand; changes at once, or later |
//! | [`Typed`] | has values of a shape in a format, where the other has bytes |
//! | [`Mapped`] | puts functions between: of references, of what is given, of what is told |
//! | [`Log`] | tells a function what is done |
//! | [`Timed`] | counts what is done, and how long it takes |
//!
//! And some stores are over several others:
//!
//! | store | has |
//! |---|---|
//! | [`Switch`] | each of them by a name |
//! | [`Sequence`] | what the first has that has something there |
//! | [`Merge`] | what all of them have, put together |
//!
//! Each [describes](Store::describe) what it is made of: as text, or as a picture ([`Node::to_svg`], [`Node::to_dot`]).
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
mod collected;
mod environment;
mod fault;
mod folder;
mod layer;
mod log;
mod mapped;
mod memory;
mod merge;
mod node;
mod objects;
mod query;
mod read_only;
mod reference;
mod relative;
mod sequence;
mod several;
mod store;
mod switch;
mod table;
mod template;
mod timed;
mod typed;
mod unrepresentable;
mod verb;
mod version;

pub use body::{Body, Encoded, Host, Whole};
pub use bulk_change::BulkChange;
/// Bytes that are shared, and not copied.
pub use bytes::Bytes;
pub use cache::Cache;
pub use change::{Change, Changes, Watch, Watcher};
pub use collected::{collected, representation};
pub use environment::Environment;
pub use fault::{Fault, Trouble, fault_of, trouble_of};
pub use folder::Folder;
pub use layer::Layer;
pub use log::{Log, Logged};
pub use mapped::Mapped;
pub use memory::Memory;
pub use merge::Merge;
pub use node::Node;
pub use objects::Objects;
pub use query::{Condition, Order, Query, Test};
pub use read_only::ReadOnly;
pub use reference::{Reference, shown};
pub use relative::Relative;
pub use sequence::Sequence;
pub use store::{Put, Store};
pub use switch::Switch;
pub use table::{Table, TableOptions, Tables, relaxed, served_name};
pub use template::{Asked, Template};
pub use timed::{Timed, Times};
pub use typed::Typed;
pub use unrepresentable::{Replacements, Unrepresentable, tolerating};
pub use verb::{Verb, Verbs};
pub use version::{Version, When};
