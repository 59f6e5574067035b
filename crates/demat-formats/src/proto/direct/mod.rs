//! The fast path: decodes and encodes types with common fields directly.
//!
//! [`ProtoSource`](super::ProtoSource) and [`ProtoSink`](super::ProtoSink) support all of the format, and keep the
//! state for it. Most messages do not need that: each field comes once, or in one run, and is a scalar, a text, bytes,
//! an enum, a message, or a list of these. The source and the sink here support only that. For a type that is known at
//! compile time, little more than the copying of bytes is left of them. At anything else, errors included, they give
//! up. Then the general source or sink starts again from the beginning and reports any error.

mod field;
mod given_up;
mod list;
mod run;
mod sink;
mod source;
mod usual;

pub(super) use given_up::GivenUp;
pub(super) use sink::DirectSink;
pub(super) use source::DirectSource;

use demat_core::{Error, Result, Signal};

/// Returns the error that makes the caller fall back to the general path. Users never see it.
#[cold]
#[inline(never)]
fn give_up<T>() -> Result<T> {
    Err(Error::signalled(Signal::Incomplete))
}
