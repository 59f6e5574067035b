//! Places in databases of servers: their names, and their rows as source and target.

#[cfg(not(feature = "postgres"))]
mod absent;
#[cfg(feature = "postgres")]
mod comparison;
#[cfg(feature = "postgres")]
mod pushed;
#[cfg(feature = "postgres")]
mod rows;
#[cfg(feature = "postgres")]
mod source;
#[cfg(feature = "postgres")]
mod target;
#[cfg(test)]
mod tests;

#[cfg(not(feature = "postgres"))]
pub(crate) use absent::{Pushed, ServerSource, ServerTarget, is_same, masked, tables};
#[cfg(feature = "postgres")]
pub use comparison::{sql_code_points, sql_comparison, sql_comparison_of};
#[cfg(feature = "postgres")]
pub(crate) use {
    demat_postgres::masked,
    pushed::Pushed,
    source::{ServerSource, is_same, tables},
    target::ServerTarget,
};

use crate::Part;
use core::fmt;
use std::ffi::OsStr;

/// A PostgreSQL database, and the part of it: `postgresql://user@host/name#table`.
///
/// Parameters of the URL come before the part. Its text never shows the password.
///
/// ```
/// use demat_place::{Part, Place};
/// let Place::Server(place) = Place::named("postgresql://ada@host/db?sslmode=require#app.tasks".as_ref()) else { panic!() };
/// assert_eq!(place.url(), "postgresql://ada@host/db?sslmode=require");
/// assert_eq!(place.part, Part::Table("app.tasks".to_string()));
/// let Place::Server(place) = Place::named("postgres://host/db?select 1 as a".as_ref()) else { panic!() };
/// assert_eq!(place.part, Part::Query("select 1 as a".to_string()));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ServerPlace {
    url: String,
    /// The part of the database.
    pub part: Part,
}

const SCHEMES: [&str; 2] = ["postgresql://", "postgres://"];

impl ServerPlace {
    /// Parses a name, if it has the scheme of such a server.
    pub fn named(name: &OsStr) -> Option<Self> {
        let name = name.to_str()?;
        let start = SCHEMES.iter().find(|scheme| name.starts_with(**scheme))?.len();
        let mut end = part_of(name, start);
        // `?name=value&…` are parameters, and no statement begins so.
        if name[end..].starts_with('?') && are_parameters(&name[end + 1..]) {
            end = part_of(name, end + 1);
        }
        let part = match name[end..].chars().next() {
            Some('#') => Part::Table(name[end + 1..].to_string()),
            Some(_) => Part::Query(name[end + 1..].to_string()),
            None => Part::Whole,
        };
        Some(Self { url: name[..end].to_string(), part })
    }

    /// The URL of the database, with its password.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// Returns where the next part of a name begins.
fn part_of(name: &str, from: usize) -> usize {
    name[from..].find(['#', '?']).map_or(name.len(), |at| from + at)
}

fn are_parameters(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    end > 0 && text[end..].starts_with('=')
}

impl fmt::Display for ServerPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As a whole, since a password that is not encoded may be taken for a part.
        let url = &self.url;
        f.write_str(&match &self.part {
            Part::Whole => masked(url),
            Part::Table(table) => masked(&format!("{url}#{table}")),
            Part::Query(query) => masked(&format!("{url}?{query}")),
        })
    }
}

impl fmt::Debug for ServerPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ServerPlace").field(&self.to_string()).finish()
    }
}
