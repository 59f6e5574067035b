//! The open containers of a source.

use super::{Frame, Frames, Left, Within};

/// The open containers. A counted container has no end in the bytes, so the source over the next window must know how
/// many children it still has. The format keeps the frames between windows, and a mark holds the innermost one.
#[derive(Debug)]
pub(crate) struct Stack<'a> {
    /// The innermost container, if `depth` is not 0. It changes with each child, so it is kept apart from the others.
    top: Frame,
    /// The first `depth - 1` of them are the open containers around it, the outermost first.
    outer: Frames<'a, Frame>,
    depth: usize,
}

/// The container that `Stack::top` holds while none is open.
const NONE: Frame = Frame { within: Within::Array, left: Left::Count(0) };

impl<'a> Stack<'a> {
    /// Returns an empty stack with frames of its own.
    pub(crate) fn new() -> Self {
        Self { top: NONE, outer: Frames::Own(Vec::new()), depth: 0 }
    }

    /// Returns a stack that can be reset to marks of an earlier one with the same frames.
    pub(crate) fn continued(frames: &'a mut Vec<Frame>) -> Self {
        Self { top: NONE, outer: Frames::Shared(frames), depth: 0 }
    }

    /// Returns the number of open containers.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Enters a container.
    #[inline]
    pub(crate) fn enter(&mut self, within: Within, left: Left) {
        if let Some(last) = self.depth.checked_sub(1) {
            match self.outer.get_mut(last) {
                Some(place) => *place = self.top,
                None => self.outer.push(self.top),
            }
        }
        self.top = Frame { within, left };
        self.depth += 1;
    }

    /// Returns the innermost container.
    #[inline]
    pub(crate) fn top(&mut self) -> Option<&mut Frame> {
        (self.depth > 0).then_some(&mut self.top)
    }

    /// Returns a copy of the innermost container.
    #[inline]
    pub(crate) fn innermost(&self) -> Option<Frame> {
        (self.depth > 0).then_some(self.top)
    }

    /// Leaves the innermost container.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if let Some(frame) = self.depth.checked_sub(1).and_then(|last| self.outer.get(last)) {
            self.top = *frame;
        }
    }

    /// Returns the state for a mark. It holds the innermost container: the outer ones don't change before that ends.
    pub(crate) fn state(&self) -> [u32; 4] {
        let mut state = [self.depth as u32, 0, 0, 0];
        if self.depth > 0 {
            state[1] = self.top.within as u32;
            if let Left::Count(left) = self.top.left {
                state[1] |= COUNTED;
                (state[2], state[3]) = ((left >> 32) as u32, left as u32);
            }
        }
        state
    }

    /// Restores the state of a mark.
    pub(crate) fn restore(&mut self, [depth, kind, high, low]: [u32; 4]) {
        self.depth = depth as usize;
        let around = self.depth.saturating_sub(1);
        if self.outer.len() < around {
            // A mark of another reader. The counts of the outer containers are unknown, so these never end.
            let outer = Frame { within: Within::Array, left: Left::Count(u64::MAX) };
            self.outer.resize(around, outer);
        }
        let within = match kind & !COUNTED {
            0 => Within::Array,
            1 => Within::Map,
            2 => Within::Sequence,
            _ => Within::Parts,
        };
        let left = if kind & COUNTED == 0 { Left::Mark } else { Left::Count(u64::from(high) << 32 | u64::from(low)) };
        self.top = Frame { within, left };
    }
}

/// The bit of a mark's second word for a container with a count.
const COUNTED: u32 = 1 << 31;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_holds_the_innermost_container() {
        let mut stack = Stack::new();
        assert_eq!(stack.state(), [0; 4]);
        for (within, left) in [
            (Within::Array, Left::Count(u64::MAX - 7)),
            (Within::Map, Left::Mark),
            (Within::Sequence, Left::Mark),
            (Within::Map, Left::Count(0)),
        ] {
            stack.enter(within, left);
            let state = stack.state();
            stack.enter(Within::Array, Left::Count(3));
            *stack.top().unwrap() = Frame { within: Within::Map, left: Left::Mark };
            stack.leave();
            *stack.top().unwrap() = Frame { within: Within::Array, left: Left::Count(1) };
            stack.restore(state);
            assert_eq!(*stack.top().unwrap(), Frame { within, left });
        }
        assert_eq!(stack.depth(), 4);
    }
}
