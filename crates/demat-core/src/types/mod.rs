//! How types of the standard library, and of other crates, are encoded and decoded.
//!
//! Each implementation stands beside the others of its crate. Those of other crates are features of this one.

mod boxed;
#[cfg(feature = "chrono")]
mod chrono;
mod collections;
#[cfg(feature = "jiff")]
mod jiff;
mod net;
mod non_zero;
mod path;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(test)]
mod tests;
mod time;
#[cfg(feature = "uuid")]
mod uuid;

use crate::scalar::Instant;
use crate::{Error, ErrorKind};

/// Returns the error for a value that Demat's kind of it does not have.
#[cold]
fn unencodable(what: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Encode, what)
}

/// Returns the error for a date and time without an offset, where a point of time is decoded.
#[cold]
fn no_offset(at: Instant) -> Error {
    Error::expected("an `instant` with an offset", format!("`{at}`, which has none"))
}
