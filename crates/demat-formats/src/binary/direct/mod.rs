//! The fast path of MessagePack and CBOR, as [`direct`](crate::direct) describes: records, lists and maps with counts,
//! nested up to [`DEPTH`] deep.

mod heads;
mod sink;
mod source;

pub(crate) use heads::Heads;
pub(crate) use sink::DirectSink;
pub(crate) use source::DirectSource;

/// The maximum nesting depth.
const DEPTH: usize = 64;
