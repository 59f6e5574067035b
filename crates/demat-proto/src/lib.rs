//! Converts definitions of Protocol Buffers to shapes, and shapes to definitions.
//!
//! [`Definitions`] reads `.proto` files and descriptor sets, and [`Definitions::shape`] returns the shape of a message.
//! [`to_proto`] writes the `.proto` file of a shape. `demat_formats::proto` documents how the types correspond.

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
