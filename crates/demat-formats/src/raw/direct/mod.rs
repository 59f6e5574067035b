//! The fast path, as [`direct`](crate::direct) describes: values of constant shapes, in the order of their shape.
//!
//! The type leads both ways, so source and sink only follow its shape. What they do not know is excluded beforehand
//! ([`fingerprint_of_usual`]): unions, tuples, `any`, options of options, maps of unknown fields.

mod shapes;
mod sink;
mod source;
mod usual;

pub(super) use sink::DirectSink;
pub(super) use source::DirectSource;
pub(super) use usual::fingerprint_of_usual;

/// The maximum nesting depth.
const DEPTH: usize = 64;
