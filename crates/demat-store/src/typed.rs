//! A layer that decodes and encodes bytes.

#[cfg(test)]
mod tests;

use crate::body::{Body, ValueBody};
use crate::bytes_sink::BytesSink;
use crate::collected::representation;
use crate::fault::Fault;
use crate::layer::Layer;
use crate::node::Node;
use crate::query::Query;
use crate::reference::{Reference, shown};
use crate::store::{Put, Store};
use crate::verb::{Verb, Verbs};
use crate::version::When;
use bytes::Bytes;
use demat_core::{Checked, Checks, Result, Shape, Sink, Validated, Value};
use demat_place::{Format, Host, WriteOptions};
use std::io::Write;
use std::sync::Arc;

/// Values of a shape in a format, over a store of bytes or text: decodes on get, encodes on put.
///
/// Other values, such as the names of a folder, pass unchanged. Patch is not supported: it would be a get and a put,
/// with possible writes of others in between.
///
/// ```
/// use demat_core::Value;
/// use demat_place::Format;
/// use demat_store::{Folder, Query, Store, Typed, When, ValueBody, collected};
/// use std::sync::Arc;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path();
/// let store = Typed::over(Arc::new(Folder::raw(path)?), Format::CSV, "id: int, done: bool".parse()?);
/// std::fs::write(path.join("tasks"), "id,done\n7,true\n")?;
/// let tasks = collected(&store, &["tasks".to_string()], &Query::parse("id.gt=5&fields=done")?)?;
/// let done = Value::Map(vec![(Value::Text("done".into()), Value::Bool(true))]);
/// assert_eq!(tasks, Value::List(vec![done]));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Typed {
    below: Arc<dyn Store>,
    format: Format,
    shape: Shape,
    host: Host,
    checks: Option<Arc<Checks>>,
}

impl Typed {
    /// Returns a layer over a store. `shape` is that of the value or, if it is a list, of its records. In Protocol
    /// Buffers, where only the shape can tell, a list needs a list's shape.
    pub fn over(below: Arc<dyn Store>, format: Format, shape: Shape) -> Self {
        Self { below, format, shape, host: Host::default(), checks: None }
    }

    /// Validates written values with the constraints of the shape's host.
    ///
    /// # Errors
    /// If a `check` note is invalid.
    pub fn held_to(mut self, host: Host) -> Result<Self> {
        self.checks = host.checks(&self.shape)?;
        self.host = host;
        Ok(self)
    }

    /// Returns whether the value at a reference is in the format.
    fn is_own(&self, at: &[String]) -> Result<bool> {
        Ok(matches!(self.below.shape(at)?, Shape::Bytes | Shape::Text | Shape::Any))
    }

    /// Encodes a value.
    fn bytes(&self, value: &mut dyn Body) -> Result<Value> {
        let mut bytes = Vec::new();
        let mut sink = demat_place::sink(self.format, &WriteOptions::of(self.format), &mut bytes)?;
        let mut checked;
        let mut target: &mut dyn Sink = &mut *sink;
        if let Some(checks) = &self.checks {
            checked = Checked::new(target, Arc::clone(checks));
            target = &mut checked;
        }
        match &self.host.validator {
            Some(validator) => value.tell(&self.shape, &mut Validated::new(target, &self.shape, &**validator))?,
            None => value.tell(&self.shape, target)?,
        }
        drop(sink);
        Ok(Value::Bytes(bytes.into()))
    }
}

impl Layer for Typed {
    fn below(&self) -> &dyn Store {
        &*self.below
    }

    fn describe(&self) -> Node {
        Node::new("typed").with(format!("{} {}", self.format, self.shape)).over(self.below.describe())
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        if !self.is_own(at)? {
            return self.below.get(at, query, sink);
        }
        let bytes = BytesSink::told(|sink| self.below.get(at, &Query::default(), sink))?;
        let tell = |sink: &mut dyn Sink| {
            let options = self.format.read_options();
            // `Any` adds no constraints.
            let shape = (self.shape != Shape::Any).then_some(&self.shape);
            let told = demat_place::tell(self.format, &options, &bytes[..], shape, sink);
            told.map(drop).map_err(|error| error.in_place(shown(at)))
        };
        if query.is_all() {
            return tell(sink);
        }
        let value = query.apply(Value::build(tell)?)?;
        ValueBody(&value).tell(&query.shape_or_any(&self.shape)?, sink)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        if self.is_own(at)? { Ok(self.shape.clone()) } else { self.below.shape(at) }
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        if !self.is_own(at)? {
            return self.below.put(at, value, when);
        }
        self.below.put(at, &mut ValueBody(&self.bytes(value)?), when)
    }

    fn patch(&self, at: &[String], _: &mut dyn Body, _: &When) -> Result<()> {
        Err(Fault::NotAllowed(Verb::Patch).about(at))
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.below.post(at, &mut ValueBody(&self.bytes(value)?))
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        if self.is_own(at)? { Ok(None) } else { self.below.count(at, query) }
    }

    fn allows(&self, at: &[String]) -> Verbs {
        self.below.allows(at).without(Verb::Patch)
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        representation(format, limit, |sink| Layer::get(self, at, query, sink))
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        let mut sink = demat_place::sink(format, &WriteOptions::of(format), to)?;
        Layer::get(self, at, query, &mut *sink)
    }
}
