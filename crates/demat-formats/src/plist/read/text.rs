//! A cursor over text.

use super::{Fault, unexpected};

/// A text and the cursor's offset.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Consumes these characters, if they are next.
    pub(super) fn take(&mut self, wanted: &str) -> bool {
        let is_next = self.rest().starts_with(wanted);
        if is_next {
            self.at += wanted.len();
        }
        is_next
    }

    /// Consumes a run of ASCII bytes, and returns them.
    pub(super) fn run(&mut self, of: impl Fn(u8) -> bool) -> &'t str {
        let rest = self.rest();
        let len = rest.bytes().position(|byte| !of(byte)).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    pub(super) fn blanks(&mut self) {
        self.run(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    }

    /// Consumes everything up to and including `end`. Returns what precedes `end`.
    pub(super) fn until(&mut self, end: &str, expected: &'static str) -> Result<&'t str, Fault> {
        let rest = self.rest();
        match memchr::memmem::find(rest.as_bytes(), end.as_bytes()) {
            Some(len) => {
                self.at += len + end.len();
                Ok(rest.get(..len).unwrap_or_default())
            }
            None => Err(unexpected(expected, "end of input", self.text.len())),
        }
    }

    /// Returns the error for the text at the cursor.
    #[cold]
    pub(super) fn wrong(&self, expected: &'static str) -> Fault {
        let found = self.rest().chars().next().map_or_else(|| "end of input".to_string(), |found| format!("`{found}`"));
        unexpected(expected, found, self.at)
    }
}
