//! Memoizes trials of untagged unions.
//!
//! An untagged union is decoded once for each of its types. If such unions nest, each trial of the outer one would
//! repeat all trials of the inner one: the time would double with each level. So the result of a union at a position is
//! kept.

use crate::object::Object;
use crate::plan::UnionNode;
use demat_core::Mark;
use std::collections::HashMap;

/// The results since the outermost trial began.
#[derive(Default)]
pub(super) struct Tried {
    /// The nesting depth of trials.
    depth: usize,
    /// By union and position: the value and its end; `None` if no type fits.
    known: HashMap<TrialKey, Option<(Object, Mark)>>,
}

type TrialKey = (usize, usize, [u32; 4]);

fn trial_key(union: &UnionNode, mark: Mark) -> TrialKey {
    (std::ptr::from_ref(union).addr(), mark.offset, mark.state)
}

impl Tried {
    /// Begins a trial.
    pub(super) fn begin(&mut self) {
        self.depth += 1;
    }

    /// Ends a trial. After the outermost one, returns all results; drop them while nothing of the engine is borrowed.
    #[must_use]
    pub(super) fn end(&mut self) -> Vec<Object> {
        self.depth -= 1;
        if self.depth > 0 || self.known.is_empty() {
            return Vec::new();
        }
        std::mem::take(&mut self.known).into_values().flatten().map(|(object, _)| object).collect()
    }

    /// Returns the result of a union at this position, if known.
    #[allow(clippy::option_option)] // unknown; known, and no type fits; known, with this value
    pub(super) fn get(&self, union: &UnionNode, mark: Mark) -> Option<Option<(Object, Mark)>> {
        if self.depth == 0 { None } else { self.known.get(&trial_key(union, mark)).cloned() }
    }

    /// Stores the result of a union, if a trial is active.
    pub(super) fn set(&mut self, union: &UnionNode, mark: Mark, found: Option<(&Object, Mark)>) {
        if self.depth > 0 {
            self.known.insert(trial_key(union, mark), found.map(|(object, end)| (object.clone(), end)));
        }
    }
}
