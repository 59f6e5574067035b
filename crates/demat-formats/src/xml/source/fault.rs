//! Errors about values.

use super::XmlSource;
use super::slot::Slot;
use demat_core::{Error, Kind, excerpt};

impl XmlSource<'_> {
    /// The error for a value of another kind than the requested one.
    #[cold]
    pub(super) fn other_kind(&mut self, expected: &'static str) -> Error {
        let _ = self.see();
        let found = match self.slot {
            Slot::Nothing | Slot::After => "nothing",
            _ => match self.kind() {
                Ok(Kind::Map) => "an element with others in it, or with attributes",
                Ok(kind) => kind.name(),
                Err(error) => return error,
            },
        };
        let error = Error::expected(expected, found).at(self.position_at(self.start));
        match excerpt::of(self) {
            Ok(shown) => error.showing(shown),
            Err(signal) => signal,
        }
    }

    /// The error for a text that does not parse as the requested type.
    #[cold]
    pub(super) fn other_text(&self, expected: &'static str, text: &str) -> Error {
        let found = if text.is_empty() { "no text".to_owned() } else { excerpt::name(text) };
        Error::expected(expected, found).at(self.position_at(self.start))
    }
}
