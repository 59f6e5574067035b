//! Columns under construction, filled from a source or through a sink.

mod ask;
mod compile;
mod dictionary;
mod finish;
mod node;
mod nulls;
mod scalar;
mod sink;
mod tell;
mod text_sink;
mod texts;
mod twice;

pub(crate) use node::{Builders, Ints, Node, Values};
pub(crate) use tell::{ColumnSink, Cursor, Point};
pub(crate) use texts::Full;
