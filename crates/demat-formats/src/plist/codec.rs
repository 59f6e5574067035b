use super::{Plist, PlistSink, ReadOptions, Variant, WriteOptions};
use crate::codec::{self, About, Codec, Reader, Records, Setting, SettingValue, Values};
use crate::json::codec::{DEPTH, REPEATED_KEYS, set_read, set_write};
use crate::{Drain, Output};
use demat_core::{Result, Sink};

/// Property lists as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct PlistCodec;

const READ_DEPTH: Setting =
    Setting::new("depth", Values::Count, "512", "how deep arrays and dicts may nest before it is an error");
const VARIANT: Setting =
    Setting::new("variant", Values::Choice(&["xml", "binary"]), "\"xml\"", "the form: XML, or binary");
const UIDS: Setting = Setting::new(
    "uids",
    Values::Flag,
    "False",
    "whether a dict with the one key `CF$UID` is written as a UID; only binary has these",
);

/// Names, options and properties of the format.
pub static ABOUT: About = About {
    // The binary form is written when the document ends.
    is_late: true,
    // Property lists have no null.
    records: Records::Limited,
    read: &[READ_DEPTH, REPEATED_KEYS],
    write: &[VARIANT, UIDS, DEPTH],
    ..About::new(
        "plist",
        &[".plist"],
        &["application/x-plist", "application/x-apple-plist", "application/x-bplist"],
        "property lists of Apple: XML, binary, and the old text form, which is only read",
    )
};

impl Codec for PlistCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn read_options(&self) -> codec::ReadOptions {
        codec::ReadOptions { depth: ReadOptions::default().depth, ..codec::ReadOptions::default() }
    }

    fn set_read(&self, options: &mut codec::ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        match value {
            SettingValue::Count(depth) if *setting == READ_DEPTH => options.depth = depth,
            value => set_read(options, setting, value),
        }
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

    fn reader(&self, options: &codec::ReadOptions) -> Result<Reader> {
        let options = ReadOptions { depth: options.depth, repeated_keys: options.repeated_keys };
        Ok(Reader::other(Plist::new(options)))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let variant = if options.own.text(&VARIANT) == Some("binary") { Variant::Binary } else { Variant::Xml };
        let uids = options.own.flag(&UIDS).unwrap_or(false);
        let options = WriteOptions { variant, uids, depth: options.depth };
        Ok(Box::new(PlistSink::new(Output::new(Vec::new(), drain), options)))
    }
}
