//! Demat's codecs: JSON, NDJSON, CSV, Protocol Buffers, MessagePack, Demat's own raw form and property
//! lists as sources and sinks.
//!
//! [`Format`] lists all formats, including those that other crates read and write.
//!
//! Below the codecs there are two layers of primitives, usable on their own: [`scan`] finds the next relevant byte,
//! many bytes at a time, and [`text`] converts numbers and escaped strings to values and back.

#![deny(unsafe_code)]

pub mod canonical;
pub mod codec;
mod compression;
pub mod csv;
mod format;
pub mod json;
pub mod msgpack;
pub mod ndjson;
mod output;
pub mod plist;
pub mod proto;
pub mod raw;
pub mod scan;
mod splice;
pub mod stream;
pub mod text;

pub use compression::Compression;
pub use format::{Format, TakenName, UnknownFormat};
pub use output::{Drain, Keep, Output, To};
pub use splice::{Splice, SpliceMark};
