//! The formats, in the one table of them.

use crate::Compression;
use core::fmt;
use core::str::FromStr;
use std::path::Path;

/// What a place holds.
///
/// ```
/// use demat_place::Format;
/// assert_eq!(Format::of_path("tasks.jsonl.gz".as_ref()), Some(Format::Ndjson));
/// assert_eq!("csv".parse(), Ok(Format::Csv));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One JSON document.
    Json,
    /// A JSON value on each line.
    Ndjson,
    /// A table whose cells stand between commas.
    Csv,
    /// A table whose cells stand between tabs.
    Tsv,
    /// Arrow's columns: a file or a stream of batches.
    Arrow,
    /// Columns, packed.
    Parquet,
    /// Protocol Buffers: a message, or messages each behind its length.
    Proto,
    /// Tables of an SQLite database.
    Sqlite,
}

/// What there is to know of a format.
struct Row {
    format: Format,
    name: &'static str,
    /// With their dots, the usual one first.
    suffixes: &'static [&'static str],
    /// Its media types: that of files first, then others that clients send.
    media_types: &'static [&'static str],
    /// The `Content-Type` of a stream of it, where that is not the first media type: with a charset, or of another form.
    content_type: Option<&'static str>,
    description: &'static str,
}

/// One row a format, in the order of [`Format`]'s variants.
const TABLE: &[Row] = &[
    Row {
        format: Format::Json,
        name: "json",
        suffixes: &[".json"],
        media_types: &["application/json", "text/json"],
        content_type: None,
        description: "one JSON document (RFC 8259); an array is a list of records",
    },
    Row {
        format: Format::Ndjson,
        name: "ndjson",
        suffixes: &[".ndjson", ".jsonl"],
        media_types: &["application/x-ndjson", "application/jsonl", "application/x-jsonlines"],
        content_type: None,
        description: "a JSON value on each line, also called JSON Lines",
    },
    Row {
        format: Format::Csv,
        name: "csv",
        suffixes: &[".csv"],
        media_types: &["text/csv"],
        content_type: Some("text/csv; charset=utf-8"),
        description: "a table, cells between commas (RFC 4180)",
    },
    Row {
        format: Format::Tsv,
        name: "tsv",
        suffixes: &[".tsv", ".tab"],
        media_types: &["text/tab-separated-values"],
        content_type: Some("text/tab-separated-values; charset=utf-8"),
        description: "a table, cells between tabs, quoted as in CSV",
    },
    Row {
        format: Format::Arrow,
        name: "arrow",
        suffixes: &[".arrow", ".arrows", ".ipc", ".feather"],
        media_types: &["application/vnd.apache.arrow.file", "application/vnd.apache.arrow.stream"],
        content_type: Some("application/vnd.apache.arrow.stream"),
        description: "columns in batches: a file, or a stream (.arrows, standard output)",
    },
    Row {
        format: Format::Parquet,
        name: "parquet",
        suffixes: &[".parquet"],
        media_types: &["application/vnd.apache.parquet"],
        content_type: None,
        description: "columns, each packed by itself",
    },
    Row {
        format: Format::Proto,
        name: "proto",
        suffixes: &[".pb", ".binpb", ".protobuf"],
        media_types: &["application/protobuf", "application/x-protobuf", "application/vnd.google.protobuf"],
        content_type: None,
        description: "Protocol Buffers: a message, or a list of messages each behind its length",
    },
    Row {
        format: Format::Sqlite,
        name: "sqlite",
        suffixes: &[".db", ".sqlite", ".sqlite3"],
        media_types: &["application/vnd.sqlite3"],
        content_type: None,
        description: "the tables of a database: file.db#table, 'file.db?select ...'",
    },
];

