//! The text of elements and attributes.

use super::super::name;
use super::super::scan::{Content, chars::is_space, unescape};
use super::super::tape::{Flags, NodeKind};
use super::frame::NONE;
use super::slot::Slot;
use super::{XmlSource, astray};
use demat_core::{Result, Text};
use std::borrow::Cow;

/// How to treat white space at the ends of an element's text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Kept,
    /// Removed, since it indents the elements beside the text.
    Trimmed,
}

impl<'a> XmlSource<'a> {
    /// Returns the current text and consumes it.
    pub(super) fn take_text(&mut self, expected: &'static str) -> Result<Text<'a, '_>> {
        let text = self.text_here(expected)?;
        self.took();
        Ok(match text {
            Some(text) => Text::Input(text),
            None => Text::Scratch(&self.scratch),
        })
    }

    /// Returns the current text as part of the input; `None` if it is in the scratch memory.
    pub(super) fn text_here(&mut self, expected: &'static str) -> Result<Option<&'a str>> {
        if let Some(text) = self.leaf() {
            return Ok(Some(text));
        }
        if let Some(node) = self.element()? {
            let flags = self.flags(node)?;
            let is_null = flags.has(Flags::NIL) || matches!(self.slot, Slot::Named(_));
            if is_null || flags.has(Flags::CHILDREN) {
                return Err(self.other_kind(expected));
            }
            return self.content(node, Ends::Kept);
        }
        match self.slot {
            Slot::Attribute(node) => {
                let own = self.node(node)?;
                let (plain, begin, end) = (own.plain, own.begin(), own.end());
                Ok(self.piece(begin, end, plain, Content::Attribute))
            }
            Slot::Text(node) => {
                let flags = self.flags(node)?;
                if flags.has(Flags::NIL) {
                    return Err(self.other_kind(expected));
                }
                self.content(node, if flags.has(Flags::CHILDREN) { Ends::Trimmed } else { Ends::Kept })
            }
            Slot::Run(node) => self.run(node, NONE, Ends::Kept),
            Slot::Name(node) => Ok(self.decoded("", node)?),
            Slot::Key(node) => {
                let sign = if self.node(node)?.kind == NodeKind::Attribute { "@" } else { "" };
                self.decoded(sign, node)
            }
            Slot::TextKey => Ok(Some(name::TEXT)),
            Slot::NameKey => Ok(Some(name::NAME)),
            Slot::Word(at) => {
                self.word(at);
                Ok(None)
            }
            _ => Err(self.other_kind(expected)),
        }
    }

    /// Returns the text of a field's element with nothing else in it, as part of the input; `None` for other values.
    fn leaf(&mut self) -> Option<&'a str> {
        let Slot::Field(index) = self.slot else { return None };
        let [element, text, ..] = self.state.tape.nodes.get(index as usize..)? else { return None };
        let is_alone = element.next == index + 2 && (self.current != NONE || element.again == 0);
        if !is_alone || text.kind != NodeKind::Text || !text.plain || element.flags.has(Flags::NIL) {
            return None;
        }
        self.start = self.at + element.begin();
        core::str::from_utf8(self.scanner.slice(self.at + text.begin(), self.at + text.end())).ok()
    }

