//! The tree that the parser builds. It finds the values of a field together wherever they stood, and becomes the tape.

use crate::txtpb::tape::{Content, Node, Slice, Tape, small};
use demat_core::Result;
use std::collections::HashMap;

/// No node.
const NONE: u32 = u32::MAX;

/// A message with more distinct fields has an index of their names.
const FEW: u32 = 16;

/// A message, a field or a value, with links to its children and its next sibling.
#[derive(Debug)]
struct Draft {
    kind: Kind,
    begin: u32,
    end: u32,
    first: u32,
    last: u32,
    next: u32,
}

#[derive(Debug)]
enum Kind {
    Field { name: Slice, count: u32, list: bool },
    Value(Content),
}

/// The nodes of a document.
#[derive(Debug, Default)]
pub(super) struct Drafts(Vec<Draft>);

/// The fields of an open message.
#[derive(Debug)]
pub(super) struct Fields {
    message: u32,
    count: u32,
    index: HashMap<Vec<u8>, u32>,
}

impl Drafts {
    /// Appends a node. `parent`: the message of a field, the field of a value; `None` for the whole.
    fn push(&mut self, kind: Kind, parent: Option<u32>, begin: usize, end: usize) -> Result<u32> {
        let at = small(self.0.len())?;
        let (begin, end) = (small(begin)?, small(end)?);
        self.0.push(Draft { kind, begin, end, first: NONE, last: NONE, next: NONE });
        if let Some(parent) = parent.map(|parent| parent as usize) {
            match self.0[parent].last {
                NONE => self.0[parent].first = at,
                last => self.0[last as usize].next = at,
            }
            self.0[parent].last = at;
        }
        Ok(at)
    }

    /// Appends a message and returns its fields. `field` has it as value; `None` for the whole.
    pub(super) fn message(&mut self, field: Option<u32>, begin: usize) -> Result<Fields> {
        self.count(field);
        let message = self.push(Kind::Value(Content::Message), field, begin, begin)?;
        Ok(Fields { message, count: 0, index: HashMap::new() })
    }

    /// Ends a message.
    pub(super) fn close(&mut self, fields: &Fields, end: usize) -> Result<()> {
        self.0[fields.message as usize].end = small(end)?;
        Ok(())
    }

    /// Appends a scalar to the values of a field.
    pub(super) fn value(&mut self, field: u32, content: Content, begin: usize, end: usize) -> Result<()> {
        self.count(Some(field));
        self.push(Kind::Value(content), Some(field), begin, end).map(drop)
    }

    /// Marks a field as one that had a list.
    pub(super) fn list(&mut self, field: u32) {
        if let Kind::Field { list, .. } = &mut self.0[field as usize].kind {
            *list = true;
        }
    }

    fn count(&mut self, field: Option<u32>) {
        if let Some(field) = field
            && let Kind::Field { count, .. } = &mut self.0[field as usize].kind
        {
            *count += 1;
        }
    }

    /// Returns the field of this name, the same each time.
    pub(super) fn field(
        &mut self,
        fields: &mut Fields,
        name: Slice,
        (input, own): (&[u8], &[u8]),
        (begin, end): (usize, usize),
    ) -> Result<u32> {
        let text = name.of(input, own);
        let same = |at: u32| match self.0[at as usize].kind {
            Kind::Field { name, .. } => name.of(input, own) == text,
            Kind::Value(_) => false,
        };
        let Draft { first, last, .. } = self.0[fields.message as usize];
        if last != NONE && same(last) {
            return Ok(last);
        }
        if fields.count > FEW {
            if let Some(found) = fields.index.get(text) {
                return Ok(*found);
            }
        } else {
            let mut at = first;
            while at != NONE {
                if same(at) {
                    return Ok(at);
                }
                at = self.0[at as usize].next;
            }
        }
        let at = self.push(Kind::Field { name, count: 0, list: false }, Some(fields.message), begin, end)?;
        fields.count += 1;
        if fields.count == FEW + 1 {
            let mut other = self.0[fields.message as usize].first;
            while other != NONE {
                if let Kind::Field { name, .. } = self.0[other as usize].kind {
                    fields.index.insert(name.of(input, own).to_vec(), other);
                }
                other = self.0[other as usize].next;
            }
        } else if fields.count > FEW {
            fields.index.insert(text.to_vec(), at);
        }
        Ok(at)
    }

    /// Returns the tape: a parent before its children, and fields in the order in which they came first.
    pub(super) fn into_tape(self, own: Vec<u8>) -> Result<Tape> {
        let mut nodes: Vec<Node> = Vec::with_capacity(self.0.len() * 2);
        // The node of each open container, its end, and its next child.
        let mut open: Vec<(usize, Content, u32)> = Vec::new();
        let mut at = 0;
        loop {
            if at == NONE {
                let Some((start, end, _)) = open.pop() else { break };
                let close = nodes[start].end;
                let before = small(nodes.len() - start)?;
                nodes.push(Node { content: end, begin: close, end: close, len: before });
                nodes[start].len = before + 1;
            } else {
                let draft = &self.0[at as usize];
                if let Some((.., next)) = open.last_mut() {
                    *next = draft.next;
                }
                let (begin, end) = (draft.begin, draft.end);
                let here = nodes.len();
                small(here + 2)?;
                match draft.kind {
                    Kind::Field { name, count, list } => {
                        nodes.push(Node { content: Content::Key(name), begin, end, len: 1 });
                        nodes.push(Node { content: Content::Values { count, list }, begin, end, len: 0 });
                        open.push((here + 1, Content::EndValues, draft.first));
                    }
                    Kind::Value(content) => {
                        nodes.push(Node { content, begin, end, len: 1 });
                        if let Content::Message = content {
                            open.push((here, Content::End, draft.first));
                        }
                    }
                }
            }
            match open.last() {
                Some((.., next)) => at = *next,
                None => break,
            }
        }
        Ok(Tape::new(nodes, own))
    }
}
