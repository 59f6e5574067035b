//! Errors of reading.

use super::super::head::NoHead;
use super::CborSource;
use demat_core::{Error, ErrorKind};

impl CborSource<'_> {
    #[cold]
    pub(super) fn no_head(&self, at: usize, fault: NoHead) -> Error {
        let found = match fault {
            NoHead::End => return self.input.ended("a value"),
            NoHead::Break => "a break".to_string(),
            NoHead::Reserved(byte) => format!("byte 0x{byte:02x}"),
            NoHead::WideSimple(value) => format!("simple value {value} in two bytes"),
        };
        self.input.unexpected(at, "a value", found)
    }

    /// Returns the error for a tag that refers to another value of the document.
    #[cold]
    pub(super) fn reference(&self, at: usize, number: u64) -> Error {
        let found = format!("tag {number}, which refers to another value");
        Error::mismatch(ErrorKind::Type, "a value", found).at(self.input.position_of(at))
    }

    #[cold]
    pub(super) fn unknown_tag(&self, at: usize, number: u64) -> Error {
        let found = format!("tag {number}");
        Error::mismatch(ErrorKind::Constraint, "a tag that Demat has a kind for", found).at(self.input.position_of(at))
    }

    /// Returns the error for the content of a tag at `at` that does not fit the tag.
    #[cold]
    pub(super) fn bad_content(&self, at: usize, expected: &'static str) -> Error {
        Error::mismatch(ErrorKind::Constraint, expected, "other content").at(self.input.position_of(at))
    }

    #[cold]
    pub(super) fn too_large(&self, at: usize, what: &str, limit: impl core::fmt::Display) -> Error {
        Error::limit(what, limit).at(self.input.position_of(at))
    }
}
