use super::super::FINGERPRINT;
use super::super::schema::{Node, NodeId, Schema};
use crate::direct::ByShape;
use demat_core::Shape;

/// Returns the fingerprint of a shape; `None` if only the general source and sink can follow it.
#[inline]
pub(in super::super) fn fingerprint_of_usual(shape: &'static Shape) -> Option<[u8; FINGERPRINT]> {
    static KEPT: ByShape<Option<[u8; FINGERPRINT]>> = ByShape::new();
    KEPT.get(shape, find)
}

fn find(shape: &'static Shape) -> Option<[u8; FINGERPRINT]> {
    let schema = Schema::of(shape).ok()?;
    let mut seen = vec![false; schema.nodes.len()];
    is_usual(&schema, schema.root, &mut seen).then_some(schema.fingerprint)
}

/// Whether the fast path can follow a node and all nodes in it.
fn is_usual(schema: &Schema, id: NodeId, seen: &mut [bool]) -> bool {
    match seen.get_mut(id as usize) {
        Some(seen) if !*seen => *seen = true,
        seen => return seen.is_some(),
    }
    let mut all = |ids: &[NodeId]| ids.iter().all(|id| is_usual(schema, *id, seen));
    match schema.node(id) {
        Node::Any | Node::Tuple(_) | Node::Union(_) => false,
        Node::Option(inner) => !matches!(schema.node(*inner), Node::Option(_) | Node::Null) && all(&[*inner]),
        // A zero byte follows items without bytes.
        Node::List(item) => !schema.is_empty(*item) && all(&[*item]),
        Node::Map(key, value) => !(schema.is_empty(*key) && schema.is_empty(*value)) && all(&[*key, *value]),
        Node::Record(record) => {
            let nodes: Vec<_> = record.fields.iter().map(|field| field.node).collect();
            record.keep.is_none() && record.bits <= 64 && all(&nodes)
        }
        _ => true,
    }
}
