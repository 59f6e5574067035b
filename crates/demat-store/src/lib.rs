//! Stores: **places** with references, that values are got from and put to.
//!
//! A [`Store`] answers get, put, patch, post and delete for a reference, which is a path of names: `/tasks/3/title`. What it
//! gets it tells a [`Sink`](demat_core::Sink); what is put is [`Given`], and tells itself. So no value stands between a store
//! and what it is encoded to.
//!
//! | store | is |
//! |---|---|
//! | [`Memory`] | values in memory |
//! | [`Table`], [`Tables`] | a table of an SQLite database, or all of them |
//! | [`Folder`] | a folder of files, as the values that are in them or as bytes |
//! | [`Environment`] | the variables of the process's environment |
#![forbid(unsafe_code)]

mod bytes_sink;
mod cache;
mod change;
mod collected;
mod environment;
mod fault;
mod folder;
mod given;
mod layer;
mod log;
mod mapped;
mod memory;
mod merge;
mod node;
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
mod verb;
mod version;

pub use cache::Cache;
pub use change::{Change, Changes, Watch, Watcher};
pub use collected::{collected, representation};
pub use environment::Environment;
pub use fault::{Fault, fault_of};
pub use folder::Folder;
pub use given::{Encoded, Given, Host, Whole};
pub use layer::Layer;
pub use log::{Log, Logged};
pub use mapped::Mapped;
pub use memory::Memory;
pub use merge::Merge;
pub use node::Node;
pub use query::{Condition, Order, Query, Test};
pub use read_only::ReadOnly;
pub use reference::{Reference, shown};
pub use relative::Relative;
pub use sequence::Sequence;
pub use store::{Put, Store};
pub use switch::Switch;
pub use table::{Table, TableOptions, Tables};
pub use template::{Asked, Template};
pub use timed::{Timed, Times};
pub use typed::Typed;
pub use verb::{Verb, Verbs};
pub use version::{Version, When};
