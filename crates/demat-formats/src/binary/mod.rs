//! What MessagePack and CBOR share: both begin a value with a head that says its kind and its length or count.
//!
//! [`Input`] takes content and text out of a window. [`Stack`] holds what open containers still have. [`Header`] and
//! [`widen`] replace counts in the output that were too large for the bytes reserved for them.

mod frame;
mod header;
mod input;
mod stack;
mod widen;

pub(crate) use frame::{Frame, Left, Within};
pub(crate) use header::Header;
pub(crate) use input::{Input, narrow};
pub(crate) use stack::Stack;
pub(crate) use widen::{Wide, widen};
