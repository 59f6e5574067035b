//! The error for a format whose names are not free.

use super::Format;
use core::fmt;

/// A format could not be added: another one has its name, one of its suffixes or one of its media types.
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
