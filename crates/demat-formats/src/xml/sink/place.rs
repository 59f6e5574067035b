//! The target of a value: an element, an attribute, text, a list of words, or a key.

use super::super::Role;
use super::super::layout::RecordLayout;
use super::super::name::{self, NAME, TEXT};
use super::super::scope::DEMAT;
use super::escape::Place;
use super::fault::misplaced;
use super::frame::{Frame, FrameKind, Marks, Slot, Tag};
use super::{XmlSink, container_as_key};
use crate::Drain;
use demat_core::Result;
use std::sync::Arc;

/// The target of the next value.
enum Target {
    Element {
        name: Box<str>,
        space: Option<Box<str>>,
    },
    Attribute {
        name: Box<str>,
        space: Option<Box<str>>,
    },
    /// `xmlns`, or `xmlns:` with this prefix.
    Declaration(Box<str>),
    Text,
    Name,
    /// Texts and elements beside each other.
    Mixed,
    /// Elements beside each other.
    Choice,
    Word,
    Key,
}

impl<D: Drain> XmlSink<D> {
    fn innermost(&self) -> Option<&Frame> {
        self.state.frames.last()
    }

    /// The mapping of the innermost record's fields.
    fn layout(&self) -> Option<&Arc<RecordLayout>> {
        self.innermost().and_then(|frame| frame.layout.as_ref())
    }

    /// Returns the target of the next value. `record` is the name of its type; `scalar`: it is no container.
    fn target(&self, record: &str, scalar: bool) -> Result<Target> {
        let or = |name: &str, other: &str| -> Box<str> {
            let own = if name.is_empty() { other } else { name };
            name::encode(own, |_| false).into_owned().into()
        };
        Ok(match self.state.slot {
            Slot::Root => {
                let name = self.options.root.clone().unwrap_or_else(|| or(record, "root"));
                Target::Element { name, space: None }
            }
            Slot::Item => {
                let Some(frame) = self.innermost() else { return Err(super::super::out_of_place()) };
                match frame.kind {
                    FrameKind::Mixed => Target::Mixed,
                    FrameKind::Choice => Target::Choice,
                    FrameKind::Words => Target::Word,
                    _ => {
                        let name = frame.item.clone().unwrap_or_else(|| or(record, "item"));
                        Target::Element { name, space: frame.space.clone().filter(|_| !frame.is_element()) }
                    }
                }
            }
            Slot::Field(index) => {
                let field = self.layout().and_then(|layout| layout.fields.get(index));
                let Some(field) = field else { return Err(super::super::out_of_place()) };
                let (name, space) = (field.name().into(), field.namespace.clone());
                match field.role {
                    Role::Element => Target::Element { name, space },
                    Role::Attribute => Target::Attribute { name, space },
                    Role::Text => Target::Text,
                    Role::Name => Target::Name,
                    Role::Mixed => Target::Mixed,
                    Role::Choice => Target::Choice,
                }
            }
            Slot::Entry => self.entry_target(scalar),
            Slot::Key => Target::Key,
            Slot::Nothing => return Err(super::super::out_of_place()),
        })
    }

    fn entry_target(&self, scalar: bool) -> Target {
        let key = self.state.key.as_str();
        let is_declared = |prefix: &str| prefix == "xml" || self.state.scope.find(prefix).is_some();
        // If the start tag is no longer in the buffer, an element with the attribute's key is read as the same.
        let gone = self.element_at().is_some_and(|index| self.state.frames[index].tag == Tag::Gone);
        if scalar && (!gone || key == TEXT) {
            let pending = self.innermost().is_some_and(|frame| frame.tag == Tag::Pending);
            match key {
                TEXT => return Target::Text,
                NAME if pending => return Target::Name,
                "@xmlns" => return Target::Declaration("".into()),
                _ => {}
            }
            if let Some(prefix) = key.strip_prefix("@xmlns:") {
                return Target::Declaration(prefix.into());
            }
            if let Some(name) = key.strip_prefix('@').filter(|name| !name.is_empty()) {
                let name = name::encode(name, is_declared).into_owned().into();
                return Target::Attribute { name, space: None };
            }
        }
        Target::Element { name: name::encode(key, is_declared).into_owned().into(), space: None }
    }

    /// Counts an item. Returns whether it needs the mark of a list.
    fn count(&mut self, is_null: bool) -> bool {
        if self.state.slot != Slot::Item {
            return false;
        }
        let Some(frame) = self.state.frames.last_mut() else { return false };
        frame.count += 1;
        frame.kind == FrameKind::Repeated && frame.count == 1 && (is_null || frame.marks.first)
    }

