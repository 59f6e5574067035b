//! The observations by place: a tree in one vector, so that walking it needs no call stack and its size is bounded.

use super::InferenceOptions;
use super::scalar::Scalar;
use crate::Kind;
use std::collections::HashMap;

/// The maximum number of places.
const MOST: usize = 16_384;
/// The maximum length of a field's key in bytes; longer keys make the record a map.
const LONGEST_KEY: usize = 1_024;
/// The maximum number of places besides the fields of rows that have very many.
const BESIDES: usize = 1_024;

/// All places of the sample.
#[derive(Debug, Clone)]
pub(super) struct Nodes {
    all: Vec<Node>,
    /// Unused places.
    free: Vec<usize>,
}

/// The observations at one place.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    pub(super) nulls: bool,
    pub(super) form: Form,
}

#[derive(Debug, Clone, Default)]
pub(super) enum Form {
    #[default]
    Nothing,
    Scalar(Scalar),
    /// The place of all items.
    List(usize),
    Record(Box<Fields>),
    /// The kind of the keys, and the place of all values.
    Map(Keys, usize),
    Any,
}

/// The kind of a map's keys.
#[derive(Debug, Clone, Copy)]
pub(super) enum Keys {
    Are(Scalar),
    Mixed,
}

pub(super) const TEXT: Scalar = Scalar::Of(Kind::Text);

impl Keys {
    pub(super) fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Are(one), Self::Are(other)) => one.join(other).map_or(Self::Mixed, Self::Are),
            _ => Self::Mixed,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Fields {
    /// The number of records.
    pub(super) records: u64,
    /// In the order of their first occurrence.
    pub(super) seen: Vec<Seen>,
    /// Their indices by key.
    pub(super) by_key: HashMap<String, usize>,
}

/// One field.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) node: usize,
    /// The number of records that have it.
    pub(super) records: u64,
    /// The number of the last record that had it, so that a repeated key counts once.
    pub(super) last: u64,
}

impl Default for Nodes {
    fn default() -> Self {
        Self { all: vec![Node::default()], free: Vec::new() }
    }
}

impl Nodes {
    /// The place of the whole value.
    pub(super) const ROOT: usize = 0;

    pub(super) fn get(&self, node: usize) -> &Node {
        &self.all[node]
    }

    pub(super) fn get_mut(&mut self, node: usize) -> &mut Node {
        &mut self.all[node]
    }

    /// Returns a new place, unless the limit is reached.
    pub(super) fn make(&mut self) -> Option<usize> {
        self.make_within(MOST)
    }

    /// As [`make`](Self::make), with its own limit.
    fn make_within(&mut self, most: usize) -> Option<usize> {
        if let Some(node) = self.free.pop() {
            return Some(node);
        }
        self.all.push(Node::default());
        if self.all.len() > most {
            self.all.pop();
            return None;
        }
        Some(self.all.len() - 1)
    }

    /// Removes a place, and returns its observations.
    pub(super) fn take(&mut self, node: usize) -> Node {
        self.free.push(node);
        core::mem::take(&mut self.all[node])
    }

    pub(super) fn is_any(&self, node: usize) -> bool {
        matches!(self.all[node].form, Form::Any)
    }

    /// Adds a scalar.
    pub(super) fn scalar(&mut self, node: usize, scalar: Scalar) {
        let joined = match &self.all[node].form {
            Form::Nothing => Some(scalar),
            Form::Scalar(own) => own.join(scalar),
            _ => None,
        };
        match joined {
            Some(joined) => self.all[node].form = Form::Scalar(joined),
            None => self.any(node),
        }
    }

    /// Adds a list. Returns the place of its items; `None` if they need not be observed.
    pub(super) fn list(&mut self, node: usize) -> Option<usize> {
        match self.all[node].form {
            Form::List(item) => return Some(item),
            Form::Nothing => {
                if let Some(item) = self.make() {
                    self.all[node].form = Form::List(item);
                    return Some(item);
                }
            }
            _ => {}
        }
        self.any(node);
        None
    }

    /// Begins a map. Returns whether its content is to be observed.
    pub(super) fn map(&mut self, node: usize) -> bool {
        let form = &mut self.all[node].form;
        if matches!(form, Form::Nothing) {
            *form = Form::Record(Box::default());
        }
        match form {
            Form::Record(fields) => fields.records += 1,
            Form::Map(..) => {}
            _ => {
                self.any(node);
                return false;
            }
        }
        true
    }

    /// Whether the place is that of rows, as far as is known: of the items of the whole, or of the whole.
    fn is_row(&self, node: usize) -> bool {
        node == Self::ROOT || matches!(self.all[Self::ROOT].form, Form::List(item) if item == node)
    }

    /// The number of places besides a number of fields.
    fn besides(&self, fields: usize) -> usize {
        self.all.len().saturating_sub(self.free.len() + fields)
    }

    /// Adds a text key of the map. Returns the place of its value.
    pub(super) fn key(&mut self, node: usize, key: &str, options: &InferenceOptions) -> Option<usize> {
        let most = options.keys;
        if let Form::Record(fields) = &mut self.all[node].form {
            if let Some(index) = fields.by_key.get(key) {
                let seen = &mut fields.seen[*index];
                seen.records += u64::from(seen.last != fields.records);
                seen.last = fields.records;
                return Some(seen.node);
            }
            // Tables have no limit on columns: the header holds them all in memory anyway.
            let (all, first) = (most == usize::MAX, fields.records <= 1);
            let count = fields.seen.len();
            // A map of records would use up the places before it is known to be a map.
            let wide = self.is_row(node) && self.besides(count) <= BESIDES;
            let most = if wide { most.max(options.columns) } else { most };
            let few = count < most && (key.len() <= LONGEST_KEY || all);
            if few && let Some(value) = self.make_within(if all && first { usize::MAX } else { MOST }) {
                self.add(node, key, value);
                return Some(value);
            }
        }
        self.other_key(node, TEXT)
    }

    fn add(&mut self, node: usize, key: &str, value: usize) {
        if let Form::Record(fields) = &mut self.all[node].form {
            fields.by_key.insert(key.to_string(), fields.seen.len());
            fields.seen.push(Seen { node: value, records: 1, last: fields.records });
        }
    }

    /// Adds a key that can't be a field's. Returns the place of its value.
    pub(super) fn other_key(&mut self, node: usize, key: Scalar) -> Option<usize> {
        self.collapse(node, key);
        match &mut self.all[node].form {
            Form::Map(keys, value) => {
                *keys = keys.join(Keys::Are(key));
                Some(*value)
            }
            _ => None,
        }
    }
}
