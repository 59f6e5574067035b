//! The error for a format whose names are in use.

use super::Format;
use core::fmt;

/// The error when a format can't be added: another format has its name, one of its suffixes or one of its media types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenName {
    name: &'static str,
    format: Format,
}

impl TakenName {
    pub(super) fn new(name: &'static str, format: Format) -> Self {
        Self { name, format }
    }
}

impl fmt::Display for TakenName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is taken by the format `{}`", self.name, self.format)
    }
}

impl std::error::Error for TakenName {}
