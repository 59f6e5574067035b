//! `demat head`.

use crate::arguments::HeadArguments;
use crate::exit::Exit;
use crate::failure::{About, Failure};
use crate::screen::Screen;
use crate::source::OneSource;
use crate::sources::Opened;
use crate::{copy, shape};
use demat_place::{CopyJob, Format, Place};

pub(crate) fn run(arguments: HeadArguments, screen: Screen) -> Result<Exit, Failure> {
    let HeadArguments { source, records, target, shape, chosen } = arguments;
    let OneSource { source: name, how: source } = source;
    let opened = Opened::open(&name, &source, "head", screen)?;
    let (from, from_format) = (opened.place.clone(), opened.format);
    let to = target.to.unwrap_or(Format::LINES);
    let mut job = CopyJob::new(from.clone(), from_format, Place::Standard, to)
        .read_options(source.options(from_format)?)
        .write_options(target.options(&source, from_format, to)?)
        .infer(shape.infer)
        .lax(shape.lax)
        .flatten(copy::flatten(shape.flatten, to)?)
        .first(records);
    job = chosen.apply(job)?;
    job = job.encodings(source.encoding(from_format)?, target.encoding(to)?);
    if let Some(at) = source.at(from_format)? {
        job = job.at(at);
    }
    if let Some(text) = &shape.shape {
        job = job.shape(shape::read(text)?);
    }
    let typed = shape.infer || shape.shape.is_some();
    let strict = !shape.lax && !from_format.is_columnar() && !matches!(from, Place::Database(_) | Place::Server(_));
    let about = About {
        source: Some((from, from_format)),
        target: Some(to),
        flatten: shape.flatten,
        typed,
        strict,
        encoded: source.encoding.is_some(),
    };
    opened.apply(job).run().map_err(|error| Failure::Error { error, about })?;
    Ok(Exit::Ok)
}
