//! Tests of columns as a whole.
#![allow(clippy::format_collect)] // short code matters more here than speed

mod asked;
mod batched;
#[cfg(feature = "ipc")]
mod ipc;
mod messages;
mod narrow;
#[cfg(feature = "parquet")]
mod parquet;
mod random;
pub(crate) mod round;
mod wholly;
mod written;

use crate::Columns;
use arrow_array::RecordBatch;
use demat_core::{Result, Source};
use demat_formats::json::JsonSource;

/// Returns the records of a JSON list as columns of this shape.
pub(crate) fn columns(shape: &str, json: &str) -> Result<RecordBatch> {
    let mut columns = Columns::new(&shape.parse()?)?;
    let mut source = JsonSource::new(json.as_bytes());
    source.list()?;
    columns.records(&mut source, usize::MAX)?;
    assert!(columns.has_ended());
    source.end()?;
    columns.finish()
}
