use super::{Raw, RawSink, WriteOptions};
use crate::codec::{self, About, Codec, Model, ReadOptions, Reader, Setting, SettingValue, Values};
use crate::json::codec::{DEPTH, set_read, set_write};
use crate::{Drain, Output};
use demat_core::{Error, ErrorKind, Result, Shape, Sink};

/// Raw as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct RawCodec;

const WRITTEN_AS: Setting = Setting::new(
    "written_as",
    Values::OptionalType,
    "None",
    "the type that the data was written as, if that is another one: of the whole, or of the records",
);

/// What there is to know of it.
pub static ABOUT: About = About {
    // Who reads it must know the type, which an answer does not say.
    any_records: false,
    model: Model::Shaped,
    needs_shape: true,
    read: &[DEPTH, WRITTEN_AS],
    write: &[DEPTH],
    ..About::new(
        "raw",
        &[".demat"],
        &["application/vnd.demat.raw"],
        "Demat's own binary: the values of a known type, without names and numbers",
    )
};

impl Codec for RawCodec {
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
        let writer = options.own.text(&WRITTEN_AS).map(str::parse::<Shape>).transpose();
        let writer = writer.map_err(|error| {
            Error::new(ErrorKind::Constraint, format!("`written_as` is no type: {}", error.reason()))
        })?;
        let options = super::ReadOptions { writer, depth: options.depth };
        Ok(Reader::other(Raw::new(&options)?))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let options = WriteOptions { depth: options.depth };
        Ok(Box::new(RawSink::new(Output::new(Vec::new(), drain), options)))
    }
}
