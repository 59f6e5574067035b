//! Random shapes, values that fit them, and random JSON text: for tests of any format.
#![allow(dead_code, reason = "each test takes what it needs")]

pub(crate) mod shapes;
pub(crate) mod text;
pub(crate) mod values;
