use super::{Place, json, key, put, read, wanted};
use crate::environment::Table;
use crate::transaction::Reads;
use crate::{Collection, Compression, Environment, Query, Wanted};
use demat_core::ErrorKind;

fn open(environment: &Environment, compression: Compression) -> Collection {
    let wanted = Wanted { compression: Some(Some(compression)), ..wanted("json") };
    environment.collection("tasks", &wanted).unwrap()
}

fn record(id: i64) -> Vec<u8> {
    json(id, &format!("a title that many records have, and the number {}", id * 7919), &["first", "second"])
}

fn stored_size(table: Table, reads: &impl Reads) -> usize {
    table.iter(reads.txn()).unwrap().map(|entry| entry.unwrap().1.len()).sum()
}

#[test]
fn packed_records_come_back_with_and_without_a_dictionary() {
    for compression in [Compression::Zstd, Compression::Lz4] {
        let place = Place::new();
        let environment = place.open();
        let tasks = open(&environment, compression);
        let records: Vec<_> = (0..1000).map(record).collect();
        put(&tasks, &records);
        assert_eq!(read(&tasks, &Query::default()), records);
        let before = stored_size(tasks.table(), &environment.read().unwrap());
        let mut writing = environment.write().unwrap();
        assert!(tasks.train(&mut writing).unwrap() > 0);
        writing.commit().unwrap();
        put(&tasks, &records[..500]);
        assert_eq!(read(&tasks, &Query::default()), records, "old and new ones together");
        put(&tasks, &records);
        let after = stored_size(tasks.table(), &environment.read().unwrap());
        assert!(after * 2 < before, "{compression}: {before} bytes became {after}");
        // Another program loads the dictionary.
        let again = environment.collection("tasks", &Wanted::default()).unwrap();
        assert_eq!(again.get(&environment.read().unwrap(), &key(7)).unwrap().unwrap(), records[7]);
    }
}

#[test]
fn a_dictionary_that_is_undone_is_forgotten() {
    let place = Place::new();
    let environment = place.open();
    let tasks = open(&environment, Compression::Zstd);
    let records: Vec<_> = (0..1000).map(record).collect();
    put(&tasks, &records);
    let mut writing = environment.write().unwrap();
    tasks.train(&mut writing).unwrap();
    drop(writing);
    put(&tasks, &records);
    assert_eq!(read(&tasks, &Query::default()), records);
    let again = environment.collection("tasks", &Wanted::default()).unwrap();
    assert_eq!(again.definition().dictionaries, 0);
    assert_eq!(read(&again, &Query::default()), records);
}

#[test]
fn damaged_records_are_errors() {
    for compression in [Compression::Zstd, Compression::Lz4] {
        let place = Place::new();
        let environment = place.open();
        let tasks = open(&environment, compression);
        put(&tasks, &[json(1, &"same ".repeat(40), &[])]);
        let whole = tasks.table().get(environment.read().unwrap().txn(), &key(1)).unwrap().unwrap().to_vec();
        let mut damaged: Vec<Vec<u8>> = (0..whole.len()).map(|len| whole[..len].to_vec()).collect();
        for at in 0..whole.len() {
            for flip in [1, 0x80, 0xFF] {
                let mut other = whole.clone();
                other[at] ^= flip;
                damaged.push(other);
            }
        }
        let mut refused = 0;
        for bytes in damaged {
            let mut writing = environment.write().unwrap();
            tasks.table().put(writing.innermost().unwrap(), &key(1), &bytes).unwrap();
            if let Err(error) = tasks.get(&writing, &key(1)) {
                assert!(matches!(error.kind(), ErrorKind::Syntax), "{error}");
                refused += 1;
            }
        }
        assert!(refused > whole.len(), "{compression}: {refused}");
    }
}
