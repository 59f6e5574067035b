//! The choice of records by what they hold.

use crate::codec::Scalar;
use demat_core::{Copier, Record, Result, Shape, Sink, Source};

#[cfg(test)]
mod tests;

/// A sink that decides about the record that was written last. The record has the fields only that the decision needs.
pub trait Decide: Sink + Send {
    /// Whether the condition holds for it.
    fn holds(&self) -> bool;

    /// Whether the condition holds for a record with these values, one for each of its fields.
    ///
    /// The default writes the record. An override gives the same answer.
    ///
    /// # Errors
    /// The errors of the sink.
    fn holds_for(&mut self, record: &Record, values: &[Scalar<'_>]) -> Result<bool> {
        self.holds_by_record(record, values)
    }

    /// As [`holds_for`](Self::holds_for), by writing the record: the slow twin.
    ///
    /// # Errors
    /// The errors of the sink.
    fn holds_by_record(&mut self, record: &Record, values: &[Scalar<'_>]) -> Result<bool> {
        self.begin_record(record)?;
        for (index, value) in values.iter().enumerate() {
            value.tell(record, index, self)?;
        }
        self.end_record(record)?;
        Ok(self.holds())
    }
}

/// Chooses the records of a copy: items of the outermost list that a condition holds for.
///
/// It reads the fields that the condition needs, then the driver goes back to the start of the record and copies it, or
/// passes it. So nothing of a record is held, and a record that is passed is read once.
pub struct Choice<'d> {
    copier: Copier,
    decide: &'d mut dyn Decide,
}

impl<'d> Choice<'d> {
    /// Chooses by a sink, which gets each record in this shape: the fields that it needs.
    pub fn new(shape: Shape, decide: &'d mut dyn Decide) -> Self {
        Self { copier: Copier::new(shape), decide }
    }

    /// Reads the value that the source is at. Returns whether to copy it.
    ///
    /// # Errors
    /// As [`demat_core::copy`].
    pub(super) fn holds<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        self.copier.begin_again(source);
        self.decide.rollback()?;
        self.copier.run_all(source, &mut *self.decide)?;
        Ok(self.decide.holds())
    }
}

impl core::fmt::Debug for Choice<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Choice").field("copier", &self.copier).finish_non_exhaustive()
    }
}
