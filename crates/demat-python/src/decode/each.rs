//! Decodes the values of a stream one by one.

use super::Engine;
use crate::error::Failure;
use crate::object::Object;
use crate::plan::Node;
use demat_core::{Error, Signal, Source};

/// The reason why there is no value.
pub(crate) enum Stopped {
    /// The value is longer than the window: more input is needed.
    Incomplete,
    /// The value is invalid.
    Failed(Failure),
}

impl<'a, S: Source<'a>, const ALL: bool> Engine<'_, 'a, S, ALL> {
    /// Decodes the next value of the program's root type. Fills `again`, an instance without values, if there is one.
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

    /// Skips the next value and returns to its start, so that all of its input is in the window. Decoding it then never
    /// restarts, and hooks run only once.
    pub(crate) fn look_ahead(&mut self) -> Result<(), Stopped> {
        let mark = self.source.mark();
        match self.source.skip() {
            Err(error) if error.signal() == Some(Signal::Incomplete) => Err(Stopped::Incomplete),
            // Other errors are reported when the value is decoded.
            _ => {
                self.source.reset(mark);
                Ok(())
            }
        }
    }

    /// Converts an error to the reason why decoding stopped.
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
