//! Quotes names and literals for SQL.

use crate::param::Param;
use core::fmt::Write as _;

/// Quotes a name, so that any text is a valid identifier.
///
/// ```
/// assert_eq!(demat_sqlite::quoted("order"), r#""order""#);
/// assert_eq!(demat_sqlite::quoted(r#"a"b"#), r#""a""b""#);
/// ```
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Returns a name without its double quotes, if it has some: the opposite of [`quoted`].
///
/// ```
/// assert_eq!(demat_sqlite::unquoted(r#""a""b""#), r#"a"b"#);
/// assert_eq!(demat_sqlite::unquoted("order"), "order");
/// ```
pub fn unquoted(name: &str) -> String {
    let inner = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    inner.map_or_else(|| name.to_string(), |name| name.replace("\"\"", "\""))
}

/// Returns a list of quoted names, separated by commas.
pub(crate) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// Returns a text literal. A text with a zero byte is written as a cast blob, since SQL text ends at a zero byte.
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

/// Returns a value as an SQL literal.
pub(crate) fn literal(value: &Param) -> String {
    match value {
        Param::Null => "NULL".to_string(),
        // The minimum has no literal: its digits alone would be a float.
        Param::Int(i64::MIN) => "(-9223372036854775807 - 1)".to_string(),
        Param::Int(value) => value.to_string(),
        Param::Real(value) if value.is_infinite() => if *value > 0.0 { "9e999" } else { "-9e999" }.to_string(),
        Param::Real(value) => format!("{value:?}"),
        Param::Text(value) => text_literal(value),
        Param::Blob(value) => blob_literal(value),
    }
}
