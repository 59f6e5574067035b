//! Seeing less: what was told apart becomes one.

use super::node::{Fields, Form, Keys, Nodes, TEXT};
use super::scalar::Scalar;

/// With fewer records than this, that their keys differ says little.
const ENOUGH: u64 = 16;

impl Fields {
    /// Whether these look like the keys of maps, of which every further one brings new ones.
    pub(super) fn keep_growing(&self) -> bool {
        let in_half = |records: u64| records * 2 >= self.records;
        self.records >= ENOUGH
            && self.seen.len() as u64 > self.records
            && !self.seen.iter().any(|seen| in_half(seen.records))
    }
}

impl Nodes {
    /// From here on all that stands there is `any`.
    pub(super) fn any(&mut self, node: usize) {
        let form = core::mem::replace(&mut self.get_mut(node).form, Form::Any);
        let mut left = Vec::new();
        children(form, &mut left);
        while let Some(node) = left.pop() {
            let form = self.take(node).form;
            children(form, &mut left);
        }
    }

    /// Makes a map of a record: all its values have one place. A record without any has seen keys of this kind only.
    pub(super) fn collapse(&mut self, node: usize, key: Scalar) {
        if !matches!(self.get(node).form, Form::Record(_)) {
            return;
        }
        let Form::Record(fields) = core::mem::take(&mut self.get_mut(node).form) else { return };
        let keys = if fields.seen.is_empty() { Keys::Are(key) } else { Keys::Are(TEXT) };
        let mut values = fields.seen.iter().map(|seen| seen.node);
        let Some(value) = values.next().or_else(|| self.make()) else {
            return self.any(node);
        };
        self.get_mut(node).form = Form::Map(keys, value);
        self.merge(values.map(|other| (value, other)).collect());
    }

    /// Moves what was seen at the second place of each pair to the first.
    fn merge(&mut self, mut pairs: Vec<(usize, usize)>) {
        while let Some((into, from)) = pairs.pop() {
            let from = self.take(from);
            self.get_mut(into).nulls |= from.nulls;
            let own = core::mem::take(&mut self.get_mut(into).form);
            let joined = match (own, from.form) {
                (Form::Nothing, other) | (other, Form::Nothing) => other,
                (Form::Scalar(own), Form::Scalar(other)) => own.join(other).map_or(Form::Any, Form::Scalar),
                (Form::List(own), Form::List(other)) => {
                    pairs.push((own, other));
                    Form::List(own)
                }
                (Form::Record(mut own), Form::Record(other)) => {
                    join(&mut own, *other, &mut pairs);
                    Form::Record(own)
                }
                (Form::Map(keys, own), Form::Map(other_keys, other)) => {
                    pairs.push((own, other));
                    Form::Map(keys.join(other_keys), own)
                }
                (Form::Map(keys, value), Form::Record(fields)) | (Form::Record(fields), Form::Map(keys, value)) => {
                    pairs.extend(fields.seen.iter().map(|seen| (value, seen.node)));
                    Form::Map(if fields.seen.is_empty() { keys } else { keys.join(Keys::Are(TEXT)) }, value)
                }
                (own, other) => {
                    self.get_mut(into).form = own;
                    self.any(into);
                    self.get_mut(into).form = other;
                    self.any(into);
                    Form::Any
                }
            };
            self.get_mut(into).form = joined;
        }
    }
}

/// The fields of both; those that both have are to be merged.
fn join(own: &mut Fields, other: Fields, pairs: &mut Vec<(usize, usize)>) {
    own.records += other.records;
    let mut keys: Vec<_> = other.by_key.into_iter().collect();
    keys.sort_unstable_by_key(|(_, index)| *index);
    for ((key, _), mut seen) in keys.into_iter().zip(other.seen) {
        if let Some(index) = own.by_key.get(&key) {
            let own = &mut own.seen[*index];
            own.records += seen.records;
            pairs.push((own.node, seen.node));
        } else {
            // Records are numbered anew, and none of these numbers comes again.
            seen.last = 0;
            own.by_key.insert(key, own.seen.len());
            own.seen.push(seen);
        }
    }
}

fn children(form: Form, into: &mut Vec<usize>) {
    match form {
        Form::List(node) | Form::Map(_, node) => into.push(node),
        Form::Record(fields) => into.extend(fields.seen.iter().map(|seen| seen.node)),
        Form::Nothing | Form::Scalar(_) | Form::Any => {}
    }
}
