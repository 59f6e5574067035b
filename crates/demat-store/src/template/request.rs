//! The request to a route.

use crate::body::Body;
use crate::query::Query;
use crate::verb::Verb;
use core::fmt;
use demat_core::{Result, Shape, Value};

/// The request to a function of a [`Template`](crate::Template).
pub struct RouteRequest<'a> {
    verb: Verb,
    at: &'a [String],
    names: Vec<(&'a str, &'a str)>,
    query: &'a Query,
    has_query: bool,
    body: Option<&'a mut (dyn Body + 'a)>,
}

impl<'a> RouteRequest<'a> {
    pub(super) fn new(
        verb: Verb,
        at: &'a [String],
        names: Vec<(&'a str, &'a str)>,
        query: &'a Query,
        body: Option<&'a mut (dyn Body + 'a)>,
    ) -> Self {
        Self { verb, at, names, query, has_query: false, body }
    }

    /// Returns whether the function has read the query.
    pub(super) fn has_query(&self) -> bool {
        self.has_query
    }

    /// Returns the verb.
    pub fn verb(&self) -> Verb {
        self.verb
    }

    /// Returns the reference.
    pub fn at(&self) -> &'a [String] {
        self.at
    }

    /// Returns the value of a parameter of the route: of `/tasks/:id`, `id`.
    pub fn name(&self, name: &str) -> Option<&'a str> {
        self.names.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }

    /// Returns all parameters of the route, with their values.
    pub fn names(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.names.iter().copied()
    }

    /// Returns the query. A function that calls this must apply the query itself; otherwise the store does.
    pub fn query(&mut self) -> &'a Query {
        self.has_query = true;
        self.query
    }

    /// Returns the value that is put, patched or posted, decoded as this shape. Returns `None` if there is no value, or
    /// at the second call.
    ///
    /// ```
    /// use demat_core::{Shape, Value};
    /// use demat_store::{RouteRequest, Store, Template, Verb, Verbs, ValueBody};
    /// let add = |request: &mut RouteRequest| {
    ///     let task = request.value(&"title: text".parse()?)?;
    ///     Ok(task.and_then(|task| task.get("title").cloned()))
    /// };
    /// let store = Template::new().with("/tasks", Verbs::NONE.and(Verb::Post), add)?;
    /// let task = Value::Map(vec![(Value::Text("title".into()), Value::Text("a".into()))]);
    /// assert_eq!(store.post(&["tasks".to_string()], &mut ValueBody(&task))?.to_string(), "/tasks/a");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the value does not have this shape.
    pub fn value(&mut self, shape: &Shape) -> Result<Option<Value>> {
        self.body.take().map(|body| Value::build(|sink| body.tell(shape, sink))).transpose()
    }
}

impl fmt::Debug for RouteRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.verb, crate::reference::shown(self.at))
    }
}
