//! An open array or map of a source.

use core::ops::{Deref, DerefMut};

/// An array, a map or a sequence that the source has stepped into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) within: Within,
    pub(crate) left: Left,
}

/// What was stepped into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    Array,
    Map,
    /// Values one behind the other, to the end of the input.
    Sequence,
}

/// How a container ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// After so many more children, not counting the current one.
    Count(u64),
    /// At a byte that says so, or at the end of the input.
    Mark,
}

/// Frames that belong to the source, or to the format that goes on with them in the next window.
#[derive(Debug)]
pub(super) enum Frames<'a> {
    Own(Vec<Frame>),
    Shared(&'a mut Vec<Frame>),
}

impl Deref for Frames<'_> {
    type Target = Vec<Frame>;

    fn deref(&self) -> &Vec<Frame> {
        match self {
            Self::Own(frames) => frames,
            Self::Shared(frames) => frames,
        }
    }
}

impl DerefMut for Frames<'_> {
    fn deref_mut(&mut self) -> &mut Vec<Frame> {
        match self {
            Self::Own(frames) => frames,
            Self::Shared(frames) => frames,
        }
    }
}
