//! Defaults of fields as constants of a shape.

use super::shape::is_part_of_open;
use super::{Default, Node, wire};
use crate::encode::{EncodeOptions, encode};
use crate::format::Format;
use demat_core::{Shape, Value};
use demat_formats::json::JsonSource;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::collections::HashSet;

/// Returns the default of an absent field, if it is constant; `None` for a default that user code creates. `numbered`:
/// the shape has the names of an enum's members, and not their values.
pub(super) fn default_of(
    py: Python<'_>,
    default: &Default,
    (node, shape): (&Node, &Shape),
    numbered: bool,
) -> Option<Value> {
    let value = match default {
        Default::Value(value) => value.bind(py),
        Default::List => return Some(Value::List(Vec::new())),
        Default::Dict => return Some(Value::Map(Vec::new())),
        Default::None | Default::Factory(_) => return None,
    };
    if value.is_none() {
        return shape.allows_null().then_some(Value::Null);
    }
    if numbered && node.has_enum() {
        return with_names(value, node);
    }
    let text = encode(Format::DEFAULT, value, &EncodeOptions::default()).ok()?;
    // An unfinished record can't decode its own default, so that is kept without a shape.
    let shape = if is_part_of_open(shape, &mut HashSet::new()) { &Shape::Any } else { shape };
    Value::decode_as(&mut JsonSource::new(text.as_bytes()), shape).ok()
}

/// Returns a member of an enum as its name, and a list or tuple of members as one of names. `None` for other values
/// that hold members.
fn with_names(value: &Bound<'_, PyAny>, node: &Node) -> Option<Value> {
    let (node, optional) = wire::inside(node, false);
    let each = |items: Vec<(Bound<'_, PyAny>, &Node)>| {
        let items = items.into_iter().map(|(item, node)| with_names(&item, node));
        items.collect::<Option<Vec<_>>>().map(Value::List)
    };
    match node {
        _ if optional && value.is_none() => Some(Value::Null),
        Node::Enum(own) => {
            let names = own.numbered.as_ref()?;
            let at = own.order.bind(value.py()).iter().position(|member| member.is(value))?;
            Some(Value::Text(names.name_at(at).to_owned().into()))
        }
        Node::List(list) => {
            let is_ordered = value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>();
            let items = value.try_iter().ok().filter(|_| is_ordered)?;
            each(items.map(|item| item.ok().map(|item| (item, &list.item))).collect::<Option<Vec<_>>>()?)
        }
        Node::Tuple(nodes) => {
            let items: Vec<_> = value.cast::<PyTuple>().ok()?.iter().zip(nodes.iter()).collect();
            each(items)
        }
        Node::Int => value.extract::<i64>().ok().map(|int| Value::Int(int.into())),
        _ => None,
    }
}
