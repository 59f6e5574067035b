use super::record::VOCABULARY;
use super::{Cbor, CborSink, UnknownTags, WriteOptions};
use crate::codec::{self, About, Codec, ReadOptions, Reader, Setting, SettingValue, Values};
use crate::json::codec::{DEPTH, REPEATED_KEYS, common_settings};
use crate::stream::{ACCEPT_SINGLE, accepting};
use crate::{Drain, Output};
use demat_core::{Result, Sink};

/// CBOR as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct CborCodec;

const READ_SEQUENCE: Setting = Setting::new(
    "sequence",
    Values::Flag,
    "False",
    "whether the input is a list of values one after another; maps one after another are such a list in any case",
);
const UNKNOWN_TAGS: Setting = Setting::new(
    "unknown_tags",
    Values::Choice(&["keep", "ignore", "refuse"]),
    "\"keep\"",
    "whether readers without a type keep tags without a meaning here as records, or ignore or refuse them",
);
const SEQUENCE: Setting = Setting::new(
    "sequence",
    Values::Flag,
    "False",
    "whether the items of a list are written one after another instead of in one array",
);
const DETERMINISTIC: Setting = Setting::new(
    "deterministic",
    Values::Flag,
    "False",
    "whether each value has one encoding (RFC 8949, 4.2.1): sorted keys, shortest floats, known lengths",
);

/// The description of the format.
pub static ABOUT: About = About {
    values_stand_alone: true,
    read: &[DEPTH, REPEATED_KEYS, READ_SEQUENCE, UNKNOWN_TAGS, ACCEPT_SINGLE],
    write: &[SEQUENCE, DETERMINISTIC, DEPTH],
    notes: Some(&VOCABULARY),
    ..About::new(
        "cbor",
        &[".cbor"],
        &["application/cbor", "application/cbor-seq"],
        "CBOR (RFC 8949): one value, or maps one after another; an array is a list of records",
    )
};

impl Codec for CborCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    common_settings! {}

    fn options_inside(&self, options: &ReadOptions) -> ReadOptions {
        let mut inside = options.clone();
        inside.own.set(&READ_SEQUENCE, SettingValue::Flag(false));
        inside
    }

    fn reader(&self, options: &ReadOptions) -> Result<Reader> {
        let unknown_tags = match options.own.text(&UNKNOWN_TAGS) {
            Some("refuse") => UnknownTags::Refuse,
            Some("ignore") => UnknownTags::Ignore,
            _ => UnknownTags::Keep,
        };
        let own = super::ReadOptions {
            depth: options.depth,
            repeated_keys: options.repeated_keys,
            sequence: options.own.flag(&READ_SEQUENCE).unwrap_or_default(),
            unknown_tags,
        };
        Ok(accepting(Reader::other(Cbor::new(own)), options))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let options = WriteOptions {
            sequence: options.own.flag(&SEQUENCE).unwrap_or_default(),
            deterministic: options.own.flag(&DETERMINISTIC).unwrap_or_default(),
            depth: options.depth,
        };
        Ok(Box::new(CborSink::new(Output::new(Vec::new(), drain), options)))
    }
}
