//! Formats that other crates read and write: their names and options, which make the list complete.

use crate::codec::{About, Model, OwnOptions, Setting, SettingValue, Values};
use demat_core::{Argument, Result, Vocabulary, Word};

/// The media type of a stream of Arrow's batches.
const ARROW_STREAM: &str = "application/vnd.apache.arrow.stream";

/// Arrow: a file, or a stream of batches.
pub(super) static ARROW: About = About {
    content_type: Some(ARROW_STREAM),
    model: Model::Columns,
    needs_shape: true,
    write: COLUMNS,
    ..About::new(
        "arrow",
        &[".arrow", ".arrows", ".ipc", ".feather"],
        &["application/vnd.apache.arrow.file", ARROW_STREAM],
        "columns in batches: a file, or a stream (.arrows, standard output)",
    )
};

/// Parquet: compressed columns.
pub(super) static PARQUET: About = About {
    model: Model::Columns,
    needs_shape: true,
    write: COLUMNS,
    is_late: true,
    ..About::new("parquet", &[".parquet"], &["application/vnd.apache.parquet"], "columns, each packed by itself")
};

/// `SQLite` databases.
/// What a field says of its column.
static COLUMN: Vocabulary = Vocabulary::new(
    "sql",
    &[
        Word::new("key"),
        Word::new("unique"),
        Word::new("index"),
        Word::new("references").with(Argument::Rest("a table")),
        Word::new("type").with(Argument::Rest("a declared type")),
        Word::new("check").with(Argument::Rest("a rule in SQL")).repeated(),
        Word::new("default").with(Argument::Rest("a value in SQL")),
        Word::new("was").with(Argument::Rest("a name that the column had before")).repeated(),
    ],
);

pub(super) static SQLITE: About = About {
    model: Model::Tables,
    needs_shape: true,
    notes: Some(&COLUMN),
    ..About::new(
        "sqlite",
        &[".db", ".sqlite", ".sqlite3"],
        &["application/vnd.sqlite3"],
        "the tables of a database: file.db#table, 'file.db?select ...'",
    )
};

/// The options for writing columns.
const COLUMNS: &[Setting] = &[
    Setting::new(
        "naive",
        Values::Flag,
        "False",
        "whether instants are written as a clock on some wall shows them, without a zone",
    ),
    Setting::new(
        "decimals",
        Values::OptionalPair,
        "None",
        "how many digits decimals have, and how many after the point",
    ),
    Setting::new(
        "narrow",
        Values::Flag,
        "False",
        "whether columns of ints are as narrow as the bounds of their type allow",
    ),
    Setting::new(
        "dictionary",
        Values::Names,
        "False",
        "the columns whose texts are stored once each, with a number for each row; true: all",
    ),
];

/// Sets an option of one of these formats.
///
/// # Errors
/// If the value is an invalid pair of digits and scale for decimals.
pub(super) fn set(options: &mut OwnOptions, setting: &Setting, value: SettingValue) -> Result<()> {
    if let SettingValue::Pair(digits, behind) = value
        && (u8::try_from(digits).is_err() || i8::try_from(behind).is_err())
    {
        return Err(setting.refused(&format!("({digits}, {behind})")));
    }
    options.set(setting, value);
    Ok(())
}
