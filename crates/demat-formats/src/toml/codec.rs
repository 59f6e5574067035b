use super::{ReadOptions, Toml, TomlSink, WriteOptions};
use crate::codec::{self, About, Codec, Reader, Records, Setting, SettingValue};
use crate::json::codec::{DEPTH, set_read, set_write};
use crate::stream::{ACCEPT_SINGLE, accepting};
use crate::{Drain, Output};
use demat_core::{Result, Sink};

/// TOML as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct TomlCodec;

/// Names, options and properties of the format.
pub static ABOUT: About = About {
    // The sink writes the values of a table before the tables in it, so it writes most bytes at the end.
    is_late: true,
    records: Records::Single,
    read: &[DEPTH, ACCEPT_SINGLE],
    write: &[DEPTH],
    ..About::new("toml", &[".toml"], &["application/toml"], "TOML: one table, read and written whole")
};

impl Codec for TomlCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn set_read(&self, options: &mut codec::ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
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

    fn reader(&self, options: &codec::ReadOptions) -> Result<Reader> {
        Ok(accepting(Reader::other(Toml::new(ReadOptions { depth: options.depth })), options))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let options = WriteOptions { depth: options.depth };
        Ok(Box::new(TomlSink::new(Output::new(Vec::new(), drain), options)))
    }
}
