//! The contract of Demat: Shape, Source, Sink, copy and Error.

pub mod scalar;
