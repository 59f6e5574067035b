//! Parses the `sql` notes of fields.

use crate::failure::refused;
use crate::name::unquoted;
use crate::table::Reference;
use demat_core::{Field, Result};

/// A parsed note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Note {
    /// `key`: the column is part of the primary key.
    Key,
    /// `unique`: the values of the column are unique.
    Unique,
    /// `index`: the column has an index.
    Index,
    /// `references tasks(id) on delete cascade`.
    References(Reference),
    /// `type VARCHAR(220)`: the declared type.
    Type(String),
    /// `check length(title) > 3`: a CHECK constraint, in SQL.
    Check(String),
    /// `default CURRENT_TIMESTAMP`: the default value, in SQL.
    Default(String),
    /// `was name`: a name that the column had before. In double quotes it may be any.
    Was(String),
}

/// Parses the notes of a field.
pub(crate) fn of(field: &Field) -> Result<Vec<Note>> {
    field.notes_for("sql").map(|note| read(field, note)).collect()
}

/// Returns a note's first word in lower case, and what follows it.
fn words(note: &str) -> (String, &str) {
    let note = note.trim();
    let (word, rest) = note.split_once(char::is_whitespace).unwrap_or((note, ""));
    (word.to_ascii_lowercase(), rest.trim())
}

/// Returns whether a note is one that data may bring along: it has no expression, and a type in it is nothing but a type.
///
/// A stranger may have written the notes in a file's metadata, and a declared type becomes part of a statement.
///
/// ```
/// use demat_sqlite::is_plain_note;
/// assert!(is_plain_note("key") && is_plain_note("type VARCHAR(20)") && is_plain_note("references people(id)"));
/// assert!(!is_plain_note("check f(a)") && !is_plain_note("default f()") && !is_plain_note("type TEXT UNIQUE"));
/// ```
pub fn is_plain_note(note: &str) -> bool {
    // What a definition may have behind the type.
    const BEHIND: [&str; 12] = [
        "always",
        "as",
        "check",
        "collate",
        "constraint",
        "default",
        "generated",
        "not",
        "null",
        "primary",
        "references",
        "unique",
    ];
    match words(note) {
        // A column may have no type.
        (word, "") => matches!(&*word, "key" | "unique" | "index" | "type"),
        (word, declared) if word == "type" => {
            let mut own = declared.split(|c: char| !c.is_alphanumeric() && c != '_');
            is_type(declared) && !own.any(|own| BEHIND.iter().any(|word| own.eq_ignore_ascii_case(word)))
        }
        (word, target) => word == "references" && reference("", target).is_some(),
    }
}

fn read(field: &Field, note: &str) -> Result<Note> {
    let note = note.trim();
    let (word, rest) = words(note);
    let read = match (word.as_str(), rest) {
        ("key", "") => Note::Key,
        ("unique", "") => Note::Unique,
        ("index", "") => Note::Index,
        ("type", declared) if is_type(declared) => Note::Type(declared.to_string()),
        ("check", rule) if !rule.is_empty() => Note::Check(rule.to_string()),
        ("default", value) if !value.is_empty() => Note::Default(value.to_string()),
        ("was", name) if !name.is_empty() => Note::Was(unquoted(name)),
        ("references", target) => match reference(field.key(), target) {
            Some(reference) => Note::References(reference),
            None => return Err(wrong(field, note)),
        },
        _ => return Err(wrong(field, note)),
    };
    Ok(read)
}

#[cold]
fn wrong(field: &Field, note: &str) -> demat_core::Error {
    let known = "`key`, `unique`, `index`, `references table(column)`, `type NAME`, `check RULE`, `default VALUE`, \
                 `was NAME`";
    refused(format!("the field `{}` notes `{note}` for sql, and what can be noted is {known}", field.key()))
}

/// Returns whether a text is valid as a declared type: words, and numbers in parentheses.
fn is_type(text: &str) -> bool {
    let (words, rest) = text.split_once('(').unwrap_or((text, ")"));
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ' ';
    let Some(numbers) = rest.trim_end().strip_suffix(')') else { return false };
    words.chars().all(word) && numbers.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | ',' | '+' | '-'))
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

/// Parses `tasks(id) on delete cascade` for a column.
fn reference(column: &str, text: &str) -> Option<Reference> {
    let end = text.find(|c: char| c == '(' || c.is_whitespace()).unwrap_or(text.len());
    let (table, mut rest) = text.split_at(end);
    let mut to = Vec::new();
    if let Some(inside) = rest.trim_start().strip_prefix('(') {
        let (columns, behind) = inside.split_once(')')?;
        to = columns.split(',').map(|column| column.trim().to_string()).collect();
        rest = behind;
    }
    let actions = rest.split_whitespace().map(str::to_ascii_uppercase).collect::<Vec<_>>();
    let known = actions.iter().all(|word| ACTIONS.contains(&&**word));
    let actions = actions.join(" ");
    let fine = !table.is_empty() && to.iter().all(|column| !column.is_empty()) && known;
    fine.then(|| Reference { columns: vec![column.to_string()], table: table.to_string(), to, actions })
}
