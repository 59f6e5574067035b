use super::*;
use crate::{Memory, Relative, Switch, ValueBody, When};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use demat_core::Value;
use proptest::prelude::*;
use std::thread;

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn opened(store: &Arc<Memory>, of: &str, limit: usize) -> ChangeFeed {
    ChangeFeed::open(Arc::clone(store) as _, &at(of), limit).unwrap().unwrap()
}

fn put(store: &dyn Store, to: &str, value: &Value) {
    store.put(&at(to), &mut ValueBody(value), &When::Always).unwrap();
}

fn waiting(feed: &ChangeFeed) -> Vec<(UpdateKind, String)> {
    let next = || match feed.wait(Duration::ZERO) {
        Waited::Update(update) => Some((update.kind, update.at.to_string())),
        _ => None,
    };
    core::iter::from_fn(next).collect()
}

#[test]
fn each_change_is_one_update_in_order() {
    let store = Arc::new(Memory::of(Value::Map(Vec::new())));
    put(&*store, "/before", &Value::Null);
    let feed = opened(&store, "/", 9);
    put(&*store, "/a", &Value::Map(Vec::new()));
    put(&*store, "/a", &Value::Map(Vec::new()));
    put(&*store, "/a/b", &Value::Null);
    store.delete(&at("/a"), &When::Always).unwrap();
    put(&*store, "/", &Value::Map(Vec::new()));
    let own = |kind, at: &str| (kind, at.to_string());
    let expected = [
        own(UpdateKind::Put, "/a"),
        own(UpdateKind::Put, "/a"),
        own(UpdateKind::Put, "/a/b"),
        own(UpdateKind::Delete, "/a"),
        own(UpdateKind::Reset, "/"),
    ];
    assert_eq!(waiting(&feed), expected);
}

#[test]
fn one_more_than_the_limit_is_a_reset() {
    let store = Arc::new(Memory::of(Value::Map(vec![(Value::Text("a".into()), Value::Map(Vec::new()))])));
    let feed = opened(&store, "/a", 2);
    for name in ["/a/1", "/a/2", "/a/3", "/a/4"] {
        put(&*store, name, &Value::Null);
    }
    assert_eq!(waiting(&feed), [(UpdateKind::Reset, "/a".to_string()), (UpdateKind::Put, "/a/4".to_string())]);
    assert_eq!(feed.wait(Duration::ZERO), Waited::Nothing);
}

#[test]
fn what_can_not_exist_or_be_watched_is_refused() {
    let switch: Arc<dyn Store> = Arc::new(Switch::new().with("e", Arc::new(crate::Environment::new())).unwrap());
    assert!(ChangeFeed::open(Arc::clone(&switch), &at("/e"), 1).unwrap().is_none());
    assert!(ChangeFeed::open(switch, &at("/missing"), 1).is_err());
}

#[test]
fn the_end_of_a_feed_ends_the_subscription() {
    let store = Arc::new(Memory::new());
    let feed = opened(&store, "/", 1);
    feed.close();
    feed.close();
    put(&*store, "/", &Value::Null);
    assert_eq!(feed.wait(Duration::MAX), Waited::Closed);
    assert!(feed.is_closed() && feed.watch.lock().unwrap().is_none());
    assert_eq!(feed.updates().next(), None);
}

#[test]
fn closing_wakes_all_that_wait() {
    let store = Arc::new(Memory::new());
    let feed = opened(&store, "/", 1);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..4).map(|_| scope.spawn(|| feed.updates().count())).collect();
        feed.close();
        assert!(readers.into_iter().all(|reader| reader.join().unwrap() == 0));
    });
}

/// A store that others change: `look` reports it.
struct Others {
    below: Memory,
    changes: crate::Changes,
    is_changed: AtomicBool,
}

impl crate::Layer for Others {
    fn below(&self) -> &dyn Store {
        &self.below
    }

    fn describe(&self) -> crate::Node {
        self.below.describe()
    }

