//! Names of tables and columns in SQL.

use crate::failure::refused;
use core::fmt::Write as _;
use demat_core::Result;

/// Quotes a name, so that any text is a valid identifier.
///
/// ```
/// assert_eq!(demat_postgres::quoted("order"), r#""order""#);
/// assert_eq!(demat_postgres::quoted(r#"a"b"#), r#""a""b""#);
/// ```
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Returns a list of quoted names, separated by commas.
pub(crate) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// Returns a text literal, whatever the server's settings are.
///
/// ```
/// assert_eq!(demat_postgres::literal("it's"), "'it''s'");
/// assert_eq!(demat_postgres::literal(r"a\b"), r"E'a\\b'");
/// ```
pub fn literal(text: &str) -> String {
    let mut literal = String::from(if text.contains('\\') { "E'" } else { "'" });
    for char in text.chars() {
        match char {
            '\'' => literal.push_str("''"),
            '\\' => literal.push_str("\\\\"),
            char => literal.push(char),
        }
    }
    literal.push('\'');
    literal
}

/// Returns the literal of bytes.
pub(crate) fn bytes_literal(bytes: &[u8]) -> String {
    let mut literal = String::from("decode('");
    for byte in bytes {
        let _ = write!(literal, "{byte:02x}"); // writing to a String never fails
    }
    literal.push_str("', 'hex')");
    literal
}

/// The longest name in bytes: the server cuts longer ones off, and so takes them for others.
const LONGEST: usize = 63;

/// Refuses a name that the server would cut off.
pub(crate) fn check_length(name: &str) -> Result<()> {
    if name.len() <= LONGEST {
        return Ok(());
    }
    Err(refused(format!("the name `{name}` has {} bytes, and the server keeps {LONGEST} of a name", name.len())))
}

/// The name of a table: with the schema, or without one for the first of the search path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableName {
    /// The schema.
    pub schema: Option<String>,
    /// The table's own name.
    pub name: String,
}

impl TableName {
    /// Parses `tasks` or `schema.tasks`. A part in double quotes may have any characters; other parts are taken as they
    /// are, with their capitals.
    ///
    /// # Errors
    /// [`Store`](demat_core::ErrorKind::Store) if the text is no name.
    ///
    /// ```
    /// use demat_postgres::TableName;
    /// assert_eq!(TableName::parse("tasks")?.quoted(), r#""tasks""#);
    /// assert_eq!(TableName::parse("app.Tasks")?.quoted(), r#""app"."Tasks""#);
    /// assert_eq!(TableName::parse(r#""a.b""#)?.quoted(), r#""a.b""#);
    /// assert!(TableName::parse("a.b.c").is_err());
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = || refused(format!("`{text}` is no name of a table: NAME, or SCHEMA.NAME, with \"…\" around dots"));
        let (first, rest) = part(text).ok_or_else(wrong)?;
        let Some(rest) = rest.strip_prefix('.') else {
            let own = Self { schema: None, name: first };
            return if rest.is_empty() { own.check().map(|()| own) } else { Err(wrong()) };
        };
        match part(rest) {
            Some((name, "")) => {
                let own = Self { schema: Some(first), name };
                own.check().map(|()| own)
            }
            _ => Err(wrong()),
        }
    }

    /// Refuses a name that the server would cut off.
    pub(crate) fn check(&self) -> Result<()> {
        self.schema.as_deref().map_or(Ok(()), check_length)?;
        check_length(&self.name)
    }

    /// Returns the name in SQL.
    pub fn quoted(&self) -> String {
        match &self.schema {
            Some(schema) => format!("{}.{}", quoted(schema), quoted(&self.name)),
            None => quoted(&self.name),
        }
    }
}

/// Parses a part of a name, and returns the rest.
fn part(text: &str) -> Option<(String, &str)> {
    if !text.starts_with('"') {
        let end = text.find(['.', '"']).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        return (!name.is_empty() && !name.contains('\0')).then(|| (name.to_string(), rest));
    }
    let mut name = String::new();
    let mut rest = &text[1..];
    loop {
        let end = rest.find('"')?;
        name.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(more) => rest = more,
            None => return (!name.is_empty() && !name.contains('\0')).then_some((name, rest)),
        }
        name.push('"');
    }
}
