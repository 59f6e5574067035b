//! Growing columns: asked for, or told.

mod ask;
mod compile;
mod finish;
mod node;
mod nulls;
mod scalar;
mod tell;
mod texts;
mod told;
mod told_text;
mod twice;

pub(crate) use node::{Builders, Values};
pub(crate) use tell::{Cursor, Point, Telling};
pub(crate) use texts::Full;
