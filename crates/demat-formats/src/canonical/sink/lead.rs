//! The output before a value: its key, or the separator of items.

use super::CanonicalSink;
use super::frame::Lead;
use demat_core::{Result, Sink};

impl<S: Sink> CanonicalSink<S> {
    /// Writes the pending key or separator before the next value.
    #[inline(always)]
    pub(super) fn lead(&mut self) -> Result<()> {
        match self.cursor.lead {
            Lead::None => Ok(()),
            Lead::Key(slot) => {
                self.cursor.lead = Lead::None;
                let slot = &self.mapping.slots[slot as usize];
                self.inner.key_with(&slot.key, &slot.token)
            }
            Lead::Item => {
                self.cursor.lead = Lead::None;
                self.inner.item()
            }
            Lead::Entry => {
                self.cursor.lead = Lead::None;
                self.inner.key(&self.cursor.text)
            }
        }
    }

    /// Keeps the key of a map entry that may still be left out.
    #[cold]
    pub(super) fn keep_key(&mut self, key: &dyn core::fmt::Display) {
        self.cursor.late_key = false;
        self.cursor.text = key.to_string();
        self.cursor.lead = Lead::Entry;
    }
}