    fn watch(&self, at: &[String], watcher: crate::Watcher) -> Option<Watch> {
        Some(self.changes.watch(within(at, Arc::clone(&watcher))).and(self.below.watch(at, watcher)?))
    }

    fn look(&self) {
        if self.is_changed.swap(false, Ordering::SeqCst) {
            self.changes.tell(Verb::Put, &[]);
        }
    }
}

#[test]
fn changes_by_others_are_polled_for_while_a_reader_waits() {
    let others = Others { below: Memory::new(), changes: crate::Changes::new(), is_changed: AtomicBool::new(true) };
    let store: Arc<Others> = Arc::new(others);
    let relative: Arc<dyn Store> = Arc::new(Relative::over(Arc::clone(&store) as _, at("/a")));
    // What was changed before is none of the feed.
    let feed = ChangeFeed::open(relative, &at("/"), 9).unwrap().unwrap();
    assert_eq!(feed.wait(3 * LOOK), Waited::Nothing);
    store.is_changed.store(true, Ordering::SeqCst);
    assert_eq!(feed.updates().next(), Some(Update { kind: UpdateKind::Reset, at: at("/") }));
    assert_eq!(feed.wait(2 * LOOK), Waited::Nothing);
}

#[test]
fn threads_that_write_and_read_lose_and_double_nothing() {
    const EACH: usize = 500;
    let store = Arc::new(Memory::of(Value::Map(Vec::new())));
    let feed = opened(&store, "/", 4 * EACH);
    let (seen, count) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    thread::scope(|scope| {
        for writer in 0..4 {
            let store = Arc::clone(&store);
            scope.spawn(move || (0..EACH).for_each(|turn| put(&*store, &format!("/{writer}-{turn}"), &Value::Null)));
        }
        for _ in 0..2 {
            scope.spawn(|| {
                for update in feed.updates() {
                    seen.lock().unwrap().push(update.at.to_string());
                    if count.fetch_add(1, Ordering::SeqCst) + 1 == 4 * EACH {
                        feed.close();
                    }
                }
            });
        }
    });
    let mut seen = seen.into_inner().unwrap();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 4 * EACH);
}

proptest! {
    /// A reader that reads when it likes, and rereads all at a reset, has what the store has.
    #[test]
    fn a_replica_is_like_the_store(
        steps in prop::collection::vec((0..4_u8, 0..3_u8, any::<bool>()), 0..60),
        limit in 1..6_usize,
    ) {
        let store = Arc::new(Memory::of(Value::Map(Vec::new())));
        let feed = opened(&store, "/", limit);
        let mut replica = Value::Map(Vec::new());
        let read = |at: &Reference| Value::build(|sink| store.get(at, &crate::Query::default(), sink)).ok();
        let follow = |replica: &mut Value| {
            while let Waited::Update(update) = feed.wait(Duration::ZERO) {
                let value = read(&update.at);
                match &*update.at {
                    [] => *replica = value.unwrap_or(Value::Map(Vec::new())),
                    [name, ..] => {
                        let Value::Map(entries) = replica else { unreachable!() };
                        entries.retain(|(key, _)| *key != Value::Text(name.clone().into()));
                        if let Some(value) = value {
                            entries.push((Value::Text(name.clone().into()), value));
                        }
                    }
                }
            }
        };
        for (number, (name, verb, reads)) in steps.into_iter().enumerate() {
            let name = format!("/{name}");
            match verb {
                0 => drop(store.delete(&at(&name), &When::Always)),
                _ => put(&*store, &name, &Value::Int((number as u64).into())),
            }
            if reads {
                follow(&mut replica);
            }
        }
        follow(&mut replica);
        let entries = |value: Value| {
            let Value::Map(entries) = value else { unreachable!() };
            let mut texts: Vec<String> = entries.iter().map(|entry| format!("{entry:?}")).collect();
            texts.sort();
            texts
        };
        prop_assert_eq!(entries(replica), entries(read(&at("/")).unwrap()));
    }
}
