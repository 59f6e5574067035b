//! A model of operations on stores in any order, to compare the results of two stores.
#![allow(dead_code, unreachable_pub)] // each test uses what it needs

pub mod transparent;

use demat_core::{Error, Result};
use demat_place::Format;
use demat_store::{Encoded, Fault, Memory, Query, Reference, Store, Version, When, collected, fault_of};
use proptest::prelude::*;
use std::sync::Arc;

/// An operation on a store. Places, values and queries are indexes into the model's lists.
#[derive(Debug, Clone)]
pub enum Step {
    Get(usize, usize),
    Encoded(usize, usize, usize),
    Children(usize),
    Put(usize, usize, Condition),
    Patch(usize, usize, Condition),
    Delete(usize, Condition),
    Post(usize, usize),
}

/// A condition, in terms of what was observed at a place. Versions are numbered by each store's own history.
#[derive(Debug, Clone, Copy)]
pub enum Condition {
    Always,
    There,
    Absent,
    Seen(usize),
    NotSeen(usize),
}

pub struct Model {
    pub new: fn() -> Arc<dyn Store>,
    pub places: &'static [&'static str],
    pub values: &'static [&'static str],
    pub queries: &'static [&'static str],
}

pub const MEMORY: Model = Model {
    new: || Arc::new(Memory::new()),
    places: &["/", "/a", "/a/b", "/a/1", "/c", "/c/0"],
    values: &["1", "null", r#""x""#, "{}", r#"{"b":1}"#, r#"{"b":{"x":2},"1":true}"#, "[]", r#"[{"id":2},{"id":1}]"#],
    queries: &["", "order=id", "id=1", "fields=b"],
};

const FORMATS: [Format; 3] = [Format::JSON, Format::CSV, Format::NDJSON];

fn conditions() -> impl Strategy<Value = Condition> {
    prop_oneof![
        4 => Just(Condition::Always),
        1 => Just(Condition::There),
        1 => Just(Condition::Absent),
        1 => (0..4_usize).prop_map(Condition::Seen),
        1 => (0..4_usize).prop_map(Condition::NotSeen),
    ]
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
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

/// A store, and what was observed of it.
pub struct Run {
    store: Arc<dyn Store>,
    seen: Vec<Vec<Version>>,
    /// Whether versions must change equally often: a change that a layer refuses itself changes no version.
    pub exact: bool,
    /// Whether both stores must report the same of two faults: that the value does not exist, and that the query is not
    /// supported.
    pub orderly: bool,
}

fn said<T: core::fmt::Debug>(answer: Result<T>) -> String {
    answer.map_or_else(|error: Error| format!("{error:?}"), |answer| format!("{answer:?}"))
}

impl Run {
    pub fn new(store: Arc<dyn Store>, model: &Model) -> Self {
        Self { store, seen: vec![Vec::new(); model.places.len()], exact: true, orderly: true }
    }

    /// Shows the result of a get.
    fn got<T: core::fmt::Debug>(&self, answer: Result<T>) -> String {
        match &answer {
            Err(error) if !self.orderly && matches!(fault_of(error), Some(Fault::NotFound | Fault::BadQuery)) => {
                "not there, or not to be asked so".to_string()
            }
            _ => said(answer),
        }
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

    /// Checks the version of a place: whether the value exists, and when the version was last the same.
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

    pub fn step(&mut self, model: &Model, step: &Step) -> String {
        let place = |place: &usize| -> (usize, Reference) {
            let place = place % model.places.len();
            (place, model.places[place].parse().unwrap())
        };
        let value = |value: &usize| Encoded::new(Format::JSON, model.values[value % model.values.len()].as_bytes());
        let query = |query: &usize| Query::parse(model.queries[query % model.queries.len()]).unwrap();
        match step {
            Step::Get(at, wanted) => {
                let (number, at) = place(at);
                let got = || self.got(collected(&*self.store, &at, &query(wanted)));
                // Twice, since the second result may be cached.
                let both = [got(), got()].join(" ");
                [both, self.look(model, number)].join(" ")
            }
            Step::Encoded(at, wanted, format) => {
                let (format, at) = (FORMATS[format % FORMATS.len()], place(at).1);
                let got = || self.got(self.store.encoded(&at, &query(wanted), format, 1000));
                let mut read = Vec::new();
                let told = self.got(self.store.read(&at, &query(wanted), format, &mut read));
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

/// Makes a store over another that must answer like it.
pub type Layered = fn(Arc<dyn Store>) -> Arc<dyn Store>;

/// Checks that each layer over the model's store answers like the store alone.
pub fn check(model: &Model, layers: &[(&str, Layered)], orderly: bool, steps: &[Step]) -> Result<(), TestCaseError> {
    for (name, layered) in layers {
        let (mut alone, mut over) = (Run::new((model.new)(), model), Run::new(layered((model.new)()), model));
        (alone.orderly, over.orderly) = (orderly, orderly);
        for step in steps {
            prop_assert_eq!(over.step(model, step), alone.step(model, step), "{} {:?}", name, step);
        }
    }
    Ok(())
}
