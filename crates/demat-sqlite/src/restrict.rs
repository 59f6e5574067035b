//! Connections that only read, for a limited time.

use crate::database::Database;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;
use demat_core::Result;
use rusqlite::ffi;
use std::time::Duration;

/// The pragmas that say something of the schema and change nothing. FTS5 itself uses `data_version`.
const PRAGMAS: [&[u8]; 14] = [
    b"table_info",
    b"table_xinfo",
    b"table_list",
    b"index_list",
    b"index_info",
    b"index_xinfo",
    b"foreign_key_list",
    b"database_list",
    b"collation_list",
    b"function_list",
    b"module_list",
    b"pragma_list",
    b"compile_options",
    b"data_version",
];

impl Database {
    /// Allows statements only to read, from now on, and all together for a limited time.
    ///
    /// SQLite refuses to prepare statements that change anything, attach files, load extensions, open transactions, or
    /// set a pragma, also within views. Statements fail that run when the time is over.
    ///
    /// ```
    /// # use demat_sqlite::Database;
    /// # use std::time::Duration;
    /// let database = Database::memory()?;
    /// database.restrict(Duration::from_secs(5))?;
    /// assert_eq!(database.number("select 40 + 2", &[])?, 42);
    /// assert!(database.execute("create table t (a)").is_err());
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn restrict(&self, time: Duration) -> Result<()> {
        self.execute("PRAGMA query_only = ON")?;
        self.handle().stop_after(time);
        // SAFETY: the connection is open, and the function uses no state.
        let code = unsafe { ffi::sqlite3_set_authorizer(self.as_ptr(), Some(authorize), ptr::null_mut()) };
        self.handle().check(code)
    }
}

/// Authorizer: allows what reads.
unsafe extern "C" fn authorize(
    _: *mut c_void,
    action: c_int,
    first: *const c_char,
    second: *const c_char,
    _: *const c_char,
    _: *const c_char,
) -> c_int {
    // SAFETY: SQLite passes null or a text that ends with a zero, which is valid during the call.
    let text = |text: *const c_char| (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_bytes());
    let is_allowed = match action {
        ffi::SQLITE_SELECT | ffi::SQLITE_READ | ffi::SQLITE_RECURSIVE => true,
        ffi::SQLITE_FUNCTION => !text(second).is_some_and(|name| name.eq_ignore_ascii_case(b"load_extension")),
        ffi::SQLITE_PRAGMA => text(first).is_some_and(|name| PRAGMAS.iter().any(|own| own.eq_ignore_ascii_case(name))),
        _ => false,
    };
    if is_allowed { ffi::SQLITE_OK } else { ffi::SQLITE_DENY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn restricted(time: Duration) -> Database {
        let database = Database::memory().unwrap();
        database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)").unwrap();
        database.execute("INSERT INTO t VALUES (1, 'x'), (2, 'y')").unwrap();
        database.execute("CREATE VIEW v AS SELECT a FROM t").unwrap();
        database.execute("CREATE VIRTUAL TABLE f USING fts5(b)").unwrap();
        database.execute("INSERT INTO f VALUES ('some words')").unwrap();
        database.restrict(time).unwrap();
        database
    }

    #[test]
    fn what_reads_is_allowed() {
        let database = restricted(Duration::from_secs(100));
        for (sql, number) in [
            ("SELECT count(*) FROM t WHERE b LIKE '%x%'", 1),
            ("SELECT sum(a) FROM v", 3),
            ("SELECT count(*) FROM f WHERE f MATCH 'words'", 1),
            ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT max(i) FROM n", 10),
            ("SELECT count(*) FROM pragma_table_info('t')", 2),
            ("SELECT count(*) FROM sqlite_master WHERE name = 't'", 1),
            ("SELECT json_array_length('[1,2]')", 2),
        ] {
            assert_eq!(database.number(sql, &[]).unwrap(), number, "{sql}");
        }
    }

    #[test]
    fn what_changes_anything_is_refused() {
        let database = restricted(Duration::from_secs(100));
        for sql in [
            "INSERT INTO t VALUES (3, 'z')",
            "UPDATE t SET b = 'z' RETURNING a",
            "DELETE FROM t",
            "CREATE TABLE u (a)",
            "CREATE TEMP TABLE u (a)",
            "DROP TABLE t",
            "ATTACH ':memory:' AS other",
            "DETACH main",
            "PRAGMA query_only = OFF",
            "PRAGMA journal_mode",
            "PRAGMA writable_schema = ON",
            "PRAGMA user_version = 3",
            "SELECT * FROM pragma_user_version",
            "SELECT load_extension('x')",
            "BEGIN",
            "SAVEPOINT s",
            "VACUUM",
            "VACUUM INTO '/tmp/never'",
            "ANALYZE",
            "REINDEX",
            "INSERT INTO f(f) VALUES ('rebuild')",
        ] {
            assert!(database.execute(sql).is_err(), "{sql}");
        }
        assert_eq!(database.number("SELECT count(*) FROM t", &[]).unwrap(), 2);
    }

    #[test]
    fn what_takes_too_long_fails() {
        let database = restricted(Duration::from_millis(50));
        let begun = Instant::now();
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
        assert!(database.number(endless, &[]).is_err());
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
}
