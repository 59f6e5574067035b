//! Decodes values of a document.

use super::visit::CopyOf;
use super::whole::Document;
use crate::collector::Paused;
use crate::decode::{self, DecodeMode, DecodeOptions};
use crate::error::Failure;
use crate::object::Object;
use crate::plan::{BytesKind, Node, Program};
use demat_core::{Mark, Source};
use demat_formats::lookup::{self, Spot, Visit};
use demat_formats::stream::{Base, Part};
use pyo3::prelude::*;
use std::sync::OnceLock;

/// Returns the program for a scalar that has a method of its own.
pub(super) fn scalar(wanted: Scalar) -> &'static Program {
    static PROGRAMS: [OnceLock<Program>; 5] = [const { OnceLock::new() }; 5];
    PROGRAMS[wanted as usize].get_or_init(|| {
        Program::of_scalar(match wanted {
            Scalar::Int => Node::Int,
            Scalar::Float => Node::Float,
            Scalar::Str => Node::Str,
            Scalar::Bool => Node::Bool,
            Scalar::Bytes => Node::Bytes(BytesKind::Bytes),
        })
    })
}

/// A scalar that has a method of its own.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scalar {
    Int,
    Float,
    Str,
    Bool,
    Bytes,
}

/// Decodes a value.
struct ValueAt<'e> {
    py: Python<'e>,
    spot: Spot,
    program: &'e Program,
    manner: &'e DecodeMode,
    heeds: bool,
}

impl Visit for ValueAt<'_> {
    type Output = Result<Object, Failure>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        self.spot.reach(&mut source)?;
        decode::part(self.py, source, self.program, self.manner, (self.spot.is_whole(), self.heeds))
    }
}

/// Reads the keys of a map.
struct KeysIn<'e> {
    py: Python<'e>,
    manner: &'e DecodeMode,
    heeds: bool,
}

impl Visit for KeysIn<'_> {
    type Output = Result<(Object, Vec<Mark>), Failure>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        source.map()?;
        decode::keys_of_map(self.py, source, self.manner, self.heeds)
    }
}

impl Document {
    /// Decodes a value according to a program.
    ///
    /// # Errors
    /// As `decode` has them, with the way to the value and the position in the document.
    pub(super) fn value(
        &self,
        py: Python<'_>,
        spot: Spot,
        program: &Program,
        options: &DecodeOptions,
    ) -> PyResult<Object> {
        let lent = self.lent()?;
        let mut manner = options.manner;
        manner.repeats = self.repeats;
        // Nothing that runs meanwhile may change the bytes: no signal handler, and no finalizer.
        let heeds = !self.is_writable();
        let _paused =
            if heeds { Paused::for_input(lent.len() - spot.start().min(lent.len())) } else { Some(Paused::new()) };
        if program.runs_code && self.is_writable() {
            return self.value_of_copy(py, spot, program, &manner);
        }
        let visitor = ValueAt { py, spot, program, manner: &manner, heeds };
        let decoded = lookup::open(self.format, &self.read, spot, &lent, visitor);
        let decoded = decoded.map_err(Failure::from).and_then(|decoded| decoded);
        decoded.map_err(|failure| self.exception(py, spot, spot.outer_start(), failure))
    }

    /// Decodes a copy of a value, as user code may write to the bytes meanwhile.
    fn value_of_copy(&self, py: Python<'_>, spot: Spot, program: &Program, manner: &DecodeMode) -> PyResult<Object> {
        if spot.is_in_table() {
            let bytes = self.lent()?.to_vec();
            let visitor = ValueAt { py, spot, program, manner, heeds: true };
            let decoded = lookup::open(self.format, &self.read, spot, &bytes, visitor);
            let decoded = decoded.map_err(Failure::from).and_then(|decoded| decoded);
            return decoded.map_err(|failure| self.exception(py, spot, 0, failure));
        }
        let from = spot.outer_start();
        let copied = self.at(spot, CopyOf(spot))?.and_then(|copied| copied);
        let (bytes, begin) = copied.map_err(|error| self.exception(py, spot, from, error.into()))?;
        let base = Base { offset: (from + begin) as u64, ..Base::default() };
        let part = Part { bytes: &bytes, last: true, base };
        let options = spot.options(self.format, &self.read);
        let visitor = ValueAt { py, spot: Spot::WHOLE, program, manner, heeds: true };
        let decoded = lookup::open_part(self.format, &options, part, visitor);
        let decoded = decoded.map_err(Failure::from).and_then(|decoded| decoded);
        decoded.map_err(|failure| self.exception(py, spot, from + begin, failure))
    }

    /// Reads the keys of a map: a dict of the keys and the numbers of their values, and the marks of all values.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub(super) fn keys(&self, py: Python<'_>, spot: Spot) -> PyResult<(Object, Vec<Mark>)> {
        let lent = self.lent()?;
        let mut manner = DecodeOptions::new(self.format).manner;
        manner.repeats = self.repeats;
        let _paused = Paused::new();
        let visitor = KeysIn { py, manner: &manner, heeds: !self.is_writable() };
        let read = lookup::open_inside(self.format, &self.read, spot, &lent, visitor);
        let read = read.map_err(Failure::from).and_then(|read| read);
        read.map_err(|failure| self.exception(py, spot, spot.inner_start(), failure))
    }
}
