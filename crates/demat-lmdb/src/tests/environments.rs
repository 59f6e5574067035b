use super::{Place, json, key, put, wanted};
use crate::{Environment, LmdbFailure, Options, Put, Reads, Sync, Wanted};
use demat_core::ErrorKind;
use std::error::Error as _;
use std::fs;

#[test]
fn one_process_shares_an_environment() {
    let place = Place::new();
    let (one, other) = (place.open(), place.open());
    let tasks = one.collection("tasks", &wanted("json")).unwrap();
    put(&tasks, &[json(1, "a", &[])]);
    let again = other.collection("tasks", &Wanted::default()).unwrap();
    assert_eq!(again.len(&other.read().unwrap()).unwrap(), 1);
    drop((one, tasks));
    assert_eq!(again.len(&other.read().unwrap()).unwrap(), 1);
    drop((other, again));
    assert_eq!(place.open().collections(&place.open().read().unwrap()).unwrap(), ["tasks"]);
}

#[test]
fn a_snapshot_stays_as_it_was() {
    let place = Place::new();
    let environment = place.open();
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    put(&tasks, &[json(1, "a", &[])]);
    let before = environment.read().unwrap();
    put(&tasks, &[json(1, "b", &[]), json(2, "c", &[])]);
    assert_eq!(tasks.get(&before, &key(1)).unwrap().unwrap(), json(1, "a", &[]));
    assert_eq!(tasks.len(&before).unwrap(), 1);
    let readers = environment.readers().unwrap();
    assert_eq!((readers.len(), readers[0].behind), (1, 1));
    assert_eq!(before.number() + 1, environment.read().unwrap().number());
    drop(before);
    assert!(environment.readers().unwrap().is_empty());
}

#[test]
fn a_transaction_that_is_dropped_leaves_nothing() {
    let place = Place::new();
    let environment = place.open();
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    let mut writing = environment.write().unwrap();
    tasks.put(&mut writing, &key(1), &json(1, "a", &[]), Put::New).unwrap();
    assert_eq!(tasks.len(&writing).unwrap(), 1);
    drop(writing);
    assert!(tasks.is_empty(&environment.read().unwrap()).unwrap());
}

#[test]
fn a_nested_transaction_is_undone_alone() {
    let place = Place::new();
    let environment = place.open();
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    let mut writing = environment.write().unwrap();
    tasks.put(&mut writing, &key(1), &json(1, "a", &[]), Put::New).unwrap();
    let failed = writing.whole(|writing| {
        tasks.put(writing, &key(2), &json(2, "b", &[]), Put::New)?;
        tasks.put(writing, &key(1), &json(1, "c", &[]), Put::New)
    });
    assert_eq!(failed.unwrap_err().reason(), "a record with the key 1 is there already");
    writing.whole(|writing| tasks.put(writing, &key(3), &json(3, "d", &[]), Put::New)).unwrap();
    writing.commit().unwrap();
    let snapshot = environment.read().unwrap();
    assert_eq!(tasks.get(&snapshot, &key(2)).unwrap(), None);
    assert_eq!(tasks.len(&snapshot).unwrap(), 2);
}

#[test]
fn one_thread_writes_once_at_a_time() {
    let place = Place::new();
    let environment = place.open();
    let writing = environment.write().unwrap();
    assert!(environment.write().unwrap_err().reason().contains("already"));
    drop(writing);
    environment.write().unwrap();
}

#[test]
fn a_full_map_is_said_and_grows() {
    let place = Place::new();
    let options = Options { map_size: Some(1 << 20), sync: Sync::Off, ..Options::default() };
    let environment = Environment::open(place.folder.path(), &options).unwrap();
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    let fill = || {
        let mut writing = environment.write().unwrap();
        let large = "x".repeat(1000);
        for id in 0..2000 {
            tasks.put(&mut writing, &key(id), &json(id, &large, &[]), Put::Always)?;
        }
        writing.commit()
    };
    let error = fill().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    let failure = error.source().and_then(|source| source.downcast_ref::<LmdbFailure>()).copied();
    assert_eq!(failure.map(|failure| failure.name), Some("MDB_MAP_FULL"));
    assert!(tasks.is_empty(&environment.read().unwrap()).unwrap());
    let reader = environment.read().unwrap();
    assert!(environment.resize(16 << 20).is_err());
    drop(reader);
    environment.resize(16 << 20).unwrap();
    fill().unwrap();
    assert_eq!(tasks.len(&environment.read().unwrap()).unwrap(), 2000);
}

#[test]
fn what_is_no_environment_is_refused() {
    let place = Place::new();
    let missing = Options { create: false, ..Options::default() };
    let error = Environment::open(&place.folder.path().join("none"), &missing).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(Environment::open(place.folder.path(), &missing).is_err());
    fs::write(place.folder.path().join("data.mdb"), vec![7; 8192]).unwrap();
    let error = Environment::open(place.folder.path(), &Options::default()).unwrap_err();
    assert!(error.to_string().contains("the file is not one of LMDB"), "{error}");
    let file = place.folder.path().join("file");
    fs::write(&file, "x").unwrap();
    assert!(Environment::open(&file, &Options::default()).is_err());
}

#[test]
fn a_copy_is_an_environment() {
    let place = Place::new();
    let environment = place.open();
    put(&environment.collection("tasks", &wanted("json")).unwrap(), &[json(1, "a", &[])]);
    let other = Place::new();
    environment.copy_to(&other.folder.path().join("data.mdb")).unwrap();
    let copied = other.open().collection("tasks", &Wanted::default()).unwrap();
    assert_eq!(copied.len(&other.open().read().unwrap()).unwrap(), 1);
}

#[test]
fn a_collection_is_removed_with_all_that_is_its() {
    let place = Place::new();
    let environment = place.open();
    put(&environment.collection("tasks", &wanted("json")).unwrap(), &[json(1, "a", &[])]);
    assert!(environment.drop_collection("tasks").unwrap());
    assert!(!environment.drop_collection("tasks").unwrap());
    let tasks = environment.collection("tasks", &wanted("proto")).unwrap();
    assert!(tasks.is_empty(&environment.read().unwrap()).unwrap());
}

#[test]
fn the_table_of_readers_has_those_of_this_process() {
    let place = Place::new();
    let environment = place.open();
    environment.collection("tasks", &wanted("json")).unwrap();
    let most = environment.reader_places().1;
    let own = || crate::reader_table::taken(place.folder.path(), most).unwrap();
    let snapshots: Vec<_> = (0..3).map(|_| environment.read().unwrap()).collect();
    let number = snapshots[0].number();
    let reading = own().iter().filter(|taken| taken.transaction == Some(number)).count();
    assert_eq!(reading, if cfg!(unix) { 3 } else { 0 });
    assert!(own().iter().all(|taken| taken.process == std::process::id()));
    drop(snapshots);
    assert!(own().iter().all(|taken| taken.transaction.is_none()));
}
