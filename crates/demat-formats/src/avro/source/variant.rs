//! Unions: finds the reader's variant for what was written, by the name of its record or by its kind.

use super::super::schema::Node;
use super::super::told::{Form, variant_of};
use super::fault::astray;
use super::frame::{Frame, Within};
use super::{AvroSource, Found};
use demat_core::{Error, ErrorKind, Result, Source, Tag, Union};

impl AvroSource<'_, '_> {
    /// Finds the reader's variant, and steps to its content.
    pub(super) fn choose_variant(&mut self, union: &Union) -> Result<usize> {
        let Found::Node(node) = self.found()? else { return Err(self.mismatch("union")) };
        let stand = self.stand;
        let found = variant_of(&self.header()?.schema, node, union);
        let found = match (found, union.tag()) {
            (Some(found), _) => found,
            (None, Tag::Field(tag)) if matches!(node, Node::Record(_)) => (self.by_field(union, tag)?, Form::Direct),
            (None, _) => {
                let name = match node {
                    Node::Record(record) => self.header()?.schema.record(record).map(|own| format!("`{}`", own.name)),
                    _ => None,
                };
                let name = name.unwrap_or_else(|| node.name().to_string());
                let error = Error::mismatch(ErrorKind::Constraint, union.names(), name);
                return Err(error.at(self.position_of(self.start)));
            }
        };
        let (index, form) = found;
        self.enter(Frame { within: Within::Variant, ..Frame::default() })?;
        self.stand = stand;
        if let (Form::Wrapped, Node::Record(record)) = (form, node) {
            self.enter_record(Within::Fields, record)?;
            // A variant without content has nothing to read.
            self.next_item()?;
        }
        Ok(index)
    }

    /// Finds the variant by a field among its own, and stays at the record.
    fn by_field(&mut self, union: &Union, tag: &str) -> Result<usize> {
        let (mark, spare) = (self.mark(), self.state.spare);
        self.map()?;
        let mut found = None;
        while found.is_none() && self.entry()? {
            let is_tag = *self.text()? == *tag;
            self.value()?;
            if is_tag {
                let name = self.text()?;
                found = Some(union.index_of(&name).ok_or_else(|| {
                    Error::mismatch(ErrorKind::Constraint, union.names(), demat_core::excerpt::name(&name))
                })?);
            } else {
                self.skip()?;
            }
        }
        let position = self.position();
        self.reset(mark);
        // What is read again counts once.
        self.state.spare = spare;
        found.ok_or_else(|| Error::missing(tag).at(position))
    }

    /// Steps out of the variant.
    pub(super) fn leave_variant(&mut self) -> Result<()> {
        if self.top().is_some_and(|frame| frame.within == Within::Fields) && self.next_item()? {
            return Err(astray());
        }
        match self.top() {
            Some(frame) if frame.within == Within::Variant => {
                self.leave();
                Ok(())
            }
            _ => Err(astray()),
        }
    }
}
