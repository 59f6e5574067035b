//! Marks and resets.

use super::CanonicalSource;
use super::frame::{Frame, Next};
use demat_core::{Mark, Source};

/// The values of [`Next`] that a mark can hold. The reader takes all others at once, so no mark is made there.
const VALUE: u32 = 0;
const KIND: u32 = 1;
const VARIANT: u32 = 2;
const PATHS: u32 = 3;

/// The bits of the first two words that belong to the JSON source's mark. The other two words belong to it completely.
const DEPTH: u32 = (1 << FRAMES) - 1;
const FLAGS: u32 = 7;
/// The positions of this source's own bits in the two words.
const FRAMES: u32 = 20;
const NEXT: u32 = 3;
const NULL: u32 = 1 << 5;
const BEGUN: u32 = 1 << 6;
const SLOT: u32 = 8;
/// The maximum number of frames, and of a slot or a part, that a mark can hold.
pub(super) const MOST_FRAMES: usize = (1 << (32 - FRAMES)) - 1;
const MOST: u32 = (1 << (32 - SLOT)) - 1;

impl<'a, S: Source<'a>> CanonicalSource<'a, S> {
    /// Returns a mark. In addition to the JSON source's mark, it holds the next value and its slot, the number of
    /// frames, and the progress in the innermost frame.
    pub(super) fn marked(&self) -> Mark {
        let mut mark = self.inner.mark();
        let next = match self.next {
            Next::Kind => KIND,
            Next::Variant(_) => VARIANT,
            Next::Paths => PATHS,
            _ => VALUE,
        };
        let null = if self.holds_null { NULL } else { 0 };
        let (begun, part) = match self.frames.last() {
            Some(Frame::Transparent { begun }) => (*begun, self.slot),
            Some(Frame::Times { named, .. } | Frame::Any { named, .. }) => (false, *named as u32),
            Some(Frame::Paths { asked, named, .. }) => (*named, *asked as u32),
            _ => (false, self.slot),
        };
        let begun = if begun { BEGUN } else { 0 };
        mark.state[0] = mark.state[0] & DEPTH | (self.frames.len() as u32) << FRAMES;
        mark.state[1] = mark.state[1] & FLAGS | next << NEXT | null | begun | part.min(MOST) << SLOT;
        mark
    }

    pub(super) fn go_back(&mut self, mark: Mark) {
        let [first, flags, ..] = mark.state;
        self.frames.truncate((first >> FRAMES) as usize);
        let (was_begun, part) = (flags & BEGUN != 0, flags >> SLOT);
        match self.frames.last_mut() {
            Some(Frame::Times { named, .. } | Frame::Any { named, .. }) => *named = part as usize,
            Some(Frame::Paths { asked, named, .. }) => (*asked, *named) = (part as usize, was_begun),
            last => {
                if let Some(Frame::Transparent { begun }) = last {
                    *begun = was_begun;
                }
                if (part as usize) < self.mapping.slots.len() {
                    self.slot = part;
                }
            }
        }
        self.holds_null = flags & NULL != 0;
        self.next = match flags >> NEXT & 3 {
            KIND => Next::Kind,
            VARIANT => Next::Variant(self.mapping.slots[self.slot as usize].variants),
            PATHS => Next::Paths,
            _ => Next::Value,
        };
        let [_, _, third, fourth] = mark.state;
        self.inner.reset(Mark { offset: mark.offset, state: [first & DEPTH, flags & FLAGS, third, fourth] });
    }
}
