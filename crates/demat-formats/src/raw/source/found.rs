//! The value at the current position, inside of options, tags and unions.

use super::super::schema::{ANY, Node, NodeId, Schema, Tagging};
use super::fault::astray;
use super::stand::Stand;
use super::{FINGERPRINT, RawSource};
use demat_core::{Error, ErrorKind, FloatWidth, IntWidth, Kind, Result};

/// The value or key at the current position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found<'s> {
    Null,
    /// The key of a field.
    Key(&'s str),
    /// A value. Its node is no option, and no union unless that has a tag of its own.
    Node(&'s Node),
}

impl Found<'_> {
    /// Returns its name for errors.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Key(_) => "text",
            Self::Node(node) => node.name(),
        }
    }
}

/// The nodes of `any` values by their first byte.
static TAGS: [Node; 15] = [
    Node::Null,
    Node::Bool,
    Node::Int(IntWidth::Any),
    Node::Float(FloatWidth::F64),
    Node::Text,
    Node::Bytes,
    Node::Decimal,
    Node::Date,
    Node::Time,
    Node::DateTime,
    Node::Instant,
    Node::Duration,
    Node::Uuid,
    Node::List(ANY),
    Node::Map(ANY, ANY),
];

impl<'s> RawSource<'_, 's> {
    /// Reads the fingerprint, and finds the schema that the data was written with.
    #[cold]
    fn begin(&mut self) -> Result<()> {
        let found: [u8; FINGERPRINT] = match self.part.bytes.first_chunk() {
            Some(found) => *found,
            None => return Err(self.ended("a fingerprint of 8 bytes")),
        };
        let which = self.plan.find(found).map_err(|error| error.at(self.position_of(0)))?;
        self.state.which = Some(which);
        self.schema = self.plan.schema(which);
        self.exact = which < self.plan.own.len();
        self.at = FINGERPRINT;
        self.stand = Stand::Value(self.known()?.root);
        Ok(())
    }

    /// Returns the schema that the data was written with.
    #[inline]
    pub(super) fn known(&self) -> Result<&'s Schema> {
        self.schema.ok_or_else(astray)
    }

    /// Returns the node of the value at the current position; `None` for a null without bytes and for a key.
    #[inline]
    pub(super) fn value_node(&mut self) -> Result<Option<NodeId>> {
        if self.stand == Stand::Start {
            self.begin()?;
        }
        self.start = self.at;
        match self.stand {
            Stand::Value(node) => Ok(Some(node)),
            Stand::Null | Stand::Key(_) => Ok(None),
            Stand::Start | Stand::Nothing => Err(astray()),
        }
    }

    /// Steps into options, unions and tags, and returns the value inside. The position is then at the value's own
    /// bytes.
    #[inline]
    pub(super) fn found(&mut self) -> Result<Found<'s>> {
        let Some(mut id) = self.value_node()? else {
            return match self.stand {
                Stand::Key(field) => self.key(field).map(Found::Key),
                _ => Ok(Found::Null),
            };
        };
        let schema = self.known()?;
        loop {
            id = match schema.node(id) {
                Node::Null => return Ok(Found::Null),
                Node::Option(inner) => {
                    let is_there = self.flag("0 for null, or 1")?;
                    self.at += 1;
                    self.stand = if is_there { Stand::Value(*inner) } else { Stand::Null };
                    if !is_there {
                        return Ok(Found::Null);
                    }
                    *inner
                }
                Node::Union(union) if union.tag == Tagging::Within => {
                    let (index, end) = self.variant_index(union)?;
                    let (.., content) = union.variants[index];
                    self.at = end;
                    self.stand = Stand::Value(content);
                    content
                }
                Node::Any => return self.tagged(),
                node => return Ok(Found::Node(node)),
            };
        }
    }

    /// Reads the kind of an `any` value.
    fn tagged(&mut self) -> Result<Found<'s>> {
        let tag = self.byte("the kind of a value")?;
        let Some(node) = TAGS.get(usize::from(tag)) else {
            return Err(self.unexpected(self.at, "a kind from 0 to 14", tag.to_string()));
        };
        self.at += 1;
        Ok(if matches!(node, Node::Null) { Found::Null } else { Found::Node(node) })
    }

    /// Returns the kind for readers without a shape.
    pub(super) fn kind_of(&self, found: &Found<'_>) -> Result<Kind> {
        match found {
            Found::Null => Ok(Kind::Null),
            Found::Key(_) => Ok(Kind::Text),
            Found::Node(Node::Union(union)) if union.tag == Tagging::Key => {
                let (index, _) = self.variant_index(union)?;
                let (.., content) = union.variants[index];
                let empty = matches!(self.known()?.node(content), Node::Null);
                Ok(if empty { Kind::Text } else { Kind::Map })
            }
            Found::Node(node) => Ok(node.kind().unwrap_or(Kind::Map)),
        }
    }

    /// Returns the key of a field of the innermost record.
    pub(super) fn key(&self, field: u32) -> Result<&'s str> {
        let record = self.top().and_then(|frame| self.schema?.record(frame.node));
        record.and_then(|record| record.fields.get(field as usize)).map(|field| &*field.key).ok_or_else(astray)
    }

    /// Reads the index of a variant. Returns it and its end.
    pub(super) fn variant_index(&self, union: &super::super::schema::UnionNode) -> Result<(usize, usize)> {
        let (index, end) = self.varint()?;
        match usize::try_from(index) {
            Ok(index) if index < union.variants.len() => Ok((index, end)),
            _ => {
                let (expected, found) = (union.names(), format!("variant {index}"));
                Err(Error::mismatch(ErrorKind::Constraint, expected, found).at(self.position_of(self.at)))
            }
        }
    }
}
