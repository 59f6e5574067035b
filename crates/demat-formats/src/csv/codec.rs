use super::{Csv, CsvSink, Dialect, LineEnding, NullText, Ragged};
use crate::codec::{
    About, Codec, Engine, Model, OwnOptions, ReadOptions, Reader, Setting, SettingValue, Values, WriteOptions,
};
use crate::stream::{Bordered, after_line};
use crate::{Drain, Output, Rewrite};
use demat_core::{Record, Result, Sink};

/// CSV as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct CsvCodec;

/// TSV as a [`Codec`]: CSV with tabs between the cells.
#[derive(Debug, Clone, Copy)]
pub struct TsvCodec;

const QUOTE: Setting =
    Setting::new("quote", Values::OptionalCharacter, "'\"'", "what stands around cells that need it; none: no quotes");
const READ_HEADER: Setting =
    Setting::new("header", Values::Flag, "True", "whether the first row has the names of the columns");
const RAGGED: Setting =
    Setting::new("ragged", Values::Choice(&["refuse", "pad"]), "\"refuse\"", "what becomes of rows that are too short");
const WRITE_HEADER: Setting =
    Setting::new("header", Values::Flag, "True", "whether the names of the columns are written first");
const LINE_ENDING: Setting =
    Setting::new("line_ending", Values::Choice(&["\n", "\r\n"]), "\"\\n\"", "what each row ends with");
const ESCAPE_FORMULAS: Setting = Setting::new(
    "escape_formulas",
    Values::Flag,
    "False",
    "whether cells that a spreadsheet would run as a formula are written with `'` in front",
);

const NULL: Setting = Setting::new(
    "null",
    Values::OptionalText,
    "None",
    "the text without quotes that stands for None, such as `NA`; it is read besides an empty cell, and written in its place",
);

const fn delimiter(default: &'static str) -> Setting {
    Setting::new("delimiter", Values::Character, default, "what stands between cells")
}

/// Facts about CSV for the registry.
pub static CSV: About = About {
    content_type: Some("text/csv; charset=utf-8"),
    model: Model::Cells,
    engine: Engine::Cells,
    needs_shape: true,
    read: &[delimiter("\",\""), QUOTE, READ_HEADER, RAGGED, NULL],
    write: &[delimiter("\",\""), QUOTE, WRITE_HEADER, LINE_ENDING, ESCAPE_FORMULAS, NULL],
    ..About::new("csv", &[".csv"], &["text/csv"], "a table, cells between commas (RFC 4180)")
};

/// Facts about TSV for the registry.
pub static TSV: About = About {
    content_type: Some("text/tab-separated-values; charset=utf-8"),
    read: &[delimiter("\"\\t\""), QUOTE, READ_HEADER, RAGGED, NULL],
    write: &[delimiter("\"\\t\""), QUOTE, WRITE_HEADER, LINE_ENDING, ESCAPE_FORMULAS, NULL],
    dialect_of: Some(CSV.name),
    name: "tsv",
    suffixes: &[".tsv", ".tab"],
    media_types: &["text/tab-separated-values"],
    description: "a table, cells between tabs, quoted as in CSV",
    ..CSV
};

impl Dialect {
    /// Sets an option by its name.
    fn set(&mut self, setting: &'static Setting, value: &SettingValue) -> Result<()> {
        match (setting.name, value) {
            ("null", SettingValue::Text(text)) => self.null = Some(NullText::new(text)?),
            ("null", SettingValue::None) => self.null = None,
            ("delimiter", SettingValue::Character(byte)) => self.delimiter = *byte,
            ("quote", SettingValue::Character(byte)) => self.quote = Some(*byte),
            ("quote", SettingValue::None) => self.quote = None,
            ("header", SettingValue::Flag(flag)) => self.header = *flag,
            ("escape_formulas", SettingValue::Flag(flag)) => self.escape_formulas = *flag,
            ("ragged", SettingValue::Text(text)) => {
                self.ragged = if &**text == "pad" { Ragged::Pad } else { Ragged::Refuse };
            }
            ("line_ending", SettingValue::Text(text)) => {
                self.line_ending = if &**text == "\n" { LineEnding::Lf } else { LineEnding::CrLf };
            }
            // Not reached: the registry checked the name and the value.
            _ => {}
        }
        Ok(())
    }
}

impl From<Dialect> for ReadOptions {
    fn from(own: Dialect) -> Self {
        Self { own: OwnOptions::of(own), ..Self::default() }
    }
}

impl From<Dialect> for WriteOptions {
    fn from(own: Dialect) -> Self {
        Self { own: OwnOptions::of(own), ..Self::default() }
    }
}

impl Codec for CsvCodec {
    fn about(&self) -> &'static About {
        &CSV
    }

    fn set_read(&self, options: &mut ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        options.own.change(|dialect: &mut Dialect| dialect.set(setting, &value))
    }

    fn set_write(&self, options: &mut WriteOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        options.own.change(|dialect: &mut Dialect| dialect.set(setting, &value))
    }

    fn reader(&self, options: &ReadOptions) -> Result<Reader> {
        Csv::new(options.own.typed()).map(|csv| Reader::Csv(Box::new(csv)))
    }

    fn rewrites(&self) -> bool {
        true
    }

    fn rewrite(&self, options: &ReadOptions, record: &Rewrite<'_>) -> Result<Vec<u8>> {
        super::rewrite(record, options.own.typed())
    }

    fn sink<'d>(&self, options: &WriteOptions, drain: Box<dyn Drain + Send + 'd>) -> Result<Box<dyn Sink + Send + 'd>> {
        Ok(Box::new(CsvSink::new(options.own.typed(), Output::new(Vec::new(), drain))?))
    }
}

impl Codec for TsvCodec {
    fn about(&self) -> &'static About {
        &TSV
    }

    fn read_options(&self) -> ReadOptions {
        Dialect::tsv().into()
    }

    fn write_options(&self) -> WriteOptions {
        Dialect::tsv().into()
    }

    fn set_read(&self, options: &mut ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        CsvCodec.set_read(options, setting, value)
    }

    fn set_write(&self, options: &mut WriteOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        CsvCodec.set_write(options, setting, value)
    }

    fn reader(&self, options: &ReadOptions) -> Result<Reader> {
        CsvCodec.reader(options)
    }

    fn rewrites(&self) -> bool {
        true
    }

    fn rewrite(&self, options: &ReadOptions, record: &Rewrite<'_>) -> Result<Vec<u8>> {
        CsvCodec.rewrite(options, record)
    }

    fn sink<'d>(&self, options: &WriteOptions, drain: Box<dyn Drain + Send + 'd>) -> Result<Box<dyn Sink + Send + 'd>> {
        CsvCodec.sink(options, drain)
    }
}

impl Bordered for Csv {
    fn anew(&self) -> Self {
        // `new` checked the dialect.
        Self::new(self.dialect()).unwrap_or_default()
    }

    /// The line break may be inside quotes, and so no record boundary.
    fn border(&self, bytes: &[u8], from: usize, _: &Record) -> Option<usize> {
        after_line(bytes, from)
    }
}
