//! Lines, names and brackets.

use super::TxtpbSink;
use super::slot::Slot;
use crate::Drain;
use demat_core::{Error, ErrorKind, Result};

/// The most spaces that are written at once.
const SPACES: &[u8; 64] = &[b' '; 64];

impl<D: Drain> TxtpbSink<D> {
    /// Begins a line, or follows what stands on the only one.
    fn line(&mut self) {
        let buffer = &mut self.output.buffer;
        if self.options.indent == 0 {
            if core::mem::replace(&mut self.state.begun, true) {
                buffer.push(b' ');
            }
            return;
        }
        let mut spaces = self.options.indent as usize * self.state.level as usize;
        while spaces > 0 {
            let some = spaces.min(SPACES.len());
            buffer.extend_from_slice(&SPACES[..some]);
            spaces -= some;
        }
    }

    fn end_line(&mut self) {
        if self.options.indent > 0 {
            self.output.buffer.push(b'\n');
        }
    }

    /// Writes a field's name and a scalar.
    pub(super) fn scalar(&mut self, name: &str, write: impl FnOnce(&mut Vec<u8>)) {
        self.line();
        self.output.buffer.extend_from_slice(name.as_bytes());
        self.output.buffer.extend_from_slice(b": ");
        write(&mut self.output.buffer);
        self.end_line();
    }

    /// Writes a field's name, and begins a message.
    pub(super) fn open(&mut self, name: &str) {
        self.line();
        self.output.buffer.extend_from_slice(name.as_bytes());
        self.output.buffer.extend_from_slice(b" {");
        self.state.level += 1;
        self.end_line();
    }

    /// Ends a message.
    pub(super) fn close(&mut self) {
        self.state.level = self.state.level.saturating_sub(1);
        self.line();
        self.output.buffer.push(b'}');
        self.end_line();
    }

    /// Refuses a name that has no form.
    pub(super) fn check_name(slot: &Slot) -> Result<()> {
        if slot.is_valid {
            return Ok(());
        }
        let found = format!("`{}`", slot.name.as_str());
        Err(Error::mismatch(ErrorKind::Encode, "an identifier as the name of a field", found))
    }
}
