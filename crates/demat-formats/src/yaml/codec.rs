use super::{ReadOptions, WriteOptions, Yaml, YamlSink};
use crate::codec::{self, About, Codec, Reader, Setting, SettingValue, Values};
use crate::json::codec::{DEPTH, set_read, set_write};
use crate::stream::{ACCEPT_SINGLE, accepting};
use crate::{Drain, Output};
use demat_core::{Error, ErrorKind, Result, Sink};

/// YAML as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct YamlCodec;

const MERGE_KEYS: Setting =
    Setting::new("merge_keys", Values::Flag, "True", "whether the key `<<` adds the entries of other maps, or is text");
const ALIAS_LIMIT: Setting = Setting::new(
    "alias_limit",
    Values::Count,
    "16777216",
    "how much aliases may add: 32 bytes for each value, and the bytes of its text",
);
const LENIENT_INDENTATION: Setting = Setting::new(
    "lenient_indentation",
    Values::Flag,
    "False",
    "whether brackets and quoted text may be indented less than YAML asks",
);
const INDENT: Setting =
    Setting::new("indent", Values::Count, "2", "how many spaces a level is indented by, from 1 to 16");
const DOCUMENTS: Setting =
    Setting::new("documents", Values::Flag, "False", "whether each record of a list is a document of its own");

/// Names, options and properties of the format.
pub static ABOUT: About = About {
    content_type: Some("application/yaml; charset=utf-8"),
    read: &[DEPTH, MERGE_KEYS, ALIAS_LIMIT, LENIENT_INDENTATION, ACCEPT_SINGLE],
    write: &[INDENT, DOCUMENTS, DEPTH],
    ..About::new(
        "yaml",
        &[".yaml", ".yml"],
        &["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/vnd.yaml"],
        "YAML 1.2: one document, or several that are a list of records; read whole",
    )
};

impl Codec for YamlCodec {
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
        match value {
            // JSON has an option with the same name and other values.
            SettingValue::Count(spaces) if *setting == INDENT && !(1..=16).contains(&spaces) => {
                Err(Error::new(ErrorKind::Constraint, "indent must be from 1 to 16"))
            }
            value => set_write(options, setting, value),
        }
    }

    fn reader(&self, options: &codec::ReadOptions) -> Result<Reader> {
        let usual = ReadOptions::default();
        let own = ReadOptions {
            depth: options.depth,
            merge_keys: options.own.flag(&MERGE_KEYS).unwrap_or(usual.merge_keys),
            alias_limit: options.own.count(&ALIAS_LIMIT).unwrap_or(usual.alias_limit),
            lenient_indentation: options.own.flag(&LENIENT_INDENTATION).unwrap_or(usual.lenient_indentation),
        };
        Ok(accepting(Reader::other(Yaml::new(own)), options))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let usual = WriteOptions::default();
        let indent = options.own.count(&INDENT).and_then(|spaces| u8::try_from(spaces).ok());
        let options = WriteOptions {
            indent: indent.unwrap_or(usual.indent),
            documents: options.own.flag(&DOCUMENTS).unwrap_or(usual.documents),
            depth: options.depth,
        };
        Ok(Box::new(YamlSink::new(Output::new(Vec::new(), drain), options)))
    }
}
