use super::{CompactSink, Json, JsonSink, NonFinite, RepeatedKeys, UuidForm};
use crate::codec::{About, Codec, Engine, Model, ReadOptions, Reader, Setting, SettingValue, Values, WriteOptions};
use crate::stream::{ACCEPT_SINGLE, accepting};
use crate::{Drain, Output};
use demat_core::{Error, ErrorKind, Result, Sink};

/// JSON as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct JsonCodec;

/// The maximum nesting depth.
pub(crate) const DEPTH: Setting =
    Setting::new("depth", Values::Count, "1024", "how deep lists and objects may nest before it is an error");
/// The treatment of repeated keys.
pub(crate) const REPEATED_KEYS: Setting = Setting::new(
    "repeated_keys",
    Values::Choice(&["last", "refuse"]),
    "\"last\"",
    "whether the last value of a repeated key wins, or the key is refused",
);
/// The order of keys.
pub(crate) const SORT_KEYS: Setting =
    Setting::new("sort_keys", Values::Flag, "False", "whether keys are written in alphabetical order");
/// The option for ASCII output.
pub(crate) const ASCII: Setting =
    Setting::new("ascii", Values::Flag, "False", "whether characters outside ASCII are written as escapes");

/// How floats that are not finite are written.
pub(crate) const NONFINITE: Setting = Setting::new(
    "nonfinite",
    Values::Choice(&["refuse", "null", "text"]),
    "\"refuse\"",
    "how NaN and infinities are written: not at all, as null, or as text",
);
/// Whether floats that are not finite are read from text.
pub(crate) const NONFINITE_READ: Setting = Setting::new(
    "nonfinite",
    Values::Choice(&["refuse", "text"]),
    "\"refuse\"",
    "whether the texts NaN, Infinity and -Infinity are read as floats",
);

/// How decimals are written.
pub(crate) const DECIMALS: Setting = Setting::new(
    "decimals",
    Values::Choice(&["number", "text"]),
    "\"number\"",
    "whether decimals are written as numbers or as text",
);
/// How UUIDs are written.
pub(crate) const UUIDS: Setting = Setting::new(
    "uuids",
    Values::Choice(&["text", "hex", "urn"]),
    "\"text\"",
    "how UUIDs are written: with hyphens, as 32 digits, or behind urn:uuid:",
);

/// How deep each level is indented.
pub(crate) const INDENT: Setting =
    Setting::new("indent", Values::OptionalCount, "None", "how many spaces a level is indented by; none: one line");

/// Facts about JSON for the registry.
pub static ABOUT: About = About {
    model: Model::Json,
    engine: Engine::Json,
    ending: "\n",
    values_stand_alone: true,
    read: &[DEPTH, REPEATED_KEYS, NONFINITE_READ, ACCEPT_SINGLE],
    write: &[INDENT, SORT_KEYS, ASCII, NONFINITE, DECIMALS, UUIDS, DEPTH],
    ..About::new(
        "json",
        &[".json"],
        &["application/json", "text/json"],
        "one JSON document (RFC 8259); an array is a list of records",
    )
};

/// The methods `set_read` and `set_write` of a [`Codec`] with the common options of JSON and options of its own.
macro_rules! common_settings {
    () => {
        fn set_read(
            &self,
            options: &mut $crate::codec::ReadOptions,
            setting: &'static $crate::codec::Setting,
            value: $crate::codec::SettingValue,
        ) -> Result<()> {
            $crate::json::codec::set_read(options, setting, value);
            Ok(())
        }

        fn set_write(
            &self,
            options: &mut $crate::codec::WriteOptions,
            setting: &'static $crate::codec::Setting,
            value: $crate::codec::SettingValue,
        ) -> Result<()> {
            $crate::json::codec::set_write(options, setting, value)
        }
    };
}
pub(crate) use common_settings;

/// Sets an option for reading JSON or NDJSON.
pub(crate) fn set_read(options: &mut ReadOptions, setting: &'static Setting, value: SettingValue) {
    match value {
        SettingValue::Count(depth) if *setting == DEPTH => options.depth = depth,
        SettingValue::Text(text) if *setting == REPEATED_KEYS => {
            options.repeated_keys = if &*text == "refuse" { RepeatedKeys::Refuse } else { RepeatedKeys::LastWins };
        }
        value => options.own.set(setting, value),
    }
}

/// Sets an option for writing JSON or NDJSON.
pub(crate) fn set_write(options: &mut WriteOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
    let mut change = |change: &dyn Fn(&mut super::WriteOptions)| options.own.change(change);
    match value {
        SettingValue::Flag(flag) if *setting == SORT_KEYS => change(&|json| json.sorted_keys = flag),
        SettingValue::Flag(flag) if *setting == ASCII => change(&|json| json.ascii = flag),
        SettingValue::Text(text) if *setting == NONFINITE => {
            let nonfinite = match &*text {
                "null" => NonFinite::Null,
                "text" => NonFinite::Text,
                _ => NonFinite::Refuse,
            };
            change(&|json| json.nonfinite = nonfinite);
        }
        SettingValue::Text(text) if *setting == DECIMALS => change(&|json| json.decimal_text = &*text == "text"),
        SettingValue::Text(text) if *setting == UUIDS => {
            let uuids = match &*text {
                "hex" => UuidForm::Hex,
                "urn" => UuidForm::Urn,
                _ => UuidForm::Text,
            };
            change(&|json| json.uuids = uuids);
        }
        SettingValue::None if *setting == INDENT => change(&|json| json.indent = None),
        SettingValue::Count(spaces) if *setting == INDENT => {
            let spaces = u8::try_from(spaces);
            let spaces = spaces.map_err(|_| Error::new(ErrorKind::Constraint, "indent must be below 256"))?;
            change(&|json| json.indent = Some(spaces));
        }
        SettingValue::Count(depth) if *setting == DEPTH => options.depth = depth,
        value => options.own.set(setting, value),
    }
    Ok(())
}

impl Codec for JsonCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn set_read(&self, options: &mut ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        set_read(options, setting, value);
        Ok(())
    }

    fn set_write(&self, options: &mut WriteOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        set_write(options, setting, value)
    }

    fn reader(&self, options: &ReadOptions) -> Result<Reader> {
        Ok(accepting(Reader::Json(Json::new(options.into())), options))
    }

    fn sink<'d>(&self, options: &WriteOptions, drain: Box<dyn Drain + Send + 'd>) -> Result<Box<dyn Sink + Send + 'd>> {
        let output = Output::new(Vec::new(), drain);
        let options = options.into();
        if CompactSink::<Box<dyn Drain + Send + 'd>>::writes(&options)
            && options.depth == super::WriteOptions::default().depth
        {
            return Ok(Box::new(CompactSink::new(output)));
        }
        Ok(Box::new(JsonSink::new(output, options)))
    }
}
