//! A store behind HTTP behaves like the store alone, and so do layers over it.
#![cfg(feature = "remote")]

#[path = "../../demat-store/tests/model/mod.rs"]
mod model;
mod served;
#[path = "../../demat-sqlite-store/tests/table_model/mod.rs"]
mod table_model;

use demat_store::{Cache, Log, Mapped, Reference, Relative, Sequence, Timed, Verbs};
use model::{Layered, MEMORY, check, steps};
use proptest::prelude::*;
use served::served;
use std::sync::Arc;
use table_model::TABLE;

const OVER_HTTP: [(&str, Layered); 4] = [
    ("remote", served),
    ("remote of a remote", |below| served(served(below))),
    ("cache", |below| Arc::new(Cache::over(served(below), 1 << 16))),
    ("all layers", |below| {
        let mapped = Mapped::over(Arc::new(Relative::over(served(below), Reference::root())));
        let timed = Timed::over(Arc::new(Sequence::of(Arc::new(mapped), [])));
        Arc::new(Log::over(Arc::new(timed), Verbs::ALL, |_| ()))
    }),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn over_memory(steps in steps()) {
        check(&MEMORY, &OVER_HTTP, false, &steps)?;
    }

    #[test]
    fn over_a_table(steps in steps()) {
        check(&TABLE, &OVER_HTTP, false, &steps)?;
    }
}
