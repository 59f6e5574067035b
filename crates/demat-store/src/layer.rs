//! Layers: stores over one other store.

use crate::body::Body;
use crate::bulk_change::BulkChange;
use crate::change::{Watch, Watcher};
use crate::fault::Fault;
use crate::node::Node;
use crate::posted::{Duplicates, Posted};
use crate::query::Query;
use crate::reference::Reference;
use crate::relation::Relation;
use crate::store::{Put, Store};
use crate::verb::Verbs;
use crate::version::{Version, When};
use bytes::Bytes;
use demat_core::{Result, Shape, Sink, Value};
use demat_place::Format;
use std::io::Write;

/// Writes methods of a layer that call the same method of the store below.
macro_rules! below {
    ($($(#[$doc:meta])* $name:ident($($value:ident: $type:ty),*) -> $result:ty;)*) => {
        /// A store over another. All methods forward to the store below by default.
        pub trait Layer: Send + Sync {
            /// The store below.
            fn below(&self) -> &dyn Store;
            /// Describes the layer and the store below.
            fn describe(&self) -> Node;
            $($(#[$doc])*
            #[allow(clippy::missing_errors_doc)] // documented at the method of `Store`
            fn $name(&self, $($value: $type),*) -> $result {
                self.below().$name($($value),*)
            })*

            /// As [`Store::change_each`]. Refused by default: passing it through could bypass what the layer does for
            /// single items.
            #[allow(clippy::missing_errors_doc)] // documented at the method of `Store`
            fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
                let _ = (at, query, each, when);
                Err(Fault::BadQuery.because("this store changes items one by one, each by its reference"))
            }

            /// As [`Store::post_all`]. Refused by default, as [`change_each`](Self::change_each).
            #[allow(clippy::missing_errors_doc)] // documented at the method of `Store`
            fn post_all(&self, at: &[String], value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
                let _ = (at, value, duplicates, when);
                Err(Fault::BadQuery.because("this store adds records without telling their names, and merges none"))
            }
        }

        impl<L: Layer> Store for L {
            fn describe(&self) -> Node {
                Layer::describe(self)
            }

            fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
                Layer::change_each(self, at, query, each, when)
            }

            fn post_all(&self, at: &[String], value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
                Layer::post_all(self, at, value, duplicates, when)
            }

            $(fn $name(&self, $($value: $type),*) -> $result {
                Layer::$name(self, $($value),*)
            })*
        }
    };
}

below! {
    /// As [`Store::get`].
    get(at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()>;
    /// As [`Store::shape`].
    shape(at: &[String]) -> Result<Shape>;
    /// As [`Store::put`].
    put(at: &[String], value: &mut dyn Body, when: &When) -> Result<Put>;
    /// As [`Store::patch`].
    patch(at: &[String], value: &mut dyn Body, when: &When) -> Result<()>;
    /// As [`Store::post`].
    post(at: &[String], value: &mut dyn Body) -> Result<Reference>;
    /// As [`Store::delete`].
    delete(at: &[String], when: &When) -> Result<()>;
    /// As [`Store::is_collection`].
    is_collection(at: &[String]) -> bool;
    /// As [`Store::children`].
    children(at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()>;
    /// As [`Store::count`].
    count(at: &[String], query: &Query) -> Result<Option<u64>>;
    /// As [`Store::cursor`].
    cursor(at: &[String], query: &Query) -> Result<Option<String>>;
    /// As [`Store::facet`].
    facet(at: &[String], query: &Query, field: &str, limit: u64) -> Result<Vec<(Value, u64)>>;
    /// As [`Store::key`].
    key(at: &[String]) -> Vec<String>;
    /// As [`Store::relations`].
    relations(at: &[String]) -> Vec<Relation>;
    /// As [`Store::allows`].
    allows(at: &[String]) -> Verbs;
    /// As [`Store::version`].
    version(at: &[String]) -> Result<Option<Version>>;
    /// As [`Store::exists`].
    exists(at: &[String]) -> Result<bool>;
    /// As [`Store::encoded`].
    encoded(at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>>;
    /// As [`Store::read`].
    read(at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()>;
    /// As [`Store::watch`].
    watch(at: &[String], watcher: Watcher) -> Option<Watch>;
    /// As [`Store::look`].
    look() -> ();
    /// As [`Store::is_prompt`].
    is_prompt() -> bool;
}
