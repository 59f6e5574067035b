//! The open containers of a sink.

use super::header::Counted;

/// An open array, map or sequence. It is small, since a container inside it moves it to the stack and back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// Where its header is: an offset in the buffer or, of one that is patched late, in the whole output.
    pub(super) at: u64,
    pub(super) count: u64,
    /// The count that was announced, or that a copied header has; 0 if there is neither.
    pub(super) stated: u32,
    /// `None` for a sequence, which has no header.
    pub(super) of: Option<Counted>,
    /// The number of bytes reserved for its header.
    pub(super) reserved: u8,
    pub(super) end: End,
}

/// What the end of a container does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Writes the count into the header.
    Count,
    /// As `Count`. The count was announced, so that the header may leave the memory before the end.
    Announced,
    /// Replaces the header, which was copied, if the count has changed.
    Copied,
    /// Replaces the map by an extension type. Until then nothing leaves the memory.
    Ext,
    /// Writes the count into a wide header that has left the memory.
    Late,
    /// Verifies the announced count: the header has left the memory.
    Gone,
    /// Nothing: a sequence.
    Nothing,
}

impl Frame {
    pub(super) const SEQUENCE: Self = Self { at: 0, count: 0, stated: 0, of: None, reserved: 0, end: End::Nothing };

    /// Whether its header is unknown until it ends.
    pub(super) fn is_pending(&self) -> bool {
        matches!(self.end, End::Count | End::Copied | End::Ext)
    }

    /// Returns the offset of its header in the buffer, if it is there.
    pub(super) fn header(&mut self) -> Option<&mut u64> {
        (self.is_pending() || self.end == End::Announced).then_some(&mut self.at)
    }
}

/// The open containers. The innermost one changes with each child, so it is kept apart from the others.
#[derive(Debug)]
pub(super) struct Open {
    /// The innermost container; anything if none is open.
    top: Frame,
    /// The containers around it, the outermost first.
    outer: Vec<Frame>,
    depth: usize,
}

impl Default for Open {
    fn default() -> Self {
        Self { top: Frame::SEQUENCE, outer: Vec::new(), depth: 0 }
    }
}

impl Open {
    /// Returns the number of open containers.
    #[inline(always)]
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    #[inline(always)]
    pub(super) fn enter(&mut self, frame: Frame) {
        if self.depth > 0 {
            self.outer.push(self.top);
        }
        self.top = frame;
        self.depth += 1;
    }

    /// Leaves the innermost container, and returns it.
    #[inline(always)]
    pub(super) fn leave(&mut self) -> Option<Frame> {
        if self.depth == 0 {
            return None;
        }
        let left = self.top;
        self.depth -= 1;
        if let Some(outer) = self.outer.pop() {
            self.top = outer;
        }
        Some(left)
    }

    /// Counts a child of the innermost container.
    #[inline(always)]
    pub(super) fn count(&mut self) {
        self.top.count += 1;
    }

    /// Returns the innermost container.
    #[inline(always)]
    pub(super) fn top(&mut self) -> Option<&mut Frame> {
        (self.depth > 0).then_some(&mut self.top)
    }

    /// Whether the only open container is a sequence.
    #[inline(always)]
    pub(super) fn is_sequence(&self) -> bool {
        self.depth == 1 && self.top.of.is_none()
    }

    /// Returns all containers, the outermost first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Frame> {
        self.outer.iter().chain((self.depth > 0).then_some(&self.top))
    }

    pub(super) fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Frame> {
        self.outer.iter_mut().chain((self.depth > 0).then_some(&mut self.top))
    }
}

impl Clone for Open {
    fn clone(&self) -> Self {
        Self { top: self.top, outer: self.outer.clone(), depth: self.depth }
    }

    fn clone_from(&mut self, source: &Self) {
        (self.top, self.depth) = (source.top, source.depth);
        self.outer.clone_from(&source.outer);
    }
}
