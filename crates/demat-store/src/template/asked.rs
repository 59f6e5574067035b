//! What a function of a route is asked.

use crate::body::Body;
use crate::query::Query;
use crate::verb::Verb;
use core::fmt;
use demat_core::{Result, Shape, Value};

/// What a function of a [`Template`](crate::Template) is asked.
pub struct Asked<'a> {
    verb: Verb,
    at: &'a [String],
    names: Vec<(&'a str, &'a str)>,
    query: &'a Query,
    has_query: bool,
    given: Option<&'a mut (dyn Body + 'a)>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        verb: Verb,
        at: &'a [String],
        names: Vec<(&'a str, &'a str)>,
        query: &'a Query,
        given: Option<&'a mut (dyn Body + 'a)>,
    ) -> Self {
        Self { verb, at, names, query, has_query: false, given }
    }

    /// Whether the function has asked for the query.
    pub(super) fn has_query(&self) -> bool {
        self.has_query
    }

    /// What is to be done.
    pub fn verb(&self) -> Verb {
        self.verb
    }

    /// With which reference.
    pub fn at(&self) -> &'a [String] {
        self.at
    }

    /// What a name of the route stands for: of `/tasks/:id`, `id`.
    pub fn name(&self, name: &str) -> Option<&'a str> {
        self.names.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }

    /// All names of the route, with what they stand for.
    pub fn names(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.names.iter().copied()
    }

    /// What is wanted of the value. A function that asks for it has to see to it; otherwise the store does.
    pub fn query(&mut self) -> &'a Query {
        self.has_query = true;
        self.query
    }

    /// The value that is put, patched or posted, told as one of this shape; nothing, where there is none, or it was asked for
    /// before.
    ///
    /// ```
    /// use demat_core::{Shape, Value};
    /// use demat_store::{Asked, Store, Template, Verb, Verbs, Whole};
    /// let add = |asked: &mut Asked| {
    ///     let task = asked.value(&"title: text".parse()?)?;
    ///     Ok(task.and_then(|task| task.get("title").cloned()))
    /// };
    /// let store = Template::new().with("/tasks", Verbs::NONE.and(Verb::Post), add)?;
    /// let task = Value::Map(vec![(Value::Text("title".into()), Value::Text("a".into()))]);
    /// assert_eq!(store.post(&["tasks".to_string()], &mut Whole(&task))?.to_string(), "/tasks/a");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where it is not of the shape.
    pub fn value(&mut self, shape: &Shape) -> Result<Option<Value>> {
        self.given.take().map(|given| Value::told(|sink| given.tell(shape, sink))).transpose()
    }
}

impl fmt::Debug for Asked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.verb, crate::reference::shown(self.at))
    }
}