    pub(super) fn write_scalar(&mut self, text: &str) -> Result<()> {
        if self.write_plain(text)? {
            return Ok(());
        }
        let target = self.target("", true)?;
        let first = self.count(false);
        match target {
            Target::Element { name, space } => self.write_leaf(&name, space.as_deref(), text, first)?,
            Target::Attribute { name, space } => self.write_attribute(&name, space.as_deref(), text)?,
            Target::Declaration(prefix) => self.declare_key(&prefix, text)?,
            Target::Text => self.write_own_text(text)?,
            Target::Name => self.write_name(text)?,
            Target::Mixed => self.write_mixed_text(text)?,
            Target::Choice => return Err(misplaced("an element, as all of a `choice` are", "a scalar")),
            Target::Word => self.write_word(text)?,
            Target::Key => {
                self.state.key.clear();
                self.state.key.push_str(text);
            }
        }
        self.state.slot = Slot::Nothing;
        Ok(())
    }

    /// The text of a record or map.
    fn write_own_text(&mut self, text: &str) -> Result<()> {
        if text.is_empty()
            && let Slot::Field(index) = self.state.slot
            && self.layout().is_some_and(|layout| layout.fields[index].absent == super::super::layout::Absent::Text)
        {
            return self.settle();
        }
        self.write_text(text, Place::Beside)
    }

    fn write_mixed_text(&mut self, text: &str) -> Result<()> {
        if self.state.slot != Slot::Item {
            return Err(misplaced("a list, as `mixed` is one", "a scalar"));
        }
        let Some(frame) = self.state.frames.last_mut() else { return Err(super::super::out_of_place()) };
        if core::mem::replace(&mut frame.text, true) {
            return Err(misplaced("an element between two texts, which would be read as one", "text after text"));
        }
        self.write_text(text, Place::Text)
    }

    fn write_word(&mut self, text: &str) -> Result<()> {
        if text.is_empty() || text.contains([' ', '\t', '\n', '\r']) {
            return Err(misplaced("words without white space", "another text"));
        }
        let words = &mut self.state.words;
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(text);
        Ok(())
    }

    /// Writes a namespace declaration that is a key of a map.
    fn declare_key(&mut self, prefix: &str, uri: &str) -> Result<()> {
        self.settle()?;
        let Some(index) = self.element_at() else { return Err(super::super::out_of_place()) };
        let is_name = prefix.is_empty() || *name::encode(prefix, |_| false) == *prefix;
        let is_kept = matches!(prefix, "xml" | "xmlns") || uri.starts_with("http://www.w3.org/2000/xmlns/");
        let outside = self.state.frames[index].outside;
        if !is_name || is_kept || (uri.is_empty() && !prefix.is_empty()) || self.state.scope.has_since(outside, prefix)
        {
            return Err(misplaced("a prefix and its namespace", "another one"));
        }
        self.declare(prefix, uri)
    }

    pub(super) fn write_null(&mut self) -> Result<()> {
        if let Slot::Field(index) = self.state.slot
            && self.layout().is_some_and(|layout| layout.fields.get(index).is_some_and(|field| field.null_is_absent))
        {
            self.state.slot = Slot::Nothing;
            return Ok(());
        }
        let target = self.target("", false)?;
        let first = self.count(true);
        match target {
            Target::Element { name, space } => self.write_nil(&name, space.as_deref(), first)?,
            Target::Text => {
                self.settle()?;
                self.write_attribute("nil", Some(super::super::scope::XSI), "true")?;
            }
            Target::Key => return Err(container_as_key("null")),
            _ => return Err(misplaced("a value, as XML has no null there", "null")),
        }
        self.state.slot = Slot::Nothing;
        Ok(())
    }

