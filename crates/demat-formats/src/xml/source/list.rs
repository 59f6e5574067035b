//! Lists: elements that repeat, the children of an element, the words of an attribute.

use super::super::scan::chars::is_space;
use super::super::tape::{Flags, NodeKind};
use super::frame::{Frame, FrameKind, NONE};
use super::slot::Slot;
use super::{XmlSource, astray};
use demat_core::{Error, Result};

impl XmlSource<'_> {
    /// Enters a list.
    pub(super) fn enter_list(&mut self) -> Result<()> {
        self.find_root()?;
        if self.slot == Slot::Unit {
            return self.enter_items();
        }
        self.see()?;
        let frame = match self.slot {
            Slot::Element(node) | Slot::Named(node) => self.children(node)?,
            Slot::Field(node) => {
                let flags = self.flags(node)?;
                if self.is_wrapped() {
                    Frame { field: self.current, ..self.children(node)? }
                } else if flags.has(Flags::NO_ITEMS) {
                    Frame::new(FrameKind::Empty, node, 0)
                } else {
                    if self.current != NONE {
                        self.gather(self.current, node)?;
                    }
                    Frame { field: self.current, ..Frame::new(FrameKind::Repeated, node, node) }
                }
            }
            Slot::Mixed(node) => Frame::new(FrameKind::Mixed, node, node + 1),
            Slot::Choice(node) => Frame::new(FrameKind::Choice, node, node + 1),
            Slot::Attribute(node) | Slot::Text(node) => {
                self.keep_words(node)?;
                Frame::new(FrameKind::Words, node, 0)
            }
            Slot::NoList => Frame::new(FrameKind::Empty, 0, 0),
            _ => return Err(self.other_kind("list")),
        };
        self.push(frame);
        Ok(())
    }

    /// The children of an element as a list.
    fn children(&mut self, node: u32) -> Result<Frame> {
        if self.flags(node)?.has(Flags::NIL) {
            return Err(self.other_kind("list"));
        }
        Ok(Frame::new(FrameKind::Children, node, node + 1))
    }

    /// Steps to the next item.
    pub(super) fn next_item(&mut self) -> Result<bool> {
        let Some(frame) = self.state.frames.last() else { return self.next_unit() };
        let (kind, next, node) = (frame.kind, frame.next, frame.node);
        match kind {
            FrameKind::Repeated => {
                if next == 0 {
                    self.pop();
                    return Ok(false);
                }
                let again = self.same_field(next)?;
                self.frame()?.next = again;
                self.offer(Slot::Element(next), NONE);
                self.see()?;
                Ok(true)
            }
            FrameKind::Children | FrameKind::Mixed | FrameKind::Choice => self.next_child(kind, next, node),
            FrameKind::Words => Ok(self.next_word(next, node)?),
            FrameKind::Empty => {
                self.pop();
                Ok(false)
            }
            FrameKind::Record | FrameKind::Map => Err(astray()),
        }
    }

    /// The next element of the list that this one is in, or 0.
    fn same_field(&self, node: u32) -> Result<u32> {
        let frames = &self.state.frames;
        let [.., around, list] = frames.as_slice() else { return Err(astray()) };
        let field = around.layout.as_ref().and_then(|layout| layout.fields.get(list.field as usize));
        let Some(field) = field.filter(|field| field.has_names()) else { return Ok(self.node(node)?.again) };
        let end = self.node(around.node)?.next;
        let mut at = self.node(node)?.next;
        while at < end {
            let other = self.node(at)?;
            if other.kind == NodeKind::Element && field.is_named(self.name_of(at)?, self.state.tape.space_of(other)) {
                return Ok(at);
            }
            at = other.next;
        }
        Ok(0)
    }

    fn next_child(&mut self, kind: FrameKind, mut at: u32, element: u32) -> Result<bool> {
        let end = self.node(element)?.next;
        while at < end {
            let node = self.node(at)?;
            let (own, begin, stop) = (node.kind, node.begin(), node.end());
            let mut next = node.next;
            let slot = match own {
                NodeKind::Attribute => None,
                NodeKind::Element if kind == FrameKind::Children => {
                    self.check_item(at)?;
                    Some(Slot::Element(at))
                }
                NodeKind::Element => Some(Slot::Named(at)),
                NodeKind::Text | NodeKind::Cdata if kind == FrameKind::Mixed => {
                    // Sections and comments do not divide a text.
                    while next < end && matches!(self.node(next)?.kind, NodeKind::Text | NodeKind::Cdata) {
                        next = self.node(next)?.next;
                    }
                    Some(Slot::Run(at))
                }
                NodeKind::Text | NodeKind::Cdata => {
                    let text = self.scanner.slice(self.at + begin, self.at + stop);
                    if !text.iter().all(|byte| is_space(*byte)) {
                        self.start = self.at + begin;
                        return Err(Error::expected("an element", "text").at(self.position_at(self.start)));
                    }
                    None
                }
            };
            at = next;
            if let Some(slot) = slot {
                self.frame()?.next = next;
                self.offer(slot, NONE);
                self.see()?;
                return Ok(true);
            }
        }
        self.see_end(element)?;
        self.pop();
        Ok(false)
    }

    /// Checks the name of an item, if its list has a name for items.
    fn check_item(&mut self, at: u32) -> Result<()> {
        let frames = &self.state.frames;
        let [.., around, list] = frames.as_slice() else { return Ok(()) };
        let field = around.layout.as_ref().and_then(|layout| layout.fields.get(list.field as usize));
        let Some(item) = field.and_then(|field| field.wrapped.as_deref()) else { return Ok(()) };
        let name = self.name_of(at)?;
        if name == item {
            return Ok(());
        }
        let error = Error::expected(format!("an element `{item}`"), format!("`{name}`"));
        self.start = self.at + self.node(at)?.begin();
        Err(error.at(self.position_at(self.start)))
    }

    fn next_word(&mut self, from: u32, node: u32) -> Result<bool> {
        if self.words.0 != Some(node) {
            return Err(astray());
        }
        let text = self.words.1.get(from as usize..).unwrap_or_default();
        let word = text.trim_start_matches([' ', '\t', '\n', '\r']);
        if word.is_empty() {
            self.pop();
            return Ok(false);
        }
        let begin = from as usize + (text.len() - word.len());
        let len = word.find([' ', '\t', '\n', '\r']).unwrap_or(word.len());
        self.frame()?.next = (begin + len) as u32;
        self.offer(Slot::Word(begin as u32), NONE);
        Ok(true)
    }
}
