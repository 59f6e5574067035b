//! Which values take no bytes. Their number must be limited, since the length of the input does not limit it.

use super::{Node, Schema};

/// How often the types are passed. Those that are still unknown count as empty, which limits more.
const ROUNDS: usize = 16;

impl Schema {
    /// Finds the types whose values take no bytes. A record that always contains itself has no values, and counts as one.
    pub(super) fn find_empty(&mut self) {
        let is_scalar = |node: &Node| match node {
            Node::Null | Node::Record(_) | Node::Fixed(0, _) => false,
            Node::Decimal(digits) => digits.size != Some(0),
            _ => true,
        };
        self.empty = self.nodes.iter().map(|node| !is_scalar(node)).collect();
        for round in 0..ROUNDS {
            let mut news = false;
            for step in 0..self.nodes.len() {
                // Records usually stand before the types of their fields.
                let index = if round % 2 == 0 { self.nodes.len() - 1 - step } else { step };
                if let (true, Node::Record(record)) = (self.empty[index], self.nodes[index]) {
                    let full = self
                        .record(record)
                        .is_some_and(|record| record.fields.iter().any(|field| !self.is_empty(field.node)));
                    self.empty[index] = !full;
                    news |= full;
                }
            }
            if !news {
                break;
            }
        }
        let empty = core::mem::take(&mut self.empty);
        for record in &mut self.records {
            let count = record.fields.iter().filter(|field| empty.get(field.node as usize) == Some(&true)).count();
            record.empty = count as u32;
        }
        self.empty = empty;
    }
}
