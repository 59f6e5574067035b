//! Errors about values.

use super::XmlSource;
use super::slot::Slot;
use demat_core::{Error, Kind};

/// The number of characters of a text that an error shows.
const SHOWN: usize = 40;

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
        Error::expected(expected, found).at(self.position_at(self.start))
    }

    /// The error for a text that does not parse as the requested type.
    #[cold]
    pub(super) fn other_text(&self, expected: &'static str, text: &str) -> Error {
        let found = if text.is_empty() {
            "no text".to_owned()
        } else if text.chars().nth(SHOWN).is_some() {
            format!("`{}…`", text.chars().take(SHOWN).collect::<String>())
        } else {
            format!("`{text}`")
        };
        Error::expected(expected, found).at(self.position_at(self.start))
    }
}
