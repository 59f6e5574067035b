//! Protocol Buffers: the wire format of proto2, proto3 and the editions.
//!
//! [`ProtoSource`] reads messages and [`ProtoSink`] writes them; [`decode`] and [`encode`] convert a value in one call.
//! A record is a message with the same field numbers. A list of records is a stream of length-prefixed messages.
//!
//! | shape | type in a `.proto` file |
//! |---|---|
//! | `bool`, `float`, `float32`, `text`, `bytes` | `bool`, `double`, `float`, `string`, `bytes` |
//! | `int` of up to 32 bits, `uint` of those | `int32`, `uint32` |
//! | other `int`, `uint` | `int64`, `uint64` |
//! | a field with the note `proto:sint32`, `proto:fixed64`, … | that type |
//! | `instant`, `duration` | `google.protobuf.Timestamp`, `google.protobuf.Duration` |
//! | `decimal`, `date`, `time`, `datetime`, `uuid` | `string`; with `proto:bytes` a UUID is `bytes` |
//! | a `text` with `proto:ipv4` | `fixed32`: an IPv4 address |
//! | a `text` with `proto:ip`, `proto:ip_port` | `bytes`: the 4 or 16 bytes of an IP address, and 2 of a port |
//! | `T?` | `optional`: null is an absent field |
//! | `[T]` | `repeated`, numbers packed unless noted `proto:expanded` |
//! | `map(K, V)` | `map<K, V>` |
//! | a record | a message; with `proto:group` a group |
//! | an enum | an enum of its numbers |
//! | a union | a message with a `oneof` of the variants; with `proto:oneof` a `oneof` of the record's own fields |
//! | `any` | `google.protobuf.Value` |
//!
//! A required field that is absent is read as zero, as in proto3, unless it has the note `proto:required`; a zero is
//! not written. A field with a default other than zero is always written. A list in a list, and null in a list, have no
//! encoding and are refused. An empty list equals an absent one.

pub(crate) mod address;
mod border;
mod codec;
mod direct;
mod format;
mod layout;
pub(crate) mod notes;
mod options;
mod pick;
pub mod raw;
mod sink;
mod source;
mod tag;
#[cfg(test)]
mod tests;
pub(crate) mod varint;

pub use codec::{ABOUT, ProtoCodec};
pub use format::Proto;
pub(crate) use layout::is_null_if_absent;
pub use layout::{Cardinality, Form, Presence, RecordLayout, UnionLayout, Wire, oneof};
pub use options::ReadOptions;
pub use sink::ProtoSink;
pub(crate) use sink::no_offset;
pub use source::ProtoSource;
pub(crate) use varint::varint_word;
pub use varint::{read_varint, write_varint};

use crate::direct::GivenUp;
use crate::small_stack::SmallStack;
use crate::{Keep, Output};
use demat_core::{Decode, Encode, Result, Sink, Source};
use direct::{DirectSink, DirectSource};

/// Decodes a message, or a list of length-prefixed messages.
///
/// # Errors
/// If the bytes are no valid message, or do not fit the type.
pub fn decode<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    static GIVEN_UP: GivenUp = GivenUp::new();
    match crate::direct::decode(DirectSource::new(bytes, &mut SmallStack::new()), &GIVEN_UP) {
        Some(value) => Ok(value),
        None => decode_carefully(bytes),
    }
}

#[inline(never)]
fn decode_carefully<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
    let mut source = ProtoSource::new(bytes);
    let value = T::decode(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a record as a message, or a list of records as length-prefixed messages.
///
/// # Errors
/// If the value has no encoding: null in a list, a list in a list, a number out of the field's range.
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    encode_into(value, &mut out)?;
    Ok(out)
}

/// Encodes into a buffer. Replaces its content and reuses its memory.
///
/// # Errors
/// As [`encode`].
pub fn encode_into<T: Encode + ?Sized>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
    static GIVEN_UP: GivenUp = GivenUp::new();
    buffer.clear();
    if crate::direct::encode(value, DirectSink::new(buffer, &mut SmallStack::new()), &GIVEN_UP) {
        return Ok(());
    }
    encode_carefully(value, buffer)
}

#[inline(never)]
fn encode_carefully<T: Encode + ?Sized>(value: &T, buffer: &mut Vec<u8>) -> Result<()> {
    let mut sink = ProtoSink::new(Output::new(core::mem::take(buffer), Keep));
    let told = value.encode(&mut sink).and_then(|()| sink.finish());
    *buffer = sink.into_output().into_parts().0;
    told
}
