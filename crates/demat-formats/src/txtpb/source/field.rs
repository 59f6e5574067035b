//! Messages and their fields.

use super::TxtpbSource;
use super::frame::{Frame, Part, State};
use crate::proto::{Cardinality, Form, Presence, Wire};
use crate::txtpb::layout::{Names, Variants};
use crate::txtpb::tape::Content;
use demat_core::{Record, Result, Shape, Unknown};
use std::sync::Arc;

impl TxtpbSource<'_> {
    pub(super) fn open_record(&mut self, record: &Record) -> Result<()> {
        let node = self.here()?;
        if self.state.absent {
            self.state = State { hollow: true, ..State::START };
            return Ok(());
        }
        if !matches!(node.content, Content::Message) || self.state.form() == Form::Any {
            return Err(self.other_kind(node, "a message"));
        }
        let names = self.names(record);
        if names.is_any && self.expanded()? {
            return Ok(());
        }
        if names.has_members {
            self.check_members(&names)?;
        }
        self.at += 1;
        self.state = State::START;
        Ok(())
    }

    /// Checks that each oneof has one member at most.
    fn check_members(&mut self, names: &Names) -> Result<()> {
        let mut seen: Vec<(u32, u32)> = Vec::new();
        let mut at = self.at + 1;
        while let Some(Content::Key(name)) = self.node(at).map(|node| node.content) {
            let target = names.find(self.ascii(name), usize::MAX);
            if let Some(target) = target
                && let Some(group) = names.fields[target.field as usize].member_of
            {
                match seen.iter().find(|(other, _)| *other == group) {
                    Some((_, field)) if *field != target.field => {
                        self.start = at;
                        let name = self.key_at(at).to_string();
                        return Err(self.refused("one member of a `oneof`", format!("`{name}`, which is another")));
                    }
                    Some(_) => {}
                    None => seen.push((group, target.field)),
                }
            }
            at = self.after_field(at);
        }
        Ok(())
    }

    pub(super) fn next_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        self.in_field = true;
        let names = self.names(record);
        if self.state.hollow {
            return Ok(self.next_zero(record, &names));
        }
        if let Some(Frame::Expanded { at, .. }) = self.frames.last()
            && *at == self.at
        {
            return Ok(self.next_part());
        }
        loop {
            let node = self.here()?;
            match node.content {
                Content::EndValues => self.at += 1,
                Content::End => return Ok(self.next_zero(record, &names)),
                Content::Key(name) => {
                    let key = self.at;
                    let target = names.find(self.ascii(name), expected);
                    let target = target.filter(|target| record.unknown() != Unknown::Keep(target.field as usize));
                    let Some(target) = target else {
                        self.pass_unknown(record, &names)?;
                        continue;
                    };
                    let index = target.field as usize;
                    let own = &names.fields[index];
                    let (wire, closed) = match (target.variant, record.fields()[index].shape().inner()) {
                        (Some(variant), Shape::Union(union)) => {
                            let variants = Arc::clone(Variants::of(&union.get()));
                            let own = &variants.0[variant as usize];
                            (own.wire, own.closed)
                        }
                        _ => (own.wire, own.closed),
                    };
                    self.stand_at(key, wire)?;
                    self.state.closed = closed;
                    self.state.oneof = target.variant.is_some();
                    return Ok(Some(index));
                }
                _ => return Err(self.other_kind(node, "a field")),
            }
        }
    }

    /// Makes the values of a field the next value. The source stands at the field's name.
    pub(super) fn stand_at(&mut self, key: usize, wire: Wire) -> Result<()> {
        self.state = State { form: wire.form, key: wire.key, ..State::START };
        self.at = key + 1;
        if matches!(wire.cardinality, Cardinality::List | Cardinality::Map) {
            return Ok(());
        }
        self.single(key)
    }

    /// Steps to the only value of a field.
    pub(super) fn single(&mut self, key: usize) -> Result<()> {
        self.at = key + 2;
        match self.node(key + 1).map(|node| node.content) {
            Some(Content::Values { count: 1, list: false }) => Ok(()),
            Some(Content::Values { count: 2.., list: false }) => {
                let first = self.node(key + 2).map_or(1, |node| node.len as usize);
                self.start = key + 2 + first;
                Err(self.stands_again(self.key_at(key)))
            }
            _ => {
                self.start = key + 1;
                Err(self.refused("one value", format!("a list in the field `{}`", self.key_at(key))))
            }
        }
    }

    /// Skips a field that the record does not have, or refuses it.
    fn pass_unknown(&mut self, record: &Record, names: &Names) -> Result<()> {
        let name = self.key_at(self.at);
        let passes = self.options.ignore_unknown || names.is_reserved(name);
        if !passes && record.unknown() != Unknown::Ignore {
            return Err(self.unknown_field(name, Some(record)));
        }
        self.at = self.after_field(self.at);
        Ok(())
    }

    /// At the end of a message: returns the next absent field that is read as zero or null. If there is none, leaves the
    /// message.
    fn next_zero(&mut self, record: &Record, names: &Names) -> Option<usize> {
        let hollow = self.state.hollow;
        if !names.zeros.is_empty() {
            let place = (self.at, record.identity());
            if self.zeros.as_ref().is_none_or(|(other, _)| *other != place) {
                let zeros = self.zeros_of(record, names);
                self.zeros = Some((place, zeros));
            }
            let given = self.state.given;
            let index = self.zeros.as_ref().and_then(|(_, zeros)| zeros.get(usize::from(given)).copied());
            if let Some(index) = index {
                let wire = names.fields[index as usize].wire;
                let given = given.saturating_add(1);
                // Without a zero it is null.
                let (form, key) = match wire.presence {
                    Presence::Implicit => (wire.form, wire.key),
                    _ => (Form::Null, Form::None),
                };
                self.state = State { absent: true, hollow, form, key, given, ..State::START };
                return Some(index as usize);
            }
        }
        // An absent message ends where it began.
        self.at += usize::from(!hollow);
        self.state = State::START;
        None
    }

    /// Returns the fields that are read as zero or null and that the message which ends here does not have.
    fn zeros_of(&self, record: &Record, names: &Names) -> Vec<u32> {
        let mut absent: Vec<bool> = vec![true; record.fields().len()];
        if !self.state.hollow
            && let Some(end) = self.node(self.at)
        {
            let mut at = self.message_of(self.at) + 1;
            debug_assert!(matches!(end.content, Content::End));
            while let Some(Content::Key(name)) = self.node(at).map(|node| node.content) {
                if let Some(target) = names.find(self.ascii(name), usize::MAX) {
                    absent[target.field as usize] = false;
                }
                at = self.after_field(at);
            }
        }
        let kept = |index: u32| record.unknown() == Unknown::Keep(index as usize);
        names.zeros.iter().copied().filter(|index| absent[*index as usize] && !kept(*index)).collect()
    }

    /// Returns the index of the message that ends at a node.
    fn message_of(&self, end: usize) -> usize {
        self.node(end).map_or(end, |node| end.saturating_sub(node.len as usize))
    }

    /// Returns the next part of an expanded `google.protobuf.Any`: its URL, then its content.
    fn next_part(&mut self) -> Option<usize> {
        let given = self.state.given;
        if given < 2 {
            let part = if given == 0 { Part::Url } else { Part::Bytes };
            self.state = State { part, given: given + 1, ..State::START };
            return Some(usize::from(given));
        }
        self.state = State::START;
        self.frames.pop();
        self.at += self.node(self.at).map_or(1, |node| node.len as usize);
        None
    }
}
