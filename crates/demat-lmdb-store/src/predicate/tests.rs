use super::predicate;
use demat_core::scalar::Date;
use demat_core::{Shape, Value};
use demat_lmdb::{Collection, Compression, Environment, Key, Options, RecordReader, Sync, Wanted, key_of};
use demat_store::Query;
use proptest::prelude::*;

const TASK: &str = "id: int64, title: text, done: bool = false, part: float? = null, small: int8 = 7, due: date? = null, \
                    tags: [text] = [], inner: {a: int64}? = null";

const CONDITIONS: [&str; 14] = [
    "id.gt=0",
    "id=2",
    "title=a",
    "title.contains=b",
    "title.ne=a",
    "done=true",
    "done.ne=true",
    "part.null",
    "part.lt=0.5",
    "small=7",
    "small.le=-1",
    "due.ge=2026-01-02",
    "tags.null=false",
    "inner.null",
];

fn environment(folder: &tempfile::TempDir) -> Environment {
    let options = Options { map_size: Some(16 << 20), sync: Sync::Off, ..Options::default() };
    Environment::open(folder.path(), &options).unwrap()
}

fn collection(environment: &Environment, encoding: &str, compression: Option<Compression>) -> Collection {
    let wanted = Wanted {
        shape: Some(TASK.parse().unwrap()),
        key: Some(Key::Given),
        encoding: Some(encoding.parse().unwrap()),
        compression: Some(compression),
    };
    environment.collection("tasks", &wanted).unwrap()
}

/// A record as a value, with any of the fields that have defaults.
fn record() -> impl Strategy<Value = Value> {
    let some = |name: &'static str, value: BoxedStrategy<Value>| {
        prop::option::of(value).prop_map(move |value| value.map(|value| (Value::Text(name.into()), value))).boxed()
    };
    let always = |name: &'static str, value: BoxedStrategy<Value>| {
        value.prop_map(move |value| Some((Value::Text(name.into()), value))).boxed()
    };
    let text = || "[ab]{0,2}".prop_map(|text| Value::Text(text.into())).boxed();
    let small = |range: core::ops::Range<i64>| range.prop_map(|own| Value::Int(own.into())).boxed();
    let date = (1..4_u8).prop_map(|day| Value::Date(Date::parse(&format!("2026-01-0{day}")).unwrap())).boxed();
    let inner = small(0..2).prop_map(|a| Value::Map(vec![(Value::Text("a".into()), a)])).boxed();
    let fields = vec![
        always("id", small(-2..4)),
        always("title", text()),
        some("done", any::<bool>().prop_map(Value::Bool).boxed()),
        some(
            "part",
            prop_oneof![Just(Value::Null), (0..3_u8).prop_map(|own| Value::Float(f64::from(own) / 3.0))].boxed(),
        ),
        some("small", small(-3..9)),
        some("due", prop_oneof![Just(Value::Null), date].boxed()),
        some("tags", prop::collection::vec(text(), 0..2).prop_map(Value::List).boxed()),
        some("inner", prop_oneof![Just(Value::Null), inner].boxed()),
    ];
    fields.prop_map(|fields| Value::Map(fields.into_iter().flatten().collect()))
}

/// Decides in the slow, obvious way: by a whole copy of the record.
fn holds(query: &Query, collection: &Collection, record: &[u8]) -> demat_core::Result<bool> {
    let definition = collection.definition();
    let mut reader = RecordReader::new(definition.encoding, &definition.shape)?;
    let value = Value::build(|sink| reader.copy(record, sink))?;
    Ok(query.filter.iter().all(|condition| condition.holds(value.get(&condition.field))))
}

fn counted(collection: &Collection, query: &Query) -> demat_core::Result<u64> {
    let filter = predicate(collection, query)?;
    let wanted = demat_lmdb::Query { filter, ..demat_lmdb::Query::default() };
    demat_lmdb::count(&collection.environment().read()?, collection, &wanted)
}

fn put(collection: &Collection, records: &[Vec<u8>]) {
    let mut writing = collection.environment().write().unwrap();
    for (number, record) in (0_i64..).zip(records) {
        let key = key_of(&[number.into()]).unwrap();
        collection.put(&mut writing, &key, record, demat_lmdb::Put::Always).unwrap();
    }
    writing.commit().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// In all encodings, with one condition to six, with records that are compressed and others.
    #[test]
    fn a_scan_decides_as_a_whole_copy_does(
        records in prop::collection::vec(record(), 1..12),
        conditions in prop::collection::vec(0..CONDITIONS.len(), 1..6),
        is_packed: bool,
    ) {
        let mut conditions: Vec<_> = conditions.iter().map(|at| CONDITIONS[*at]).collect();
        conditions.sort_unstable();
        conditions.dedup();
        let query = Query::parse(&conditions.join("&")).unwrap();
        for encoding in ["proto", "msgpack", "json"] {
            let folder = tempfile::tempdir().unwrap();
            let environment = environment(&folder);
            let tasks = collection(&environment, encoding, is_packed.then_some(Compression::Lz4));
            let definition = tasks.definition();
            let bytes: Vec<_> =
                records.iter().map(|own| definition.encoding.encode(&definition.shape, own).unwrap()).collect();
            put(&tasks, &bytes);
            let slow = bytes.iter().filter(|own| holds(&query, &tasks, own).unwrap()).count();
            prop_assert_eq!(counted(&tasks, &query).unwrap(), slow as u64, "{}: {}", encoding, query);
        }
    }
}

/// Records that no program of this package writes: repeated, unknown and damaged fields.
#[test]
fn odd_messages_are_decided_as_their_copies_or_refused_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let environment = environment(&folder);
    let tasks = collection(&environment, "proto", None);
    let odd: [&[u8]; 11] = [
        b"",
        b"\x08\x01\x08\x02", // a field that comes again: the last one wins
        b"\x18\x01\x18\x00",
        b"\xf8\x07\x05\x08\x02",             // unknown fields
        b"\xfb\x07\x08\x01\xfc\x07\x08\x02", // an unknown group
        b"\x08",                             // cut off
        b"\x12\x05a",
        b"\x12\x01\xff",             // no UTF-8
        b"\x0a\x01a",                // another wire type
        b"\x28\xff\xff\xff\xff\x07", // out of range
        b"\x0f\x01",                 // no wire type
    ];
    for bytes in odd {
        put(&tasks, &[bytes.to_vec()]);
        for condition in ["id=2", "done=true", "title=", "small.gt=0"] {
            let query = Query::parse(condition).unwrap();
            let wanted: Shape =
                demat_place::projected(&tasks.definition().shape, &[query.filter[0].field.clone()]).unwrap();
            let mut reader = RecordReader::new(tasks.definition().encoding, &wanted).unwrap();
            let copied = Value::build(|sink| reader.copy(bytes, sink));
            let slow = copied.map(|value| u64::from(query.filter[0].holds(value.get(&query.filter[0].field))));
            match (slow, counted(&tasks, &query)) {
                (Ok(slow), Ok(quick)) => assert_eq!(slow, quick, "{condition} of {bytes:?}"),
                (Err(slow), Err(quick)) => assert_eq!(slow.to_string(), quick.to_string(), "{condition} of {bytes:?}"),
                (slow, quick) => panic!("{condition} of {bytes:?}: {slow:?} and {quick:?}"),
            }
        }
    }
}
