//! The open containers of a sink.

use super::header::Counted;

/// An open array, map or sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// `None` for a sequence, which has no header.
    pub(super) of: Option<Counted>,
    /// The number of bytes reserved for its header.
    pub(super) reserved: u8,
    /// Whether the map becomes an extension type when it ends. Until then nothing leaves the memory.
    pub(super) is_ext: bool,
    /// Whether its header has left the memory, is patched later or was copied, or it becomes an extension type. Then
    /// its end is more than its count.
    pub(super) is_special: bool,
    /// The announced count.
    pub(super) announced: Option<u32>,
    /// The count in a header that was copied. If it is right, the header stays as it is.
    pub(super) copied: Option<u32>,
    /// The offset of its header, unless that has left the memory.
    pub(super) at: usize,
    pub(super) count: u64,
    /// The offset in the whole output of its wide header, which is patched when the count is known.
    pub(super) late: Option<u64>,
}

/// The offset of a header that has left the memory.
pub(super) const GONE: usize = usize::MAX;

impl Frame {
    pub(super) const SEQUENCE: Self = Self {
        of: None,
        reserved: 0,
        is_ext: false,
        is_special: true,
        announced: None,
        copied: None,
        at: GONE,
        count: 0,
        late: None,
    };

    /// Whether its header is unknown until it ends.
    pub(super) fn is_pending(&self) -> bool {
        self.of.is_some() && self.announced.is_none() && self.late.is_none()
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
