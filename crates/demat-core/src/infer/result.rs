//! Builds the shape from the observations.

use super::node::{Fields, Form, Keys, Nodes, TEXT};
use super::{Inference, InferenceOptions};
use crate::{Field, Record, Ref, Shape, Unknown};

impl Inference {
    /// Returns the shape of all observations so far. More can be added afterwards.
    pub fn shape(&self) -> Shape {
        // Records that look like maps become maps in a copy only: later values may show otherwise.
        shape(&mut self.nodes.clone(), Nodes::ROOT, Role::Whole, &self.options)
    }

    /// Returns the shape of the observed values as rows, which are items of a list that was not observed itself. Rows
    /// may have more fields than other records.
    ///
    /// ```
    /// # use demat_core::*;
    /// let entry = |n: i64| (Value::Text(format!("c{n}").into()), Value::Int(n.into()));
    /// let row = Value::Map((0..2_000).map(entry).collect());
    /// let mut inference = Inference::new(InferenceOptions::default());
    /// inference.observe(&mut ValueSource::new(&row))?;
    /// assert_eq!(inference.row_shape().row().map(|row| row.get().fields().len()), Some(2_000));
    /// assert_eq!(inference.shape().to_string(), "map(text, int)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn row_shape(&self) -> Shape {
        shape(&mut self.nodes.clone(), Nodes::ROOT, Role::Row, &self.options)
    }
}

/// What a place is to the whole value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Whole,
    Row,
    Other,
}

/// Recurses as deep as the sample was observed, and no deeper.
fn shape(nodes: &mut Nodes, node: usize, role: Role, options: &InferenceOptions) -> Shape {
    if let Form::Record(fields) = &nodes.get(node).form
        && (fields.seen.is_empty() || are_many(fields, role, options) || fields.keep_growing())
    {
        nodes.collapse(node, TEXT);
    }
    let nulls = nodes.get(node).nulls;
    let seen = match core::mem::take(&mut nodes.get_mut(node).form) {
        Form::Nothing if options.cells && nulls => Shape::Text,
        Form::Nothing | Form::Any => Shape::Any,
        Form::Scalar(scalar) => scalar.shape(),
        Form::List(item) => {
            let role = if role == Role::Whole { Role::Row } else { Role::Other };
            shape(nodes, item, role, options).list()
        }
        Form::Map(keys, value) => {
            let keys = match keys {
                Keys::Are(scalar) => scalar.shape(),
                Keys::Mixed => Shape::Any,
            };
            Shape::Map(Ref::new(keys), Ref::new(shape(nodes, value, Role::Other, options)))
        }
        Form::Record(fields) => record(nodes, *fields, options),
    };
    if nulls { seen.optional() } else { seen }
}

/// Whether the keys are too many for a record.
fn are_many(fields: &Fields, role: Role, options: &InferenceOptions) -> bool {
    let most = if role == Role::Row && fields.recur() { options.columns.max(options.keys) } else { options.keys };
    fields.seen.len() > most
}

fn record(nodes: &mut Nodes, fields: Fields, options: &InferenceOptions) -> Shape {
    let mut keys: Vec<_> = fields.by_key.into_iter().collect();
    keys.sort_unstable_by_key(|(_, index)| *index);
    let made = keys.into_iter().zip(&fields.seen).map(|((key, index), seen)| {
        let shape = shape(nodes, seen.node, Role::Other, options);
        let shape = if seen.records < fields.records { shape.optional() } else { shape };
        Field::new(key, index as u32 + 1, shape)
    });
    // Keys are distinct and within the limit.
    let record = Record::new("", made.collect());
    let unknown = if options.forbid { Unknown::Forbid } else { Unknown::Ignore };
    record.map_or(Shape::Any, |record| Shape::record(record.with_unknown(unknown)))
}
