//! What is told of a value in its place, described.

use super::{map, text};
use demat_core::{Result, Shape, Value};
use demat_store::{Fault, Store};

/// Of which values what is told in their place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asides {
    /// How many items there are, of a list.
    count: bool,
    /// The names within.
    children: bool,
}

impl Asides {
    /// Those of what stands at a reference.
    pub(super) fn of(store: &dyn Store, at: &[String]) -> Self {
        let count = matches!(store.shape(at), Ok(Shape::List(_)));
        Self { count, children: !store.key(at).is_empty() || has_names(store, at) }
    }

    /// Those of an item of such a list: it is none.
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

    /// The parameters that ask for them.
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

    /// What is answered: the value, or what is told in its place.
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

/// Whether a store says what is within; the first name is enough.
fn has_names(store: &dyn Store, at: &[String]) -> bool {
    let mut has = false;
    let told: Result<()> = store.children(at, &mut |_| {
        has = true;
        Err(Fault::NotFound.about(at))
    });
    has || told.is_ok()
}
