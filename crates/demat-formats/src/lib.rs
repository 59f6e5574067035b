//! Demat's codecs: JSON, NDJSON, CSV, Protocol Buffers, MessagePack and CBOR as sources and sinks.
//!
//! [`Format`] lists all formats, including those that other crates read and write.
//!
//! Below the codecs there are two layers of primitives, usable on their own: [`scan`] finds the next relevant byte,
//! many bytes at a time, and [`text`] converts numbers and escaped strings to values and back.

#![deny(unsafe_code)]

pub mod avro;
mod beyond_utc;
mod binary;
pub mod canonical;
pub mod cbor;
pub mod codec;
mod compression;
pub mod csv;
mod direct;
mod format;
pub mod json;
mod keyed_hash;
pub mod lookup;
pub mod msgpack;
pub mod nbt;
pub mod ndjson;
mod output;
pub mod plist;
pub mod proto;
pub mod raw;
pub mod region;
mod rewrite;
mod scalar_writer;
pub mod scan;
mod small_stack;
pub mod snbt;
mod splice;
pub mod stream;
pub mod text;
pub mod toml;
pub mod txtpb;
pub mod whole;
pub mod xml;
pub mod yaml;

pub use compression::Compression;
pub use format::{Format, TakenName, UnknownFormat, nearest};
pub use output::{Drain, Keep, Output, To};
pub use rewrite::Rewrite;
pub use scalar_writer::{LONGEST_TEXT, ScalarWriter};
pub use splice::{Splice, SpliceMark};
