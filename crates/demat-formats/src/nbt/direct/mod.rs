//! The fast path, as [`direct`](crate::direct) describes: values of constant shapes in Java's variant, nested up to
//! [`DEPTH`] deep.
//!
//! A tag stands before its value, and before the name of it. So the sink writes the tag that follows from the shape, and
//! gives up at a value of another tag. It leaves shapes with values of several tags to the general sink: unions, tuples,
//! ints without a width, `any`.

mod shapes;
mod sink;
mod source;

pub(super) use sink::DirectSink;
pub(super) use source::DirectSource;

/// The maximum nesting depth.
const DEPTH: usize = 64;
