//! The routes of a server.

use crate::files::Files;
use crate::request::Handler;
use crate::tokens::Needed;
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use demat_store::{Reference, Store, Verb, Verbs};
use http::Method;
use std::sync::Arc;

/// The target of a route.
#[derive(Clone)]
pub enum Mount {
    /// A store.
    Store(Arc<dyn Store>),
    /// Static files.
    Files(Arc<Files>),
    /// A function that answers requests.
    Handler(Arc<dyn Handler>),
}

impl fmt::Debug for Mount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(store) => write!(f, "{}", store.describe()),
            Self::Files(files) => write!(f, "files {}", files.folder().display()),
            Self::Handler(_) => f.write_str("function"),
        }
    }
}

/// A path, its target, and the changes that are allowed there.
///
/// ```
/// use demat_http::{Mount, Options, Route, Server};
/// use demat_store::Memory;
/// use http::Method;
/// use std::sync::Arc;
/// let notes = Mount::Store(Arc::new(Memory::new()));
/// let routes = [
///     Route::new("/notes", notes.clone()).bulk(true),
///     Route::new("/seen", notes).methods([Method::GET]),
/// ];
/// let server = Server::bind(routes, Options { port: 0, ..Options::default() })?;
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Route {
    path: String,
    mount: Mount,
    bulk: bool,
    methods: Option<Vec<Method>>,
    max_body: Option<usize>,
    roles: Option<Needed>,
}

impl Route {
    /// Serves a target at a path and below it.
    pub fn new(path: impl Into<String>, mount: Mount) -> Self {
        Self { path: path.into(), mount, bulk: false, methods: None, max_body: None, roles: None }
    }

    /// Whether `DELETE` or `PUT` without a filter may delete or replace a whole collection, such as all rows of a
    /// table. By default the server refuses that.
    #[must_use]
    pub fn bulk(mut self, bulk: bool) -> Self {
        self.bulk = bulk;
        self
    }

    /// Serves only these methods and refuses all others. `GET` includes `HEAD`.
    #[must_use]
    pub fn methods(mut self, methods: impl IntoIterator<Item = Method>) -> Self {
        self.methods = Some(methods.into_iter().collect());
        self
    }

    /// The maximum size of a request's body in bytes, in place of the server's.
    #[must_use]
    pub fn max_body(mut self, max_body: usize) -> Self {
        self.max_body = Some(max_body);
        self
    }

    /// The roles that may read: a token needs one of them. By default it is `read`.
    ///
    /// ```
    /// # use demat_http::{Mount, Options, Route, Server, Token};
    /// # let notes = Mount::Store(std::sync::Arc::new(demat_store::Memory::new()));
    /// let route = Route::new("/notes", notes).readers(["read", "staff"]).writers(["staff"]);
    /// let tokens = vec![Token::new("s3cret", ["staff"]), Token::new("s4cret", ["read"])];
    /// let server = Server::bind([route], Options { port: 0, tokens, ..Options::default() })?;
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    #[must_use]
    pub fn readers(mut self, roles: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.roles.get_or_insert_default().read = roles.into_iter().map(Into::into).collect();
        self
    }

    /// The roles that may use every method but `GET`: a token needs one of them. By default it is `write`.
    #[must_use]
    pub fn writers(mut self, roles: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.roles.get_or_insert_default().write = roles.into_iter().map(Into::into).collect();
        self
    }
}

impl From<(String, Mount)> for Route {
    fn from((path, mount): (String, Mount)) -> Self {
        Self::new(path, mount)
    }
}

/// The routes of a server.
#[derive(Debug)]
pub(crate) struct Routes {
    /// Sorted by path, the longest first.
    routes: Vec<Routed>,
}

/// A path and its target. Names that begin with a colon match any name.
#[derive(Debug)]
pub(crate) struct Routed {
    pub(crate) path: String,
    pub(crate) names: Reference,
    pub(crate) mount: Mount,
    /// Whether a request may delete or replace a whole collection.
    pub(crate) bulk: bool,
    /// The methods that are served; `None` for all that the target supports.
    methods: Option<Vec<Method>>,
    /// The maximum size of a body, if it differs from the server's.
    pub(crate) max_body: Option<usize>,
    /// The roles that a token needs, if they differ from the usual ones.
    pub(crate) roles: Option<Needed>,
}

