//! The properties of standard error.

use crate::choice::When;
use std::io::{self, IsTerminal};

/// What to show on standard error, and how.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // the flags are independent
pub(crate) struct Screen {
    /// Whether to show colours.
    pub(crate) colored: bool,
    /// Whether it is a terminal that supports animation.
    pub(crate) live: bool,
    /// Whether it is a terminal.
    pub(crate) terminal: bool,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
}

impl Screen {
    pub(crate) fn new(color: When, quiet: bool, verbose: bool) -> Self {
        let terminal = io::stderr().is_terminal();
        let live = terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colored = color.is_on(live && !plain);
        Self { colored, live, terminal, quiet, verbose }
    }

    /// The prefix of an error.
    pub(crate) fn error(self) -> String {
        self.painted("error:", "1;31")
    }

    /// The prefix of a hint.
    pub(crate) fn hint(self) -> String {
        self.painted("hint:", "1;36")
    }

    /// The prefix of a note.
    pub(crate) fn note(self) -> String {
        self.painted("note:", "1;36")
    }

    /// Returns text in a colour.
    pub(crate) fn painted(self, text: &str, color: &str) -> String {
        if self.colored { format!("\x1B[{color}m{text}\x1B[0m") } else { text.to_string() }
    }
}
