//! Shared parts of the binary formats, mostly of MessagePack and CBOR. In both, a value begins with a head: its kind,
//! and its length or count.
//!
//! [`Input`] reads content and text from a window. [`Stack`] counts the children that open containers still have.
//! [`Header`] and [`widen`] replace headers in the output that are too short for their counts.

mod direct;
mod frame;
mod frames;
mod header;
mod input;
mod key;
pub(crate) mod moves;
mod source;
mod stack;
#[cfg(test)]
pub(crate) mod testing;
mod widen;

pub(crate) use direct::{DirectSink, DirectSource, Heads};
pub(crate) use frame::{Frame, Left, Within};
pub(crate) use frames::Frames;
pub(crate) use header::Header;
pub(crate) use input::{Input, narrow};
pub(crate) use key::end_of_key;
pub(crate) use source::{shared_inherent, shared_methods};
pub(crate) use stack::Stack;
pub(crate) use widen::{Wide, widen};
