use super::CopyTarget;
use crate::{CopyJob, Format, OnError, Place};
use demat_core::{ErrorKind, Result};
use demat_sqlite::Database;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

const ROWS: &str = "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":null}\n{\"id\":3,\"name\":\"c\"}\n";
const EACH: [&str; 7] = ["b.json", "b.ndjson.gz", "b.csv", "b.parquet", "b.arrow", "b.db#rows", "lmdb:c#rows"];

fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.ndjson"), text).unwrap();
    folder
}

fn place(folder: &Path, name: &str) -> (Place, Format) {
    let place = match name.strip_prefix("lmdb:") {
        Some(name) => Place::named(format!("lmdb:{}", folder.join(name).display()).as_ref()),
        None => Place::named(folder.join(name).as_os_str()),
    };
    let format = place.format().unwrap();
    (place, format)
}

/// A copy to several places.
fn job<'j>(folder: &Path, names: &[&str]) -> CopyJob<'j> {
    let [first, others @ ..] = names else { panic!("no target") };
    let ((from, from_format), (to, to_format)) = (place(folder, "a.ndjson"), place(folder, first));
    let job = CopyJob::new(from, from_format, to, to_format);
    others.iter().fold(job, |job, name| {
        let (place, format) = place(folder, name);
        job.also(CopyTarget::new(place, format))
    })
}

/// The records of a place as JSON.
fn records(folder: &Path, name: &str) -> Result<String> {
    let ((from, format), text) = (place(folder, name), Shared::default());
    CopyJob::new(from, format, Place::Given("text".into()), Format::JSON).infer(true).writer(text.clone()).run()?;
    Ok(String::from_utf8(text.0.lock().unwrap().clone()).unwrap())
}

/// A writer whose bytes can be looked at, and which fails after a number of them.
#[derive(Clone)]
struct Shared(Arc<Mutex<Vec<u8>>>, usize);

