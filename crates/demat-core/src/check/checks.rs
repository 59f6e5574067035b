//! Compiles the `check` notes of a shape.

use super::rule::Rule;
use crate::{Error, Field, Items, Record, Result, Shape, Tag, UnionRef, Unknown};
use core::fmt;
use std::collections::HashMap;
use std::sync::Arc;

/// A regular expression, compiled by the host.
pub trait Pattern: Send + Sync {
    /// Returns whether the pattern matches somewhere in the text.
    ///
    /// # Errors
    /// If the host's matcher fails.
    fn is_found(&self, text: &str) -> Result<bool>;
}

/// Compiles the regular expressions of `pattern` notes. The host decides the dialect.
pub type Patterns<'p> = &'p dyn Fn(&str) -> Result<Box<dyn Pattern>>;

/// Options of [`Checks::of`].
#[derive(Clone, Copy, Default)]
pub struct CheckOptions<'p> {
    /// Compiles `pattern` notes; without it, a shape that has one is refused.
    pub patterns: Option<Patterns<'p>>,
    /// Notes for the root value, which is no field and so has none in the shape.
    pub root: &'p [String],
    /// Notes for every value of a scalar shape, such as the dates that the host can represent. They apply in addition
    /// to the notes of fields.
    pub every: &'p [(Shape, &'p str)],
}

impl fmt::Debug for CheckOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckOptions").field("root", &self.root).field("every", &self.every).finish_non_exhaustive()
    }
}

/// The constraints on values of a shape, compiled once; [`Checked`](super::Checked) enforces them.
#[derive(Debug)]
pub struct Checks {
    pub(super) nodes: Box<[Node]>,
    pub(super) root: NodeRef,
}

/// Index of a node; `None` if nothing at or below that position is checked.
pub(super) type NodeRef = Option<u32>;

/// The rules for values at one position, and the nodes of their parts.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) rules: Box<[Rule]>,
    pub(super) parts: Parts,
}

#[derive(Debug)]
pub(super) enum Parts {
    None,
    List(NodeRef),
    Tuple(Box<[NodeRef]>),
    Map { key: NodeRef, value: NodeRef },
    Record { fields: HashMap<Box<str>, NodeRef>, rest: NodeRef },
    Union { tag: Option<Box<str>>, variants: Box<[(Box<str>, Shape, NodeRef)]> },
}

impl Checks {
    /// Compiles the checks of a shape. Returns `None` if it has none, so that unchecked copies cost nothing.
    ///
    /// # Errors
    /// If a `check` note is invalid for its field.
    ///
    /// ```
    /// use demat_core::{CheckOptions, Checked, Checks, Nothing, Shape, Value, ValueSource, copy};
    /// let shape: Shape = "n: int #check:\"ge 0\"".parse()?;
    /// let checks = Checks::of(&shape, CheckOptions::default())?.expect("it has one");
    /// let value = Value::Map(vec![(Value::Text("n".into()), Value::Int((-5).into()))]);
    /// let refused = copy(&mut ValueSource::new(&value), &shape, &mut Checked::new(Nothing, checks)).unwrap_err();
    /// assert_eq!(refused.path(), "$.n");
    /// assert_eq!(refused.expectation(), Some("a value >= 0"));
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn of(shape: &Shape, options: CheckOptions<'_>) -> Result<Option<Arc<Self>>> {
        let mut compiler = Compiler { options, nodes: Vec::new(), records: HashMap::new(), unions: HashMap::new() };
        let root: Vec<&str> = options.root.iter().map(String::as_str).collect();
        let root = compiler.node(shape, &root)?;
        Ok(compiler.finish(root))
    }
}

/// Builds the nodes. A slot is `None` until its node is complete, since recursive shapes refer to it before that.
struct Compiler<'p> {
    options: CheckOptions<'p>,
    nodes: Vec<Option<Node>>,
    /// Records and unions by identity, so that each recursive one is compiled once.
    records: HashMap<u64, u32>,
    unions: HashMap<*const crate::Union, u32>,
}

