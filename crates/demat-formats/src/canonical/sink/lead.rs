//! What stands in front of a value.

use super::CanonicalSink;
use super::frame::Lead;
use demat_core::{Result, Sink};

impl<S: Sink> CanonicalSink<S> {
    /// Writes what stands in front of the value that is told now.
    #[inline(always)]
    pub(super) fn lead(&mut self) -> Result<()> {
        match self.state.lead {
            Lead::None => Ok(()),
            Lead::Key(slot) => {
                self.state.lead = Lead::None;
                let slot = &self.mapping.slots[slot as usize];
                self.inner.key_with(&slot.key, &slot.token)
            }
            Lead::Item => {
                self.state.lead = Lead::None;
                self.inner.item()
            }
            Lead::Entry => {
                self.state.lead = Lead::None;
                self.inner.key(&self.state.text)
            }
        }
    }

    /// Keeps the key of an entry that may be left out.
    #[cold]
    pub(super) fn keep_key(&mut self, key: &dyn core::fmt::Display) {
        self.state.late_key = false;
        self.state.text = key.to_string();
        self.state.lead = Lead::Entry;
    }
}
