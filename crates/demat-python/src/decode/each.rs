//! One value of many, each for itself.

use super::Engine;
use crate::error::Failure;
use crate::object::Object;
use crate::plan::Node;
use demat_core::{Error, Signal, Source};

/// Why there is no value.
pub(crate) enum Stopped {
    /// The window ends in it.
    Incomplete,
    /// It is none.
    Failed(Failure),
}

impl<'a, S: Source<'a>, const ALL: bool> Engine<'_, 'a, S, ALL> {
    /// The next value, of the program's own type: in an instance that has no values, if there is one.
    #[inline(always)]
    pub(crate) fn each(&mut self, again: Option<Object>) -> Result<Object, Stopped> {
        let program = self.program;
        let done = match (again, &program.root) {
            (Some(object), Node::Record(index)) if !ALL => self.filled_again(&program.records[*index], object),
            _ => self.recovered(&program.root),
        };
        match done {
            Ok(value) if !ALL || self.errors.is_empty() => Ok(value),
            Ok(_) => Err(Stopped::Failed(self.failure())),
            Err(error) => Err(self.stopped(error)),
        }
    }

    /// Called for an empty list: lets the source check the record's fields, such as those of a CSV header.
    pub(crate) fn none_came(&mut self) -> Result<(), Stopped> {
        let program = self.program;
        self.no_items(&program.root).map_err(|error| self.stopped(error))
    }

    /// Passes over the next value and comes back, so that what it is decoded from is known to be there: what hooks do is
    /// done once.
    pub(crate) fn look_ahead(&mut self) -> Result<(), Stopped> {
        let mark = self.source.mark();
        match self.source.skip() {
            Err(error) if error.signal() == Some(Signal::Incomplete) => Err(Stopped::Incomplete),
            // What is wrong is told by who decodes it.
            _ => {
                self.source.reset(mark);
                Ok(())
            }
        }
    }

    /// What stopped it.
    #[cold]
    pub(crate) fn stopped(&mut self, error: Error) -> Stopped {
        if error.signal() == Some(Signal::Incomplete) {
            self.raised = None;
            return Stopped::Incomplete;
        }
        self.gather(error);
        Stopped::Failed(self.failure())
    }
}
