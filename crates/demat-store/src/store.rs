//! The contract of stores.

use crate::body::Body;
use crate::bulk_change::BulkChange;
use crate::change::{Watch, Watcher};
use crate::collected::representation;
use crate::fault::Fault;
use crate::node::Node;
use crate::posted::{Duplicates, Posted};
use crate::query::Query;
use crate::reference::Reference;
use crate::relation::Relation;
use crate::several::{current, found};
use crate::verb::{Verb, Verbs};
use crate::version::{Version, When};
use bytes::Bytes;
use core::fmt;
use demat_core::{Result, Shape, Sink, Value};
use demat_place::{Format, WriteOptions};
use std::io::Write;

/// A **place** with references: a resource tree with get, put, patch, post and delete.
///
/// Several threads use a store at once. Only [`get`](Self::get) and [`describe`](Self::describe) are required. A store
/// refuses all other verbs by default, and [`allows`](Self::allows) lists the ones it supports. The
/// [fault](crate::fault_of) of an error tells the reason.
///
/// ```
/// use demat_store::{Memory, Query, Reference, Store, When, ValueBody};
/// use demat_core::Value;
/// use demat_place::Format;
/// let store = Memory::new();
/// let at: Reference = "/greeting".parse()?;
/// store.put(&at, &mut ValueBody(&Value::Text("hello".into())), &When::Always)?;
/// let json = store.encoded(&at, &Query::default(), Format::JSON, usize::MAX)?;
/// assert_eq!(json.as_deref(), Some(&br#""hello""#[..]));
/// # Ok::<(), demat_core::Error>(())
/// ```
pub trait Store: Send + Sync {
    /// Describes the store and the stores that it consists of.
    fn describe(&self) -> Node;

    /// Writes the value of a reference to a sink, after applying the query.
    ///
    /// # Errors
    /// [`Fault::NotFound`] if the value does not exist; [`Fault::BadQuery`] if it lacks the query's fields, or supports
    /// no queries; what the sink reports.
    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()>;

    /// Returns the shape of the value at a reference, existing or not; `Any` if that is unknown.
    ///
    /// # Errors
    /// [`Fault::NotFound`] if no value can exist there.
    fn shape(&self, at: &[String]) -> Result<Shape> {
        let _ = at;
        Ok(Shape::Any)
    }

