//! Builds the shape from the observations.

use super::node::{Fields, Form, Keys, Nodes, TEXT};
use super::{Inference, InferenceOptions};
use crate::{Field, Record, Ref, Shape, Unknown};

impl Inference {
    /// Returns the shape of all observations so far. More can be added afterwards.
    pub fn shape(&self) -> Shape {
        // Records that look like maps become maps in a copy only: later values may show otherwise.
        shape(&mut self.nodes.clone(), Nodes::ROOT, &self.options)
    }
}

/// Recurses as deep as the sample was observed, and no deeper.
fn shape(nodes: &mut Nodes, node: usize, options: &InferenceOptions) -> Shape {
    if let Form::Record(fields) = &nodes.get(node).form
        && (fields.seen.is_empty() || fields.seen.len() > options.keys || fields.keep_growing())
    {
        nodes.collapse(node, TEXT);
    }
    let nulls = nodes.get(node).nulls;
    let seen = match core::mem::take(&mut nodes.get_mut(node).form) {
        Form::Nothing if options.cells && nulls => Shape::Text,
        Form::Nothing | Form::Any => Shape::Any,
        Form::Scalar(scalar) => scalar.shape(),
        Form::List(item) => shape(nodes, item, options).list(),
        Form::Map(keys, value) => {
            let keys = match keys {
                Keys::Are(scalar) => scalar.shape(),
                Keys::Mixed => Shape::Any,
            };
            Shape::Map(Ref::new(keys), Ref::new(shape(nodes, value, options)))
        }
        Form::Record(fields) => record(nodes, *fields, options),
    };
    if nulls { seen.optional() } else { seen }
}

fn record(nodes: &mut Nodes, fields: Fields, options: &InferenceOptions) -> Shape {
    let mut keys: Vec<_> = fields.by_key.into_iter().collect();
    keys.sort_unstable_by_key(|(_, index)| *index);
    let made = keys.into_iter().zip(&fields.seen).map(|((key, index), seen)| {
        let shape = shape(nodes, seen.node, options);
        let shape = if seen.records < fields.records { shape.optional() } else { shape };
        Field::new(key, index as u32 + 1, shape)
    });
    // Keys are distinct and within the limit.
    let record = Record::new("", made.collect());
    let unknown = if options.forbid { Unknown::Forbid } else { Unknown::Ignore };
    record.map_or(Shape::Any, |record| Shape::record(record.with_unknown(unknown)))
}
