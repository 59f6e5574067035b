//! Layers that do nothing of their own answer as the store alone does.

mod model;

use demat_store::{Cache, Log, Mapped, Reference, Relative, Sequence, Store, Timed, Verbs};
use model::{Condition, Layered, MEMORY, Model, Run, Step, TABLE, check, steps};
use proptest::prelude::*;
use std::sync::Arc;

const TRANSPARENT: [(&str, Layered); 7] = [
    ("cache", |below| Arc::new(Cache::over(below, 1 << 16))),
    ("small cache", |below| Arc::new(Cache::over(below, 600))),
    ("sequence", |below| Arc::new(Sequence::of(below, []))),
    ("relative", |below| Arc::new(Relative::over(below, Reference::root()))),
    ("mapped", |below| Arc::new(Mapped::over(below))),
    ("log", |below| Arc::new(Log::over(below, Verbs::ALL, |_| ()))),
    ("timed", |below| Arc::new(Timed::over(below))),
];

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
        check(&MEMORY, &TRANSPARENT, true, &steps)?;
    }

    #[test]
    fn over_a_table(steps in steps()) {
        check(&TABLE, &TRANSPARENT, true, &steps)?;
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
