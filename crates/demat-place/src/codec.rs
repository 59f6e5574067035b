//! Any format, over any reader and any writer.

use crate::columnar::Columnar;
use crate::lift::lift;
use crate::plan;
use crate::reading::listed;
use crate::{Format, Place, ReadOptions, WriteOptions, schema, sinks};
use demat_arrow::{ArrowSource, IpcForm};
use demat_core::{Result, Shape, Sink};
use demat_formats::To;
use demat_formats::csv::Csv;
use demat_formats::json::Json;
use demat_formats::ndjson::Ndjson;
use demat_formats::proto::Proto;
use demat_formats::stream::{self, Stop, Window, Windowed};
use std::io::{Read, Write};

/// A sink that writes a format to a writer; Arrow's columns as a stream.
///
/// ```
/// use demat_core::{Encode, Sink};
/// use demat_place::{Format, WriteOptions};
/// let mut text = Vec::new();
/// let mut sink = demat_place::sink(Format::Ndjson, &WriteOptions::of(Format::Ndjson), &mut text)?;
/// vec![1, 2].encode(&mut *sink)?;
/// sink.finish()?;
/// drop(sink);
/// assert_eq!(text, b"1\n2\n");
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// Where the format is no stream of bytes, or its options are none.
pub fn sink<'w>(format: Format, options: &WriteOptions, writer: impl Write + Send + 'w) -> Result<Box<dyn Sink + 'w>> {
    sinks::of(format, options, To(writer), IpcForm::Stream, None)
}

/// Reads a format to its end, and tells a sink what it says; gives how many records it had.
///
/// The shape is that of the whole, or of each record where the whole is a list. Without one, cells of a table are text, columns
/// are what they say, and JSON is told as it is.
///
/// ```
/// use demat_place::{Format, ReadOptions, WriteOptions};
/// let mut json = Vec::new();
/// let mut sink = demat_place::sink(Format::Json, &WriteOptions::of(Format::Json), &mut json)?;
/// let shape = "id: int, done: bool".parse()?;
/// let options = ReadOptions::of(Format::Csv);
/// let records = demat_place::tell(Format::Csv, &options, &b"id,done\n1,true\n"[..], Some(&shape), &mut *sink)?;
/// drop(sink);
/// assert_eq!((records, &*json), (1, &br#"[{"id":1,"done":true}]"#[..]));
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// What the reader, the format and the sink say; where the format needs a shape and there is none.
pub fn tell(
    format: Format,
    options: &ReadOptions,
    reader: impl Read + Send,
    shape: Option<&Shape>,
    sink: &mut dyn Sink,
) -> Result<u64> {
    let mut window = Window::new(reader).with_limit(options.window);
    match format {
        Format::Json => text(&mut window, &mut Json::new(options.json), shape, sink, |_, _| Ok(Shape::Any)),
        Format::Ndjson => text(&mut window, &mut Ndjson::new(options.json), shape, sink, |_, _| Ok(Shape::Any)),
        Format::Csv | Format::Tsv => text(&mut window, &mut Csv::new(options.csv)?, shape, sink, plan::header),
        Format::Proto => text(&mut window, &mut Proto::new(options.proto), shape, sink, |_, _| Err(schema::unsaid())),
        Format::Arrow | Format::Parquet => columns(format, window, shape, sink),
        Format::Sqlite => Err(crate::database::no_stream()),
    }
    .map_err(lift)
}

fn text<R: Read, F: Windowed>(
    window: &mut Window<R>,
    format: &mut F,
    shape: Option<&Shape>,
    sink: &mut dyn Sink,
    untold: impl FnOnce(&mut Window<R>, &mut F) -> Result<Shape>,
) -> Result<u64> {
    let shape = match shape {
        Some(shape) => plan::given(shape.clone(), window, format)?,
        None => untold(window, format)?,
    };
    Ok(stream::copy(window, format, &shape, sink, &mut Stop)?.records)
}

fn columns<R: Read + Send>(
    format: Format,
    window: Window<R>,
    shape: Option<&Shape>,
    sink: &mut dyn Sink,
) -> Result<u64> {
    let place = Place::Given(format.name().to_string());
    let columns = Columnar::open(&place, format, Some(Box::new(window.into_reader())), None)?;
    let shape = shape.map_or_else(|| columns.shape(), |shape| Ok(listed(shape.clone())))?;
    Ok(stream::copy_from(&mut ArrowSource::new(columns.batches), &shape, sink, &mut Stop)?.records)
}
