use super::{Place, json, key, put, read, wanted};
use crate::{Query, Range, Reads, beginning, count, key_of, read_some};
use proptest::prelude::*;

#[test]
fn ranges_hold_what_their_bounds_say() {
    let place = Place::new();
    let environment = place.open();
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    put(&tasks, &(-3..=3).map(|id| json(id, "t", &[])).collect::<Vec<_>>());
    let ids = |range: Range, limit| {
        let query = Query { range, limit, ..Query::default() };
        let records = read(&tasks, &query);
        let snapshot = environment.read().unwrap();
        assert_eq!(count(&snapshot, &tasks, &query).unwrap(), records.len() as u64);
        let text = records.iter().map(|record| String::from_utf8(record.clone()).unwrap());
        text.map(|text| text[6..text.find(',').unwrap()].parse::<i64>().unwrap()).collect::<Vec<_>>()
    };
    let (lo, hi) = (key(-1), key(2));
    let between = |include| Range::between(Some(&lo), Some(&hi), include);
    assert_eq!(ids(Range::ALL, None), [-3, -2, -1, 0, 1, 2, 3]);
    assert_eq!(ids(between((true, true)), None), [-1, 0, 1, 2]);
    assert_eq!(ids(between((true, false)), None), [-1, 0, 1]);
    assert_eq!(ids(between((false, true)), None), [0, 1, 2]);
    assert_eq!(ids(between((false, false)), None), [0, 1]);
    assert_eq!(ids(between((true, false)).reversed(true), None), [1, 0, -1]);
    assert_eq!(ids(between((false, true)).reversed(true), Some(2)), [2, 1]);
    assert_eq!(ids(Range::between(None, Some(&hi), (true, false)), Some(0)), [] as [i64; 0]);
    assert_eq!(ids(Range::between(Some(&hi), Some(&lo), (true, true)), None), [] as [i64; 0]);
    assert_eq!(ids(Range::ALL.after(&key(1)), None), [2, 3]);
    assert_eq!(ids(Range::ALL.reversed(true).after(&key(1)), None), [0, -1, -2, -3]);
    assert_eq!(ids(Range::prefix(&key(2)), None), [2]);
}

#[test]
fn a_scan_within_a_change_sees_it() {
    let place = Place::new();
    let environment = place.open();
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    let mut writing = environment.write().unwrap();
    for id in 0..5 {
        tasks.put(&mut writing, &key(id), &json(id, "t", &[]), crate::Put::New).unwrap();
    }
    let some = read_some(&writing, &tasks, &Query::default(), 3).unwrap();
    assert_eq!(some.iter().map(|(_, key, _)| key.clone()).collect::<Vec<_>>(), [key(0), key(1), key(2)]);
    let rest = Query { range: Range::ALL.after(&key(2)), ..Query::default() };
    assert_eq!(read_some(&writing, &tasks, &rest, 9).unwrap().len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The slow twin: a filter over all keys.
    #[test]
    fn ranges_are_filters(
        keys in proptest::collection::btree_set((0u8..4, "[ab]{0,2}"), 0..12),
        lo in proptest::option::of((0u8..4, proptest::option::of("[ab]{0,2}"))),
        hi in proptest::option::of((0u8..4, proptest::option::of("[ab]{0,2}"))),
        prefix in proptest::option::of(0u8..4),
        include in any::<(bool, bool)>(),
        reverse in any::<bool>(),
        limit in proptest::option::of(0u64..6),
    ) {
        let bytes = |(number, text): &(u8, Option<String>)| {
            let mut parts = vec![i64::from(*number).into()];
            parts.extend(text.as_deref().map(Into::into));
            key_of(&parts).unwrap()
        };
        let place = Place::new();
        let environment = place.open();
        let given = crate::Wanted { key: Some(crate::Key::Given), ..wanted("json") };
        let tasks = environment.collection("tasks", &given).unwrap();
        let keys: Vec<_> = keys.into_iter().map(|(number, text)| bytes(&(number, Some(text)))).collect();
        let mut writing = environment.write().unwrap();
        for key in &keys {
            tasks.put(&mut writing, key, b"{}", crate::Put::New).unwrap();
        }
        writing.commit().unwrap();
        let (lo, hi) = (lo.as_ref().map(bytes), hi.as_ref().map(bytes));
        let prefix = prefix.map(|number| key_of(&[i64::from(number).into()]).unwrap());
        let mut range = Range::between(lo.as_deref(), hi.as_deref(), include);
        if let Some(prefix) = &prefix {
            range = range.and(Range::prefix(prefix));
        }
        let query = Query { range: range.reversed(reverse), limit, ..Query::default() };
        let mut expected: Vec<_> = keys.into_iter().filter(|key| {
            let after = lo.as_ref().is_none_or(|lo| if key.starts_with(lo) { include.0 } else { key > lo });
            let before = hi.as_ref().is_none_or(|hi| if key.starts_with(hi) { include.1 } else { key < hi });
            after && before && prefix.as_ref().is_none_or(|prefix| key.starts_with(prefix))
        }).collect();
        if reverse {
            expected.reverse();
        }
        expected.truncate(limit.map_or(usize::MAX, |limit| limit as usize));
        let snapshot = environment.read().unwrap();
        prop_assert_eq!(count(&snapshot, &tasks, &query).unwrap(), expected.len() as u64);
        let mut scan = crate::Scan::new(snapshot.clone(), &tasks, &query).unwrap();
        let mut found = Vec::new();
        while let Some(entry) = scan.next().unwrap() {
            found.push(entry.key.to_vec());
        }
        prop_assert!(snapshot.number() > 0);
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn a_beginning_of_texts_is_a_prefix() {
    let place = Place::new();
    let environment = place.open();
    let by_title = crate::Wanted { key: Some(crate::Key::Fields(vec!["title".into()])), ..wanted("json") };
    let tasks = environment.collection("tasks", &by_title).unwrap();
    put(&tasks, &["a", "ab", "abc", "b"].map(|title| json(1, title, &[])));
    let range = Range::prefix(&beginning(&"ab".into()).unwrap());
    assert_eq!(read(&tasks, &Query { range, ..Query::default() }).len(), 2);
}
