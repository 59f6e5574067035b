//! Tests of JSON, grouped by subject, and the helpers that they share.

mod depth;
mod excerpts;
mod keys;
mod numbers;
mod output;
mod sorted;
mod strict;
mod strings;
mod suite;
mod truncated;

use super::{Json, JsonSink, JsonSource, ReadOptions, WriteOptions};
use crate::stream::{Stop, Window, copy as copy_stream};
use crate::{Keep, Output};
use demat_core::{Error, Result, Shape, Source, Value, copy};

/// Decodes to a value without a shape.
fn decode(text: &[u8]) -> Result<Value> {
    super::decode(text)
}

/// Skips the whole document.
fn skip(text: &[u8]) -> Result<()> {
    let mut source = JsonSource::new(text);
    source.skip()?;
    source.end()
}

/// Copies the whole document by a shape.
fn copied(text: &[u8], shape: &Shape) -> Result<String> {
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    copy(&mut JsonSource::new(text), shape, &mut sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

/// Copies the document through a window with an initial size of `size` bytes, from a reader that returns at most `size`
/// bytes at a time.
fn streamed(text: &[u8], shape: &Shape, size: usize) -> Result<String> {
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let mut window = Window::with_size(Few(text, size), size);
    copy_stream(&mut window, &mut Json::new(ReadOptions::default()), shape, &mut sink, &mut Stop)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

/// A reader that returns few bytes at a time.
struct Few<'t>(&'t [u8], usize);

impl std::io::Read for Few<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self.1.min(buffer.len()).min(self.0.len());
        buffer[..size].copy_from_slice(&self.0[..size]);
        self.0 = &self.0[size..];
        Ok(size)
    }
}

/// Every way of reading refuses the text. All except skipping report the same position and message.
#[track_caller]
fn refused(text: impl AsRef<[u8]>, message: &str) -> Error {
    let text = text.as_ref();
    let error = decode(text).unwrap_err();
    assert_eq!(error.to_string(), message, "{}", text.escape_ascii());
    assert_eq!(copied(text, &Shape::Any).unwrap_err().to_string(), message, "copied: {}", text.escape_ascii());
    for size in [1, 2, 3, 7, 64] {
        let streamed = streamed(text, &Shape::Any, size).unwrap_err();
        let parts = (streamed.reason(), streamed.path(), streamed.position().offset, streamed.position().column);
        let own = (error.reason(), error.path(), error.position().offset, error.position().column);
        assert_eq!(parts, own, "by {size}: {}", text.escape_ascii());
    }
    let skipped = skip(text).unwrap_err();
    assert_eq!(skipped.position(), error.position(), "skipped: {}", text.escape_ascii());
    assert_eq!(skipped.reason(), error.reason(), "skipped: {}", text.escape_ascii());
    error
}

/// Every way of reading accepts the text with the same result.
#[track_caller]
fn accepted(text: impl AsRef<[u8]>, compact: &str) {
    let text = text.as_ref();
    skip(text).unwrap();
    assert_eq!(copied(text, &Shape::Any).unwrap(), compact);
    let value = decode(text).unwrap();
    assert_eq!(String::from_utf8(super::encode(&value).unwrap()).unwrap(), compact);
    for size in [1, 2, 3, 7, 64] {
        assert_eq!(streamed(text, &Shape::Any, size).unwrap(), compact, "by {size}");
    }
}
