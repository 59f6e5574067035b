//! The ways of copying a text, and when two of them agree.

use demat_core::{Error, Position, Result, Shape, Sink, Source, copy};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::stream::{Stop, Window, Windowed, copy as copy_stream};
use demat_formats::{Keep, Output};
use std::io::Read;

/// A reader that gives few bytes at a time.
pub(crate) struct Few<'t>(pub(crate) &'t [u8], pub(crate) usize);

impl Read for Few<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self.1.min(buffer.len()).min(self.0.len());
        buffer[..size].copy_from_slice(&self.0[..size]);
        self.0 = &self.0[size..];
        Ok(size)
    }
}

fn sink() -> JsonSink<Keep> {
    JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default())
}

fn text(sink: JsonSink<Keep>) -> String {
    String::from_utf8(sink.into_output().into_parts().0).expect("JSON is UTF-8")
}

/// Copied from a source over all of it, to JSON.
pub(crate) fn whole<'a>(source: &mut impl Source<'a>, shape: &Shape) -> Result<String> {
    let mut sink = sink();
    copy(source, shape, &mut sink)?;
    Ok(text(sink))
}

/// Copied through a window.
pub(crate) fn streamed<F: Windowed>(
    bytes: &[u8],
    format: &mut F,
    shape: &Shape,
    size: usize,
    chunk: usize,
) -> Result<String> {
    let mut sink = sink();
    copy_stream(&mut Window::with_size(Few(bytes, chunk), size), format, shape, &mut sink, &mut Stop)?;
    sink.finish()?;
    Ok(text(sink))
}

/// All that an error says; streams know the number of the record besides.
pub(crate) fn said(error: &Error) -> (String, String, Position) {
    (error.reason(), error.path(), Position { record: None, ..error.position() })
}

/// Two ways came to the same; but of a container in pieces nothing can be taken back, and a key that repeats is refused.
pub(crate) fn agree(whole: &Result<String>, streamed: &Result<String>, size: usize) {
    match (whole, streamed) {
        (_, Err(late)) if late.reason().contains("too large to be held") => {}
        (Err(one), Err(two)) => assert_eq!(said(one), said(two), "by {size}"),
        (one, two) => assert_eq!(one.as_ref().ok(), two.as_ref().ok(), "by {size}: {one:?} and {two:?}"),
    }
}
