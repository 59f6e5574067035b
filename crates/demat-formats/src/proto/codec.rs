use super::notes::VOCABULARY;
use super::pick::{MessagePicker, MessageProjector};
use super::{Proto, ProtoSink};
use crate::codec::{About, Codec, Engine, Model, Picker, Projector, ReadOptions, Reader, Setting};
use crate::codec::{SettingValue, Values, WriteOptions};
use crate::{Drain, Output};
use demat_core::{Record, Result, Sink};

/// Protocol Buffers as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct ProtoCodec;

const DEPTH: Setting = Setting::new("depth", Values::Count, "100", "how deep messages may nest before it is an error");

/// Facts about Protocol Buffers for the registry.
pub static ABOUT: About = About {
    model: Model::Numbered,
    engine: Engine::Messages,
    needs_shape: true,
    notes: Some(&VOCABULARY),
    read: &[DEPTH],
    ..About::new(
        "proto",
        &[".pb", ".binpb", ".protobuf"],
        &["application/protobuf", "application/x-protobuf", "application/vnd.google.protobuf"],
        "Protocol Buffers: a message, or a list of messages each behind its length",
    )
};

impl Codec for ProtoCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn read_options(&self) -> ReadOptions {
        super::ReadOptions::default().into()
    }

    fn set_read(&self, options: &mut ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        match value {
            SettingValue::Count(depth) if *setting == DEPTH => options.depth = depth,
            value => options.own.set(setting, value),
        }
        Ok(())
    }

    fn reader(&self, options: &ReadOptions) -> Result<Reader> {
        Ok(Reader::Proto(Proto::new(options.into())))
    }

    fn picker(&self, record: &Record) -> Option<Box<dyn Picker>> {
        MessagePicker::of(record).map(|picker| Box::new(picker) as Box<dyn Picker>)
    }

    fn projector(&self, record: &Record) -> Option<Box<dyn Projector>> {
        MessageProjector::of(record).map(|projector| Box::new(projector) as Box<dyn Projector>)
    }

    fn sink<'d>(&self, _: &WriteOptions, drain: Box<dyn Drain + Send + 'd>) -> Result<Box<dyn Sink + Send + 'd>> {
        Ok(Box::new(ProtoSink::new(Output::new(Vec::new(), drain))))
    }
}
