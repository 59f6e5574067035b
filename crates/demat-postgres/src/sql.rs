//! Looks at the first words of a statement.

use crate::failure::refused;
use demat_core::Result;

/// Words that begin a statement which only reads, unless a function in it writes.
const READING: [&str; 4] = ["SELECT", "VALUES", "TABLE", "SHOW"];

/// Words of a `WITH` whose parts change rows.
const CHANGING: [&str; 4] = ["INSERT", "UPDATE", "DELETE", "MERGE"];

/// Whether a statement only reads, as far as its words show. A function in it may still change rows.
pub(crate) fn only_reads(sql: &str) -> bool {
    let sql = trimmed(sql);
    let first = words(sql).next().unwrap_or_default();
    let is = |word: &str| first.eq_ignore_ascii_case(word);
    READING.iter().any(|word| is(word)) || is("WITH") && !has_any(sql, &CHANGING)
}

/// Refuses a COPY whose rows pass through the connection: the protocol would wait for rows that never come.
///
/// # Errors
/// If it is one.
pub(crate) fn refuse_copy(sql: &str) -> Result<()> {
    let sql = trimmed(sql);
    let is_copy = words(sql).next().is_some_and(|word| word.eq_ignore_ascii_case("COPY"));
    if is_copy && has_any(sql, &["STDIN", "STDOUT"]) {
        return Err(refused(
            "a statement can't be COPY from STDIN or to STDOUT: rows are written to tables, and queried",
        ));
    }
    Ok(())
}

fn has_any(sql: &str, wanted: &[&str]) -> bool {
    words(sql).any(|word| wanted.iter().any(|own| word.eq_ignore_ascii_case(own)))
}

/// The words of a text, also those within literals and names.
fn words(sql: &str) -> impl Iterator<Item = &str> {
    sql.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Removes blanks, comments and opening parentheses before the first word.
fn trimmed(mut sql: &str) -> &str {
    loop {
        sql = sql.trim_start_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '(' | ';' | '\x0B'));
        if sql.starts_with("--") {
            sql = sql.find(['\n', '\r']).map_or("", |end| &sql[end..]);
        } else if sql.starts_with("/*") {
            sql = behind_comment(sql);
        } else {
            return sql;
        }
    }
}

/// Returns what follows a comment, within which others may be.
fn behind_comment(sql: &str) -> &str {
    let (mut depth, mut at) = (0_u32, 0);
    while let Some(found) = sql[at..].find(['/', '*']) {
        at += found;
        let (step, change): (usize, i32) = match sql.get(at..at + 2) {
            Some("/*") => (2, 1),
            Some("*/") => (2, -1),
            _ => (1, 0),
        };
        at += step;
        depth = depth.saturating_add_signed(change);
        if depth == 0 {
            return &sql[at..];
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::{only_reads, refuse_copy};

    #[test]
    fn statements_that_only_read_are_known() {
        for sql in [
            "SELECT 1",
            " (select 1)",
            "-- insert\nselect 1",
            "/* a /* b */ insert */ table t",
            "values (1)",
            "with a as (select 1) select * from a",
        ] {
            assert!(only_reads(sql), "{sql}");
        }
        for sql in [
            "insert into t values (1) returning id",
            "/* select */ update t set a = 1 returning a",
            "with a as (insert into t select 1 returning id) select * from a",
            "explain analyze delete from t",
            "call f()",
            "",
            "/* select",
            "/**",
            "/",
        ] {
            assert!(!only_reads(sql), "{sql}");
        }
    }

    #[test]
    fn a_copy_through_the_connection_is_refused() {
        for sql in ["COPY t FROM STDIN", "/**/ copy (select 1) to stdout", "copy t from\nstdin with (format binary)"] {
            assert!(refuse_copy(sql).is_err(), "{sql}");
        }
        for sql in ["COPY t FROM '/tmp/x'", "select 'copy from stdin'", "copy t to program 'cat'"] {
            assert!(refuse_copy(sql).is_ok(), "{sql}");
        }
    }
}
