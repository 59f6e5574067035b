use super::{Ndjson, NdjsonSink};
use crate::codec::{About, Codec, Engine, Model, ReadOptions, Reader, Setting, SettingValue, WriteOptions};
use crate::json::codec::{
    ASCII, DECIMALS, DEPTH, NONFINITE, NONFINITE_READ, REPEATED_KEYS, SORT_KEYS, UUIDS, set_read, set_write,
};
use crate::json::{self, CompactSink};
use crate::stream::{ACCEPT_SINGLE, Bordered, accepting, after_line};
use crate::{Drain, Output};
use demat_core::{Record, Result, Sink};

/// NDJSON as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct NdjsonCodec;

/// Facts about NDJSON for the registry.
pub static ABOUT: About = About {
    model: Model::JsonLines,
    engine: Engine::JsonLines,
    read: &[DEPTH, REPEATED_KEYS, NONFINITE_READ, ACCEPT_SINGLE],
    write: &[SORT_KEYS, ASCII, NONFINITE, DECIMALS, UUIDS, DEPTH],
    parts: Some("json"),
    ..About::new(
        "ndjson",
        &[".ndjson", ".jsonl"],
        &["application/x-ndjson", "application/jsonl", "application/x-jsonlines"],
        "a JSON value on each line, also called JSON Lines",
    )
};

impl Codec for NdjsonCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn set_read(&self, options: &mut ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        set_read(options, setting, value);
        Ok(())
    }

    fn set_write(&self, options: &mut WriteOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        set_write(options, setting, value)
    }

    fn reader(&self, options: &ReadOptions) -> Result<Reader> {
        Ok(accepting(Reader::Ndjson(Ndjson::new(options.into())), options))
    }

    fn sink<'d>(&self, options: &WriteOptions, drain: Box<dyn Drain + Send + 'd>) -> Result<Box<dyn Sink + Send + 'd>> {
        let output = Output::new(Vec::new(), drain);
        let options = options.into();
        if CompactSink::<Box<dyn Drain + Send + 'd>>::writes(&options)
            && options.depth == json::WriteOptions::default().depth
        {
            return Ok(Box::new(CompactSink::lines(output)));
        }
        Ok(Box::new(NdjsonSink::new(output, options)))
    }
}

impl Bordered for Ndjson {
    fn anew(&self) -> Self {
        *self
    }

    fn border(&self, bytes: &[u8], from: usize, _: &Record) -> Option<usize> {
        after_line(bytes, from)
    }
}
