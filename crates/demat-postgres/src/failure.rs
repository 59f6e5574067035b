//! Converts errors of the connection and of the server.

use core::fmt::{self, Write as _};
use demat_core::{Error, ErrorKind, Trouble};
use std::borrow::Cow;
use std::error::Error as _;
use tokio_postgres::error::{DbError, ErrorPosition, Severity};

/// The error code of the server (SQLSTATE), and the constraint that was violated.
///
/// It is the [`std::error::Error::source`] of the error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostgresFailure {
    /// The code of five characters, such as `23505`; empty if the server sent no error.
    pub code: String,
    /// The name of the constraint, if one was violated.
    pub constraint: Option<String>,
    /// The column that the error is about, if the server named one.
    pub column: Option<String>,
    /// What happened to the connection, if the server sent no error.
    said: String,
}

impl fmt::Display for PostgresFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.code {
            "" => f.write_str(&self.said),
            code => write!(f, "SQLSTATE {code}"),
        }
    }
}

impl std::error::Error for PostgresFailure {
    /// The [`Trouble`] of the database, or `None` for a request or a value that it refuses.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match (self.code.get(..2).unwrap_or_default(), &*self.code) {
            // Locks, serialisation failures, deadlocks, too many connections, and statements that were cancelled.
            ("40" | "55", _) | (_, "53300" | "57014") => &Trouble::Busy,
            (_, "53100") => &Trouble::Full,
            ("" | "08" | "53" | "57" | "58" | "XX", _) => &Trouble::Broken,
            _ => return None,
        })
    }
}

/// Whether the server or the connection failed, and not a request or a value.
fn ends_all(code: &str) -> bool {
    code != "57014" && matches!(code.get(..2).unwrap_or_default(), "" | "08" | "53" | "57" | "58" | "XX")
}

/// Converts an error of the client library. `what`: what was done.
#[cold]
#[allow(clippy::needless_pass_by_value)] // it is what `map_err` passes
pub(crate) fn failed(error: tokio_postgres::Error) -> Error {
    let Some(server) = error.as_db_error() else {
        let said = error.source().map_or_else(|| "the server has ended it".to_string(), ToString::to_string);
        let failure = PostgresFailure { code: String::new(), constraint: None, column: None, said };
        return Error::new(ErrorKind::Io, error.to_string()).because(failure);
    };
    of_server(server)
}

#[cold]
fn of_server(server: &DbError) -> Error {
    let code = server.code().code().to_string();
    let mut message = server.message().to_string();
    for part in [server.detail(), server.hint()].into_iter().flatten() {
        message.push_str("; ");
        message.push_str(part);
    }
    if let Some(ErrorPosition::Original(at)) = server.position() {
        let _ = write!(message, " (at character {at} of the statement)"); // writing to a String never fails
    }
    let is_fatal = matches!(server.parsed_severity(), Some(Severity::Fatal | Severity::Panic));
    let kind = if ends_all(&code) || is_fatal { ErrorKind::Io } else { ErrorKind::Store };
    let row = server.where_().and_then(row_of);
    let failure = PostgresFailure {
        code,
        constraint: server.constraint().map(str::to_string),
        column: server.column().map(str::to_string),
        said: String::new(),
    };
    let error = Error::new(kind, message).because(failure);
    match row {
        Some(row) => error.in_record(row),
        None => error,
    }
}

/// Returns the row of the server's `COPY tasks, line 3, column id`.
fn row_of(context: &str) -> Option<u64> {
    // A trigger or a function stands in the lines before.
    let (_, rest) = context.lines().find_map(|line| line.strip_prefix("COPY ")?.split_once(", line "))?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).map_or(rest, |end| &rest[..end]);
    digits.parse().ok()
}

/// Returns an error about a request that can't be fulfilled.
#[cold]
pub(crate) fn refused(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Store, message)
}

/// Returns the error for rows that end early: no row behind it can be read, so it ends a copy whatever its cause is.
#[cold]
pub(crate) fn broken_off(rows: u64, error: &Error) -> Error {
    let message = format!("the rows ended after {rows}: {}", error.reason());
    let ended = Error::new(ErrorKind::Io, message);
    match error.source().and_then(|cause| cause.downcast_ref::<PostgresFailure>()) {
        Some(failure) => ended.because(failure.clone()),
        None => ended,
    }
}

#[cfg(test)]
mod tests {
    use super::row_of;

    #[test]
    fn rows_are_found_in_what_the_server_says() {
        assert_eq!(row_of("COPY tasks, line 3, column id"), Some(3));
        assert_eq!(row_of("COPY a, line b, line 12"), None);
        assert_eq!(row_of("COPY tasks, line 12"), Some(12));
        assert_eq!(row_of("PL/pgSQL function f() line 3 at RAISE\nCOPY tasks, line 4: \"x\""), Some(4));
        assert_eq!(row_of("SQL function \"f\""), None);
    }
}
