use super::Timed;
use crate::{Memory, Reference, Store, ValueBody, Verb, When};
use demat_core::Value;
use std::sync::Arc;

#[test]
fn each_verb_is_counted_for_itself() {
    let store = Timed::over(Arc::new(Memory::new()));
    let at: Reference = "/a".parse().unwrap();
    for _ in 0..3 {
        store.put(&at, &mut ValueBody(&Value::Null), &When::Always).unwrap();
    }
    store.delete(&at, &When::Always).unwrap();
    store.delete(&at, &When::Always).unwrap_err();
    let counts: Vec<u64> = Verb::ALL.map(|verb| store.times(verb).count).to_vec();
    assert_eq!(counts, [0, 3, 0, 0, 2]);
    let puts = store.times(Verb::Put);
    assert!(puts.longest <= puts.total && puts.total <= puts.longest * 3);
}
