//! The fast path of MessagePack and CBOR, as [`direct`](crate::direct) describes: records, lists and maps with counts,
//! nested up to [`DEPTH`] deep.

mod heads;
mod sink;
mod source;

pub(crate) use heads::Heads;
pub(crate) use sink::DirectSink;
pub(crate) use source::DirectSource;

use demat_core::Record;

/// The maximum nesting depth.
const DEPTH: usize = 64;

/// Whether only the general source and sink handle the record, such as one with notes.
#[inline(always)]
fn is_odd<H: Heads>(record: &Record) -> bool {
    record.has_notes() || H::is_odd(record)
}
