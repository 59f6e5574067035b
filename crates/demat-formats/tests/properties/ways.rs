//! The ways of reading a text, which must agree.

use demat_core::{Error, Position, Result, Shape, Sink, Source, Value, copy};
use demat_formats::json::{Json, JsonSink, JsonSource, ReadOptions, WriteOptions};
use demat_formats::ndjson::{Ndjson, NdjsonSink, NdjsonSource};
use demat_formats::stream::{Part, Stop, Window, copy as copy_stream};
use demat_formats::{Keep, Output};
use std::io::Read;

/// A reader that returns few bytes at a time.
pub(crate) struct Few<'t>(pub(crate) &'t [u8], pub(crate) usize);

impl Read for Few<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self.1.min(buffer.len()).min(self.0.len());
        buffer[..size].copy_from_slice(&self.0[..size]);
        self.0 = &self.0[size..];
        Ok(size)
    }
}

fn json_sink() -> JsonSink<Keep> {
    JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default())
}

pub(crate) fn json(text: &[u8], shape: &Shape) -> Result<String> {
    let mut sink = json_sink();
    copy(&mut JsonSource::new(text), shape, &mut sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

pub(crate) fn json_streamed(text: &[u8], shape: &Shape, size: usize, chunk: usize) -> Result<String> {
    let mut sink = json_sink();
    let mut window = Window::with_size(Few(text, chunk), size);
    copy_stream(&mut window, &mut Json::new(ReadOptions::default()), shape, &mut sink, &mut Stop)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

pub(crate) fn json_skipped(text: &[u8]) -> Result<()> {
    let mut source = JsonSource::new(text);
    source.skip()?;
    source.end()
}

/// Decodes to a value, and encodes that.
pub(crate) fn json_value(text: &[u8], shape: &Shape) -> Result<Value> {
    let mut source = JsonSource::new(text);
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

pub(crate) fn ndjson(text: &[u8], shape: &Shape) -> Result<String> {
    let mut sink = NdjsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    copy(&mut NdjsonSource::over(Part::whole(text), ReadOptions::default()), shape, &mut sink)?;
    sink.finish()?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

pub(crate) fn ndjson_streamed(text: &[u8], shape: &Shape, size: usize, chunk: usize) -> Result<String> {
    let mut sink = NdjsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let mut window = Window::with_size(Few(text, chunk), size);
    copy_stream(&mut window, &mut Ndjson::new(ReadOptions::default()), shape, &mut sink, &mut Stop)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

/// All details of an error, except the number of the record, which only streams know.
pub(crate) fn said(error: &Error) -> (String, String, Position) {
    (error.reason(), error.path(), Position { record: None, ..error.position() })
}

/// Compares the results of two ways. A container that is copied in parts can't be taken back, so a repeated key is
/// refused there: the only input that a window may refuse and a slice may not.
pub(crate) fn same(one: &Result<String>, two: &Result<String>) -> std::result::Result<(), String> {
    match (one, two) {
        (Ok(one), Ok(two)) if one == two => Ok(()),
        (Err(one), Err(two)) if said(one) == said(two) => Ok(()),
        (_, Err(late)) if late.to_string().contains("too large to be held") => Ok(()),
        _ => Err(format!("{one:?}\nand {two:?}")),
    }
}
