use super::{Raw, RawSink, WriteOptions};
use crate::codec::{self, About, Codec, Model, ReadOptions, Reader, Records, Setting, Values};
use crate::json::codec::{DEPTH, common_settings};
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

/// The description of the format.
pub static ABOUT: About = About {
    // A reader must know the type, which an HTTP response does not contain.
    records: Records::Limited,
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

    common_settings! {}

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
