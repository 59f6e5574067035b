//! Runs: scalars next to each other, which one call reads or writes.
//!
//! A source or a sink behind a pointer costs a call for each step. A run takes many steps in one call, and the methods
//! that do so have bodies in the traits: compiled for each source and each sink, they take the steps without calls.

use crate::{Kind, Result, Sink, Source, Text};

/// A scalar of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Basic<'v> {
    /// Null.
    Null,
    /// A bool.
    Bool(bool),
    /// An integer that fits `i64`.
    I64(i64),
    /// A binary64 number.
    Float(f64),
    /// Text, which lives as long as the input.
    Text(&'v str),
}

/// The kind that a caller asks for in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Its kind. Only a bool, an int, a float and text are part of a run.
    pub kind: Kind,
    /// Whether null is accepted, too.
    pub null: bool,
}

/// Where a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nowhere: the caller's memory is full.
    More,
    /// Before a value that is not part of the run: that of this field, or the item with this index in the run.
    Value(usize),
    /// At the end of the record or the list, which the source has left.
    End,
}

impl Wanted {
    /// Nothing that a run has.
    pub const NOTHING: Self = Self { kind: Kind::Map, null: false };

    /// Whether a run has such values.
    #[inline]
    pub fn is_basic(self) -> bool {
        matches!(self.kind, Kind::Bool | Kind::Int | Kind::Float | Kind::Text)
    }
}

impl<'v> Basic<'v> {
    /// Reads the next value, if it is one of a run. Otherwise the source stands before it.
    #[inline(always)]
    pub(crate) fn read<S: Source<'v> + ?Sized>(source: &mut S, wanted: Wanted) -> Option<Self> {
        if !wanted.is_basic() {
            return None;
        }
        let mark = source.mark();
        if let Ok(Some(value)) = Self::try_read(source, wanted) {
            return Some(value);
        }
        // The caller reads it by itself, and gets the error if there is one.
        source.reset(mark);
        None
    }

    #[inline(always)]
    fn try_read<S: Source<'v> + ?Sized>(source: &mut S, wanted: Wanted) -> Result<Option<Self>> {
        if wanted.null && source.null()? {
            return Ok(Some(Self::Null));
        }
        Ok(match wanted.kind {
            Kind::Int => source.try_i64()?.map(Self::I64),
            Kind::Float => Some(Self::Float(source.float()?)),
            Kind::Bool => Some(Self::Bool(source.bool()?)),
            _ => match source.text()? {
                Text::Input(text) => Some(Self::Text(text)),
                // It lives until the next call only.
                Text::Scratch(_) => None,
            },
        })
    }

    /// Writes it.
    #[inline(always)]
    pub(crate) fn write<K: Sink + ?Sized>(self, sink: &mut K) -> Result<()> {
        match self {
            Self::Null => sink.null(),
            Self::Bool(value) => sink.bool(value),
            Self::I64(value) => sink.i64(value),
            Self::Float(value) => sink.float(value),
            Self::Text(value) => sink.text(value),
        }
    }
}

#[cfg(test)]
mod tests;
