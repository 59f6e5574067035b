//! Columnar places.

#[cfg(not(feature = "arrow"))]
mod absent;
#[cfg(feature = "arrow")]
pub(crate) mod arrow;
#[cfg(feature = "arrow")]
mod batches;
#[cfg(feature = "arrow")]
mod choice;
#[cfg(feature = "arrow")]
mod codec;
#[cfg(feature = "arrow")]
mod open;
#[cfg(feature = "arrow")]
mod options;
#[cfg(feature = "arrow")]
mod parquet;
#[cfg(feature = "arrow")]
mod skipped;
#[cfg(feature = "arrow")]
mod write;

#[cfg(not(feature = "arrow"))]
pub(crate) use absent::{Columnar, sink, tell};
#[cfg(feature = "arrow")]
pub use batches::ColumnBatches;
#[cfg(feature = "arrow")]
pub(crate) use {open::Columnar, open::tell, write::sink};

use crate::{Compression, Place};

/// Returns the name of a file, in lower case and without a compression suffix.
pub(crate) fn file_name(place: &Place) -> Option<String> {
    let name = place.path()?.file_name()?.to_string_lossy().to_ascii_lowercase();
    Some(Compression::strip_suffix(&name).to_string())
}