    /// Begins a record or a map.
    pub(super) fn open_parts(&mut self, record: Option<(&str, Arc<RecordLayout>)>) -> Result<()> {
        let type_name = record.as_ref().map_or("", |(name, _)| name);
        let target = self.target(type_name, false)?;
        let first = self.count(false);
        let named = record.as_ref().is_some_and(|(_, layout)| layout.name.is_some());
        let of_field = matches!(self.state.slot, Slot::Field(_) | Slot::Entry);
        let (name, space, pending) = match target {
            Target::Element { name, space } => {
                let repeated = self.innermost().is_some_and(|frame| frame.item.is_some());
                (name, space, named && !of_field && !repeated && !self.is_named_root())
            }
            Target::Mixed | Target::Choice if self.state.slot == Slot::Item => {
                if let Some(frame) = self.state.frames.last_mut() {
                    frame.text = false;
                }
                let own = if type_name.is_empty() { "item" } else { type_name };
                (name::encode(own, |_| false).into_owned().into(), None, true)
            }
            Target::Key => return Err(container_as_key("record")),
            _ => return Err(misplaced("a scalar or a list in attributes, text and names", "a record")),
        };
        if pending {
            let mut frame = Frame::new(FrameKind::Parts, name, Tag::Pending, self.state.scope.len());
            frame.space = space;
            self.state.frames.push(frame);
        } else {
            self.begin_element(FrameKind::Parts, &name, space.as_deref())?;
            if first {
                self.write_attribute("list", Some(DEMAT), "item")?;
            }
        }
        if let (Some((_, layout)), Some(frame)) = (record, self.state.frames.last_mut()) {
            frame.layout = Some(layout);
        }
        self.state.slot = Slot::Nothing;
        Ok(())
    }

    /// Whether the value is the document, and the options name its element.
    fn is_named_root(&self) -> bool {
        self.state.slot == Slot::Root && self.options.root.is_some()
    }

    /// Begins a list.
    pub(super) fn open_list(&mut self) -> Result<()> {
        let target = self.target("", false)?;
        let first = self.count(false);
        let slot = self.state.slot;
        let outside = self.state.scope.len();
        let field = match slot {
            Slot::Field(index) => self.layout().and_then(|layout| layout.fields.get(index)),
            _ => None,
        };
        let wrapped = field.and_then(|field| field.wrapped.clone());
        let marks = match (slot, field) {
            (Slot::Field(_), Some(field)) => Marks { empty: !field.empty_is_absent, first: field.may_be_list },
            _ => Marks { empty: true, first: false },
        };
        let frame = match target {
            Target::Element { name, space } if matches!(slot, Slot::Root | Slot::Item) || wrapped.is_some() => {
                let name = if slot == Slot::Root && self.options.root.is_none() { "root".into() } else { name };
                self.begin_element(FrameKind::Items, &name, space.as_deref())?;
                if first {
                    self.write_attribute("list", Some(DEMAT), "item")?;
                }
                let item = if slot == Slot::Root { self.options.item.clone() } else { wrapped };
                if let Some(frame) = self.state.frames.last_mut() {
                    frame.item = item;
                }
                self.state.slot = Slot::Nothing;
                return Ok(());
            }
            Target::Element { name, space } => {
                let item = Some(name.clone());
                Frame { space, item, marks, ..Frame::new(FrameKind::Repeated, name, Tag::None, outside) }
            }
            Target::Attribute { name, space } => {
                self.state.words.clear();
                let words = Frame::new(FrameKind::Words, name, Tag::None, outside);
                Frame { space, item: Some("".into()), marks, ..words }
            }
            Target::Text => {
                self.state.words.clear();
                Frame { marks, ..Frame::new(FrameKind::Words, "".into(), Tag::None, outside) }
            }
            Target::Mixed if slot != Slot::Item => Frame::new(FrameKind::Mixed, "".into(), Tag::None, outside),
            Target::Choice if slot != Slot::Item => Frame::new(FrameKind::Choice, "".into(), Tag::None, outside),
            Target::Key => return Err(container_as_key("list")),
            _ => return Err(misplaced("a value that is no list", "a list")),
        };
        self.settle()?;
        self.state.frames.push(frame);
        self.state.slot = Slot::Nothing;
        Ok(())
    }

    /// Ends a list.
    pub(super) fn close_list(&mut self) -> Result<()> {
        self.state.slot = Slot::Nothing;
        let Some(frame) = self.innermost() else { return Err(super::super::out_of_place()) };
        if frame.is_element() {
            return self.end_element();
        }
        let Some(frame) = self.state.frames.pop() else { return Ok(()) };
        match frame.kind {
            FrameKind::Repeated if frame.count == 0 && frame.marks.empty => {
                self.begin_element(FrameKind::Parts, &frame.name, frame.space.as_deref())?;
                self.write_attribute("list", Some(DEMAT), "empty")?;
                self.end_element()
            }
            FrameKind::Words if frame.count == 0 && !frame.marks.empty => Ok(()),
            FrameKind::Words => {
                let words = core::mem::take(&mut self.state.words);
                let written = if frame.item.is_some() {
                    self.write_attribute(&frame.name, frame.space.as_deref(), &words)
                } else {
                    self.write_text(&words, Place::Beside)
                };
                self.state.words = words;
                written
            }
            _ => Ok(()),
        }
    }
}