impl Routed {
    fn of(route: Route) -> Result<Self> {
        let Route { path, mount, bulk, methods, max_body, roles } = route;
        let is_function = matches!(mount, Mount::Handler(_));
        let methods = match &mount {
            Mount::Handler(handler) => Some(methods.unwrap_or_else(|| handler.methods())),
            _ => methods,
        };
        let names: Reference = path.parse()?;
        if let (false, Some(name)) = (is_function, names.iter().find(|name| name.starts_with(':'))) {
            let said = format!("`{path}`: only a function can take `{name}` of the path; a store would ignore it");
            return Err(Error::new(ErrorKind::Store, said));
        }
        Ok(Self { path, names, mount, bulk, methods, max_body, roles })
    }

    /// Returns whether the route matches a reference: exactly for a function, else also below.
    fn leads(&self, at: &[String]) -> bool {
        let deep = if matches!(self.mount, Mount::Handler(_)) { at.len() == self.names.len() } else { true };
        let is = |(own, name): (&String, &String)| own.starts_with(':') || own == name;
        deep && at.len() >= self.names.len() && self.names.iter().zip(at).all(is)
    }

    /// Returns whether two routes match the same references.
    fn is_at(&self, other: &Self) -> bool {
        let is = |(own, name): (&String, &String)| own == name || own.starts_with(':') && name.starts_with(':');
        self.names.len() == other.names.len() && self.names.iter().zip(&*other.names).all(is)
    }

    /// Returns the values of the route's names that begin with a colon.
    pub(crate) fn named(&self, at: &[String]) -> Vec<(String, String)> {
        let named = |(own, name): (&String, &String)| Some((own.strip_prefix(':')?.to_string(), name.clone()));
        self.names.iter().zip(at).filter_map(named).collect()
    }

    /// Returns whether the route's own methods include this one.
    pub(crate) fn takes(&self, method: &Method) -> bool {
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        self.methods.as_ref().is_none_or(|methods| methods.contains(method))
    }

    /// Returns the roles that a method needs: one of these.
    pub(crate) fn needs(&self, method: &Method) -> Vec<String> {
        self.roles.as_ref().map_or_else(|| Needed::default().of(method).to_vec(), |roles| roles.of(method).to_vec())
    }

    /// Returns the store verbs that the route allows.
    pub(crate) fn verbs(&self) -> Verbs {
        let is = |verb: &Verb| {
            Method::from_bytes(verb.name().to_ascii_uppercase().as_bytes()).is_ok_and(|own| self.takes(&own))
        };
        Verb::ALL.into_iter().filter(is).fold(Verbs::NONE, Verbs::and)
    }

    /// Returns the methods served at a reference, without `HEAD` and `OPTIONS`.
    pub(crate) fn served(&self, at: &[String]) -> Vec<Method> {
        match &self.mount {
            Mount::Handler(_) => self.methods.clone().unwrap_or_default(),
            Mount::Files(_) => [Method::GET].into_iter().filter(|method| self.takes(method)).collect(),
            Mount::Store(store) => {
                let verbs = store.allows(&at[self.names.len()..]).both(self.verbs());
                let method = |verb: Verb| Method::from_bytes(verb.name().to_ascii_uppercase().as_bytes()).ok();
                verbs.iter().filter_map(method).collect()
            }
        }
    }
}

impl Routes {
    pub(crate) fn new(routes: impl IntoIterator<Item = impl Into<Route>>) -> Result<Self> {
        let mut routes = routes.into_iter().map(|route| Routed::of(route.into())).collect::<Result<Vec<_>>>()?;
        let plain = |route: &Routed| route.names.iter().filter(|name| !name.starts_with(':')).count();
        // A route with methods of its own takes precedence over one without.
        let rank = |route: &Routed| (route.names.len(), plain(route), route.methods.is_some());
        routes.sort_by_key(|route| core::cmp::Reverse(rank(route)));
        for (index, route) in routes.iter().enumerate() {
            for other in routes[index + 1..].iter().filter(|other| route.is_at(other)) {
                let twice = match (&route.methods, &other.methods) {
                    (None, None) => true,
                    (Some(own), Some(other)) => own.iter().any(|method| other.contains(method)),
                    _ => false,
                };
                if twice {
                    let message = format!("two routes serve `{}` and `{}`", route.path, other.path);
                    return Err(Error::new(ErrorKind::Store, message));
                }
            }
        }
        Ok(Self { routes })
    }

    /// Returns the routes for a reference. There are several if each serves different methods, and none if nothing
    /// matches.
    pub(crate) fn find(&self, at: &[String]) -> Vec<&Routed> {
        let mut there = self.routes.iter().filter(|route| route.leads(at));
        let Some(first) = there.next() else { return Vec::new() };
        core::iter::once(first).chain(there.filter(|other| first.is_at(other))).collect()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Routed> {
        self.routes.iter()
    }
}
