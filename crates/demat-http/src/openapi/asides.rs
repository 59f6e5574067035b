//! Describes the metadata that can be returned in place of a value.

use super::{map, text};
use demat_core::{Result, Shape, Value};
use demat_store::{Fault, Store};

/// The kinds of metadata that a value has.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asides {
    /// The number of items, for a list.
    count: bool,
    /// The names of the children.
    children: bool,
}

impl Asides {
    /// Returns the metadata for the value at a reference.
    pub(super) fn of(store: &dyn Store, at: &[String]) -> Self {
        let count = matches!(store.shape(at), Ok(Shape::List(_)));
        Self { count, children: !store.key(at).is_empty() || has_names(store, at) }
    }

    /// Returns the metadata for an item of such a list. It has no count.
    pub(super) fn below(self) -> Self {
        Self { count: false, ..self }
    }

    fn all(self) -> impl Iterator<Item = (&'static str, &'static str, Value)> {
        let whole = map([("type", text("integer")), ("minimum", Value::Int(0.into()))]);
        let names = map([("type", text("array")), ("items", map([("type", text("string"))]))]);
        let count = ("count", "How many there are, in their place, as JSON: `{\"count\":3}`.", whole);
        let children = ("children", "The names within, in its place, as JSON: `{\"children\":[\"1\",\"2\"]}`.", names);
        self.count.then_some(count).into_iter().chain(self.children.then_some(children))
    }

    /// Returns the query parameters for the metadata.
    pub(super) fn parameters(self) -> impl Iterator<Item = Value> {
        // For a list, `children` excludes all other parameters. OpenAPI can't express that, so it is left out.
        self.all().filter(move |(name, ..)| !self.count || *name == "count").map(|(name, said, _)| {
            map([
                ("name", text(name)),
                ("in", text("query")),
                ("required", Value::Bool(false)),
                ("allowEmptyValue", Value::Bool(true)),
                ("description", text(said)),
                ("schema", map([("type", text("string")), ("enum", Value::List(vec![text(""), text("true")]))])),
            ])
        })
    }

    /// Returns the schema of the answer: the value, or metadata in its place.
    pub(super) fn answer(self, value: &Value) -> Value {
        let asides = self.all().map(|(name, _, schema)| {
            map([
                ("type", text("object")),
                ("properties", map([(name, schema)])),
                ("required", Value::List(vec![text(name)])),
                ("additionalProperties", Value::Bool(false)),
            ])
        });
        let all: Vec<Value> = core::iter::once(value.clone()).chain(asides).collect();
        if all.len() == 1 { value.clone() } else { map([("anyOf", Value::List(all))]) }
    }
}

/// Whether a store lists the children of a value. One name is enough to know.
fn has_names(store: &dyn Store, at: &[String]) -> bool {
    let mut has = false;
    let told: Result<()> = store.children(at, &mut |_| {
        has = true;
        Err(Fault::NotFound.about(at))
    });
    has || told.is_ok()
}
