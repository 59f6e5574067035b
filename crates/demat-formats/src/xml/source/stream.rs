//! Steps through the document outside of indexed elements: to the root, and from item to item.

use super::super::scan::{Attribute, Prolog, Token, chars::is_space};
use super::super::scope::{XSI, declared};
use super::super::tape::other_end;
use super::super::view::{Entities, View};
use super::XmlSource;
use super::frame::{Open, OpenKind};
use super::slot::Slot;
use demat_core::{Error, ErrorKind, Kind, Record, Result};

impl XmlSource<'_> {
    /// Steps from the start of the document to the root.
    pub(super) fn find_root(&mut self) -> Result<()> {
        if self.slot != Slot::Document {
            return Ok(());
        }
        // Clears the state of an earlier document.
        self.state.frames.clear();
        self.state.opens.clear();
        self.state.scope.truncate(0);
        self.state.unit = None;
        self.state.tape.clear();
        let utf16 = self.scanner.view.is_some_and(View::is_utf16);
        let prolog = Prolog { doctype: self.options.doctype, utf16 };
        let root = prolog.root(self.scanner, &mut Entities::default())?;
        if let Some(expected) = &self.options.root {
            let end = self.scanner.name(root + 1, "the name of an element")?;
            let name = String::from_utf8_lossy(self.scanner.slice(root + 1, end));
            if *name != **expected {
                let (expected, found) = (format!("the root element `{expected}`"), format!("`{name}`"));
                let error = Error::mismatch(ErrorKind::Constraint, expected, found);
                return Err(error.at(self.position_at(root)));
            }
        }
        self.at = root;
        self.slot = Slot::Unit;
        Ok(())
    }

    /// Enters the current element, to read its children one by one.
    pub(super) fn enter_items(&mut self) -> Result<()> {
        self.open(OpenKind::Items)
    }

    /// Likewise on the path to the records; the root is the only child of the document.
    pub(super) fn enter_way(&mut self) -> Result<()> {
        if self.slot == Slot::Document {
            self.find_root()?;
            let root = self.scanner.part.base.offset + self.at as u64;
            let outside = self.state.scope.len();
            self.state.opens.push(Open { name: Box::default(), outside, kind: OpenKind::Document(root) });
            self.slot = Slot::Nothing;
            return Ok(());
        }
        if self.slot != Slot::Unit {
            return Err(self.other_kind("an element"));
        }
        self.open(OpenKind::Way)
    }

    fn open(&mut self, kind: OpenKind) -> Result<()> {
        self.start = self.at;
        if self.state.opens.len() >= self.options.depth as usize {
            let error = Error::limit("the depth of nesting", self.options.depth);
            return Err(error.at(self.position_at(self.at)));
        }
        let mut attributes = Vec::new();
        let tag = self.scanner.start_tag(self.at, &mut attributes)?;
        let outside = self.state.scope.len();
        if let Err(error) = self.state.scope.enter(self.scanner, self.at, tag, &attributes) {
            self.state.scope.truncate(outside);
            return Err(error);
        }
        let name = self.scanner.slice(self.at + 1, tag.name).into();
        let kind = if tag.empty { OpenKind::Empty } else { kind };
        self.state.opens.push(Open { name, outside, kind });
        self.at = tag.end;
        self.slot = Slot::Nothing;
        Ok(())
    }

    /// Steps to the next child of the innermost open element, or out of it.
    pub(super) fn next_unit(&mut self) -> Result<bool> {
        let Some(open) = self.state.opens.last() else { return Err(super::astray()) };
        let (kind, mut at) = (open.kind, self.at);
        self.start = at;
        match kind {
            OpenKind::Empty => {
                self.close(at);
                return Ok(false);
            }
            OpenKind::Document(root) => {
                if root == self.scanner.part.base.offset + at as u64 {
                    self.slot = Slot::Unit;
                    return Ok(true);
                }
                self.close(at);
                return Ok(false);
            }
            OpenKind::Items | OpenKind::Way => {}
        }
        loop {
            let (begin, end, next) = match self.scanner.token(at)? {
                Token::Start => {
                    (self.at, self.start, self.slot) = (at, at, Slot::Unit);
                    return Ok(true);
                }
                Token::End(begin, end, next) => {
                    let own = self.state.opens.last().map_or(&[][..], |open| &open.name);
                    if own != self.scanner.slice(begin, end) {
                        return Err(other_end(self.scanner, (begin, end), own));
                    }
                    self.close(next);
                    return Ok(false);
                }
                Token::Text(end, _) => (at, end, end),
                Token::Cdata(begin, end, next, _) => (begin, end, next),
                Token::Passed(end) => (end, end, end),
            };
            let text = self.scanner.slice(begin, end);
            if let Some(solid) = text.iter().position(|byte| !is_space(*byte))
                && kind == OpenKind::Items
            {
                self.start = begin + solid;
                return Err(Error::expected("an element", "text").at(self.position_at(self.start)));
            }
            at = next;
        }
    }

    /// Leaves the innermost open element at its end.
    fn close(&mut self, end: usize) {
        if let Some(open) = self.state.opens.pop() {
            self.state.scope.truncate(open.outside);
        }
        self.at = end;
        self.left();
    }

    /// Moves past the indexed element.
    pub(super) fn leave(&mut self) {
        if let Some(root) = self.state.tape.nodes.first() {
            self.at += root.end();
        }
        self.left();
    }

    fn left(&mut self) {
        self.slot = if self.state.opens.is_empty() { Slot::After } else { Slot::Nothing };
    }

    /// Whether the current element has `xsi:nil`. Reads only its start tag.
    pub(super) fn unit_is_nil(&mut self) -> Result<bool> {
        if self.slot != Slot::Unit {
            return Ok(false);
        }
        let mut attributes = Vec::new();
        let tag = self.scanner.start_tag(self.at, &mut attributes)?;
        let outside = self.state.scope.len();
        let named = self.state.scope.enter(self.scanner, self.at, tag, &attributes);
        self.state.scope.truncate(outside);
        let named = named?;
        Ok(attributes.iter().zip(&named.attributes).any(|(attribute, space)| {
            let name = self.scanner.slice(attribute.name.0, attribute.name.1);
            space.as_deref() == Some(XSI) && name.ends_with(b":nil")
        }))
    }

    /// Whether the root is a list of records: if its name is not the record's, and it does not [begin as
    /// one](Self::root_begins_as). Without a record: if it has no attributes, and its first two child elements have the
    /// same name.
    pub(super) fn root_lists(&mut self, record: Option<&Record>) -> Result<bool> {
        self.find_root()?;
        if self.slot != Slot::Unit || !self.state.opens.is_empty() {
            return Ok(self.kind()? == Kind::List);
        }
        if let Some(record) = record {
            let name = super::super::name::encode(record.name(), |_| false);
            return Ok(!self.unit_is(&name)? && !self.root_begins_as(record)?);
        }
        let mut attributes = Vec::new();
        let tag = self.scanner.start_tag(self.at, &mut attributes)?;
        let declares =
            |attribute: &Attribute| declared(self.scanner.slice(attribute.name.0, attribute.name.1)).is_some();
        if tag.empty || !attributes.iter().all(declares) {
            return Ok(false);
        }
        let (mut at, mut first, mut open) = (tag.end, None, 0_u32);
        // Compares only tags: reading finds the errors.
        loop {
            match self.scanner.token(at)? {
                Token::Start => {
                    let tag = self.scanner.start_tag(at, &mut attributes)?;
                    if open == 0 {
                        let name = self.scanner.slice(at + 1, tag.name);
                        match first {
                            None => first = Some(name),
                            Some(first) => return Ok(first == name),
                        }
                    }
                    open += u32::from(!tag.empty);
                    at = tag.end;
                }
                Token::End(.., end) if open > 0 => (open, at) = (open - 1, end),
                Token::Text(end, _) => {
                    if open == 0 && !self.scanner.slice(at, end).iter().all(|byte| is_space(*byte)) {
                        return Ok(false);
                    }
                    at = end;
                }
                Token::Cdata(_, _, end, _) if open > 0 => at = end,
                Token::End(..) | Token::Cdata(..) => return Ok(false),
                Token::Passed(end) => at = end,
            }
        }
    }

    /// Whether the root is such a record under another name: it has an attribute with the name of a field, or its first
    /// child element has, and holds text alone. A record in a list has elements or attributes of its own.
    fn root_begins_as(&self, record: &Record) -> Result<bool> {
        let mut attributes = Vec::new();
        let tag = self.scanner.start_tag(self.at, &mut attributes)?;
        let is_field = |name: &[u8]| core::str::from_utf8(name).is_ok_and(|name| record.index_of(name).is_some());
        if attributes.iter().any(|attribute| is_field(self.scanner.slice(attribute.name.0, attribute.name.1))) {
            return Ok(true);
        }
        let (mut at, mut within, mut filled) = (tag.end, false, false);
        while !tag.empty {
            at = match self.scanner.token(at)? {
                Token::Start if !within => {
                    let child = self.scanner.start_tag(at, &mut attributes)?;
                    within = !child.empty && attributes.is_empty();
                    if !within || !is_field(self.scanner.slice(at + 1, child.name)) {
                        return Ok(false);
                    }
                    child.end
                }
                Token::Text(end, _) => {
                    filled |= within && !self.scanner.slice(at, end).iter().all(|byte| is_space(*byte));
                    end
                }
                Token::Cdata(_, _, end, _) => {
                    filled |= within;
                    end
                }
                Token::Passed(end) => end,
                Token::Start => return Ok(false),
                Token::End(..) => return Ok(filled),
            };
        }
        Ok(false)
    }

    /// Whether the current element has this name.
    pub(super) fn unit_is(&mut self, name: &str) -> Result<bool> {
        if self.slot != Slot::Unit {
            return Ok(false);
        }
        let end = self.scanner.name(self.at + 1, "the name of an element")?;
        Ok(self.scanner.slice(self.at + 1, end) == name.as_bytes())
    }
}
