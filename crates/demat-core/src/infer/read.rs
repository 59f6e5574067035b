//! Reads a value of a sample without its shape and without recursion.

use super::InferenceOptions;
use super::cell::Cells;
use super::node::Nodes;
use super::scalar::Scalar;
use crate::{Kind, Result, Source};

/// A list or map that the source has entered.
#[derive(Debug, Clone, Copy)]
enum Open {
    /// The place of the items.
    List(usize),
    /// The place of the map.
    Map(usize),
}

/// The maximum depth of a shape, whatever the options say: shapes are walked by recursion.
const DEEPEST: usize = 128;

/// Reads the next value and adds it to a place. `depth` is the number of enclosing lists and maps.
pub(super) fn read<'a, S: Source<'a> + ?Sized>(
    nodes: &mut Nodes,
    source: &mut S,
    node: usize,
    depth: usize,
    options: &InferenceOptions,
) -> Result<()> {
    let most = options.depth.min(DEEPEST);
    let mut open = Vec::new();
    let mut next = Some(node);
    loop {
        match next {
            Some(node) => open.extend(begin(nodes, source, node, depth + open.len() < most, options)?),
            None => source.skip()?,
        }
        next = loop {
            match open.last() {
                None => return Ok(()),
                Some(Open::List(item)) if source.item()? => break Some(*item),
                Some(Open::Map(node)) if source.entry()? => {
                    let value = key(nodes, source, *node, options)?;
                    source.value()?;
                    break value;
                }
                Some(_) => open.pop(),
            };
        };
    }
}

/// Reads a scalar, or enters a list or map; skips values that need not be observed.
fn begin<'a, S: Source<'a> + ?Sized>(
    nodes: &mut Nodes,
    source: &mut S,
    node: usize,
    deeper: bool,
    options: &InferenceOptions,
) -> Result<Option<Open>> {
    if nodes.is_any(node) {
        return source.skip().map(|()| None);
    }
    let kind = source.peek()?;
    match kind {
        Kind::List if deeper => {
            if let Some(item) = nodes.list(node) {
                source.list()?;
                return Ok(Some(Open::List(item)));
            }
        }
        Kind::Map if deeper => {
            if nodes.map(node) {
                source.map()?;
                return Ok(Some(Open::Map(node)));
            }
        }
        Kind::List | Kind::Map => nodes.any(node),
        Kind::Null => nodes.get_mut(node).nulls = true,
        Kind::Int => {
            nodes.scalar(node, Scalar::int(&source.int()?));
            return Ok(None);
        }
        Kind::Float => {
            let mark = source.mark();
            // Text may show a number that is beyond all floats.
            if source.float().is_ok() {
                nodes.scalar(node, Scalar::Of(kind));
                return Ok(None);
            }
            source.reset(mark);
            nodes.scalar(node, Scalar::Wide);
        }
        Kind::Text if options.cells => {
            let cell = source.text()?;
            if cell.is_empty() {
                nodes.get_mut(node).nulls = true;
            } else {
                nodes.scalar(node, Scalar::Cells(Cells::of(&cell)));
            }
            return Ok(None);
        }
        kind => nodes.scalar(node, Scalar::Of(kind)),
    }
    source.skip().map(|()| None)
}

/// Reads the key of a map. Returns the place of its value.
fn key<'a, S: Source<'a> + ?Sized>(
    nodes: &mut Nodes,
    source: &mut S,
    node: usize,
    options: &InferenceOptions,
) -> Result<Option<usize>> {
    match source.peek()? {
        Kind::Text => {
            let key = source.text()?;
            Ok(nodes.key(node, &key, options))
        }
        Kind::Int => {
            let key = Scalar::int(&source.int()?);
            Ok(nodes.other_key(node, key))
        }
        kind => {
            source.skip()?;
            Ok(nodes.other_key(node, Scalar::Of(kind)))
        }
    }
}