impl Default for Shared {
    fn default() -> Self {
        Self(Arc::default(), usize::MAX)
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap();
        if all.len() + bytes.len() > self.1 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn all_have_what_one_would_have() {
    let folder = folder(ROWS);
    let done = job(folder.path(), &EACH).infer(true).run().unwrap();
    assert_eq!((done.records, done.rejected, done.written), (3, 0, true));
    for name in EACH {
        let alone = tempfile::tempdir().unwrap();
        fs::copy(folder.path().join("a.ndjson"), alone.path().join("a.ndjson")).unwrap();
        job(alone.path(), &[name]).infer(true).run().unwrap();
        assert_eq!(records(folder.path(), name).unwrap(), records(alone.path(), name).unwrap(), "{name}");
    }
    // Chosen, renamed and limited, for all alike.
    let some = ["c.json", "c.csv", "d.db#rows"];
    let chosen = job(folder.path(), &some).matching("id != 2".parse().unwrap()).fields(["id"]).rename([("id", "n")]);
    assert_eq!(chosen.first(1).run().unwrap().records, 1);
    for name in some {
        assert_eq!(records(folder.path(), name).unwrap(), "[{\"n\":1}]\n", "{name}");
    }
}

#[test]
fn what_one_refuses_is_nowhere() {
    let folder = folder("{\"id\":1,\"tags\":[]}\n{\"id\":2,\"tags\":[1]}\n");
    for last in ["b.csv", "b.db#rows"] {
        // A table can't hold lists.
        let names_of_all = ["b.json", "b.parquet", "lmdb:c#rows", last];
        let before = names(folder.path());
        let error = job(folder.path(), &names_of_all).shape("id: int, tags: [int]".parse().unwrap()).run();
        if last == "b.csv" {
            assert_eq!(error.unwrap_err().kind(), ErrorKind::Encode);
            assert_eq!(names(folder.path()).iter().filter(|name| !name.starts_with('c')).count(), before.len());
        } else {
            // A database holds them as JSON.
            assert_eq!(error.unwrap().records, 2);
        }
    }
}

#[test]
fn a_row_that_a_table_refuses_is_left_out_everywhere() {
    let folder = folder(ROWS);
    let database = Database::open(&folder.path().join("b.db")).unwrap();
    database.execute("create table rows (id integer primary key, name text not null)").unwrap();
    drop(database);
    let all = ["b.json", "b.db#rows", "b.csv"];
    let error = job(folder.path(), &all).run().unwrap_err();
    assert!(error.to_string().contains("name"), "{error}");
    assert_eq!(names(folder.path()), ["a.ndjson", "b.db"]);
    let done = job(folder.path(), &all).on_error(OnError::Skip).run().unwrap();
    assert_eq!((done.records, done.rejected), (2, 1));
    for name in all {
        assert_eq!(records(folder.path(), name).unwrap(), "[{\"id\":1,\"name\":\"a\"},{\"id\":3,\"name\":\"c\"}]\n");
    }
    // To report all that is refused, nothing is written.
    let more = job(folder.path(), &["c.json", "c.csv"]).shape("id: int, name: text".parse().unwrap());
    let done = more.on_error(OnError::All).run().unwrap();
    assert_eq!((done.rejected, done.written), (1, false));
    assert!(!folder.path().join("c.json").exists() && !folder.path().join("c.csv").exists());
}

#[test]
fn two_tables_of_one_database_share_a_transaction() {
    let folder = folder(ROWS);
    for database in ["new.db", "new.db"] {
        let all = [&*format!("{database}#one"), "b.json", &*format!("{database}#two")].map(str::to_string);
        let all = all.each_ref().map(|name| &**name);
        job(folder.path(), &all).infer(true).run().unwrap();
    }
    for table in ["one", "two"] {
        let found = records(folder.path(), &format!("new.db?select count(*) as n from {table}")).unwrap();
        assert_eq!(found, "[{\"n\":6}]\n");
    }
    // The second table refuses its rows: the first has none of them.
    let database = Database::open(&folder.path().join("new.db")).unwrap();
    database.execute("create unique index once on two (id)").unwrap_err();
    database.execute("delete from two").unwrap();
    database.execute("create unique index once on two (id)").unwrap();
    database.execute("insert into two (id) values (3)").unwrap();
    drop(database);
    assert!(job(folder.path(), &["new.db#one", "new.db#two"]).run().is_err());
    let found = records(folder.path(), "new.db?select (select count(*) from one) + count(*) as n from two").unwrap();
    assert_eq!(found, "[{\"n\":7}]\n");
}

#[test]
fn a_place_is_one_target() {
    let folder = folder(ROWS);
    fs::create_dir(folder.path().join("sub")).unwrap();
    for (one, other) in
        [("b.json", "b.json"), ("b.json", "sub/../b.json"), ("b.db#t", "b.db#T"), ("lmdb:c#one", "lmdb:c#two")]
    {
        let error = job(folder.path(), &[one, other]).infer(true).run().unwrap_err().to_string();
        assert!(error.contains("two targets of one copy"), "{error}");
    }
    assert_eq!(names(folder.path()).iter().filter(|name| !name.starts_with('c')).count(), 2);
}

#[test]
fn a_database_that_refuses_to_commit_leaves_no_file() {
    let folder = folder(ROWS);
    let database = Database::open(&folder.path().join("b.db")).unwrap();
    database.execute("create table parent (id integer primary key)").unwrap();
    let rows = "create table rows (id integer primary key, name text, \
                foreign key (id) references parent (id) deferrable initially deferred)";
    database.execute(rows).unwrap();
    drop(database);
    let error = job(folder.path(), &["b.json", "b.db#rows", "new.db#rows"]).run().unwrap_err();
    assert!(error.to_string().contains("FOREIGN KEY"), "{error}");
    assert_eq!(names(folder.path()), ["a.ndjson", "b.db"]);
}

#[test]
fn a_writer_that_fails_leaves_no_file() {
    let folder = folder(&ROWS.repeat(5000));
    for room in [0, 1, 70_000, 300_000] {
        let given = CopyTarget::new(Place::Given("nowhere".into()), Format::JSON);
        let given = given.writer(Shared(Arc::default(), room)).packed(None);
        let error = job(folder.path(), &["b.json", "new.db#rows"]).infer(true).also(given).run().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{error}");
        assert_eq!(names(folder.path()), ["a.ndjson"]);
    }
    let shared = Shared::default();
    let given = CopyTarget::new(Place::Given("nowhere".into()), Format::JSON).writer(shared.clone());
    assert_eq!(job(folder.path(), &["b.json"]).also(given).run().unwrap().records, 15_000);
    assert_eq!(shared.0.lock().unwrap().len(), fs::read(folder.path().join("b.json")).unwrap().len());
}

#[test]
fn existing_files_stay_as_they_are() {
    let folder = folder("{\"id\":1}\n{\"id\":\"x\"}\n");
    fs::write(folder.path().join("b.json"), "old").unwrap();
    let error = job(folder.path(), &["b.json", "b.csv"]).shape("id: int".parse().unwrap()).run().unwrap_err();
    assert_eq!(error.position().record, Some(2));
    assert_eq!(fs::read_to_string(folder.path().join("b.json")).unwrap(), "old");
    assert_eq!(names(folder.path()), ["a.ndjson", "b.json"]);
}

#[test]
fn rows_that_one_database_took_are_undone_if_another_target_refuses_them() {
    for first in ["a.db#one", "new.db#one", "two.db#one"] {
        for (refuses, makes) in [
            ("two.db#two", "create table two (id integer unique, name text); insert into two values (2, 'there')"),
            ("two.db#two", "create table two (id integer check (id <> 2), name text)"),
        ] {
            let folder = folder(ROWS);
            for (path, sql) in [("a.db", "create table one (id integer, name text)"), ("two.db", makes)] {
                let database = Database::open(&folder.path().join(path)).unwrap();
                sql.split("; ").for_each(|sql| database.execute(sql).unwrap());
            }
            let all = [first, refuses, "b.json"];
            let done = job(folder.path(), &all).infer(true).on_error(OnError::Skip).run().unwrap();
            assert_eq!((done.records, done.rejected), (2, 1), "{first} {makes}");
            let expected = "[{\"id\":1,\"name\":\"a\"},{\"id\":3,\"name\":\"c\"}]\n";
            for place in [first, "b.json"] {
                assert_eq!(records(folder.path(), place).unwrap(), expected, "{place} {makes}");
            }
            let two = records(folder.path(), "two.db?select id, name from two where name is not 'there'").unwrap();
            assert_eq!(two, expected);
        }
    }
}

#[test]
fn refused_records_are_not_written_to_what_is_read_or_written() {
    let folder = folder(ROWS);
    for rejects in ["a.ndjson", "./a.ndjson", "b.json", "c.csv"] {
        let job = job(folder.path(), &["b.json", "c.csv"]).on_error(OnError::Skip);
        let error = job.rejects(Place::named(folder.path().join(rejects).as_os_str())).run().unwrap_err();
        assert!(error.to_string().contains("refused records can't be written to"), "{error}");
    }
    assert_eq!(names(folder.path()), ["a.ndjson"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("x.json", folder.path().join("link.json")).unwrap();
        let error = job(folder.path(), &["link.json", "x.json"]).run().unwrap_err().to_string();
        assert!(error.contains("two targets of one copy"), "{error}");
    }
}
