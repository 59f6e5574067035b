//! Values in PostgreSQL's binary format.

pub(crate) mod array;
pub(crate) mod moment;
pub(crate) mod network;
pub(crate) mod numeric;
mod put;
mod scalar;

pub(crate) use put::{put, unknown};
pub(crate) use scalar::Scalar;
