use super::{CompactSink, Json, JsonSink};
use crate::codec::{About, Codec, Engine, Model, ReadOptions, Reader, Setting, Values, WriteOptions};
use crate::{Drain, Output};
use demat_core::{Result, Sink};

/// JSON as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct JsonCodec;

/// How deep values may nest.
pub(crate) const DEPTH: Setting =
    Setting::new("depth", Values::Count, "1024", "how deep lists and objects may nest before it is an error");
/// What happens if a key repeats.
pub(crate) const REPEATED_KEYS: Setting = Setting::new(
    "repeated_keys",
    Values::Choice(&["last", "refuse"]),
    "\"last\"",
    "whether the last value of a repeated key wins, or the key is refused",
);
/// The order of keys.
pub(crate) const SORT_KEYS: Setting =
    Setting::new("sort_keys", Values::Flag, "False", "whether keys are written in alphabetical order");
/// Escapes.
pub(crate) const ASCII: Setting =
    Setting::new("ascii", Values::Flag, "False", "whether characters outside ASCII are written as escapes");

/// What there is to know of it.
pub static ABOUT: About = About {
    model: Model::Json,
    engine: Engine::Json,
    ending: "\n",
    read: &[DEPTH, REPEATED_KEYS],
    write: &[
        Setting::new("indent", Values::OptionalCount, "None", "how many spaces a level is indented by; none: one line"),
        SORT_KEYS,
        ASCII,
        DEPTH,
    ],
    ..About::new(
        "json",
        &[".json"],
        &["application/json", "text/json"],
        "one JSON document (RFC 8259); an array is a list of records",
    )
};

impl Codec for JsonCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn reader(&self, options: &ReadOptions) -> Result<Reader> {
        Ok(Reader::Json(Json::new(options.json)))
    }

    fn sink<'d>(&self, options: &WriteOptions, drain: Box<dyn Drain + Send + 'd>) -> Result<Box<dyn Sink + Send + 'd>> {
        let output = Output::new(Vec::new(), drain);
        if CompactSink::<Box<dyn Drain + Send + 'd>>::writes(&options.json)
            && options.json.depth == WriteOptions::default().json.depth
        {
            return Ok(Box::new(CompactSink::new(output)));
        }
        Ok(Box::new(JsonSink::new(output, options.json)))
    }
}
