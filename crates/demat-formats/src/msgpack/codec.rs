use super::ext::VOCABULARY;
use super::{Msgpack, MsgpackSink, WriteOptions};
use crate::codec::{self, About, Codec, Engine, ReadOptions, Reader, Setting, Values};
use crate::json::codec::{DEPTH, REPEATED_KEYS, common_settings};
use crate::stream::{ACCEPT_SINGLE, accepting};
use crate::{Drain, Output};
use demat_core::{Result, Sink};

/// MessagePack as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct MsgpackCodec;

const SEQUENCE: Setting = Setting::new(
    "sequence",
    Values::Flag,
    "False",
    "whether records are written one after another, as they come, instead of in one array",
);

/// The description of the format.
pub static ABOUT: About = About {
    // The count of an array precedes its items, and is known last.
    is_late: true,
    engine: Engine::Packed,
    values_stand_alone: true,
    read: &[DEPTH, REPEATED_KEYS, ACCEPT_SINGLE],
    write: &[SEQUENCE, DEPTH],
    notes: Some(&VOCABULARY),
    ..About::new(
        "msgpack",
        &[".msgpack", ".mpk"],
        &["application/vnd.msgpack", "application/msgpack", "application/x-msgpack"],
        "MessagePack: one value, or maps one after another; an array is a list of records",
    )
};

impl From<&codec::WriteOptions> for WriteOptions {
    #[inline]
    fn from(options: &codec::WriteOptions) -> Self {
        let sequence = options.own.flag(&SEQUENCE).unwrap_or(Self::default().sequence);
        Self { sequence, depth: options.depth }
    }
}

impl Codec for MsgpackCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    common_settings! {}

    fn reader(&self, options: &ReadOptions) -> Result<Reader> {
        Ok(accepting(Reader::other(Msgpack::new(options.into())), options))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        Ok(Box::new(MsgpackSink::new(Output::new(Vec::new(), drain), options.into())))
    }
}