impl Compiler<'_> {
    fn add(&mut self) -> u32 {
        self.nodes.push(None);
        (self.nodes.len() - 1) as u32
    }

    fn node(&mut self, shape: &Shape, notes: &[&str]) -> Result<u32> {
        let inner = shape.inner();
        if let (Shape::Record(record), []) = (inner, notes) {
            let record = record.get();
            if let Some(known) = self.records.get(&record.identity()) {
                return Ok(*known);
            }
            let own = self.add();
            self.records.insert(record.identity(), own);
            let parts = self.record(&record)?;
            self.nodes[own as usize] = Some(Node { rules: Box::default(), parts });
            return Ok(own);
        }
        if let (Shape::Union(union), []) = (inner, notes) {
            return self.union(union);
        }
        let own = self.add();
        let (mut rules, mut below) = (Vec::new(), Below::default());
        for note in notes {
            match note.split_once(' ') {
                Some(("item", rest)) => below.items.push(rest),
                Some(("key", rest)) => below.keys.push(rest),
                Some(("value", rest)) => below.values.push(rest),
                Some(("at", rest)) => below.at.push(rest),
                _ => {
                    rules.push(Rule::parse(shape, note, &self.options)?);
                }
            }
        }
        for (of, note) in self.options.every {
            if *inner == *of {
                rules.push(Rule::parse(inner, note, &self.options)?);
            }
        }
        let parts = self.parts(inner, &below)?;
        self.nodes[own as usize] = Some(Node { rules: rules.into(), parts });
        Ok(own)
    }

    fn parts(&mut self, shape: &Shape, below: &Below<'_>) -> Result<Parts> {
        let unfit = |notes: &[&str]| match notes.first() {
            Some(note) => Err(Error::new(
                crate::ErrorKind::Type,
                format!("the check `{note}` is about a part that a {} does not have", shape.name()),
            )),
            None => Ok(()),
        };
        if !matches!(shape, Shape::List(_)) {
            unfit(&below.items)?;
        }
        if !matches!(shape, Shape::Map(..)) {
            unfit(&below.keys)?;
            unfit(&below.values)?;
        }
        if !matches!(shape, Shape::Tuple(_)) {
            unfit(&below.at)?;
        }
        Ok(match shape {
            Shape::List(item) => Parts::List(Some(self.node(item, &below.items)?)),
            Shape::Map(key, value) => {
                Parts::Map { key: Some(self.node(key, &below.keys)?), value: Some(self.node(value, &below.values)?) }
            }
            Shape::Tuple(items) => {
                let node = |(index, item): (usize, &crate::shape::Ref<Shape>)| {
                    let own = below.at.iter().filter_map(|note| {
                        let (at, rest) = note.split_once(' ')?;
                        (at.parse() == Ok(index)).then_some(rest)
                    });
                    self.node(item, &own.collect::<Vec<_>>()).map(Some)
                };
                Parts::Tuple(items.iter().enumerate().map(node).collect::<Result<_>>()?)
            }
            Shape::Record(record) => self.record(&record.get())?,
            // Notes apply to a union's variants, not to the union itself.
            _ => Parts::None,
        })
    }

    fn record(&mut self, record: &Record) -> Result<Parts> {
        if record.items().is_some_and(Items::is_written) {
            let node =
                |field: &Field| self.node(field.shape(), &field.notes_for("check").collect::<Vec<_>>()).map(Some);
            return Ok(Parts::Tuple(record.fields().iter().map(node).collect::<Result<_>>()?));
        }
        let mut fields = HashMap::new();
        let mut rest = None;
        for (index, field) in record.fields().iter().enumerate() {
            let notes: Vec<&str> = field.notes_for("check").collect();
            let own = self.node(field.shape(), &notes)?;
            if record.unknown() == Unknown::Keep(index) {
                rest = match self.nodes[own as usize].as_ref().map(|node| &node.parts) {
                    Some(Parts::Map { value, .. }) => *value,
                    _ => None,
                };
                continue;
            }
            fields.insert(field.key().into(), Some(own));
        }
        Ok(Parts::Record { fields, rest })
    }

    fn union(&mut self, union: &UnionRef) -> Result<u32> {
        let union = union.get();
        let identity: *const crate::Union = &raw const *union;
        if let Some(known) = self.unions.get(&identity) {
            return Ok(*known);
        }
        let own = self.add();
        self.unions.insert(identity, own);
        let mut variants = Vec::new();
        for variant in union.variants() {
            let notes: Vec<&str> = variant.notes_for("check").collect();
            let place = self.node(variant.shape(), &notes)?;
            variants.push((variant.name().into(), variant.shape().clone(), Some(place)));
        }
        let tag = match union.tag() {
            Tag::Field(tag) => Some(tag.as_ref().into()),
            _ => None,
        };
        self.nodes[own as usize] =
            Some(Node { rules: Box::default(), parts: Parts::Union { tag, variants: variants.into() } });
        Ok(own)
    }

    /// Removes places that lead to no rule; returns `None` if no rule is left.
    fn finish(self, root: u32) -> Option<Arc<Checks>> {
        let empty = || Node { rules: Box::default(), parts: Parts::None };
        let mut nodes: Vec<Node> = self.nodes.into_iter().map(|node| node.unwrap_or_else(empty)).collect();
        let mut matters: Vec<bool> = nodes.iter().map(|node| !node.rules.is_empty()).collect();
        loop {
            let mut changed = false;
            for index in 0..nodes.len() {
                if !matters[index] && nodes[index].parts.any(|place| matters[place as usize]) {
                    matters[index] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for node in &mut nodes {
            node.parts.keep(|place| matters[place as usize]);
        }
        matters[root as usize].then(|| Arc::new(Checks { nodes: nodes.into(), root: Some(root) }))
    }
}

/// Notes about a container's parts, with the prefix removed.
#[derive(Default)]
struct Below<'n> {
    items: Vec<&'n str>,
    keys: Vec<&'n str>,
    values: Vec<&'n str>,
    at: Vec<&'n str>,
}

impl Parts {
    fn places(&mut self) -> Vec<&mut NodeRef> {
        match self {
            Self::None => Vec::new(),
            Self::List(item) => vec![item],
            Self::Tuple(items) => items.iter_mut().collect(),
            Self::Map { key, value } => vec![key, value],
            Self::Record { fields, rest } => fields.values_mut().chain([rest]).collect(),
            Self::Union { variants, .. } => variants.iter_mut().map(|(.., place)| place).collect(),
        }
    }

    fn any(&self, holds: impl Fn(u32) -> bool) -> bool {
        let holds = |place: &NodeRef| place.is_some_and(&holds);
        match self {
            Self::None => false,
            Self::List(item) => holds(item),
            Self::Tuple(items) => items.iter().any(holds),
            Self::Map { key, value } => holds(key) || holds(value),
            Self::Record { fields, rest } => fields.values().any(holds) || holds(rest),
            Self::Union { variants, .. } => variants.iter().any(|(.., place)| holds(place)),
        }
    }

    fn keep(&mut self, keeps: impl Fn(u32) -> bool) {
        for place in self.places() {
            *place = place.filter(|place| keeps(*place));
        }
    }
}
