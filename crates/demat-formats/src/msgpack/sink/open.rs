//! The open containers of a sink.

use super::header::Counted;

/// An open array, map or sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// Where its header is: an offset in the buffer or, of one that is patched late, in the whole output.
    pub(super) at: u64,
    /// The children before the container inside it that is open; of the innermost one, those it began with.
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

/// The open containers.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// The children of the innermost container so far. Its frame has none: a frame that changed with each child, and was
    /// then moved as a whole, stalled each small record by 4 ns.
    count: u64,
    /// The outermost first.
    frames: Vec<Frame>,
}

impl Open {
    /// Returns the number of open containers.
    #[inline(always)]
    pub(super) fn depth(&self) -> usize {
        self.frames.len()
    }

    #[inline(always)]
    pub(super) fn enter(&mut self, frame: Frame) {
        if let Some(top) = self.frames.last_mut() {
            top.count = self.count;
        }
        self.count = frame.count;
        self.frames.push(frame);
    }

    /// Leaves the innermost container.
    #[inline(always)]
    pub(super) fn leave(&mut self) {
        self.frames.pop();
        self.count = self.frames.last().map_or(0, |top| top.count);
    }

    /// Counts a child of the innermost container.
    #[inline(always)]
    pub(super) fn count(&mut self) {
        self.count += 1;
    }

    /// Returns the number of children of the innermost container.
    #[inline(always)]
    pub(super) fn counted(&self) -> u64 {
        self.count
    }

    /// Sets the number of children of the innermost container.
    pub(super) fn set_counted(&mut self, count: u64) {
        self.count = count;
    }

    /// Returns the innermost container. Its count is [`counted`](Self::counted).
    #[inline(always)]
    pub(super) fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// Whether the only open container is a sequence.
    #[inline(always)]
    pub(super) fn is_sequence(&self) -> bool {
        matches!(self.frames.as_slice(), [only] if only.of.is_none())
    }

    /// Returns all containers, the outermost first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Frame> {
        self.frames.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Frame> {
        self.frames.iter_mut()
    }
}

impl Clone for Open {
    fn clone(&self) -> Self {
        Self { count: self.count, frames: self.frames.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.count = source.count;
        self.frames.clone_from(&source.frames);
    }
}
