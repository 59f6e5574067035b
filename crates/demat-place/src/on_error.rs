//! The treatment of refused records.

use crate::{RejectedRecord, Rejects};
use demat_core::{Error, Result};
use demat_formats::stream;

/// The treatment of a refused record: an item of the outermost list that does not fit its shape, violates a rule, or
/// can't be written in the target's format; an invalid line of NDJSON or row of a table.
///
/// Some errors always end the copy: invalid JSON, since the start of the next record is unknown; an unclosed quote in a
/// table; errors of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OnError {
    /// The first one ends the copy, and the target does not appear.
    #[default]
    Stop,
    /// Refused records are left out; the others are written.
    Skip,
    /// The copy continues, to report every refused record. If there is one, the target does not appear.
    All,
}

/// A callback for each record that is left out: its error, and its bytes in the source.
pub(crate) type OnReject<'j> = Box<dyn FnMut(&Error, &[u8]) + 'j>;

/// Handles the errors of one copy.
pub(crate) struct Judge<'j> {
    pub(crate) policy: OnError,
    pub(crate) place: String,
    pub(crate) rejects: Option<Rejects>,
    pub(crate) told: Option<OnReject<'j>>,
    /// The number of records that were left out.
    pub(crate) rejected: u64,
    /// Adds an explanation to errors about the shape.
    pub(crate) explain: Box<dyn Fn(Error) -> Error + 'j>,
}

impl stream::OnError for Judge<'_> {
    fn goes_on(&mut self, _: &Error) -> bool {
        self.policy != OnError::Stop
    }

    fn holds(&self) -> bool {
        self.policy != OnError::Stop
    }

    fn reject(&mut self, error: Error, bytes: &[u8]) -> Result<()> {
        let error = (self.explain)(error).in_place(&self.place);
        self.rejected += 1;
        if let Some(rejects) = &mut self.rejects {
            rejects.write(&RejectedRecord::of(&error, bytes))?;
        }
        if let Some(told) = &mut self.told {
            told(&error, bytes);
        }
        Ok(())
    }
}
