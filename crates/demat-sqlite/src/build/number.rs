//! Converts between numbers and text exactly as SQLite does.

use crate::format::record::Part;
use crate::format::said;
use demat_core::Result;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// Converts by calling SQLite in all but the simplest cases: no other library rounds and prints exactly alike.
#[derive(Debug, Default)]
pub(super) struct Converter {
    sqlite: Option<Connection>,
}

impl Converter {
    fn sqlite(&mut self) -> Result<&Connection> {
        if self.sqlite.is_none() {
            let connection = Connection::open_in_memory().map_err(said)?;
            let sql = "CREATE TABLE one(number NUMERIC, text TEXT); INSERT INTO one VALUES(NULL, NULL)";
            connection.execute_batch(sql).map_err(said)?;
            self.sqlite = Some(connection);
        }
        // Created just before.
        self.sqlite.as_ref().ok_or_else(|| said(rusqlite::Error::InvalidQuery))
    }

    /// Converts a float as a text column does.
    pub(super) fn text_of(&mut self, value: f64) -> Result<String> {
        let sqlite = self.sqlite()?;
        let update = sqlite.prepare_cached("UPDATE one SET text = ?1");
        update.and_then(|mut update| update.execute([value])).map_err(said)?;
        let text =
            sqlite.prepare_cached("SELECT text FROM one").and_then(|mut one| one.query_row([], |row| row.get(0)));
        text.map_err(said)
    }

    /// Converts a text as a numeric column does, if it is a number.
    pub(super) fn number_of(&mut self, text: &str) -> Result<Option<Part<'static>>> {
        let trimmed = text.trim_start_matches(|space: char| space.is_ascii_whitespace() || space == '\x0b');
        if !trimmed.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.')) {
            return Ok(None);
        }
        if text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(text.parse().ok().map(Part::Int));
        }
        let sqlite = self.sqlite()?;
        let update = sqlite.prepare_cached("UPDATE one SET number = ?1");
        update.and_then(|mut update| update.execute([text])).map_err(said)?;
        let number = sqlite.prepare_cached("SELECT number FROM one").and_then(|mut one| {
            one.query_row([], |row| {
                Ok(match row.get_ref(0)? {
                    ValueRef::Integer(int) => Some(Part::Int(int)),
                    ValueRef::Real(real) => Some(Part::Real(real)),
                    _ => None,
                })
            })
        });
        number.map_err(said)
    }
}
