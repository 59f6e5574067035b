//! Creates each format's sink: of a type for which the engine is compiled, or else as a trait object.

use super::EncodeOptions;
use super::encode_sink::{EncodeSink, Fields};
use crate::format::Format;
use demat_core::{Error, ErrorKind, Result, Sink};
use demat_formats::codec::{Engine, Model};
use demat_formats::csv::CsvSink;
use demat_formats::json::CompactSink;
use demat_formats::msgpack::MsgpackSink;
use demat_formats::proto::ProtoSink;
use demat_formats::{Drain, Output};

/// A function that is generic over the type of a sink.
pub(super) trait Visitor<'d> {
    /// The result of the function.
    type Output;

    /// Calls the function with a sink for which the engine is compiled.
    fn visit<K: EncodeSink + Send + 'd>(self, sink: K) -> Self::Output;

    /// Calls the function with a sink without an engine of its own.
    fn visit_any(self, sink: Box<dyn Sink + Send + 'd>) -> Self::Output;

    /// Calls the function with a sink without an engine of its own that writes the values as a shape says.
    fn visit_shaped(self, sink: Box<dyn Sink + Send + 'd>, fields: Fields) -> Self::Output;

    /// As `visit`, out of line: this sink would enlarge the callers' stack frames.
    #[inline(never)]
    fn visit_apart<K: EncodeSink + Send + 'd>(self, sink: K) -> Self::Output
    where
        Self: Sized,
    {
        self.visit(sink)
    }
}

/// Creates the sink that writes the format to this output, and passes it to the visitor.
///
/// # Errors
/// If the options contradict each other.
#[inline(always)]
pub(super) fn visit<'d, D: Drain + Send + 'd, V: Visitor<'d>>(
    format: Format,
    options: &EncodeOptions,
    output: Output<D>,
    visitor: V,
) -> Result<V::Output> {
    Ok(match format.about().engine {
        Engine::Json if CompactSink::<D>::writes(&(&options.write).into()) => visitor.visit(CompactSink::new(output)),
        Engine::JsonLines if CompactSink::<D>::writes(&(&options.write).into()) => {
            visitor.visit(CompactSink::lines(output))
        }
        Engine::Cells => visitor.visit(CsvSink::new(options.write.own.typed(), output)?),
        Engine::Messages => visitor.visit_apart(ProtoSink::new(output)),
        Engine::Packed => visitor.visit_apart(MsgpackSink::new(output, (&options.write).into())),
        Engine::Json | Engine::JsonLines | Engine::Any => any(format, options, output, visitor)?,
    })
}

#[inline(never)]
fn any<'d, D: Drain + Send + 'd, V: Visitor<'d>>(
    format: Format,
    options: &EncodeOptions,
    output: Output<D>,
    visitor: V,
) -> Result<V::Output> {
    let codec = format.codec().ok_or_else(no_stream)?;
    let (_, drain) = output.into_parts();
    let sink = codec.sink(&options.write, Box::new(drain))?;
    Ok(match format.about().model {
        Model::Numbered => visitor.visit_shaped(sink, Fields::Numbered),
        _ if format.is_written_by_shape() && format.needs_type() => visitor.visit_shaped(sink, Fields::Sparse),
        _ if format.is_written_by_shape() => visitor.visit_shaped(sink, Fields::Full),
        _ => visitor.visit_any(sink),
    })
}

/// Returns the error for a format that is no stream of bytes.
#[cold]
pub(super) fn no_stream() -> Error {
    Error::new(ErrorKind::Io, "the format is no stream of bytes")
}
