//! The cache of prepared statements.

use crate::{Database, Param, Rows};
use demat_core::Result;

fn numbers() -> Result<Database> {
    let database = Database::memory()?;
    database.execute("CREATE TABLE t(n INTEGER)")?;
    database.execute("INSERT INTO t VALUES (1), (2), (3)")?;
    Ok(database)
}

#[test]
fn is_at_its_start_and_has_no_values() -> Result<()> {
    let database = numbers()?;
    let sql = "SELECT n FROM t WHERE n >= coalesce(?, 0) ORDER BY n";
    let mut first = database.kept(sql)?;
    first.bind_all(&[Param::Int(2)])?;
    assert!(first.step()?);
    assert_eq!(first.int(0), 2);
    drop(first);
    let mut again = database.kept(sql)?;
    assert!(again.step()?);
    assert_eq!(again.int(0), 1, "nothing is bound");
    Ok(())
}

#[test]
fn holds_no_lock_amid_its_rows() -> Result<()> {
    let database = numbers()?;
    let mut rows = database.kept("SELECT n FROM t")?;
    assert!(rows.step()?);
    assert!(database.execute("DROP TABLE t").is_err(), "it is being read");
    drop(rows);
    database.execute("DROP TABLE t")
}

#[test]
fn one_text_may_be_in_use_twice() -> Result<()> {
    let database = numbers()?;
    let sql = "SELECT n FROM t ORDER BY n";
    let (mut one, mut other) = (database.kept(sql)?, database.kept(sql)?);
    assert!(one.step()? && one.step()? && other.step()?);
    assert_eq!((one.int(0), other.int(0)), (2, 1));
    Ok(())
}

#[test]
fn follows_a_change_of_the_schema() -> Result<()> {
    let database = numbers()?;
    drop(database.kept("SELECT n FROM t")?);
    database.execute("DROP TABLE t")?;
    database.execute("CREATE TABLE t(m TEXT, n TEXT)")?;
    database.execute("INSERT INTO t VALUES ('no', '7')")?;
    let mut rows = database.kept("SELECT n FROM t")?;
    assert!(rows.step()?);
    assert_eq!(rows.bytes(0), b"7");
    drop(rows);
    database.execute("DROP TABLE t")?;
    assert!(database.kept("SELECT n FROM t")?.step().is_err());
    Ok(())
}

#[test]
fn few_are_kept_and_none_keeps_a_connection() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("t.db");
    let database = Database::open(&path)?;
    database.execute("PRAGMA journal_mode = WAL")?;
    database.execute("CREATE TABLE t(n INTEGER)")?;
    for number in 0..100 {
        database.kept(&format!("INSERT INTO t VALUES ({number})"))?.run()?;
    }
    assert_eq!(database.handle().statements.len(), 32);
    assert!(folder.path().join("t.db-wal").exists());
    drop(database);
    // The last connection to close removes the log; one that can't be closed leaves it.
    assert!(!folder.path().join("t.db-wal").exists());
    Ok(())
}
