//! Validation of oneof members that a later member overrides. The source makes no value of them, but still refuses
//! invalid ones.

use super::ProtoSource;
use super::field::find_oneof;
use crate::proto::layout::{Cardinality, Form, RecordLayout, UnionLayout, Wire};
use crate::proto::tag::WireType;
use crate::text::utf8;
use demat_core::{Error, Result, Shape, UnionRef};

/// A message to check: start, end, shape, and nesting depth.
type Open = (usize, usize, Shape, usize);

impl ProtoSource<'_> {
    /// Checks an overridden value whose tag was just read, and returns the offset of its end. Like Google's parsers, it
    /// checks lengths, tags and the UTF-8 of text at any depth. Required fields may be missing.
    #[cold]
    pub(super) fn pass_overruled(
        &self,
        at: usize,
        wire: WireType,
        number: u32,
        end: usize,
        (own, shape): (Wire, &Shape),
    ) -> Result<usize> {
        let next = self.pass(at, wire, number, end)?;
        let mut open = Vec::new();
        self.check(at, wire, number, end, shape, own, self.frames.len(), &mut open)?;
        self.check_all(open)?;
        Ok(next)
    }

    /// Checks the content of an overridden message.
    #[cold]
    pub(super) fn check_piece(&self, begin: usize, close: usize, shape: &Shape) -> Result<()> {
        self.check_all(vec![(begin, close, shape.inner().clone(), self.frames.len() + 1)])
    }

    /// Checks an overridden text.
    #[cold]
    pub(super) fn check_text(&self, at: usize, end: usize) -> Result<()> {
        let (begin, close) = self.content_at(at, end)?;
        match utf8(&self.bytes[begin..close]) {
            Some(_) => Ok(()),
            None => Err(Error::expected("UTF-8", "other bytes").at(self.position_of(begin))),
        }
    }

    fn check_all(&self, mut open: Vec<Open>) -> Result<()> {
        while let Some((mut at, end, shape, depth)) = open.pop() {
            if depth > self.options.depth as usize {
                return Err(self.too_deep());
            }
            while at < end {
                let (number, wire, begin) = self.tag_at(at, end)?;
                at = self.pass(begin, wire, number, end)?;
                if let Some((own, inner)) = part(&shape, number) {
                    self.check(begin, wire, number, end, &inner, own, depth, &mut open)?;
                }
            }
        }
        Ok(())
    }

    /// Checks a single value; puts a message or a map on the list of those to check. A value with a different wire type
    /// belongs to no known field, and is skipped.
    #[allow(clippy::too_many_arguments)] // position, and type
    fn check(
        &self,
        at: usize,
        wire: WireType,
        number: u32,
        end: usize,
        shape: &Shape,
        own: Wire,
        depth: usize,
        open: &mut Vec<Open>,
    ) -> Result<()> {
        let shape = shape.inner();
        if own.cardinality == Cardinality::Map {
            if let (WireType::Len, Shape::Map(..)) = (wire, shape) {
                let (begin, close) = self.content_at(at, end)?;
                open.push((begin, close, shape.clone(), depth + 1));
            }
            return Ok(());
        }
        let packed = own.cardinality == Cardinality::List && wire == WireType::Len && own.form.reads_packed();
        if packed {
            let (mut at, close) = self.content_at(at, end)?;
            while at < close {
                at = self.pass(at, WireType::of_form(own.form), number, close)?;
            }
            return Ok(());
        }
        if wire != WireType::of_form(own.form) {
            return Ok(());
        }
        match own.form {
            Form::Text => self.check_text(at, end)?,
            form if form.is_message() => {
                let (begin, close) = self.piece_at(at, wire, number, end)?;
                let inner = match shape {
                    Shape::List(item) => item.inner(),
                    other => other,
                };
                open.push((begin, close, inner.clone(), depth + 1));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the wire format and the shape of a field number: in a record, a union or a map's entry. `None` if it is
/// unknown.
fn part(shape: &Shape, number: u32) -> Option<(Wire, Shape)> {
    let variant = |union: &UnionRef| {
        let union = union.get();
        let found = union.variants().iter().position(|variant| variant.number() == number)?;
        Some((UnionLayout::of(&union).wire(found), union.variants()[found].shape().clone()))
    };
    match shape {
        Shape::Record(record) => {
            let record = record.get();
            let layout = RecordLayout::of(&record);
            if let Some(index) = record.index_of_number(number) {
                return Some((layout.wire(index), record.fields()[index].shape().clone()));
            }
            find_oneof(&record, layout, number).map(|(_, own, shape)| (own, shape))
        }
        Shape::Union(union) => variant(union),
        Shape::Map(key, _) if number == 1 => Some((Wire::of(key), (**key).clone())),
        Shape::Map(_, value) if number == 2 => Some((Wire::of(value), (**value).clone())),
        _ => None,
    }
}
