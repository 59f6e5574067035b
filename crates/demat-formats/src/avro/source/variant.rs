//! Unions: finds the reader's variant for what was written, by the name of its record or by its kind.

use super::super::schema::{CONTENT, Node, RecordNode, Schema};
use super::fault::astray;
use super::frame::{Frame, Within};
use super::{AvroSource, Found};
use demat_core::{Error, ErrorKind, Kind, Result, Shape, Source, Tag, Union};

/// How the content of a variant was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As the value itself.
    Direct,
    /// As the only field of a record, or as a record without fields.
    Wrapped,
}

impl AvroSource<'_, '_> {
    /// Finds the reader's variant, and steps to its content.
    pub(super) fn choose_variant(&mut self, union: &Union) -> Result<usize> {
        let Found::Node(node) = self.found()? else { return Err(self.mismatch("union")) };
        let stand = self.stand;
        let found = match node {
            Node::Record(record) => {
                let schema = &self.header()?.schema;
                of_record(schema, schema.record(record).ok_or_else(astray)?, union)
            }
            node => of_kind(node, union).map(|index| (index, Form::Direct)),
        };
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
        let mark = self.mark();
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

/// Returns the variant for a record.
fn of_record(schema: &Schema, own: &RecordNode, union: &Union) -> Option<(usize, Form)> {
    let variants = union.variants();
    let tagged = matches!(union.tag(), Tag::Key | Tag::Pair(_));
    let is_wrapper = own.fields.is_empty() || matches!(&*own.fields, [field] if field.key == CONTENT);
    if tagged && is_wrapper {
        let wrapped = variants.iter().position(|variant| {
            let has_content = *variant.shape() != Shape::Null;
            !matches!(variant.shape(), Shape::Record(_))
                && is_same(variant.name(), &own.name)
                && has_content != own.fields.is_empty()
        });
        if let Some(index) = wrapped {
            return Some((index, Form::Wrapped));
        }
    }
    let named = variants.iter().position(|variant| match variant.shape().inner() {
        Shape::Record(record) => is_same(record.get().name(), &own.name),
        _ => false,
    });
    let holds_map = |index: &usize| variants[*index].shape().accepts(Kind::Map);
    // A field of one symbol is a tag.
    let by_tag = || {
        let symbols = own.fields.iter().filter_map(|field| match schema.node(field.node) {
            Node::Enum(names) => schema.names(names).filter(|names| names.len() == 1).map(|names| names.name_at(0)),
            _ => None,
        });
        symbols.filter_map(|symbol| union.index_of(symbol)).find(holds_map)
    };
    let by_name = || variants.iter().position(|variant| is_same(variant.name(), &own.name)).filter(holds_map);
    let only = || {
        // A name says nothing if there is one variant that it can be.
        let mut fitting = (0..variants.len()).filter(holds_map);
        let first = fitting.next().filter(|_| fitting.next().is_none());
        first.filter(|_| !tagged && !matches!(union.tag(), Tag::Field(_)))
    };
    named.or_else(by_tag).or_else(by_name).or_else(only).map(|index| (index, Form::Direct))
}

/// Returns the variant for a value that is no record: the first of its kind, or the first that accepts it.
fn of_kind(node: Node, union: &Union) -> Option<usize> {
    if matches!(union.tag(), Tag::Field(_)) {
        return None;
    }
    let variants = union.variants();
    let kind = node.kind()?;
    if kind == Kind::Null {
        return variants.iter().position(|variant| variant.shape().allows_null());
    }
    let is_exact = |shape: &Shape| match (shape.inner(), node) {
        (Shape::Enum(_), Node::Enum(_)) => true,
        (Shape::Text, Node::Text(_)) | (Shape::Map(..), Node::Map(_)) | (Shape::Float(_), _) => {
            matches!(kind, Kind::Float | Kind::Text | Kind::Map)
        }
        (Shape::Enum(_), _) => false,
        (shape, _) => shape.name() == kind.name(),
    };
    let exact = variants.iter().position(|variant| is_exact(variant.shape()));
    exact.or_else(|| variants.iter().position(|variant| variant.shape().accepts(kind)))
}

/// Whether a variant has the name of a record. Cases and other characters than letters and digits may differ, since Avro
/// allows no others, and hosts name variants after classes or fields. A number may follow, which made the name unique.
fn is_same(name: &str, own: &str) -> bool {
    let letters =
        |name: &str| name.bytes().filter(u8::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect();
    let same = |own: &str| {
        let (one, other): (Vec<u8>, Vec<u8>) = (letters(name), letters(own));
        one == other
    };
    let base = own.rsplit_once('_').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    !name.is_empty() && (name == own || same(own) || base.is_some_and(|(base, _)| same(base)))
}
