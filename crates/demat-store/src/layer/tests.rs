//! Layers that do nothing of their own answer as the store alone does.

use crate::{
    Cache, Encoded, Log, Mapped, Memory, Query, Reference, Relative, Sequence, Store, Table, TableOptions, Timed,
    Verbs, Version, When, collected,
};
use demat_core::{Error, Result};
use demat_place::Format;
use demat_sqlite::Database;
use proptest::prelude::*;
use std::sync::Arc;

/// What is done with a store. Places, values and queries are numbers of those that a model has.
#[derive(Debug, Clone)]
enum Step {
    Get(usize, usize),
    Encoded(usize, usize, usize),
    Children(usize),
    Put(usize, usize, Condition),
    Patch(usize, usize, Condition),
    Delete(usize, Condition),
    Post(usize, usize),
}

/// A condition, by what was seen of a place: versions are numbers of each store's own.
#[derive(Debug, Clone, Copy)]
enum Condition {
    Always,
    There,
    Absent,
    Seen(usize),
    NotSeen(usize),
}

struct Model {
    new: fn() -> Arc<dyn Store>,
    places: &'static [&'static str],
    values: &'static [&'static str],
    queries: &'static [&'static str],
}

const MEMORY: Model = Model {
    new: || Arc::new(Memory::new()),
    places: &["/", "/a", "/a/b", "/a/1", "/c", "/c/0"],
    values: &["1", "null", r#""x""#, "{}", r#"{"b":1}"#, r#"{"b":{"x":2},"1":true}"#, "[]", r#"[{"id":2},{"id":1}]"#],
    queries: &["", "order=id", "id=1", "fields=b"],
};

const TABLE: Model = Model {
    new: || {
        let database = Database::memory().unwrap();
        let shape = "id: int? #sql:key, title: text, done: bool = false, due: date?".parse().unwrap();
        Arc::new(Table::of(&database, "tasks", Some(&shape), &TableOptions::default()).unwrap())
    },
    places: &["/", "/1", "/2", "/1/title", "/2/done", "/x", "/1/none"],
    values: &[
        r#"{"title":"a"}"#,
        r#"{"title":"b","due":"2026-01-02"}"#,
        r#"{"id":2,"title":"c","done":true}"#,
        r#"{"done":true}"#,
        r#"{"title":5}"#,
        "{}",
        r#"[{"id":1,"title":"d"},{"title":"e"}]"#,
        r#"[{"id":1,"title":"d"},{"id":1,"title":"e"}]"#,
        r#""text""#,
        "true",
    ],
    queries: &["", "order=-id", "title=a&fields=id", "done=true", "none=1"],
};

const FORMATS: [Format; 3] = [Format::Json, Format::Csv, Format::Ndjson];

fn conditions() -> impl Strategy<Value = Condition> {
    prop_oneof![
        4 => Just(Condition::Always),
        1 => Just(Condition::There),
        1 => Just(Condition::Absent),
        1 => (0..4_usize).prop_map(Condition::Seen),
        1 => (0..4_usize).prop_map(Condition::NotSeen),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let any = || 0..64_usize;
    let step = prop_oneof![
        2 => (any(), any()).prop_map(|(place, query)| Step::Get(place, query)),
        2 => (any(), any(), any()).prop_map(|(place, query, format)| Step::Encoded(place, query, format)),
        1 => any().prop_map(Step::Children),
        3 => (any(), any(), conditions()).prop_map(|(place, value, when)| Step::Put(place, value, when)),
        2 => (any(), any(), conditions()).prop_map(|(place, value, when)| Step::Patch(place, value, when)),
        1 => (any(), conditions()).prop_map(|(place, when)| Step::Delete(place, when)),
        1 => (any(), any()).prop_map(|(place, value)| Step::Post(place, value)),
    ];
    proptest::collection::vec(step, 1..24)
}

/// A store, and what was seen of it.
struct Run {
    store: Arc<dyn Store>,
    seen: Vec<Vec<Version>>,
    /// Whether versions have to change as often: what is refused at once, and not by the store below, changes none.
    exact: bool,
}

fn said<T: core::fmt::Debug>(answer: Result<T>) -> String {
    answer.map_or_else(|error: Error| format!("{error:?}"), |answer| format!("{answer:?}"))
}

impl Run {
    fn new(store: Arc<dyn Store>, model: &Model) -> Self {
        Self { store, seen: vec![Vec::new(); model.places.len()], exact: true }
    }

    fn when(&self, place: usize, condition: Condition) -> When {
        let version = |back: usize| self.seen[place].iter().rev().nth(back).copied().into_iter().collect();
        match condition {
            Condition::Always => When::Always,
            Condition::There => When::There,
            Condition::Absent => When::Absent,
            Condition::Seen(_) if !self.exact => When::There,
            Condition::NotSeen(_) if !self.exact => When::Absent,
            Condition::Seen(back) => When::Of(version(back)),
            Condition::NotSeen(back) => When::NotOf(version(back)),
        }
    }

    /// Looks at the version of a place: whether it is there, and how long ago it was the same.
    fn look(&mut self, model: &Model, place: usize) -> String {
        let at: Reference = model.places[place].parse().unwrap();
        let version = self.store.version(&at);
        let seen = &mut self.seen[place];
        let same = version.map(|version| {
            let version = version.unwrap();
            let same = seen.iter().rev().position(|own| *own == version);
            seen.push(version);
            same
        });
        said(if self.exact { same } else { same.map(|_| None) })
    }

    fn step(&mut self, model: &Model, step: &Step) -> String {
        let place = |place: &usize| -> (usize, Reference) {
            let place = place % model.places.len();
            (place, model.places[place].parse().unwrap())
        };
        let value = |value: &usize| Encoded::new(Format::Json, model.values[value % model.values.len()].as_bytes());
        let query = |query: &usize| Query::parse(model.queries[query % model.queries.len()]).unwrap();
        match step {
            Step::Get(at, wanted) => {
                let (number, at) = place(at);
                let got = || said(collected(&*self.store, &at, &query(wanted)));
                // Once more, as it may be at hand now.
                [got(), got(), self.look(model, number)].join(" ")
            }
            Step::Encoded(at, wanted, format) => {
                let (format, at) = (FORMATS[format % FORMATS.len()], place(at).1);
                let got = || said(self.store.encoded(&at, &query(wanted), format, 1000));
                let mut read = Vec::new();
                let told = said(self.store.read(&at, &query(wanted), format, &mut read));
                [got(), got(), told, format!("{:?}", String::from_utf8(read))].join(" ")
            }
            Step::Children(at) => {
                let mut names = Vec::new();
                let told = self.store.children(&place(at).1, &mut |name| {
                    names.push(name.to_string());
                    Ok(())
                });
                format!("{} {names:?} {}", said(told), self.store.allows(&place(at).1))
            }
            Step::Put(at, given, when) => {
                let (number, at) = place(at);
                said(self.store.put(&at, &mut value(given), &self.when(number, *when)))
            }
            Step::Patch(at, given, when) => {
                let (number, at) = place(at);
                said(self.store.patch(&at, &mut value(given), &self.when(number, *when)))
            }
            Step::Delete(at, when) => {
                let (number, at) = place(at);
                said(self.store.delete(&at, &self.when(number, *when)))
            }
            Step::Post(at, given) => said(self.store.post(&place(at).1, &mut value(given))),
        }
    }
}

type Layered = fn(Arc<dyn Store>) -> Arc<dyn Store>;

const TRANSPARENT: [(&str, Layered); 7] = [
    ("cache", |below| Arc::new(Cache::over(below, 1 << 16))),
    ("small cache", |below| Arc::new(Cache::over(below, 600))),
    ("sequence", |below| Arc::new(Sequence::of(below, []))),
    ("relative", |below| Arc::new(Relative::over(below, Reference::root()))),
    ("mapped", |below| Arc::new(Mapped::over(below))),
    ("log", |below| Arc::new(Log::over(below, Verbs::ALL, |_| ()))),
    ("timed", |below| Arc::new(Timed::over(below))),
];

fn check(model: &Model, steps: &[Step]) -> Result<(), TestCaseError> {
    for (name, layered) in TRANSPARENT {
        let (mut alone, mut over) = (Run::new((model.new)(), model), Run::new(layered((model.new)()), model));
        for step in steps {
            prop_assert_eq!(over.step(model, step), alone.step(model, step), "{} {:?}", name, step);
        }
    }
    Ok(())
}

/// What is written back comes to the same once it is flushed, and so do all answers that have to wait for that.
fn check_written_back(model: &Model, steps: &[Step]) -> Result<(), TestCaseError> {
    for limit in [1 << 16, 400] {
        let cache = Arc::new(Cache::write_back((model.new)(), limit));
        let mut over = Run::new(Arc::clone(&cache) as Arc<dyn Store>, model);
        let mut alone = Run::new((model.new)(), model);
        (over.exact, alone.exact) = (false, false);
        for step in steps {
            let (Step::Put(.., when) | Step::Patch(.., when) | Step::Delete(_, when)) = step else {
                drop(cache.flush());
                prop_assert_eq!(over.step(model, step), alone.step(model, step), "{:?}", step);
                continue;
            };
            let (answer, wanted) = (over.step(model, step), alone.step(model, step));
            if !matches!(when, Condition::Always) {
                prop_assert_eq!(answer, wanted, "{:?}", step);
            }
        }
        drop(cache.flush());
        let all = Step::Get(0, 0);
        prop_assert_eq!(over.step(model, &all), alone.step(model, &all));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn over_memory(steps in steps()) {
        check(&MEMORY, &steps)?;
    }

    #[test]
    fn over_a_table(steps in steps()) {
        check(&TABLE, &steps)?;
    }

    #[test]
    fn written_back_over_memory(steps in steps()) {
        check_written_back(&MEMORY, &steps)?;
    }

    #[test]
    fn written_back_over_a_table(steps in steps()) {
        check_written_back(&TABLE, &steps)?;
    }
}
