//! Members of a oneof that another member overrules: no value is made of them, and what is wrong in them is an error all the same.

use super::ProtoSource;
use crate::proto::tag::WireType;
use crate::proto::utf8::utf8;
use demat_core::{Class, Error, Form, Result, Shape, UnionRef, Wire};

/// A message that is still to be checked: where it begins and ends, its shape, and in how many others it stands.
type Open = (usize, usize, Shape, usize);

impl ProtoSource<'_> {
    /// Where the value ends whose tag was read, and which does not count. It is checked as far as Google's parsers check
    /// it: lengths, tags, and the UTF-8 of texts, at any depth. What a message requires may be missing.
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

    /// Checks the content of a message that does not count.
    #[cold]
    pub(super) fn check_piece(&self, begin: usize, close: usize, shape: &Shape) -> Result<()> {
        self.check_all(vec![(begin, close, shape.inner().clone(), self.frames.len() + 1)])
    }

    /// Checks a text that does not count.
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

    /// Checks a value that is no message, and puts one that is to those that are open. What comes with another wire type
    /// is no value of the field.
    #[allow(clippy::too_many_arguments)] // where it stands, and what it is
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
        if own.class == Class::Map {
            if let (WireType::Len, Shape::Map(..)) = (wire, shape) {
                let (begin, close) = self.content_at(at, end)?;
                open.push((begin, close, shape.clone(), depth + 1));
            }
            return Ok(());
        }
        let packed = own.class == Class::List && wire == WireType::Len && own.form.packable();
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

/// What stands under a number of a message: of a record, of a union, of an entry of a map; nothing is known of others.
fn part(shape: &Shape, number: u32) -> Option<(Wire, Shape)> {
    let variant = |union: &UnionRef| {
        let union = union.get();
        let found = union.variants().iter().find(|variant| variant.number() == number);
        found.map(|variant| (variant.wire(), variant.shape().clone()))
    };
    match shape {
        Shape::Record(record) => {
            let record = record.get();
            if let Some(index) = record.index_of_number(number) {
                let field = &record.fields()[index];
                return Some((field.wire(), field.shape().clone()));
            }
            let unions = record.fields().iter().filter(|field| field.wire().class == Class::Oneof);
            unions.map(|field| field.shape().inner()).find_map(|shape| match shape {
                Shape::Union(union) => variant(union),
                _ => None,
            })
        }
        Shape::Union(union) => variant(union),
        Shape::Map(key, _) if number == 1 => Some((Wire::of(key), (**key).clone())),
        Shape::Map(_, value) if number == 2 => Some((Wire::of(value), (**value).clone())),
        _ => None,
    }
}
