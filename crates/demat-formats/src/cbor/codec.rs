use super::{Cbor, CborSink, UnknownTags, WriteOptions};
use crate::codec::{self, About, Codec, ReadOptions, Reader, Setting, SettingValue, Values};
use crate::json::codec::{DEPTH, REPEATED_KEYS, set_read, set_write};
use crate::{Drain, Output};
use demat_core::{Result, Sink};

/// CBOR as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct CborCodec;

const READ_SEQUENCE: Setting = Setting::new(
    "sequence",
    Values::Flag,
    "False",
    "whether the input is values one behind the other, and so a list; maps one behind the other are one in any case",
);
const UNKNOWN_TAGS: Setting = Setting::new(
    "unknown_tags",
    Values::Choice(&["ignore", "refuse"]),
    "\"ignore\"",
    "whether the content of a tag that has no meaning here is read without it, or the tag is refused",
);
const SEQUENCE: Setting = Setting::new(
    "sequence",
    Values::Flag,
    "False",
    "whether the items of a list are written one behind the other instead of in one array",
);
const DETERMINISTIC: Setting = Setting::new(
    "deterministic",
    Values::Flag,
    "False",
    "whether each value has one encoding (RFC 8949, 4.2.1): sorted keys, shortest floats, known lengths",
);

/// What there is to know of it.
pub static ABOUT: About = About {
    read: &[DEPTH, REPEATED_KEYS, READ_SEQUENCE, UNKNOWN_TAGS],
    write: &[SEQUENCE, DETERMINISTIC, DEPTH],
    ..About::new(
        "cbor",
        &[".cbor"],
        &["application/cbor", "application/cbor-seq"],
        "CBOR (RFC 8949): one value, or maps one behind the other; an array is a list of records",
    )
};

impl Codec for CborCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn set_read(&self, options: &mut ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        set_read(options, setting, value);
        Ok(())
    }

    fn set_write(
        &self,
        options: &mut codec::WriteOptions,
        setting: &'static Setting,
        value: SettingValue,
    ) -> Result<()> {
        set_write(options, setting, value)
    }

    fn reader(&self, options: &ReadOptions) -> Result<Reader> {
        let refuses = options.own.text(&UNKNOWN_TAGS) == Some("refuse");
        Ok(Reader::other(Cbor::new(super::ReadOptions {
            depth: options.depth,
            repeated_keys: options.repeated_keys,
            sequence: options.own.flag(&READ_SEQUENCE).unwrap_or_default(),
            unknown_tags: if refuses { UnknownTags::Refuse } else { UnknownTags::Ignore },
        })))
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
