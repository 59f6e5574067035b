//! The open arrays and maps.

use core::ops::{Deref, DerefMut};

/// An array, a map or a sequence that the source has stepped into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in super::super) struct Frame {
    pub(super) within: Within,
    /// The children that it still has, not counting the current one.
    pub(super) left: u32,
}

/// What was stepped into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Within {
    #[default]
    Array,
    Map,
    /// Maps one behind the other, to the end of the input.
    Sequence,
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
