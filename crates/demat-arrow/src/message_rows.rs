//! A fast path for messages of scalars: from their bytes directly to the columns, whatever the order of the fields.
//!
//! It is only a shortcut: a message that it can't read, or whose values no column takes, is read by the source.

use crate::build::{Builders, Ints, Node, Values};
use demat_formats::codec::{Codec as _, Picker, Scalar};
use demat_formats::proto::{ProtoCodec, raw};

/// Appends messages to columns.
#[derive(Debug)]
pub(crate) struct MessageRows {
    picker: Box<dyn Picker>,
    /// The column of each field.
    children: Vec<usize>,
    /// The number of messages that the source reads before the next attempt.
    pause: usize,
}

/// The greatest pause.
const LONGEST: usize = 4096;

impl MessageRows {
    /// Returns the fast path for these columns, if there is one.
    pub(crate) fn of(builders: &Builders) -> Option<Self> {
        let Values::Struct { plan, .. } = builders.nodes.nodes[builders.root].values else { return None };
        let plan = &builders.plans[plan];
        if plan.rest.is_some() || plan.children.is_empty() {
            return None;
        }
        let picker = ProtoCodec.picker(&plan.record)?;
        Some(Self { picker, children: plan.children.clone(), pause: 1 })
    }

    /// Appends the messages from `at` on, at most `most`, up to the first one that the source has to read. Returns the
    /// offset of that one, and the number of messages.
    pub(crate) fn rows(&mut self, builders: &mut Builders, bytes: &[u8], at: usize, most: usize) -> (usize, usize) {
        let Values::Struct { len: first, .. } = builders.nodes.nodes[builders.root].values else { return (at, 0) };
        let mut values = vec![Scalar::Absent; self.children.len()];
        let (mut at, mut rows) = (at, 0);
        while rows < most {
            let message = raw::length(bytes, at).and_then(|(len, begin)| bytes.get(begin..begin.checked_add(len)?));
            let Some(message) = message else { break };
            if !self.picker.pick(message, &mut values) || !self.append(builders, &values) {
                break;
            }
            at = message.as_ptr().addr() - bytes.as_ptr().addr() + message.len();
            rows += 1;
        }
        for child in &self.children {
            builders.nodes.truncate(&builders.plans, *child, first + rows);
        }
        if let Values::Struct { len, .. } = &mut builders.nodes.nodes[builders.root].values {
            *len += rows;
        }
        if rows > 0 {
            self.pause = 1;
        }
        (at, rows)
    }

    /// Returns the number of messages that the source has to read: one, or more if many attempts failed in a row.
    pub(crate) fn pause(&mut self) -> usize {
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST);
        pause
    }

    /// Appends a row. Returns false if a column does not take its value; some columns may have it then.
    #[inline(always)]
    fn append(&self, builders: &mut Builders, values: &[Scalar<'_>]) -> bool {
        self.children.iter().zip(values).all(|(child, value)| {
            match (&mut builders.nodes.nodes[*child].values, *value) {
                (Values::I64(values), Scalar::I64(value)) => values.push(value),
                (Values::Bool(bits), Scalar::Bool(value)) => bits.append(value),
                (Values::F64(values), Scalar::Float(value)) => values.push(value),
                (Values::Text(texts), Scalar::Text(value)) => return texts.push(value.as_bytes()).is_ok(),
                _ => return append_rare(builders, *child, *value),
            }
            true
        })
    }
}

/// Appends a number if it is within the range of the shape, which is within that of the column.
macro_rules! narrow {
    ($ints:expr, $value:expr) => {{
        let Ints { values, low, high, .. } = $ints;
        match (*low..=*high).contains(&$value).then(|| $value.try_into()) {
            Some(Ok(value)) => values.push(value),
            _ => return false,
        }
    }};
}

#[inline(never)]
fn append_rare(builders: &mut Builders, id: usize, value: Scalar<'_>) -> bool {
    let Node { optional, values, .. } = &mut builders.nodes.nodes[id];
    match (values, value) {
        (_, Scalar::Absent | Scalar::Null) if *optional => builders.nodes.push_null(&builders.plans, id, false),
        (Values::I8(ints), Scalar::I64(value)) => narrow!(ints, value),
        (Values::I16(ints), Scalar::I64(value)) => narrow!(ints, value),
        (Values::I32(ints), Scalar::I64(value)) => narrow!(ints, value),
        (Values::I33(ints), Scalar::I64(value)) => narrow!(ints, value),
        (Values::U8(ints), Scalar::I64(value)) => narrow!(ints, value),
        (Values::U16(ints), Scalar::I64(value)) => narrow!(ints, value),
        (Values::U32(ints), Scalar::I64(value)) => narrow!(ints, value),
        (Values::U64(values, _), Scalar::U64(value)) => values.push(value),
        (Values::U64(values, _), Scalar::I64(value)) => match u64::try_from(value) {
            Ok(value) => values.push(value),
            Err(_) => return false,
        },
        (Values::F32(values), Scalar::Float32(value)) => values.push(value),
        _ => return false,
    }
    true
}
