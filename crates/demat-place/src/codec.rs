//! Reads and writes any format through any reader or writer.

use crate::lift::lift;
use crate::{Format, ReadOptions, WriteOptions, columnar, plan, sinks};
use demat_core::{Result, Shape, Sink};
use demat_formats::To;
use demat_formats::codec::Visitor;
use demat_formats::stream::{self, Bordered, Stop, Window};
use std::io::{Read, Write};

/// Returns a sink that writes a format to a writer; Arrow as a stream.
///
/// ```
/// use demat_core::{Encode, Sink};
/// use demat_place::{Format, WriteOptions};
/// let mut text = Vec::new();
/// let mut sink = demat_place::sink(Format::LINES, &WriteOptions::of(Format::LINES), &mut text)?;
/// vec![1, 2].encode(&mut *sink)?;
/// sink.finish()?;
/// drop(sink);
/// assert_eq!(text, b"1\n2\n");
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// If the format is not a stream of bytes, or an option is invalid.
pub fn sink<'w>(format: Format, options: &WriteOptions, writer: impl Write + Send + 'w) -> Result<Box<dyn Sink + 'w>> {
    sinks::of(format, options, To(writer), None)
}

/// Reads a format to its end and writes its value to a sink. Returns the number of records.
///
/// The shape is that of the whole value or, for a list, of each record. Without a shape, cells of a table are text,
/// columns have their own types, and JSON is copied unchanged.
///
/// ```
/// use demat_place::{Format, ReadOptions, WriteOptions};
/// let mut json = Vec::new();
/// let mut sink = demat_place::sink(Format::JSON, &WriteOptions::of(Format::JSON), &mut json)?;
/// let shape = "id: int, done: bool".parse()?;
/// let options = Format::CSV.read_options();
/// let records = demat_place::tell(Format::CSV, &options, &b"id,done\n1,true\n"[..], Some(&shape), &mut *sink)?;
/// drop(sink);
/// assert_eq!((records, &*json), (1, &br#"[{"id":1,"done":true}]"#[..]));
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// Errors of the reader, the format and the sink; or if the format needs a shape and there is none.
pub fn tell(
    format: Format,
    options: &ReadOptions,
    reader: impl Read + Send,
    shape: Option<&Shape>,
    sink: &mut dyn Sink,
) -> Result<u64> {
    let window = Window::new(reader).with_limit(options.window);
    match format.codec() {
        Some(codec) => codec.reader(options).and_then(|reader| reader.visit(Tell { window, format, shape, sink })),
        None => columnar::tell(format, window.into_reader(), shape, sink),
    }
    .map_err(lift)
}

/// Copies records from a window.
struct Tell<'t, R> {
    window: Window<R>,
    format: Format,
    shape: Option<&'t Shape>,
    sink: &'t mut dyn Sink,
}

impl<R: Read> Visitor for Tell<'_, R> {
    type Output = Result<u64>;

    fn visit<F: Bordered + 'static>(self, mut reader: F) -> Result<u64> {
        let Self { mut window, format, shape, sink } = self;
        let shape = match shape {
            // Only the shape distinguishes a single message from a stream of them.
            Some(shape) if format.is_numbered() => shape.clone(),
            Some(shape) => plan::given(shape.clone(), &mut window, &mut reader)?,
            None => plan::untold(format, &mut window, &mut reader)?,
        };
        Ok(stream::copy(&mut window, &mut reader, &shape, sink, &mut Stop)?.records)
    }
}
