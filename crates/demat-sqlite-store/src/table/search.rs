//! Full-text search, by an index of FTS4 or FTS5 over the table.

#[cfg(test)]
mod tests;

use super::Table;
use super::reader::Reader;
use demat_core::Result;
use demat_sqlite::{Param, Rows as _, quoted};
use demat_store::Fault;

/// A virtual table that indexes the text of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextIndex {
    /// Its name.
    name: String,
    /// The column of the indexed table that has its rowids.
    rowid: String,
}

/// The maximum number of words.
const MOST: usize = 64;

impl Table {
    /// Returns the condition that rows have all of these words.
    pub(super) fn search(&self, words: &str, values: &mut Vec<Param>) -> Result<String> {
        let Some(TextIndex { name, rowid }) = &self.index else {
            return Err(Fault::BadQuery.because("the table has no full-text index (FTS4 or FTS5) to `search`"));
        };
        // In quotes, a word has no meaning in the index's own query language, in which it may be wrong.
        let words: Vec<_> = words.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\0')).collect();
        let words: Vec<_> =
            words.into_iter().filter(|word| !word.is_empty()).map(|word| format!("\"{word}\"")).collect();
        if words.is_empty() || words.len() > MOST {
            return Err(Fault::BadQuery.because(format!("`search` has one word to {MOST}")));
        }
        values.push(Param::Text(words.join(" ")));
        let index = quoted(name);
        Ok(format!("{} IN (SELECT rowid FROM {index} WHERE {index} MATCH ?)", quoted(rowid)))
    }
}

impl Reader {
    /// Returns the full-text index of a table, which may be the table itself.
    pub(super) fn text_index(&mut self, table: &demat_sqlite::Table) -> Result<Option<TextIndex>> {
        if table.view || table.without_rowid {
            return Ok(None);
        }
        let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name";
        self.asked(sql, &[], |statement| {
            let mut found = None;
            while statement.step()? {
                let text = |column| String::from_utf8_lossy(statement.bytes(column)).into_owned();
                let (name, sql) = (text(0), text(1));
                let Some(options) = options(&sql) else { continue };
                let option = |wanted: &str| options.iter().find(|(name, _)| name == wanted).map(|(_, value)| &**value);
                let is_own = name == table.name;
                if is_own || option("content").is_some_and(|content| content.eq_ignore_ascii_case(&table.name)) {
                    let rowid = option("content_rowid").filter(|_| !is_own).unwrap_or("rowid").to_string();
                    // A column of that name would hide the rowid.
                    if rowid != "rowid" || table.column("rowid").is_none() {
                        found = found.or(Some(TextIndex { name, rowid }));
                    }
                }
            }
            Ok(found)
        })
    }
}

/// Returns the options of a full-text table by its definition; `None` if it is another virtual table.
fn options(sql: &str) -> Option<Vec<(String, String)>> {
    let lower = sql.to_ascii_lowercase();
    let module = ["using fts5", "using fts4", "using fts3"]
        .into_iter()
        .find_map(|own| lower.find(own).map(|at| at + own.len()))
        .filter(|end| !lower[*end..].starts_with(|next: char| next.is_ascii_alphanumeric()))?;
    let arguments = sql[module..].trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or_default();
    let (mut parts, mut quote) = (vec![String::new()], None);
    for letter in arguments.chars() {
        match (quote, letter) {
            (None, ',') => {
                parts.push(String::new());
                continue;
            }
            (None, '\'' | '"' | '`') => quote = Some(letter),
            (None, '[') => quote = Some(']'),
            (Some(end), own) if own == end => quote = None,
            _ => {}
        }
        parts.last_mut()?.push(letter);
    }
    let option = |part: &String| {
        let (name, value) = part.split_once('=')?;
        let value = value.trim();
        let inner =
            value.strip_prefix(['\'', '"', '`', '[']).and_then(|value| value.strip_suffix(['\'', '"', '`', ']']));
        Some((name.trim().to_ascii_lowercase(), inner.unwrap_or(value).replace("''", "'")))
    };
    Some(parts.iter().filter_map(option).collect())
}
