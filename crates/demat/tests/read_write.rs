//! `read` and `write` with types of a program, in places of each sort.

#![cfg(all(feature = "place", feature = "arrow", feature = "sqlite", feature = "lmdb"))]

use demat::{Decode, Encode, Result, read, write};
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Encode, Decode)]
struct Task {
    id: i64,
    title: String,
    done: bool,
    part: Option<f64>,
}

fn tasks(count: i64) -> Vec<Task> {
    let part = |id: i64| (id % 3 > 0).then(|| f64::from(u16::try_from(id).unwrap()) / 4.0);
    (0..count)
        .map(|id| Task { id, title: format!("task \"{id}\", of many"), done: id % 2 == 0, part: part(id) })
        .collect()
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("demat-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn name(&self, file: &str) -> String {
        self.0.join(file).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn records_make_the_trip_in_places_of_each_sort() {
    let folder = Folder::new("places");
    let tasks = tasks(2000);
    let lmdb = format!("lmdb:{}", folder.name("lmdb#tasks"));
    let files = ["a.json", "a.csv", "a.ndjson.gz", "a.msgpack", "a.pb", "a.yaml", "a.parquet", "a.arrow", "a.db#tasks"];
    for name in files.into_iter().map(|file| folder.name(file)).chain([lmdb]) {
        assert_eq!(write::<Task>(&name, &tasks).unwrap(), 2000, "{name}");
        assert_eq!(read::<Task>(&name).unwrap().collect::<Result<Vec<_>>>().unwrap(), tasks, "{name}");
    }
    let query = folder.name("a.db?select * from tasks where id < 3");
    assert_eq!(read::<Task>(query).unwrap().map(Result::unwrap).collect::<Vec<_>>(), tasks[..3]);
}

#[test]
fn rows_are_added_to_a_table_in_one_transaction() {
    let folder = Folder::new("rows");
    let table = folder.name("tasks.db#tasks");
    write::<Task>(&table, tasks(2)).unwrap();
    write::<Task>(&table, tasks(3)).unwrap();
    assert_eq!(read::<Task>(&table).unwrap().count(), 5);
    #[derive(Encode, Decode)]
    struct Other {
        id: i64,
        name: String,
    }
    let others = (0..3).map(|id| Other { id, name: String::new() });
    assert!(write::<Other>(&table, others).is_err());
    assert_eq!(read::<Task>(&table).unwrap().count(), 5);
}

#[test]
fn what_is_read_is_checked() {
    let folder = Folder::new("checked");
    let (csv, parquet) = (folder.name("a.csv"), folder.name("a.parquet"));
    std::fs::write(&csv, "id,title,done,part\n1,a,true,\n2,b,perhaps,0.5\n").unwrap();
    let read_all = |name: &str| read::<Task>(name).unwrap().collect::<Result<Vec<_>>>();
    let error = read_all(&csv).unwrap_err();
    assert_eq!((error.path().as_str(), error.position().line), ("$[1].done", Some(3)));
    #[derive(Encode, Decode)]
    struct Loose {
        id: i64,
        title: Option<String>,
        done: bool,
        part: Option<f64>,
    }
    let loose = [Loose { id: 1, title: None, done: true, part: None }];
    write::<Loose>(&parquet, loose).unwrap();
    let error = read_all(&parquet).unwrap_err();
    assert_eq!(error.path(), "$[0].title");
    assert!(error.place().unwrap().ends_with("a.parquet"));
}
