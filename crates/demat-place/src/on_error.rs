//! What happens to records that are refused.

use crate::rejects::Rejects;
use demat_core::{Error, Result};
use demat_formats::stream;

/// What happens where a record is refused: an item of the outermost list that is not of its shape or breaks a rule, or
/// that can't be written in the target's format; a line of NDJSON or a row of a table that is broken.
///
/// What ends a copy always: broken JSON, since nobody can know where the next record begins; a quote in a table that is
/// never closed; what the system refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OnError {
    /// The first one ends the copy, and the target does not appear.
    #[default]
    Stop,
    /// Refused records are left out; the others are written.
    Skip,
    /// All is read, so that every refused record is told of. If there is one, the target does not appear.
    All,
}

/// What wants to know of each record that is left out: why, and its bytes as they stand in the place.
pub(crate) type OnReject<'j> = Box<dyn FnMut(&Error, &[u8]) + 'j>;

/// Judges the errors of one copy.
pub(crate) struct Judge<'j> {
    pub(crate) policy: OnError,
    pub(crate) place: String,
    pub(crate) rejects: Option<Rejects>,
    pub(crate) told: Option<OnReject<'j>>,
    /// How many records were left out.
    pub(crate) rejected: u64,
    /// What is said of errors that are about the shape.
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
            rejects.write(&error, bytes)?;
        }
        if let Some(told) = &mut self.told {
            told(&error, bytes);
        }
        Ok(())
    }
}
