//! Marks, and resetting to them.

use super::XmlSource;
use super::frame::{Frame, FrameKind};
use super::slot::Slot;
use demat_core::Mark;

// The first word of a mark: the slot's kind, the number of open elements, and the number of frames.
const OPENS: u32 = 5;
const FRAMES: u32 = 18;
/// The maximum depth that a mark can hold. Each element has at most two frames.
pub(in super::super) const DEEPEST: u32 = 8_000;

impl XmlSource<'_> {
    pub(super) fn marked(&self) -> Mark {
        let (kind, node) = self.slot.packed();
        let depths = (self.state.opens.len() as u32) << OPENS | (self.state.frames.len() as u32) << FRAMES;
        let (offset, inside) = match self.scanner.view {
            Some(view) => view.to_input(self.scanner.part.base.offset + self.at as u64),
            None => (self.at, 0),
        };
        // Within an indexed element, the element's mark has how far it is inside of an entity.
        let next = self.state.frames.last().map_or(inside, |frame| frame.next);
        Mark { offset, state: [kind | depths, node, next, self.current] }
    }

    /// Returns the offset of a mark in the text.
    fn offset_of(&self, mark: &Mark, outside: bool) -> usize {
        let Some(view) = self.scanner.view else { return mark.offset };
        let base = self.scanner.part.base.offset;
        let inside = if outside { mark.state[2] } else { 0 };
        let found = view.to_text(mark.offset, inside);
        // A mark within an indexed element is of the one in work, as the mark's container is still open.
        let unit = self.state.unit.filter(|unit| !outside && view.to_input(*unit).0 == mark.offset);
        unit.unwrap_or(found).saturating_sub(base) as usize
    }

    pub(super) fn go_back(&mut self, mark: Mark) {
        let [head, node, next, current] = mark.state;
        let opens = (head >> OPENS & ((1 << (FRAMES - OPENS)) - 1)) as usize;
        let frames = (head >> FRAMES) as usize;
        self.at = self.offset_of(&mark, frames == 0);
        (self.start, self.current) = (self.at, current);
        self.slot = Slot::unpacked(head & ((1 << OPENS) - 1), node);
        let state = &mut *self.state;
        if let Some(open) = state.opens.get(opens) {
            let outside = open.outside;
            state.scope.truncate(outside);
            state.opens.truncate(opens);
        }
        state.frames.truncate(frames);
        // A mark of another reader: its frames are unknown, so they are empty.
        state.frames.resize_with(frames, || Frame::new(FrameKind::Empty, 0, 0));
        let Some(frame) = state.frames.last_mut() else { return };
        frame.next = next;
        let (kind, word_of) = (frame.kind, frame.node);
        let here = self.scanner.part.base.offset + self.at as u64;
        if self.state.unit != Some(here) && self.build(here).is_err() {
            self.state.frames.clear();
            return;
        }
        if kind == FrameKind::Words && self.words.0 != Some(word_of) {
            let slot = self.slot;
            let is_attribute =
                self.node(word_of).is_ok_and(|node| node.kind == super::super::tape::NodeKind::Attribute);
            self.slot = if is_attribute { Slot::Attribute(word_of) } else { Slot::Text(word_of) };
            let _ = self.keep_words(word_of);
            self.slot = slot;
        }
    }
}
