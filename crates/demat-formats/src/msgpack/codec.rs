use super::{Msgpack, MsgpackSink, ReadOptions, WriteOptions};
use crate::codec::{self, About, Codec, Reader, Setting, Values};
use crate::json::RepeatedKeys;
use crate::{Drain, Output};
use demat_core::{Result, Sink};

/// MessagePack as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct MsgpackCodec;

const DEPTH: Setting =
    Setting::new("depth", Values::Count, "1024", "how deep arrays and maps may nest before it is an error");
const REPEATED_KEYS: Setting = Setting::new(
    "repeated_keys",
    Values::Choice(&["last", "refuse"]),
    "\"last\"",
    "whether the last value of a repeated key wins, or the key is refused",
);
const SEQUENCE: Setting = Setting::new(
    "sequence",
    Values::Flag,
    "False",
    "whether records are written one behind the other, as they come, instead of in one array",
);

/// What there is to know of it.
pub static ABOUT: About = About {
    read: &[DEPTH, REPEATED_KEYS],
    write: &[SEQUENCE, DEPTH],
    ..About::new(
        "msgpack",
        &[".msgpack", ".mpk"],
        &["application/vnd.msgpack", "application/msgpack", "application/x-msgpack"],
        "MessagePack: one value, or maps one behind the other; an array is a list of records",
    )
};

impl Codec for MsgpackCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn reader(&self, options: &codec::ReadOptions) -> Result<Reader> {
        let usual = ReadOptions::default();
        Ok(Reader::other(Msgpack::new(ReadOptions {
            depth: options.own.count(&DEPTH).unwrap_or(usual.depth),
            repeated_keys: match options.own.text(&REPEATED_KEYS) {
                Some("refuse") => RepeatedKeys::Refuse,
                _ => usual.repeated_keys,
            },
        })))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let usual = WriteOptions::default();
        let options = WriteOptions {
            sequence: options.own.flag(&SEQUENCE).unwrap_or(usual.sequence),
            depth: options.own.count(&DEPTH).unwrap_or(usual.depth),
        };
        Ok(Box::new(MsgpackSink::new(Output::new(Vec::new(), drain), options)))
    }
}
