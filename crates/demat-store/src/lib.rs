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
#![forbid(unsafe_code)]

mod change;
mod collected;
mod fault;
mod given;
mod layer;
mod memory;
mod node;
mod query;
mod reference;
mod store;
mod table;
mod verb;
mod version;

/// Bytes that are shared, and not copied.
pub use bytes::Bytes;
pub use change::{Change, Changes, Watch, Watcher};
pub use collected::{collected, representation};
pub use fault::{Fault, fault_of};
pub use given::{Encoded, Given, Host, Whole};
pub use layer::Layer;
pub use memory::Memory;
pub use node::Node;
pub use query::{Condition, Order, Query, Test};
pub use reference::{Reference, shown};
pub use store::{Put, Store};
pub use table::{Table, TableOptions, Tables};
pub use verb::{Verb, Verbs};
pub use version::{Version, When};
