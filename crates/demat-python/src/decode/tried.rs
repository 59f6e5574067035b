//! What was found out by tries that may be made again.
//!
//! A union without a tag is gone through once for each type that it may be. Where such a union stands within another, each
//! try of the outer one would try all of the inner one anew: time that doubles with each level. So within a try it is
//! remembered what a union came to at a place.

use crate::object::Object;
use crate::plan::UnionNode;
use demat_core::Mark;
use std::collections::HashMap;

/// The unions that were met since the outermost try began.
#[derive(Default)]
pub(super) struct Tried {
    /// How many tries stand within each other here.
    depth: usize,
    /// By the union and the place: the value, and where it ends; none where no type fits.
    known: HashMap<TrialKey, Option<(Object, Mark)>>,
}

type TrialKey = (usize, usize, [u32; 4]);

fn trial_key(union: &UnionNode, mark: Mark) -> TrialKey {
    (std::ptr::from_ref(union).addr(), mark.offset, mark.state)
}

impl Tried {
    /// A try begins.
    pub(super) fn begin(&mut self) {
        self.depth += 1;
    }

    /// A try ended. After the outermost one nothing is asked again: what was remembered is given back, to be dropped when
    /// nothing of the engine's is borrowed.
    #[must_use]
    pub(super) fn end(&mut self) -> Vec<Object> {
        self.depth -= 1;
        if self.depth > 0 || self.known.is_empty() {
            return Vec::new();
        }
        std::mem::take(&mut self.known).into_values().flatten().map(|(object, _)| object).collect()
    }

    /// What a union came to where it stands, if it was met there before.
    #[allow(clippy::option_option)] // not met; met, and nothing fitted; met, with this value
    pub(super) fn get(&self, union: &UnionNode, mark: Mark) -> Option<Option<(Object, Mark)>> {
        if self.depth == 0 { None } else { self.known.get(&trial_key(union, mark)).cloned() }
    }

    /// Remembers what a union came to, if it stands within a try.
    pub(super) fn set(&mut self, union: &UnionNode, mark: Mark, found: Option<(&Object, Mark)>) {
        if self.depth > 0 {
            self.known.insert(trial_key(union, mark), found.map(|(object, end)| (object.clone(), end)));
        }
    }
}
