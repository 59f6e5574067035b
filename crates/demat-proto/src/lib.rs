//! Definitions of Protocol Buffers as shapes, and shapes as definitions.
//!
//! [`Definitions`] reads `.proto` files and descriptor sets; [`Definitions::shape`] is a message of theirs as a shape.
//! [`to_proto`] writes the `.proto` file of a shape. What each thing of a file is as a shape stands in
//! `demat_formats::proto`.

#![forbid(unsafe_code)]

mod definitions;
mod describe;
mod editions;
mod exact;
mod fault;
mod message_path;
mod names;
mod print;
#[cfg(test)]
mod tests;
mod well_known;

pub use definitions::{Definitions, Types};
pub use message_path::MessagePath;
pub use print::to_proto;
