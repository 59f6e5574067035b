use super::{Messages, ReadOptions, Txtpb, TxtpbSink, WriteOptions};
use crate::codec::{self, About, Codec, Model, Reader, Records, Setting, SettingValue, Values};
use crate::proto::notes::VOCABULARY;
use crate::{Drain, Output};
use demat_core::{Error, ErrorKind, Result, Shape, Sink};

/// The text format as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct TxtpbCodec;

const DEPTH: Setting = Setting::new("depth", Values::Count, "100", "how deep messages may nest before it is an error");

const INDENT: Setting =
    Setting::new("indent", Values::Count, "2", "the spaces for each level of indentation; 0 writes one line");

const MESSAGES: Setting = Setting::new(
    "messages",
    Values::OptionalType,
    "None",
    "the messages that an `Any` is expanded to: a record, or a union of records; none: an `Any` has its bytes",
);

/// Facts about the text format for the registry.
pub static ABOUT: About = About {
    model: Model::Numbered,
    needs_shape: true,
    // The whole is one message.
    records: Records::Single,
    content_type: Some("text/x-protobuf; charset=utf-8"),
    notes: Some(&VOCABULARY),
    read: &[DEPTH, MESSAGES],
    write: &[INDENT, MESSAGES],
    ..About::new(
        "txtpb",
        &[".txtpb", ".textproto", ".pbtxt", ".textpb"],
        &["text/x-protobuf"],
        "Protocol Buffers' text format: one message with the names of its fields",
    )
};

/// Returns the messages that an option names.
fn messages(options: &codec::OwnOptions) -> Result<Option<Messages>> {
    let Some(text) = options.text(&MESSAGES) else { return Ok(None) };
    let shape: Shape = text.parse().map_err(|error: Error| {
        Error::new(ErrorKind::Constraint, format!("`messages` is no type: {}", error.reason()))
    })?;
    Messages::of_shape(&shape).map(Some)
}

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
        let messages = messages(&options.own)?;
        Ok(Reader::other(Txtpb::new(ReadOptions { depth: options.depth, messages, ..ReadOptions::default() })))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let own = WriteOptions::default();
        let indent = options.own.count(&INDENT).unwrap_or(own.indent);
        let options = WriteOptions { indent, messages: messages(&options.own)?, ..own };
        Ok(Box::new(TxtpbSink::new(Output::new(Vec::new(), drain), options)))
    }
}
