//! Unions: maps the writer's variant to the reader's variant of the same name.

use super::super::schema::{Node, UnionNode};
use super::fault::astray;
use super::frame::{Frame, Within};
use super::stand::Stand;
use super::{Found, RawSource};
use demat_core::{Error, ErrorKind, Result, Shape, Source, Union};

impl RawSource<'_, '_> {
    /// Finds the reader's variant and steps to its content.
    pub(super) fn choose_variant(&mut self, union: &Union) -> Result<usize> {
        let Some(mut id) = self.value_node()? else { return self.choose_null(union) };
        let schema = self.known()?;
        while let Node::Option(inner) = schema.node(id) {
            let is_there = self.flag("0 for null, or 1")?;
            self.at += 1;
            if !is_there {
                self.stand = Stand::Null;
                return self.choose_null(union);
            }
            self.stand = Stand::Value(*inner);
            id = *inner;
        }
        let Node::Union(own) = schema.node(id) else { return self.choose_single(union, id) };
        let (written, end) = self.variant_index(own)?;
        let index = self.reader_index(own, written, union)?;
        self.at = end;
        let (.., content) = own.variants[written];
        self.enter(Frame { within: Within::Variant, ..Frame::default() })?;
        self.stand = Stand::Value(content);
        Ok(index)
    }

    /// Returns the reader's variant for the writer's.
    fn reader_index(&self, own: &UnionNode, written: usize, union: &Union) -> Result<usize> {
        if self.exact && written < union.variants().len() {
            return Ok(written);
        }
        let (name, ..) = &own.variants[written];
        let found = union.index_of(name).or_else(|| same_name(union, name));
        found.ok_or_else(|| {
            let error = Error::mismatch(ErrorKind::Constraint, union.names(), format!("`{name}`"));
            error.at(self.position_of(self.start))
        })
    }

    /// Chooses the reader's variant for a null that was written without a union.
    fn choose_null(&mut self, union: &Union) -> Result<usize> {
        let index = union.variants().iter().position(|variant| variant.shape().allows_null());
        let Some(index) = index else { return Err(self.other("union", &Found::Null)) };
        self.enter(Frame { within: Within::Variant, ..Frame::default() })?;
        self.stand = Stand::Null;
        Ok(index)
    }

    /// Chooses the reader's variant for a value that was written without a union: the variant with the record's name,
    /// or the first that accepts the value's kind.
    fn choose_single(&mut self, union: &Union, id: u32) -> Result<usize> {
        let stand = self.stand;
        let node = self.known()?.node(id);
        let by_name = match node {
            Node::Record(record) => union.index_of(&record.name).or_else(|| same_name(union, &record.name)),
            _ => None,
        };
        let kind = self.peek()?;
        let by_kind = || union.variants().iter().position(|variant| variant.shape().accepts(kind));
        // An `any` value can't hold the name of a variant.
        let is_untagged = *union.tag() == demat_core::Tag::None || !matches!(node, Node::Any);
        let Some(index) = by_name.or_else(by_kind).filter(|_| is_untagged) else {
            return Err(Error::expected(union.names(), kind.name()).at(self.position_of(self.start)));
        };
        if *union.variants()[index].shape() == Shape::Null && kind != demat_core::Kind::Null {
            return Err(astray());
        }
        self.enter(Frame { within: Within::Variant, ..Frame::default() })?;
        self.stand = stand;
        Ok(index)
    }

    /// Steps out of the variant.
    pub(super) fn leave_variant(&mut self) {
        if self.top().is_some_and(|frame| frame.within == Within::Variant) {
            self.depth -= 1;
            self.stand = Stand::Nothing;
        }
    }
}

/// Returns the variant whose name differs in case and underscores at most: hosts name variants after classes or fields.
fn same_name(union: &Union, name: &str) -> Option<usize> {
    let letters =
        |name: &str| -> String { name.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase).collect() };
    let wanted = letters(name);
    union.variants().iter().position(|variant| letters(variant.name()) == wanted)
}