    /// Returns the text that a name encodes, after a sign.
    fn decoded(&mut self, sign: &str, node: u32) -> Result<Option<&'a str>> {
        let name = name::decode(self.name_of(node)?);
        match name {
            Cow::Borrowed(name) if sign.is_empty() => Ok(Some(name)),
            name => {
                self.scratch.clear();
                self.scratch.push_str(sign);
                self.scratch.push_str(&name);
                Ok(None)
            }
        }
    }

    /// All text directly in an element.
    fn content(&mut self, node: u32, ends: Ends) -> Result<Option<&'a str>> {
        let end = self.node(node)?.next;
        self.run(node + 1, end, ends)
    }

    /// Returns the text from a node up to `end`, or up to the next element if that is [`NONE`].
    fn run(&mut self, from: u32, end: u32, ends: Ends) -> Result<Option<&'a str>> {
        let is_text = |kind| matches!(kind, NodeKind::Text | NodeKind::Cdata);
        let nodes = &self.state.tape.nodes;
        let stop = if end == NONE { nodes.len() } else { end as usize };
        let (mut first, mut last, mut count) = (None, 0, 0);
        let mut at = from as usize;
        while at < stop {
            let node = nodes.get(at).ok_or_else(astray)?;
            if is_text(node.kind) {
                first = first.or(Some(at));
                last = at;
                count += 1;
            } else if end == NONE {
                break;
            }
            at = (node.next as usize).max(at + 1);
        }
        let Some(first) = first else { return Ok(Some("")) };
        let (mut head, mut tail) = (nodes[first].begin(), nodes[last].end());
        if ends == Ends::Trimmed {
            // Only literal white space: a reference to a space is text.
            (head, tail) = self.trimmed(first, last);
        }
        let nodes = &self.state.tape.nodes;
        let content_of = |kind| if kind == NodeKind::Cdata { Content::Cdata } else { Content::Text };
        if count == 1 {
            let (plain, kind) = (nodes[first].plain, nodes[first].kind);
            return Ok(self.piece(head, tail, plain, content_of(kind)));
        }
        self.scratch.clear();
        let mut at = first;
        while at <= last {
            let node = &nodes[at];
            if is_text(node.kind) && node.end() > head && node.begin() < tail {
                let (begin, end) = (node.begin().max(head), node.end().min(tail));
                let raw = self.scanner.slice(self.at + begin, self.at + end);
                unescape(core::str::from_utf8(raw).unwrap_or_default(), content_of(node.kind), &mut self.scratch);
            }
            at = (node.next as usize).max(at + 1);
        }
        Ok(None)
    }

    /// Returns the range of text without the white space around it.
    fn trimmed(&self, first: usize, last: usize) -> (usize, usize) {
        let nodes = &self.state.tape.nodes;
        let mut solid = Vec::new();
        let mut at = first;
        while at <= last {
            let node = &nodes[at];
            let raw = self.scanner.slice(self.at + node.begin(), self.at + node.end());
            let ends = match node.kind {
                NodeKind::Text => raw
                    .iter()
                    .position(|byte| !is_space(*byte))
                    .zip(raw.iter().rposition(|byte| !is_space(*byte)))
                    .map(|(one, other)| (node.begin() + one, node.begin() + other + 1)),
                NodeKind::Cdata => Some((node.begin(), node.end())),
                _ => None,
            };
            solid.extend(ends);
            at = (node.next as usize).max(at + 1);
        }
        match (solid.first(), solid.last()) {
            (Some((head, _)), Some((_, tail))) => (*head, *tail),
            _ => (nodes[first].begin(), nodes[first].begin()),
        }
    }

    /// Returns a part of the document; `None` if it was unescaped into the scratch memory.
    fn piece(&mut self, begin: usize, end: usize, plain: bool, content: Content) -> Option<&'a str> {
        let raw = self.scanner.slice(self.at + begin, self.at + end);
        let text = core::str::from_utf8(raw).unwrap_or_default();
        if plain {
            return Some(text);
        }
        self.scratch.clear();
        unescape(text, content, &mut self.scratch);
        None
    }

    /// Keeps the current text to read its words.
    pub(super) fn keep_words(&mut self, node: u32) -> Result<()> {
        let text = match self.text_here("text")? {
            Some(text) => text,
            None => &self.scratch,
        };
        self.words.1.clear();
        self.words.1.push_str(text);
        self.words.0 = Some(node);
        Ok(())
    }

    /// Copies the word at an offset into the scratch memory.
    fn word(&mut self, at: u32) {
        let rest = self.words.1.get(at as usize..).unwrap_or_default();
        self.scratch.clear();
        self.scratch.push_str(rest.split_ascii_whitespace().next().unwrap_or_default());
    }
}
