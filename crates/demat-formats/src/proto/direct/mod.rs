//! Types of usual fields, straight from bytes and into them.
//!
//! [`ProtoSource`](super::ProtoSource) and [`ProtoSink`](super::ProtoSink) do all that the format allows, and keep what they need
//! for it. Most messages need none of that: each field comes once, or in one run, and is a scalar, a text, bytes, an enum, a
//! message, or a list of these. The source and the sink here know nothing else, so that what is left of them where a type is
//! known, when the program is built, is little more than the bytes themselves. Whatever is not so they give up, also all that is
//! wrong, and then the others do it again from the beginning and say what is wrong.

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

/// The error that nobody sees: whoever gets it does it again with care.
#[cold]
#[inline(never)]
fn give_up<T>() -> Result<T> {
    Err(Error::signalled(Signal::Incomplete))
}
