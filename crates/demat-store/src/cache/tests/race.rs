//! Concurrent readers and writers of a store. Tests of other crates include this file, so it uses no names of this
//! crate.

use super::{Query, Store, ValueBody, When, at, collected};
use core::sync::atomic::{AtomicI64, Ordering};
use demat_core::Value;
use demat_place::Format;

const KEYS: usize = 4;
const TURNS: i64 = 300;

/// Each writer increments its own key, and announces each acknowledged value. No reader may get less than what was
/// announced before.
pub(super) fn race(
    store: &dyn Store,
    writer: &dyn Store,
    value: impl Fn(i64) -> Value + Sync,
    count: impl Fn(&Value) -> i64 + Sync,
) {
    let said: Vec<AtomicI64> = (0..KEYS).map(|_| AtomicI64::new(0)).collect();
    let places: Vec<_> = (0..KEYS).map(|key| at(&format!("/{}", key + 1))).collect();
    for place in &places {
        writer.put(place, &mut ValueBody(&value(0)), &When::Always).unwrap();
    }
    std::thread::scope(|scope| {
        for (place, said) in places.iter().zip(&said) {
            let value = &value;
            scope.spawn(move || {
                for turn in 1..=TURNS {
                    writer.put(place, &mut ValueBody(&value(turn)), &When::Always).unwrap();
                    said.store(turn, Ordering::SeqCst);
                }
            });
        }
        for reader in 0..2 {
            let (said, places, count) = (&said, &places, &count);
            scope.spawn(move || {
                while said.iter().any(|said| said.load(Ordering::SeqCst) < TURNS) {
                    for (place, said) in places.iter().zip(said) {
                        let least = said.load(Ordering::SeqCst);
                        let value = if reader == 0 {
                            collected(store, place, &Query::default()).unwrap()
                        } else {
                            let json = store.encoded(place, &Query::default(), Format::JSON, 1000).unwrap().unwrap();
                            Value::build(|sink| {
                                let options = Format::JSON.read_options();
                                demat_place::tell(Format::JSON, &options, &json[..], None, sink).map(drop)
                            })
                            .unwrap()
                        };
                        assert!(count(&value) >= least, "{place} {value:?} {least}");
                    }
                }
            });
        }
    });
    for place in &places {
        assert_eq!(count(&collected(store, place, &Query::default()).unwrap()), TURNS);
    }
}

pub(super) fn of_int(value: &Value) -> i64 {
    match value {
        Value::Int(value) => value.to_i64().unwrap(),
        other => panic!("{other:?}"),
    }
}
