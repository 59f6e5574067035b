//! Parses the `sql` notes of fields.

use crate::failure::refused;
use crate::name::TableName;
use demat_core::{Error, Field, Result};

/// A parsed note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Note {
    /// `key`: the column is part of the primary key.
    Key,
    /// `unique`: the values of the column are unique.
    Unique,
    /// `index`: the column has an index.
    Index,
    /// `references tasks(id) on delete cascade`: the table, and what follows it in SQL.
    References(TableName, String),
    /// `type varchar(220)`: the declared type.
    Type(String),
    /// `check length(title) > 3`: a CHECK constraint, in SQL.
    Check(String),
    /// `default CURRENT_TIMESTAMP`: the default value, in SQL.
    Default(String),
}

/// Parses the notes of a field.
pub(crate) fn of(field: &Field) -> Result<Vec<Note>> {
    field.notes_for("sql").filter_map(|note| read(field, note).transpose()).collect()
}

/// Returns a note's first word in lower case, and what follows it.
fn words(note: &str) -> (String, &str) {
    let note = note.trim();
    let (word, rest) = note.split_once(char::is_whitespace).unwrap_or((note, ""));
    (word.to_ascii_lowercase(), rest.trim())
}

/// Returns whether a note is one that data may bring along: it has no type and no expression.
///
/// A stranger may have written the notes in a file's metadata, and a declared type becomes part of a statement.
///
/// ```
/// use demat_postgres::is_plain_note;
/// assert!(is_plain_note("key") && is_plain_note("references people(id) on delete cascade"));
/// assert!(!is_plain_note("check f(a)") && !is_plain_note("default f()") && !is_plain_note("type mood"));
/// ```
pub fn is_plain_note(note: &str) -> bool {
    match words(note) {
        (word, "") => matches!(&*word, "key" | "unique" | "index"),
        (word, target) => word == "references" && references(target).is_some(),
    }
}

fn read(field: &Field, note: &str) -> Result<Option<Note>> {
    let note = note.trim();
    let (word, rest) = words(note);
    Ok(Some(match (word.as_str(), rest) {
        ("key", "") => Note::Key,
        ("unique", "") => Note::Unique,
        ("index", "") => Note::Index,
        ("type", declared) if is_type(declared) => Note::Type(declared.to_string()),
        ("check", rule) if !rule.is_empty() => Note::Check(rule.to_string()),
        ("default", value) if !value.is_empty() => Note::Default(value.to_string()),
        // Only a migration needs to know the old name.
        ("was", name) if !name.is_empty() => return Ok(None),
        ("references", target) => match references(target) {
            Some((table, rest)) => Note::References(table, rest),
            None => return Err(wrong(field, note)),
        },
        _ => return Err(wrong(field, note)),
    }))
}

#[cold]
fn wrong(field: &Field, note: &str) -> Error {
    let known = "`key`, `unique`, `index`, `references table(column)`, `type NAME`, `check RULE`, `default VALUE`";
    refused(format!("the field `{}` notes `{note}` for sql, and what can be noted is {known}", field.key()))
}

/// Whether a text is valid as a type: words, numbers in parentheses, and brackets of an array.
fn is_type(text: &str) -> bool {
    let mut element = text.trim_end();
    while let Some(rest) = element.strip_suffix("[]") {
        element = rest.trim_end();
    }
    let (words, rest) = element.split_once('(').unwrap_or((element, ")"));
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '.' | '"');
    // `timestamp(3) with time zone`
    let Some((numbers, behind)) = rest.split_once(')') else { return false };
    !words.trim().is_empty()
        && words.chars().chain(behind.chars()).all(word)
        && numbers.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | ',' | '-'))
        && element.matches('"').count().is_multiple_of(2)
}

/// The words of what follows a foreign key's columns.
const ACTIONS: [&str; 19] = [
    "ON",
    "DELETE",
    "UPDATE",
    "SET",
    "NULL",
    "DEFAULT",
    "CASCADE",
    "RESTRICT",
    "NO",
    "ACTION",
    "MATCH",
    "SIMPLE",
    "PARTIAL",
    "FULL",
    "NOT",
    "DEFERRABLE",
    "INITIALLY",
    "DEFERRED",
    "IMMEDIATE",
];

/// Parses `tasks(id) on delete cascade`.
fn references(text: &str) -> Option<(TableName, String)> {
    let end = text.find(|c: char| c == '(' || c.is_whitespace()).unwrap_or(text.len());
    let (table, rest) = text.split_at(end);
    let table = TableName::parse(table).ok()?;
    let (to, actions) = match rest.trim_start().strip_prefix('(') {
        Some(inside) => {
            let (columns, behind) = inside.split_once(')')?;
            let columns: Vec<_> = columns.split(',').map(str::trim).collect();
            if columns.iter().any(|column| column.is_empty()) {
                return None;
            }
            (format!(" ({})", crate::name::listed(columns)), behind)
        }
        None => (String::new(), rest),
    };
    let known = |word: &str| ACTIONS.iter().any(|own| word.eq_ignore_ascii_case(own));
    actions.split_whitespace().all(known).then(|| (table, format!("{to} {}", actions.trim()).trim_end().to_string()))
}
