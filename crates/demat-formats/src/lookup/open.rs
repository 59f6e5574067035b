use super::Spot;
use super::spot::part_from;
use crate::Format;
use crate::codec::{AnyReader, Engine, ReadOptions};
use crate::json::JsonSource;
use crate::msgpack::MsgpackSource;
use crate::stream::Part;
use demat_core::{Error, ErrorKind, Result, Source};

/// Work on a source of any type.
pub trait Visit {
    /// The result.
    type Output;

    /// Performs the work.
    fn visit<'s, S: Source<'s>>(self, source: S) -> Self::Output;
}

/// Opens a source at the container around a value. The visitor [moves](Spot::reach) it to the value.
///
/// # Errors
/// If the format can't be read with these options.
pub fn open<V: Visit>(
    format: Format,
    options: &ReadOptions,
    spot: Spot,
    bytes: &[u8],
    visitor: V,
) -> Result<V::Output> {
    open_part(format, &spot.outer_options(format, options), part_from(bytes, spot.outer_start()), visitor)
}

/// Opens a source that begins with the value itself. The visitor enters it, and can make spots of its children.
///
/// # Errors
/// As [`open`].
pub fn open_inside<V: Visit>(
    format: Format,
    options: &ReadOptions,
    spot: Spot,
    bytes: &[u8],
    visitor: V,
) -> Result<V::Output> {
    if spot.is_in_table() {
        return open(format, options, spot, bytes, Reached { spot, visitor }).and_then(|done| done);
    }
    open_part(format, &spot.options(format, options), part_from(bytes, spot.start()), visitor)
}

/// Work on a source that has to be moved to a value first.
struct Reached<V> {
    spot: Spot,
    visitor: V,
}

impl<V: Visit> Visit for Reached<V> {
    type Output = Result<V::Output>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        self.spot.reach(&mut source)?;
        Ok(self.visitor.visit(source))
    }
}

/// Opens a source over a part of a document.
///
/// # Errors
/// As [`open`].
pub fn open_part<V: Visit>(format: Format, options: &ReadOptions, part: Part<'_>, visitor: V) -> Result<V::Output> {
    match format.about().engine {
        Engine::Json => Ok(visitor.visit(JsonSource::over(part, options.into()))),
        Engine::Packed => Ok(visitor.visit(MsgpackSource::over(part, options.into()))),
        _ => any(format, options, part, visitor),
    }
}

/// Kept out of line: it is for formats without an engine of their own.
#[inline(never)]
fn any<V: Visit>(format: Format, options: &ReadOptions, part: Part<'_>, visitor: V) -> Result<V::Output> {
    let Some(codec) = format.codec() else {
        return Err(Error::new(ErrorKind::Io, "the format is no stream of bytes"));
    };
    let mut reader = codec.reader(options)?.boxed();
    let source: &mut dyn Source<'_> = &mut *reader.boxed_source(part);
    Ok(visitor.visit(source))
}
