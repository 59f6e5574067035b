//! Generalisation: merges what was observed separately, once a record turns out to be a map or a place becomes `any`.

use super::node::{Fields, Form, Keys, Nodes, TEXT};
use super::scalar::Scalar;

/// With fewer records than this, different keys are weak evidence for a map.
const ENOUGH: u64 = 16;

impl Fields {
    /// Whether the keys look like those of a map, where each further map brings new keys.
    pub(super) fn keep_growing(&self) -> bool {
        let in_half = |records: u64| records * 2 >= self.records;
        self.records >= ENOUGH
            && self.seen.len() as u64 > self.records
            && !self.seen.iter().any(|seen| in_half(seen.records))
    }

    /// Whether half of the keys are in half of the records, as the columns of rows are.
    pub(super) fn recur(&self) -> bool {
        let recurring = self.seen.iter().filter(|seen| seen.records * 2 >= self.records).count();
        recurring * 2 >= self.seen.len()
    }
}

impl Nodes {
    /// Makes a place `any` from here on.
    pub(super) fn any(&mut self, node: usize) {
        let form = core::mem::replace(&mut self.get_mut(node).form, Form::Any);
        let mut left = Vec::new();
        children(form, &mut left);
        while let Some(node) = left.pop() {
            let form = self.take(node).form;
            children(form, &mut left);
        }
    }

    /// Turns a record into a map: all its values get one place. A record without keys has seen only non-text keys.
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

    /// Merges the observations at the second place of each pair into the first.
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

/// Joins the fields of two records. Adds a pair to merge for each field that both have.
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
            // Records are renumbered, so no old number may match.
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
