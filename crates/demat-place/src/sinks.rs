//! The sinks of all formats that are streams of bytes.

use crate::columnar::{self, file_name};
use crate::encoding::Encoded;
use crate::written::Written;
use crate::{Encoding, Format, Place, Target, WriteOptions};
use demat_core::{Result, Sink};
use demat_formats::Drain;
use demat_formats::canonical::{CanonicalSink, Mapping};
use std::io::Write;
use std::sync::Arc;

#[cfg(all(test, feature = "arrow"))]
mod tests;

/// Returns a sink to a target.
pub(crate) fn open<'t>(
    place: &Place,
    format: Format,
    options: &WriteOptions,
    target: &'t mut Target,
    (canonical, encoding): (Option<&Arc<Mapping>>, Option<Encoding>),
) -> Result<Box<dyn Sink + 't>> {
    let sink = match encoding {
        Some(encoding) => of(format, options, Encoded::new(encoding, Written(target)), None)?,
        None => of(format, options, Written(target), file_name(place).as_deref())?,
    };
    Ok(match canonical {
        Some(mapping) if format.is_json() => Box::new(CanonicalSink::new(sink, Arc::clone(mapping))),
        _ => sink,
    })
}

/// Returns a sink to any destination of bytes. `name`: as for [`columnar::sink`].
pub(crate) fn of<'t>(
    format: Format,
    options: &WriteOptions,
    target: impl Drain + Write + Send + 't,
    name: Option<&str>,
) -> Result<Box<dyn Sink + 't>> {
    match format.codec() {
        Some(codec) => Ok(codec.sink(options, Box::new(target))?),
        None => columnar::sink(format, options, target, name),
    }
}
