//! Depth limit of operations that recurse from a view into nested views: equality, hash, repr.
//!
//! As in the encoder, each level checks its depth and the stack. Nesting too deep, or a cycle, is a `LimitError`.

use crate::error::{Failure, exception};
use crate::stack;
use demat_core::Error;
use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;
use std::cell::Cell;

/// The deepest nesting of views for these operations; the same as the encoder's default.
const DEEPEST: u32 = 1024;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Guard for one level; leaves it when dropped.
struct Step;

impl Drop for Step {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
    }
}

/// Runs an operation on a nested view, one level deeper.
///
/// # Errors
/// `LimitError` if the nesting is too deep, also for the interpreter; or what the operation raises.
pub(super) fn look_into<T>(py: Python<'_>, body: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    DEPTH.set(DEPTH.get() + 1);
    let _step = Step;
    let depth = DEPTH.get();
    if depth > DEEPEST {
        return Err(too_deep(py, "the depth of nesting", DEEPEST));
    }
    if stack::here() < stack::floor() {
        return Err(too_deep(py, "the depth of nesting on this thread's stack", depth));
    }
    body().map_err(|raised| {
        if !raised.is_instance_of::<PyRecursionError>(py) {
            return raised;
        }
        let limit = too_deep(py, "the depth of nesting, as the interpreter counts it,", depth);
        limit.set_cause(py, Some(raised));
        limit
    })
}

#[cold]
fn too_deep(py: Python<'_>, what: &str, limit: u32) -> PyErr {
    exception(py, Failure::from(Error::limit(what, limit)))
}
