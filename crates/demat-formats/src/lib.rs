//! Demat's codecs: JSON, NDJSON, CSV and Protocol Buffers as sources and sinks.
//!
//! Below the codecs lie two layers of primitives, usable on their own: [`scan`] finds the next byte that matters, many
//! bytes at a time, and [`text`] turns numbers and escaped strings into values and back.

#![deny(unsafe_code)]

pub mod canonical;
pub mod codec;
pub mod csv;
pub mod json;
pub mod ndjson;
mod output;
pub mod proto;
pub mod scan;
mod splice;
pub mod stream;
pub mod text;

pub use output::{Drain, Keep, Output, To};
pub use splice::{Splice, SpliceMark};
