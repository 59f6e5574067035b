//! Unions: oneofs, `google.protobuf.Value`, and open enums, which are a name or a number.

use super::CanonicalSource;
use super::frame::{Frame, Next};
use crate::canonical::mapping::is_null;
use demat_core::excerpt;
use demat_core::{Enum, Error, ErrorKind, Kind, Result, Shape, Source, Union};

impl<'a, S: Source<'a>> CanonicalSource<'a, S> {
    pub(super) fn choose_variant(&mut self, union: &Union) -> Result<usize> {
        let next = core::mem::replace(&mut self.next, Next::Value);
        let index = match next {
            Next::Variant(variant) => variant as usize,
            Next::Kind => {
                let number = match self.inner.peek()? {
                    Kind::Null => 1,
                    Kind::Int | Kind::Float | Kind::Decimal => 2,
                    Kind::Bool => 4,
                    Kind::Map => 5,
                    Kind::List => 6,
                    _ => 3,
                };
                let index = union.variants().iter().position(|variant| variant.number() == number);
                index.ok_or_else(|| self.refused("a value", "one that the union does not have"))?
            }
            _ => self.name_or_number(union)?,
        };
        self.frames.push(Frame::Variant);
        Ok(index)
    }

    /// Chooses the variant of an open enum: a name or a number.
    fn name_or_number(&mut self, union: &Union) -> Result<usize> {
        let (names, number) = match union.variants() {
            [names, number] => (names.shape(), number.shape()),
            _ => (&Shape::Null, &Shape::Null),
        };
        let (Shape::Enum(names), Shape::Int(_)) = (names, number) else {
            let message = "canonical JSON has no form for a union that is neither a `oneof` nor an enum";
            return Err(Error::new(ErrorKind::Constraint, message).at(self.inner.position()));
        };
        Ok(match self.inner.peek()? {
            Kind::Text => 0,
            Kind::Null if is_null(names) => 0,
            _ => 1,
        })
    }

    pub(super) fn read_variant(&mut self, names: &Enum) -> Result<usize> {
        self.holds_null = false;
        let refused = |found: String| Error::mismatch(ErrorKind::Constraint, names.names(), found);
        match self.inner.peek()? {
            Kind::Text => {
                let text = self.inner.text()?;
                let index = names.index_of(&text).ok_or_else(|| refused(excerpt::name(&text)));
                index.map_err(|error| error.at(self.inner.position()))
            }
            Kind::Null if is_null(names) => self.inner.null().map(|_| 0),
            _ => {
                let number = self.i64()?;
                let index = names.index_of_number(number).ok_or_else(|| refused(format!("the number {number}")));
                index.map_err(|error| error.at(self.inner.position()))
            }
        }
    }
}
