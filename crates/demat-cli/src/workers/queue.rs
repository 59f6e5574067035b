//! The parts that wait for a worker, that are being copied, and that are there.

use super::part::Part;
use super::piece::Piece;
use crate::failure::Failure;
use demat_core::{ErrorKind, caught};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[cfg(test)]
mod tests;

/// The number of parts for each worker that may be ahead of the next one: what they wrote waits on the disk.
const AHEAD: usize = 4;

/// Reports that a part is copied again, and why.
type Told = Box<dyn Fn(&Part, &Failure) + Send + Sync>;

/// What the workers share.
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    ahead: usize,
    told: Told,
}

struct State {
    parts: Vec<Slot>,
    /// The next part in the order of the sources.
    next: usize,
    /// The first part that failed: those behind it need not begin.
    failed: usize,
    stopped: bool,
}

struct Slot {
    part: Part,
    /// How often it was changed: what was made of it before counts no more.
    version: u32,
    /// Whether a worker has failed with it by a fault of its own.
    broke: bool,
    stands: Stands,
}

enum Stands {
    Waiting,
    Running,
    There(Box<Piece>),
    Taken,
}

impl Queue {
    pub(super) fn new(
        parts: Vec<Part>,
        workers: usize,
        told: impl Fn(&Part, &Failure) + Send + Sync + 'static,
    ) -> Self {
        let slot = |part| Slot { part, version: 0, broke: false, stands: Stands::Waiting };
        let parts: Vec<_> = parts.into_iter().map(slot).collect();
        let state = State { failed: parts.len(), parts, next: 0, stopped: false };
        let ahead = workers.saturating_mul(AHEAD);
        Self { state: Mutex::new(state), changed: Condvar::new(), ahead, told: Box::new(told) }
    }

    /// The state is consistent even after a panic: nothing that may panic runs while it is locked.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies parts until none is left, or the queue is stopped. A part whose worker panics is copied once more.
    pub(super) fn serve(&self, copy: impl Fn(&Part) -> Piece) {
        loop {
            let mut state = self.lock();
            let index = loop {
                if state.stopped || state.next == state.parts.len() {
                    return;
                }
                match state.waiting(self.ahead) {
                    Some(index) => break index,
                    None => state = self.wait(state),
                }
            };
            let slot = &mut state.parts[index];
            slot.stands = Stands::Running;
            let (part, version) = (slot.part.clone(), slot.version);
            drop(state);
            let piece = caught(|| Ok(copy(&part))).unwrap_or_else(|error| Piece::failed(error.into()));
            let mut state = self.lock();
            let slot = &mut state.parts[index];
            if slot.version == version {
                match &piece.result {
                    Err(failure) if is_fault(failure) && !core::mem::replace(&mut slot.broke, true) => {
                        slot.stands = Stands::Waiting;
                        (self.told)(&part, failure);
                    }
                    result => {
                        if result.is_err() {
                            state.failed = state.failed.min(index);
                        }
                        state.parts[index].stands = Stands::There(Box::new(piece));
                    }
                }
            }
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Waits for the next part in the order of the sources. Returns `None` behind the last one.
    pub(super) fn next(&self) -> Option<(Part, Piece)> {
        let mut state = self.lock();
        loop {
            let next = state.next;
            let slot = state.parts.get_mut(next)?;
            if slot.part.gone {
                state.next += 1;
                self.changed.notify_all();
                continue;
            }
            match core::mem::replace(&mut slot.stands, Stands::Taken) {
                Stands::There(piece) => {
                    if slot.part.rows && piece.ends_in_cell() {
                        state.extend(next);
                        self.changed.notify_all();
                        continue;
                    }
                    let part = slot.part.clone();
                    state.next += 1;
                    self.changed.notify_all();
                    return Some((part, *piece));
                }
                other => {
                    slot.stands = other;
                    state = self.wait(state);
                }
            }
        }
    }

    /// Lets no worker begin with another part.
    pub(super) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }
}

/// Whether a worker failed by a fault of the program.
fn is_fault(failure: &Failure) -> bool {
    matches!(failure, Failure::Error { error, .. } if error.kind() == ErrorKind::Internal)
}

impl State {
    /// Returns the first part to be copied.
    fn waiting(&self, ahead: usize) -> Option<usize> {
        let end = self.parts.len().min(self.failed.saturating_add(1)).min(self.next.saturating_add(ahead));
        let waits = |index: &usize| {
            let slot = &self.parts[*index];
            matches!(slot.stands, Stands::Waiting) && !slot.part.gone
        };
        (self.next..end).find(waits)
    }

    /// Gives a part the bytes of the next ones, since it ended within a quoted cell.
    ///
    /// Each time it takes twice as many, so that a quote that is never closed is not read again for each part.
    fn extend(&mut self, index: usize) {
        let part = &self.parts[index].part;
        let (mut last, joins) = (index + part.taken, part.joins);
        for _ in 0..joins {
            let Some(after) = self.parts.get_mut(last + 1) else { break };
            last += 1;
            after.version += 1;
            after.stands = Stands::Taken;
            after.part.gone = true;
            let (end, rows) = (after.part.span.end, after.part.rows);
            let part = &mut self.parts[index].part;
            (part.span.end, part.rows) = (end, rows);
            if !rows {
                break;
            }
        }
        let slot = &mut self.parts[index];
        slot.part.taken = last - index;
        slot.part.joins *= 2;
        slot.version += 1;
        slot.broke = false;
        slot.stands = Stands::Waiting;
        let failed = |slot: &Slot| matches!(&slot.stands, Stands::There(piece) if piece.result.is_err());
        self.failed = self.parts.iter().position(failed).unwrap_or(self.parts.len());
    }
}
