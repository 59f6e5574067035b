//! The fast path: decodes and encodes types with common fields directly, as [`direct`](crate::direct) describes.
//!
//! [`ProtoSource`](super::ProtoSource) and [`ProtoSink`](super::ProtoSink) support all of the format. Here each field
//! comes once, or in one run, and is a scalar, a text, bytes, an enum, a message, or a list of these.

mod field;
mod list;
mod run;
mod sink;
mod source;
mod usual;

pub(super) use sink::DirectSink;
pub(super) use source::DirectSource;