    /// Stores a value under a reference; replaces an existing one.
    ///
    /// # Errors
    /// [`Fault::Changed`] if the condition `when` fails; any error about the value.
    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let _ = (value, when);
        Err(Fault::NotAllowed(Verb::Put).about(at))
    }

    /// Merges a partial value into an existing one: the fields of a record.
    ///
    /// # Errors
    /// As [`put`](Self::put), and if the value does not exist.
    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        let _ = (value, when);
        Err(Fault::NotAllowed(Verb::Patch).about(at))
    }

    /// Adds a value, or several, to the list at a reference. Returns the reference of the new value; of the list if
    /// there were several.
    ///
    /// # Errors
    /// [`Fault::Conflict`] if it conflicts with a stored value.
    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        let _ = value;
        Err(Fault::NotAllowed(Verb::Post).about(at))
    }

    /// Adds a value, as [`post`](Self::post), if the list meets the condition.
    ///
    /// The default implementation checks first, so another client may change the list in between.
    ///
    /// # Errors
    /// [`Fault::Changed`] if the condition fails; else as [`post`](Self::post).
    fn post_if(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Reference> {
        if *when != When::Always && !when.holds(current(found(self.version(at))?, || self.exists(at))?) {
            return Err(Fault::Changed.about(at));
        }
        self.post(at, value)
    }

    /// Adds records to the list at a reference, all of them or none; may merge them into those with the same keys.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if the store can't tell the records' names, or has no keys to find duplicates by; else as
    /// [`post_if`](Self::post_if).
    fn post_all(&self, at: &[String], value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
        let _ = (at, value, duplicates, when);
        Err(Fault::BadQuery.because("this store adds records without telling their names, and merges none"))
    }

    /// Deletes a value; for a list, all of its items.
    ///
    /// # Errors
    /// As [`put`](Self::put), and if the value does not exist.
    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        let _ = when;
        Err(Fault::NotAllowed(Verb::Delete).about(at))
    }

    /// Deletes or patches the items of a list that match a query, all of them or none. Returns their number.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if the query has more than conditions, or if the store only changes single items; else as
    /// [`patch`](Self::patch) and [`delete`](Self::delete).
    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        let _ = (at, query, each, when);
        Err(Fault::BadQuery.because("this store changes items one by one, each by its reference"))
    }

    /// Returns whether a reference is a collection: deleting or replacing it affects all items in it, and the
    /// collection itself stays. A table is one, a row is not.
    fn is_collection(&self, at: &[String]) -> bool {
        at.is_empty()
    }

    /// Calls a function with the name of each child of a reference.
    ///
    /// # Errors
    /// [`Fault::NotFound`] if the value does not exist; what the function returns.
    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        let _ = each;
        Err(Fault::NotFound.about(at))
    }

    /// Returns the number of items of a list that match the query. Returns `None` if counting takes as long as reading
    /// them.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        let _ = (at, query);
        Ok(None)
    }

    /// Returns the cursor of the last record of a page, for [`Query::after`] of the next one. Returns `None` if no record
    /// follows.
    ///
    /// The cursor has the values that the query sorts by, and those of the key. So records that are added or deleted
    /// shift no page, unlike with an offset.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if the store has no cursors, or if that of the query is none; else as [`get`](Self::get).
    fn cursor(&self, at: &[String], query: &Query) -> Result<Option<String>> {
        let _ = at;
        query.refuse_cursor()?;
        Ok(None)
    }

    /// Returns the commonest values of a field among the records that a query's conditions choose, with their numbers: the
    /// most frequent first, at most `limit`.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if the store does not count values; else as [`count`](Self::count).
    fn facet(&self, at: &[String], query: &Query, field: &str, limit: u64) -> Result<Vec<(Value, u64)>> {
        let _ = (at, query, field, limit);
        Err(Fault::BadQuery.because("this store does not count the values of a field"))
    }

    /// Returns the key fields of the records in a list: their values are the names of the records. Empty if the names
    /// are not fields.
    fn key(&self, at: &[String]) -> Vec<String> {
        let _ = at;
        Vec::new()
    }

    /// Returns the foreign keys of the list at a reference: those that it has, and those of other lists that lead to it.
    /// The references are relative to the store.
    fn relations(&self, at: &[String]) -> Vec<Relation> {
        let _ = at;
        Vec::new()
    }

    /// Returns the verbs that the store supports for a reference, whether or not its value exists.
    fn allows(&self, at: &[String]) -> Verbs {
        let _ = at;
        Verbs::READ
    }

    /// Returns the version of a value, if the store keeps versions.
    ///
    /// A later [`get`](Self::get) reads this version or a newer one.
    ///
    /// # Errors
    /// [`Fault::NotFound`] if the value does not exist.
    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        let _ = at;
        Ok(None)
    }

    /// Returns whether there is a value at a reference. [`version`](Self::version) does not tell, in a store that keeps
    /// no versions.
    ///
    /// # Errors
    /// As [`version`](Self::version), but [`Fault::NotFound`].
    fn exists(&self, at: &[String]) -> Result<bool> {
        found(self.version(at)).map(|version| version.is_some())
    }

    /// Returns a value in a format. Returns `None` if it has more than `limit` bytes.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        representation(format, limit, |sink| self.get(at, query, sink))
    }

    /// Streams a value in a format to a writer.
    ///
    /// # Errors
    /// As [`get`](Self::get); what the writer reports.
    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        let mut sink = demat_place::sink(format, &WriteOptions::of(format), to)?;
        self.get(at, query, &mut *sink)
    }

    /// Returns whether the store replaces unrepresentable values itself, for readers that [tolerate](crate::tolerating)
    /// this.
    fn mends(&self) -> bool {
        false
    }

    /// Subscribes to changes under `at`. Returns `None` if the store can't watch. The references of changes are
    /// relative to the store, not to `at`.
    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        let _ = (at, watcher);
        None
    }

    /// Polls for changes by others, and notifies the [watchers](Self::watch). For stores without notifications of their
    /// own.
    fn look(&self) {}

    /// Returns whether all calls return quickly, without blocking I/O. The caller may then use its own thread.
    fn is_prompt(&self) -> bool {
        false
    }
}

/// The outcome of a put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Put {
    /// The value is new.
    Created,
    /// The value replaces another.
    Replaced,
}

impl fmt::Debug for dyn Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.describe())
    }
}
