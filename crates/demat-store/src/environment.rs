//! The environment of the process.

#[cfg(test)]
mod tests;

use crate::fault::Fault;
use crate::node::Node;
use crate::query::Query;
use crate::reference::shown;
use crate::store::Store;
use crate::version::Version;
use core::hash::{Hash as _, Hasher as _};
use demat_core::{Encode, Error, Result, Shape, Sink, Value};
use std::env;
use std::hash::DefaultHasher;

/// The variables of the process's environment whose values are text. Read-only; the root's value is the list of their
/// names.
///
/// ```
/// use demat_core::Value;
/// use demat_store::{Environment, Query, collected};
/// let store = Environment::new().with_prefix("CARGO_PKG_");
/// let name = collected(&store, &["NAME".to_string()], &Query::default())?;
/// assert_eq!(name, Value::Text("demat-store".into()));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Environment {
    prefix: String,
}

impl Environment {
    /// Returns all variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps only the variables with this prefix, and removes it from their names.
    #[must_use]
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        self.prefix = prefix.to_string();
        self
    }

    /// Returns the value of a variable.
    fn text(&self, at: &[String]) -> Result<String> {
        let [name] = at else { return Err(Fault::NotFound.about(at)) };
        let value = if name.is_empty() || name.contains(['=', '\0']) {
            None
        } else {
            env::var_os(format!("{}{name}", self.prefix))
        };
        let value = value.ok_or_else(|| Fault::NotFound.about(at))?;
        value.into_string().map_err(|_| Error::expected("text", "bytes that are no UTF-8").in_place(shown(at)))
    }

    /// Returns the sorted names, without those that are not UTF-8.
    fn names(&self) -> Vec<String> {
        let own = |(name, _): (std::ffi::OsString, _)| {
            let name = name.to_str()?.strip_prefix(&self.prefix)?.to_string();
            (!name.is_empty()).then_some(name)
        };
        let mut names: Vec<String> = env::vars_os().filter_map(own).collect();
        names.sort_unstable();
        names
    }
}

impl Store for Environment {
    fn describe(&self) -> Node {
        let node = Node::new("environment");
        if self.prefix.is_empty() { node } else { node.with(format!("{}*", self.prefix)) }
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let value = if at.is_empty() {
            query.apply_to_names(self.names().into_iter().map(|name| Value::Text(name.into())).collect())?
        } else {
            query.apply(Value::Text(self.text(at)?.into()))?
        };
        sink.begin(&self.shape(at)?)?;
        value.encode(sink)?;
        sink.finish()
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        match at {
            [] => Ok(Shape::Text.list()),
            [_] => Ok(Shape::Text),
            _ => Err(Fault::NotFound.about(at)),
        }
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        if at.is_empty() {
            return self.names().iter().try_for_each(|name| each(name));
        }
        self.text(at).map(drop)
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        let mut hasher = DefaultHasher::new();
        if at.is_empty() {
            self.names().hash(&mut hasher);
        } else {
            self.text(at)?.hash(&mut hasher);
        }
        Ok(Some(Version(hasher.finish())))
    }

    fn is_prompt(&self) -> bool {
        true
    }
}
