//! The contract of stores.

use crate::body::Body;
use crate::bulk_change::BulkChange;
use crate::change::{Watch, Watcher};
use crate::collected::representation;
use crate::fault::Fault;
use crate::node::Node;
use crate::query::Query;
use crate::reference::Reference;
use crate::several::found;
use crate::verb::{Verb, Verbs};
use crate::version::{Version, When};
use bytes::Bytes;
use core::fmt;
use demat_core::{Result, Shape, Sink};
use demat_place::{Format, WriteOptions};
use std::io::Write;

/// A **place** with references: values are got from it and put to it.
///
/// It is used by several threads at once. Only [`get`](Self::get) and [`describe`](Self::describe) must be there; what a store
/// does not do it refuses, as [`allows`](Self::allows) says beforehand. An error says by its [fault](crate::fault_of) why.
///
/// ```
/// use demat_store::{Memory, Query, Reference, Store, When, Whole};
/// use demat_core::Value;
/// use demat_place::Format;
/// let store = Memory::new();
/// let at: Reference = "/greeting".parse()?;
/// store.put(&at, &mut Whole(&Value::Text("hello".into())), &When::Always)?;
/// let json = store.encoded(&at, &Query::default(), Format::JSON, usize::MAX)?;
/// assert_eq!(json.as_deref(), Some(&br#""hello""#[..]));
/// # Ok::<(), demat_core::Error>(())
/// ```
pub trait Store: Send + Sync {
    /// What it is, and what it is made of.
    fn describe(&self) -> Node;

    /// Tells a sink the value of a reference, as the query wants it, from its beginning to its end.
    ///
    /// # Errors
    /// [`Fault::NotFound`] where there is nothing; [`Fault::BadQuery`] where it has no such fields, or answers no queries; what
    /// the sink says.
    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()>;

    /// The shape of what a reference has, or would have: anything, where that is not known.
    ///
    /// # Errors
    /// [`Fault::NotFound`] where there can be nothing.
    fn shape(&self, at: &[String]) -> Result<Shape> {
        let _ = at;
        Ok(Shape::Any)
    }

    /// Gives a reference a value, in place of what it had.
    ///
    /// # Errors
    /// [`Fault::Changed`] where it is not as it must be `when` it is changed; where the value is refused.
    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let _ = (value, when);
        Err(Fault::NotAllowed(Verb::Put).about(at))
    }

    /// Changes the part of a value that is given: those fields of a record.
    ///
    /// # Errors
    /// As [`put`](Self::put), and where there is nothing to change.
    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        let _ = (value, when);
        Err(Fault::NotAllowed(Verb::Patch).about(at))
    }

    /// Adds a value to the list that a reference is; gives the value's own reference, or that of the list, where several were
    /// given.
    ///
    /// # Errors
    /// [`Fault::Conflict`] where it conflicts with what is stored.
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
        if *when != When::Always && !when.holds(found(self.version(at))?) {
            return Err(Fault::Changed.about(at));
        }
        self.post(at, value)
    }

    /// Deletes a value; of a list, all of its items.
    ///
    /// # Errors
    /// As [`put`](Self::put), and where there is nothing.
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

    /// Tells the names that there are within a reference.
    ///
    /// # Errors
    /// [`Fault::NotFound`] where there is nothing; what is told says.
    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        let _ = each;
        Err(Fault::NotFound.about(at))
    }

    /// How many items the list has that a reference is, of those that the query wants; nothing where counting them would be
    /// getting them.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        let _ = (at, query);
        Ok(None)
    }

    /// The fields whose values name the records in the list that a reference is; none where these have other names.
    fn key(&self, at: &[String]) -> Vec<String> {
        let _ = at;
        Vec::new()
    }

    /// What is done with a reference; whether something is there is another matter.
    fn allows(&self, at: &[String]) -> Verbs {
        let _ = at;
        Verbs::READ
    }

    /// The version of a reference's value, where the store counts.
    ///
    /// What is got after this was asked is of this version, or a later one.
    ///
    /// # Errors
    /// [`Fault::NotFound`] where there is nothing.
    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        let _ = at;
        Ok(None)
    }

    /// A value in a format; nothing where that has more than so many bytes.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        representation(format, limit, |sink| self.get(at, query, sink))
    }

    /// Writes a value in a format, as it comes.
    ///
    /// # Errors
    /// As [`get`](Self::get); what the writer says.
    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        let mut sink = demat_place::sink(format, &WriteOptions::of(format), to)?;
        self.get(at, query, &mut *sink)
    }

    /// Returns whether the store replaces unrepresentable values itself, for readers that [tolerate](crate::tolerating)
    /// this.
    fn mends(&self) -> bool {
        false
    }

    /// Has somebody told of the changes within a reference, by whoever they are made through this store; nothing where it does
    /// not know of any. A change's reference is one of this store, and not of what is within `at`.
    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        let _ = (at, watcher);
        None
    }

    /// Looks whether somebody else has changed something, of which those who [watch](Self::watch) are told then; for stores that
    /// are not told of that by themselves.
    fn look(&self) {}

    /// Whether it is asked and told at once, without waiting for anything slow: then one thread can do it between other things.
    fn is_prompt(&self) -> bool {
        false
    }
}

/// What a put came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Put {
    /// There was nothing.
    Created,
    /// There was something.
    Replaced,
}

impl fmt::Debug for dyn Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.describe())
    }
}
