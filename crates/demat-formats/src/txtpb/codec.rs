use super::{ReadOptions, Txtpb, TxtpbSink, WriteOptions};
use crate::codec::{self, About, Codec, Model, Reader, Records, Setting, SettingValue, Values};
use crate::{Drain, Output};
use demat_core::{Result, Sink};

/// The text format as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct TxtpbCodec;

const DEPTH: Setting = Setting::new("depth", Values::Count, "100", "how deep messages may nest before it is an error");

const INDENT: Setting =
    Setting::new("indent", Values::Count, "2", "the spaces for each level of indentation; 0 writes one line");

/// Facts about the text format for the registry.
pub static ABOUT: About = About {
    model: Model::Numbered,
    needs_shape: true,
    // The whole is one message.
    records: Records::Single,
    content_type: Some("text/x-protobuf; charset=utf-8"),
    read: &[DEPTH],
    write: &[INDENT],
    ..About::new(
        "txtpb",
        &[".txtpb", ".textproto", ".pbtxt", ".textpb"],
        &["text/x-protobuf"],
        "Protocol Buffers' text format: one message with the names of its fields",
    )
};

impl Codec for TxtpbCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn read_options(&self) -> codec::ReadOptions {
        codec::ReadOptions { depth: ReadOptions::default().depth, ..codec::ReadOptions::default() }
    }

    fn set_read(&self, options: &mut codec::ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        match value {
            SettingValue::Count(depth) if *setting == DEPTH => options.depth = depth,
            value => options.own.set(setting, value),
        }
        Ok(())
    }

    fn reader(&self, options: &codec::ReadOptions) -> Result<Reader> {
        Ok(Reader::other(Txtpb::new(ReadOptions { depth: options.depth, ..ReadOptions::default() })))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let own = WriteOptions::default();
        let indent = options.own.count(&INDENT).unwrap_or(own.indent);
        let options = WriteOptions { indent, ..own };
        Ok(Box::new(TxtpbSink::new(Output::new(Vec::new(), drain), options)))
    }
}
