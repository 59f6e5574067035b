//! Layers without a function of their own.

use super::{Condition, Layered, Model, Run, Step};
use demat_store::{Cache, Log, Mapped, Reference, Relative, Sequence, Store, Timed, Verbs};
use proptest::prelude::*;
use std::sync::Arc;

pub const TRANSPARENT: [(&str, Layered); 7] = [
    ("cache", |below| Arc::new(Cache::over(below, 1 << 16))),
    ("small cache", |below| Arc::new(Cache::over(below, 600))),
    ("sequence", |below| Arc::new(Sequence::of(below, []))),
    ("relative", |below| Arc::new(Relative::over(below, Reference::root()))),
    ("mapped", |below| Arc::new(Mapped::over(below))),
    ("log", |below| Arc::new(Log::over(below, Verbs::ALL, |_| ()))),
    ("timed", |below| Arc::new(Timed::over(below))),
];

/// After a flush, a write-back cache has the same result, and so have all operations that wait for pending changes.
pub fn check_written_back(model: &Model, steps: &[Step]) -> Result<(), TestCaseError> {
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
