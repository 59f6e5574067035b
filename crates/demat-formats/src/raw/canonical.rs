//! The canonical description of a schema, and its hash.
//!
//! It does not depend on how a shape shares its parts, or on how often a recursive one was unrolled: indistinguishable
//! parts are one part.

use super::FINGERPRINT;
use super::schema::{Node, NodeId, Presence, Schema};
use core::fmt::Write as _;
use demat_core::{FloatWidth, IntWidth};
use std::collections::HashMap;

/// The start of every description: the version of the format.
const VERSION: &str = "raw1";

/// FNV-1a of the description, with 64 bits.
pub(super) fn fingerprint(schema: &Schema) -> [u8; FINGERPRINT] {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in described(schema).bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash.to_le_bytes()
}

/// Returns the description.
pub(super) fn described(schema: &Schema) -> String {
    let classes = classes(schema);
    let mut text = String::from(VERSION);
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    // The pieces to write, last first: depth costs memory and no call stack.
    let mut left = vec![Piece::Node(schema.root)];
    while let Some(piece) = left.pop() {
        let node = match piece {
            Piece::Text(part) => {
                text.push_str(&part);
                continue;
            }
            Piece::Node(node) => node,
        };
        if is_numbered(schema.node(node)) {
            let next = numbers.len();
            let number = *numbers.entry(classes[node as usize]).or_insert(next);
            if number < next {
                let _ = write!(text, "#{number};"); // writing to a String cannot fail
                continue;
            }
        }
        let mut pieces = pieces(schema.node(node));
        pieces.reverse();
        left.append(&mut pieces);
    }
    text
}

/// A part of a description.
enum Piece {
    Text(String),
    Node(NodeId),
}

/// Whether a part is written once, and referred to by its number afterwards.
fn is_numbered(node: &Node) -> bool {
    matches!(node, Node::Tuple(_) | Node::Map(..) | Node::Record(_) | Node::Union(_))
}

/// Returns the label of a node, and its parts in order.
fn pieces(node: &Node) -> Vec<Piece> {
    let text = |text: &str| Piece::Text(text.to_owned());
    match node {
        Node::Any => vec![text("*")],
        Node::Null => vec![text("0")],
        Node::Bool => vec![text("b")],
        Node::Int(IntWidth::Any) => vec![text("i;")],
        Node::Int(IntWidth::Signed(bits)) => vec![Piece::Text(format!("i{bits};"))],
        Node::Int(IntWidth::Unsigned(bits)) => vec![Piece::Text(format!("u{bits};"))],
        Node::Float(FloatWidth::F32) => vec![text("f4")],
        Node::Float(FloatWidth::F64) => vec![text("f8")],
        Node::Text => vec![text("s")],
        Node::Bytes => vec![text("y")],
        Node::Decimal => vec![text("n")],
        Node::Date => vec![text("d")],
        Node::Time => vec![text("t")],
        Node::DateTime => vec![text("w")],
        Node::Instant => vec![text("z")],
        Node::Duration => vec![text("p")],
        Node::Uuid => vec![text("x")],
        Node::Option(inner) => vec![text("?"), Piece::Node(*inner)],
        Node::List(item) => vec![text("l"), Piece::Node(*item)],
        Node::Map(key, value) => vec![text("m"), Piece::Node(*key), Piece::Node(*value)],
        Node::Tuple(items) => {
            let mut pieces = vec![text("(")];
            pieces.extend(items.iter().map(|item| Piece::Node(*item)));
            pieces.push(text(")"));
            pieces
        }
        Node::Enum(names) => {
            let names = (0..names.len()).map(|index| named(names.name_at(index)));
            vec![Piece::Text(format!("e[{}]", names.collect::<String>()))]
        }
        Node::Record(record) => {
            let mut pieces = vec![text("{")];
            for (index, field) in record.fields.iter().enumerate() {
                let presence = match field.presence {
                    _ if record.keep == Some(index) => '&',
                    Presence::Always => '!',
                    Presence::Null => '?',
                    Presence::Missing => '-',
                    Presence::Both => '~',
                };
                pieces.push(Piece::Text(format!("{}={}{presence}", named(&field.key), field.number)));
                pieces.push(Piece::Node(field.node));
            }
            pieces.push(text("}"));
            pieces
        }
        Node::Union(union) => {
            let mut pieces = vec![text("<")];
            for (name, _, node) in &union.variants {
                pieces.push(Piece::Text(named(name)));
                pieces.push(Piece::Node(*node));
            }
            pieces.push(text(">"));
            pieces
        }
    }
}

/// Appends a name after its length in bytes.
fn named(name: &str) -> String {
    format!("{}:{name}", name.len())
}

/// Returns the class of each node. Nodes of one class are indistinguishable, however far their parts are followed.
///
/// Classes begin as the labels of the nodes. They are split by the classes of the parts until nothing changes.
fn classes(schema: &Schema) -> Vec<usize> {
    let parts: Vec<Vec<Piece>> = schema.nodes.iter().map(pieces).collect();
    let mut classes = vec![0_usize; parts.len()];
    let mut count = 0;
    loop {
        let mut known: HashMap<Vec<Sign<'_>>, usize> = HashMap::new();
        let split: Vec<usize> = parts
            .iter()
            .map(|pieces| {
                let signs = pieces.iter().map(|piece| match piece {
                    Piece::Text(text) => Sign::Text(text),
                    Piece::Node(node) => Sign::Class(classes[*node as usize]),
                });
                let next = known.len();
                *known.entry(signs.collect()).or_insert(next)
            })
            .collect();
        classes = split;
        if known.len() == count {
            return classes;
        }
        count = known.len();
    }
}

/// A piece of the description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Sign<'s> {
    Text(&'s str),
    Class(usize),
}
