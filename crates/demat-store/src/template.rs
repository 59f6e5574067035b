//! Stores of functions.

mod request;
mod route;
#[cfg(test)]
mod tests;

pub use request::RouteRequest;

use crate::body::Body;
use crate::fault::Fault;
use crate::node::Node;
use crate::query::Query;
use crate::reference::Reference;
use crate::several::found;
use crate::store::{Put, Store};
use crate::verb::{Verb, Verbs};
use crate::version::{Version, When};
use core::fmt;
use demat_core::{Encode, Error, Result, Shape, Sink, Value};
use route::Route;

type Answer = Box<dyn Fn(&mut RouteRequest<'_>) -> Result<Option<Value>> + Send + Sync>;

/// A store whose references are routes to functions: `/tasks/:id`, where `:id` matches any name.
///
/// The store calls a function for each request whose reference matches its route. The function returns a value, or
/// nothing:
///
/// | verb | what the function returns |
/// |---|---|
/// | get | the value; nothing if it does not exist |
/// | post | the name of the new value, or its whole reference; nothing for the list itself |
/// | put, patch, delete | (ignored) |
///
/// If several routes match a reference and a verb, the first wins. A reference that is a prefix of routes is the list
/// of the names that follow. There are no versions: a condition can only require that a value exists, or that it does
/// not. The store calls the function for `get` to check that.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{RouteRequest, Query, Store, Template, Verb, Verbs, ValueBody, collected};
/// let greet = |request: &mut RouteRequest| {
///     let name = request.name("who").unwrap_or("nobody");
///     Ok(Some(Value::Text(format!("hello {name}").into())))
/// };
/// let store = Template::new().with("/greet/:who", Verbs::READ, greet)?;
/// let at = ["greet", "Ann"].map(String::from);
/// assert_eq!(collected(&store, &at, &Query::default())?, Value::Text("hello Ann".into()));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Default)]
pub struct Template {
    routes: Vec<(Route, Verbs, Answer)>,
    prompt: bool,
}

impl Template {
    /// Returns a store without routes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a route for some verbs, after the existing ones.
    ///
    /// # Errors
    /// [`Fault::BadReference`] if the route is invalid.
    pub fn with(
        mut self,
        route: &str,
        verbs: Verbs,
        answer: impl Fn(&mut RouteRequest<'_>) -> Result<Option<Value>> + Send + Sync + 'static,
    ) -> Result<Self> {
        self.routes.push((Route::parse(route)?, verbs, Box::new(answer)));
        Ok(self)
    }

    /// Declares that no function blocks.
    #[must_use]
    pub fn prompt(mut self) -> Self {
        self.prompt = true;
        self
    }

    /// Calls the function for a reference.
    fn ask<'a>(
        &'a self,
        verb: Verb,
        at: &'a [String],
        query: &'a Query,
        given: Option<&'a mut (dyn Body + 'a)>,
    ) -> Result<(Option<Value>, bool)> {
        let mut is_there = false;
        for (route, verbs, answer) in &self.routes {
            let Some(names) = route.names(at) else { continue };
            is_there = true;
            if verbs.has(verb) {
                let mut request = RouteRequest::new(verb, at, names, query, given);
                let answer = answer(&mut request)?;
                return Ok((answer, request.has_query()));
            }
        }
        let refused = if is_there || self.leads(at) { Fault::NotAllowed(verb) } else { Fault::NotFound };
        Err(refused.about(at))
    }

    /// Whether routes continue after a reference.
    fn leads(&self, at: &[String]) -> bool {
        at.is_empty() || self.routes.iter().any(|(route, ..)| route.leads(at))
    }

    /// Whether a function handles `get` for the reference.
    fn gets(&self, at: &[String]) -> bool {
        self.routes.iter().any(|(route, verbs, _)| verbs.has(Verb::Get) && route.names(at).is_some())
    }

    /// Returns the names that follow in routes, each once.
    fn names(&self, at: &[String]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.routes.iter().filter_map(|(route, ..)| route.next(at)) {
            if !names.iter().any(|own| own == name) {
                names.push(name.to_string());
            }
        }
        names
    }

    /// Checks the condition. Returns whether the value exists, or `None` if the condition does not depend on it.
    fn there(&self, at: &[String], when: &When) -> Result<Option<bool>> {
        if *when == When::Always {
            return Ok(None);
        }
        let got = if self.gets(at) { found(self.ask(Verb::Get, at, &Query::default(), None))? } else { None };
        let there = got.is_some_and(|(value, _)| value.is_some());
        if when.holds(there.then_some(None)) { Ok(Some(there)) } else { Err(Fault::Changed.about(at)) }
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.describe())
    }
}

impl Store for Template {
    fn describe(&self) -> Node {
        let node = |(route, verbs, _): &(Route, Verbs, Answer)| Node::new("route").with(format!("{route} {verbs}"));
        self.routes.iter().fold(Node::new("template"), |all, route| all.over(node(route)))
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let value = if !self.gets(at) && self.leads(at) {
            let names = self.names(at).into_iter().map(|name| Value::Text(name.into())).collect();
            query.apply_to_names(names)?
        } else {
            let (value, answered) = self.ask(Verb::Get, at, query, None)?;
            let value = value.ok_or_else(|| Fault::NotFound.about(at))?;
            if answered { value } else { query.apply(value)? }
        };
        sink.begin(&Shape::Any)?;
        value.encode(sink)?;
        sink.finish()
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let there = self.there(at, when)?;
        self.ask(Verb::Put, at, &Query::default(), Some(value))?;
        Ok(if there == Some(false) { Put::Created } else { Put::Replaced })
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        self.there(at, when)?;
        self.ask(Verb::Patch, at, &Query::default(), Some(value)).map(drop)
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        let own = Reference::from(at);
        Ok(match self.ask(Verb::Post, at, &Query::default(), Some(value))?.0 {
            None | Some(Value::Null) => own,
            Some(Value::Text(text)) if text.starts_with('/') => text.parse()?,
            Some(Value::Text(name)) => own.join(&[name.into_owned()]),
            Some(Value::Int(number)) => own.join(&[number.to_string()]),
            Some(other) => return Err(Error::expected("the name of what was posted", other.kind().name())),
        })
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.there(at, when)?;
        self.ask(Verb::Delete, at, &Query::default(), None).map(drop)
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        if !self.leads(at) && !self.gets(at) {
            return Err(Fault::NotFound.about(at));
        }
        self.names(at).iter().try_for_each(|name| each(name))
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        if self.allows(at) == Verbs::NONE { Err(Fault::NotFound.about(at)) } else { Ok(Shape::Any) }
    }

    fn allows(&self, at: &[String]) -> Verbs {
        let own = self.routes.iter().filter(|(route, ..)| route.names(at).is_some());
        let leads = if self.leads(at) { Verbs::READ } else { Verbs::NONE };
        own.fold(leads, |all, (_, verbs, _)| all.either(*verbs))
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        if self.allows(at) == Verbs::NONE { Err(Fault::NotFound.about(at)) } else { Ok(None) }
    }

    fn is_prompt(&self) -> bool {
        self.prompt
    }
}
