//! Names and literals, as SQL writes them.

use crate::param::Param;
use core::fmt::Write as _;

/// A name, quoted so that it means itself whatever it is.
///
/// ```
/// assert_eq!(demat_sqlite::quoted("order"), r#""order""#);
/// assert_eq!(demat_sqlite::quoted(r#"a"b"#), r#""a""b""#);
/// ```
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Names, quoted, with commas between them.
pub(crate) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// A text as a literal. One with a zero byte is put together, since SQL's text ends there.
pub(crate) fn text_literal(text: &str) -> String {
    if text.contains('\0') {
        return format!("CAST({} AS TEXT)", blob_literal(text.as_bytes()));
    }
    format!("'{}'", text.replace('\'', "''"))
}

fn blob_literal(bytes: &[u8]) -> String {
    let mut literal = String::with_capacity(bytes.len() * 2 + 3);
    literal.push_str("x'");
    for byte in bytes {
        let _ = write!(literal, "{byte:02x}"); // writing to a String never fails
    }
    literal.push('\'');
    literal
}

/// A value as a literal.
pub(crate) fn literal(value: &Param) -> String {
    match value {
        Param::Null => "NULL".to_string(),
        // The least number has no literal: its digits alone are a float.
        Param::Int(i64::MIN) => "(-9223372036854775807 - 1)".to_string(),
        Param::Int(value) => value.to_string(),
        Param::Real(value) if value.is_infinite() => if *value > 0.0 { "9e999" } else { "-9e999" }.to_string(),
        Param::Real(value) => format!("{value:?}"),
        Param::Text(value) => text_literal(value),
        Param::Blob(value) => blob_literal(value),
    }
}
