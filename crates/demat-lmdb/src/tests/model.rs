//! Random changes beside a twin: a sorted map.

use super::{Place, encoded, json, key, wanted};
use crate::{By, Collection, Environment, IndexDefinition, Put, Query, Range, Scan, Wanted, Writing};
use demat_core::Result;
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
enum Step {
    Put(i64, u8, Put),
    PutAll(Vec<(i64, u8)>),
    Delete(i64),
    Clear,
    Nest,
    Commit,
    Undo,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let id = || prop_oneof![-8..8i64, Just(-67_824), Just(67_824)];
    let how = prop_oneof![3 => Just(Put::Always), 1 => Just(Put::New), 1 => Just(Put::There)];
    prop_oneof![
        8 => (id(), 0..6u8, how).prop_map(|(id, title, put)| Step::Put(id, title, put)),
        2 => proptest::collection::vec((id(), 0..6u8), 0..6).prop_map(Step::PutAll),
        3 => id().prop_map(Step::Delete),
        1 => Just(Step::Clear),
        3 => Just(Step::Nest),
        4 => Just(Step::Commit),
        2 => Just(Step::Undo),
        1 => Just(Step::Reopen),
    ]
}

type Twin = BTreeMap<i64, u8>;

fn record(id: i64, title: u8) -> Vec<u8> {
    json(id, &title.to_string(), &[&(title % 2).to_string()])
}

/// Does the same to the twin; `None` if it must be refused.
fn expected(twin: &Twin, id: i64, title: u8, put: Put, unique: bool) -> Option<Twin> {
    let mut changed = twin.clone();
    match put {
        Put::New if twin.contains_key(&id) => return None,
        Put::There if !twin.contains_key(&id) => return Some(changed),
        _ => {}
    }
    if unique && twin.iter().any(|(other, taken)| *other != id && *taken == title) {
        return None;
    }
    changed.insert(id, title);
    Some(changed)
}

fn open(environment: &Environment, unique: bool) -> Collection {
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    let title = IndexDefinition { name: "title".into(), by: By::Fields(vec!["title".into()]), unique };
    tasks.index(&title, None, false).unwrap();
    let tags = IndexDefinition { name: "tags".into(), by: By::Fields(vec!["tags".into()]), unique: false };
    tasks.index(&tags, None, false).unwrap();
    tasks
}

fn check(environment: &Environment, tasks: &Collection, twin: &Twin) {
    let snapshot = environment.read().unwrap();
    assert_eq!(tasks.check(&snapshot).unwrap(), [] as [String; 0]);
    assert_eq!(tasks.len(&snapshot).unwrap(), twin.len() as u64);
    for reverse in [false, true] {
        let query = Query { range: Range::ALL.reversed(reverse), ..Query::default() };
        let mut scan = Scan::new(snapshot.clone(), tasks, &query).unwrap();
        let mut found = Vec::new();
        while let Some(entry) = scan.next().unwrap() {
            found.push(entry.record.into_owned());
        }
        let mut all: Vec<_> = twin.iter().map(|(id, title)| record(*id, *title)).collect();
        if reverse {
            all.reverse();
        }
        assert_eq!(found, all);
    }
    for tag in ["0", "1"] {
        let query = Query { index: Some("tags".into()), range: Range::prefix(&key(tag)), ..Query::default() };
        let count = twin.values().filter(|title| (*title % 2).to_string() == tag).count();
        assert_eq!(crate::count(&snapshot, tasks, &query).unwrap(), count as u64);
    }
}

/// Puts all or none.
fn put_all(tasks: &Collection, writing: &mut Writing, all: &[(i64, u8)]) -> Result<u64> {
    let mut rest = all.iter();
    writing.whole(|writing| {
        tasks.put_all(writing, Put::Always, |own, bytes| {
            let Some((id, title)) = rest.next() else { return Ok(false) };
            own.extend(key(*id));
            bytes.extend(record(*id, *title));
            Ok(true)
        })
    })
}

fn run(steps: &[Step], unique: bool) {
    let place = Place::new();
    let mut environment = place.open();
    let mut tasks = open(&environment, unique);
    // The state of each open transaction; the last is the current one.
    let mut twins = vec![Twin::new()];
    let mut writing: Option<Writing> = None;
    for step in steps {
        let twin = twins.last().unwrap().clone();
        if matches!(step, Step::Reopen) {
            writing = None;
            twins.truncate(1);
            drop((tasks, environment));
            environment = place.open();
            tasks = open(&environment, unique);
            check(&environment, &tasks, &twins[0]);
            continue;
        }
        if writing.is_none() {
            writing = Some(environment.write().unwrap());
            twins.push(twin.clone());
        }
        let open = writing.as_mut().unwrap();
        let current = twins.last_mut().unwrap();
        match step {
            Step::Put(id, title, put) => {
                let found = tasks.put(open, &key(*id), &record(*id, *title), *put);
                let expected = expected(&twin, *id, *title, *put, unique);
                assert_eq!(found.is_ok(), expected.is_some(), "{found:?}");
                *current = expected.unwrap_or(twin);
            }
            Step::PutAll(all) => {
                let changed = all
                    .iter()
                    .try_fold(twin.clone(), |twin, (id, title)| expected(&twin, *id, *title, Put::Always, unique));
                assert_eq!(put_all(&tasks, open, all).is_ok(), changed.is_some());
                *current = changed.unwrap_or(twin);
            }
            Step::Delete(id) => {
                assert_eq!(tasks.delete(open, &key(*id)).unwrap(), current.remove(id).is_some());
            }
            Step::Clear => {
                tasks.clear(open).unwrap();
                current.clear();
            }
            Step::Nest => {
                open.nest().unwrap();
                twins.push(twin);
            }
            Step::Commit => {
                open.commit().unwrap();
                twins.pop();
                *twins.last_mut().unwrap() = twin;
            }
            Step::Undo => {
                open.undo().unwrap();
                twins.pop();
            }
            Step::Reopen => {}
        }
        if open.depth() == 0 {
            writing = None;
            check(&environment, &tasks, &twins[0]);
        }
    }
    drop(writing);
    check(&environment, &tasks, &twins[0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_collection_is_as_a_sorted_map(steps in proptest::collection::vec(step(), 0..60), unique in any::<bool>()) {
        run(&steps, unique);
    }
}

#[test]
fn records_are_as_their_class_encodes_them() {
    let place = Place::new();
    let tasks =
        place.open().collection("numbers", &Wanted { shape: Some("a: int64".parse().unwrap()), ..wanted("json") });
    // The key's field is not there.
    assert!(tasks.unwrap_err().reason().contains("there is no field `id`; the fields are `a`"));
    assert_eq!(encoded(&1), b"1");
}
