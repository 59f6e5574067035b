//! The driver and its windows: the copy is the same for any behaviour of the reader.
#![allow(clippy::format_collect, reason = "short tests before quick ones")]

mod bounded;
mod characters;
mod left_out;
mod linear;
mod marked;
mod readers;

use super::{OnError, Stop, Summary, Window, Windowed, copy};
use crate::json::{Json, JsonSink, WriteOptions};
use crate::ndjson::Ndjson;
use crate::{Keep, Output};
use demat_core::{Error, Result, Shape};
use std::io::{self, Read};

/// Copies to JSON text.
fn to_json<R: Read, F: Windowed>(
    window: &mut Window<R>,
    format: &mut F,
    shape: &Shape,
    on_error: &mut dyn OnError,
) -> Result<(String, Summary)> {
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let summary = copy(window, format, shape, &mut sink, on_error)?;
    Ok((String::from_utf8(sink.into_output().into_parts().0).unwrap(), summary))
}

fn json(window: &mut Window<impl Read>, shape: &Shape) -> Result<String> {
    to_json(window, &mut Json::default(), shape, &mut Stop).map(|(text, _)| text)
}

fn ndjson(window: &mut Window<impl Read>, shape: &Shape) -> Result<String> {
    to_json(window, &mut Ndjson::default(), shape, &mut Stop).map(|(text, _)| text)
}

/// A reader that returns chunks of the given sizes in a cycle; 0 means an interruption.
struct Chunks<'t> {
    text: &'t [u8],
    sizes: &'static [usize],
    calls: usize,
}

impl<'t> Chunks<'t> {
    fn new(text: &'t (impl AsRef<[u8]> + ?Sized), sizes: &'static [usize]) -> Self {
        Self { text: text.as_ref(), sizes, calls: 0 }
    }
}

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        assert!(!buffer.is_empty(), "nothing was asked for");
        self.calls += 1;
        let wanted = self.sizes[self.calls % self.sizes.len()];
        if wanted == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let size = wanted.min(buffer.len()).min(self.text.len());
        let (chunk, rest) = self.text.split_at(size);
        buffer[..size].copy_from_slice(chunk);
        self.text = rest;
        Ok(size)
    }
}

/// Leaves out bad records, and collects them.
#[derive(Default)]
struct Rejects(Vec<(String, String)>);

impl OnError for Rejects {
    fn goes_on(&mut self, _: &Error) -> bool {
        true
    }
    fn reject(&mut self, error: Error, bytes: &[u8]) -> Result<()> {
        self.0.push((error.to_string(), String::from_utf8_lossy(bytes).into_owned()));
        Ok(())
    }
}