impl Format {
    /// All of them.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        TABLE.iter().map(|row| row.format)
    }

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The suffixes of files that hold it, with their dots; the usual one first.
    pub fn suffixes(self) -> &'static [&'static str] {
        self.row().suffixes
    }

    /// Its media types: that of files first, then others that it goes by.
    pub fn media_types(self) -> &'static [&'static str] {
        self.row().media_types
    }

    /// The `Content-Type` of a stream of it: Arrow's is that of streams, and texts have a charset.
    ///
    /// ```
    /// use demat_place::Format;
    /// assert_eq!(Format::Csv.content_type(), "text/csv; charset=utf-8");
    /// assert_eq!(Format::Json.content_type(), "application/json");
    /// ```
    pub fn content_type(self) -> &'static str {
        let row = self.row();
        row.content_type.or(row.media_types.first().copied()).unwrap_or("application/octet-stream")
    }

    /// The `Content-Type` of a file of it.
    pub fn file_type(self) -> &'static str {
        let first = self.media_types().first().copied().unwrap_or("application/octet-stream");
        if self.content_type().starts_with(first) { self.content_type() } else { first }
    }

    /// The media type of a stream of it, without parameters.
    pub fn stream_type(self) -> &'static str {
        self.content_type().split(';').next().unwrap_or_default()
    }

    /// What it is, in half a line.
    pub fn description(self) -> &'static str {
        self.row().description
    }

    /// Whether it is read from and written to streams, which can be packed.
    pub fn is_streamed(self) -> bool {
        self != Self::Sqlite
    }

    /// Whether it is a text of rows and cells, which can't nest.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv)
    }

    /// Whether it is columns that know the shape of their records.
    pub fn is_columnar(self) -> bool {
        matches!(self, Self::Arrow | Self::Parquet)
    }

    /// Whether its values are written as JSON.
    pub fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::Ndjson)
    }

    /// The format that a path's suffix names, looked for in front of a suffix of compression, upper case or lower.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let name = Compression::strip_suffix(name).to_ascii_lowercase();
        let ends = |suffix: &&str| name.len() > suffix.len() && name.ends_with(*suffix);
        TABLE.iter().find(|row| row.suffixes.iter().any(ends)).map(|row| row.format)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    /// By its name, or by a suffix without the dot.
    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let lower = name.to_ascii_lowercase();
        let by_suffix = |row: &&Row| row.suffixes.iter().any(|suffix| suffix[1..] == lower);
        let row = TABLE.iter().find(|row| row.name == lower).or_else(|| TABLE.iter().find(by_suffix));
        row.map(|row| row.format).ok_or_else(|| UnknownFormat { name: name.to_string() })
    }
}

/// No format has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFormat {
    name: String,
}

impl UnknownFormat {
    /// The format that was meant, if one has nearly this name.
    pub fn suggestion(&self) -> Option<Format> {
        let name = self.name.to_ascii_lowercase();
        let nearest = Format::all().min_by_key(|format| distance(&name, format.name()))?;
        (distance(&name, nearest.name()) <= nearest.name().len() / 2).then_some(nearest)
    }
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Format::all().map(Format::name).collect();
        write!(f, "no format is called `{}`; there are {}", self.name, names.join(", "))?;
        match self.suggestion() {
            Some(format) => write!(f, "; did you mean `{format}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownFormat {}

/// How many letters must be put in, taken out, changed or swapped with their neighbour to make one word of the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let one: Vec<char> = one.chars().collect();
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for (i, j) in (0..=one.len()).flat_map(|i| (0..=other.len()).map(move |j| (i, j))) {
        rows[i][j] = if i == 0 || j == 0 {
            i + j
        } else {
            let changed = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            least
        };
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::{Format, TABLE, distance};
    use std::path::Path;

    #[test]
    fn the_table_stands_in_the_order_of_the_enum() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.format as usize, index, "{}", row.name);
        }
    }

    #[test]
    fn a_stream_has_a_media_type_of_the_format() {
        for format in Format::all() {
            assert!(format.media_types().contains(&format.stream_type()), "{format}");
            for other in Format::all().filter(|other| *other != format) {
                assert!(!other.media_types().iter().any(|own| format.media_types().contains(own)), "{format} {other}");
            }
        }
    }

    #[test]
    fn suffixes_are_seen_through_compression_and_case() {
        let of = |path: &str| Format::of_path(Path::new(path));
        assert_eq!(of("a/b.json"), Some(Format::Json));
        assert_eq!(of("a.JSONL.GZ"), Some(Format::Ndjson));
        assert_eq!(of("a.ndjson.zst"), Some(Format::Ndjson));
        assert_eq!(of("a.csv.gz"), Some(Format::Csv));
        assert_eq!(of("a.tab"), Some(Format::Tsv));
        assert_eq!(of("a.feather"), Some(Format::Arrow));
        assert_eq!(of("a.Parquet"), Some(Format::Parquet));
        assert_eq!(of("a.pb.zst"), Some(Format::Proto));
        assert_eq!(of("a.sqlite3"), Some(Format::Sqlite));
        assert_eq!(of("json"), None);
        assert_eq!(of(".json"), None, "a hidden file of that name has no suffix");
        assert_eq!(of("a.gz"), None);
        assert_eq!(of("a.json/b"), None);
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        let refused = |name: &str| name.parse::<Format>().unwrap_err();
        assert_eq!(refused("cvs").suggestion(), Some(Format::Csv));
        assert_eq!(refused("jsom").suggestion(), Some(Format::Json));
        assert_eq!(refused("spreadsheet").suggestion(), None);
        assert_eq!(
            refused("jso").to_string(),
            "no format is called `jso`; there are json, ndjson, csv, tsv, arrow, parquet, proto, sqlite; did you mean `json`?"
        );
        assert_eq!("JSONL".parse(), Ok(Format::Ndjson));
    }

    #[test]
    fn distances_count_edits() {
        assert_eq!(distance("", "csv"), 3);
        assert_eq!(distance("cvs", "csv"), 1);
        assert_eq!(distance("csv", "csv"), 0);
        assert_eq!(distance("json", "ndjson"), 2);
    }
}
