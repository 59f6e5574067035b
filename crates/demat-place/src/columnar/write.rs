//! Sinks for columnar formats.

use super::codec::codec_of;
use super::options;
use crate::{Format, WriteOptions};
use demat_core::{Result, Sink};
use std::io::{BufWriter, Write};

/// Returns a sink that writes a columnar format. `name`: the file's name, as [`file_name`](super::file_name) returns
/// it; `None` if it is no file.
///
/// # Errors
/// If the format is not columnar, or an option is invalid.
pub(crate) fn sink<'w>(
    format: Format,
    write: &WriteOptions,
    writer: impl Write + Send + 'w,
    name: Option<&str>,
) -> Result<Box<dyn Sink + 'w>> {
    let codec = codec_of(format)?;
    Ok(codec.sink(options::of(format, write)?, BufWriter::new(Box::new(writer)), name))
}
