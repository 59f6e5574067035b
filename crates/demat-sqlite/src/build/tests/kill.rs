//! If the process is killed during a build, the file is complete or absent.

use super::{integrity, rows};
use crate::Cell;
use crate::build::{Builder, Load, Options};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FOLDER: &str = "DEMAT_KILLED_FOLDER";
const SQL: &str = "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX one ON t(a)";
const COUNT: i64 = 20_000;

fn push(rows: &mut crate::build::Rows<'_>) {
    for id in 0..COUNT {
        rows.push(&[Cell::Int(id), Cell::Text(if id % 2 == 0 { "Clean Room" } else { "Check Twitter" })]).unwrap();
    }
}

/// The process to be killed. Does nothing when it runs as a regular test.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let mut builder = Builder::create(&folder.join("new.db"), SQL, &Options::default()).unwrap();
    let mut table = builder.rows("t").unwrap();
    push(&mut table);
    table.finish().unwrap();
    builder.finish().unwrap();
    let connection = Connection::open(folder.join("old.db")).unwrap();
    let mut load = Load::new(&connection, "main", "t", &Options::default()).unwrap();
    let mut table = load.rows().unwrap();
    push(&mut table);
    table.finish().unwrap();
    load.finish().unwrap();
}

fn run(folder: &Path, wait: Option<Duration>) -> Duration {
    let old = Connection::open(folder.join("old.db")).unwrap();
    old.execute_batch(SQL).unwrap();
    drop(old);
    let begin = Instant::now();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "build::tests::kill::child"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    if let Some(wait) = wait {
        std::thread::sleep(wait);
        let _ = child.kill(); // it may have ended
    }
    child.wait().unwrap();
    begin.elapsed()
}

#[test]
fn all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let whole = run(folder.path(), None);
    assert_eq!(integrity(&folder.path().join("new.db")), "ok");
    let times = 40;
    let (mut none, mut all) = (0, 0);
    for time in 0..times {
        let folder = tempfile::tempdir().unwrap();
        run(folder.path(), Some(whole * (time + 1) / times));
        let (new, old) = (folder.path().join("new.db"), folder.path().join("old.db"));
        if new.exists() {
            assert_eq!(integrity(&new), "ok");
            all += 1;
        } else {
            none += 1;
        }
        assert_eq!(integrity(&old), "ok");
        let count = rows(&Connection::open(&old).unwrap(), "SELECT count(*) FROM t");
        assert!(count == [[Value::Integer(0)]] || count == [[Value::Integer(COUNT)]], "{count:?}");
        #[cfg(target_os = "linux")]
        {
            let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            // A built file has no temporary name; a loaded one has one for a moment.
            let unnamed = |name: &std::ffi::OsString| !name.to_string_lossy().starts_with(".new");
            assert!(left.iter().all(unnamed), "{left:?}");
        }
    }
    assert!(none > 0, "{none} {all}");
}
