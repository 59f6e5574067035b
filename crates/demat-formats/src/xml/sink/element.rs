//! Writes elements, their attributes and their text into the buffer.

use super::super::name;
use super::super::scope::{DEMAT, XSI};
use super::XmlSink;
use super::escape::{self, Place};
use super::fault::{misplaced, no_prefix, too_late};
use super::frame::{Frame, FrameKind, Tag};
use crate::Drain;
use demat_core::{Error, ErrorKind, Result};

const DECLARATION: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

impl<D: Drain> XmlSink<D> {
    fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.output.buffer
    }

    /// The innermost frame that has an element.
    pub(super) fn element_at(&self) -> Option<usize> {
        self.state.frames.iter().rposition(Frame::is_element)
    }

    /// Prepares the innermost element for content: ends its start tag, and begins a line for an element.
    pub(super) fn content(&mut self, element: bool) -> Result<()> {
        self.settle()?;
        let Some(index) = self.element_at() else {
            if self.output.buffer.is_empty() && self.is_first && self.options.declaration {
                self.buffer().extend_from_slice(DECLARATION);
            }
            self.is_first = false;
            return Ok(());
        };
        let deep = self.state.frames.iter().filter(|frame| frame.is_element()).count();
        let in_text = self.state.frames.iter().any(|frame| frame.kind == FrameKind::Mixed);
        let len = self.output.buffer.len();
        let indent = self.options.indent;
        let frame = &mut self.state.frames[index];
        if frame.tag == Tag::Open {
            frame.tag = Tag::Closed(len);
            self.output.buffer.push(b'>');
        }
        frame.elements |= element;
        frame.text |= !element;
        if let (Some(indent), true, false) = (indent, element, in_text || frame.text) {
            self.line(deep * usize::from(indent));
        }
        Ok(())
    }

    fn line(&mut self, spaces: usize) {
        let buffer = self.buffer();
        buffer.push(b'\n');
        buffer.resize(buffer.len() + spaces, b' ');
    }

    /// Begins an element.
    pub(super) fn begin_element(&mut self, kind: FrameKind, name: &str, space: Option<&str>) -> Result<()> {
        self.content(true)?;
        let deep = self.state.frames.iter().filter(|frame| frame.is_element()).count();
        if deep >= self.options.depth as usize {
            return Err(Error::limit("the depth of nesting", self.options.depth));
        }
        let outside = self.state.scope.len();
        let mut frame = Frame::new(kind, name.into(), Tag::Open, outside);
        frame.space = space.map(Into::into);
        self.state.frames.push(frame);
        self.write_start(name, space)
    }

    /// Writes `<name`, and the declaration of its namespace if it needs one.
    fn write_start(&mut self, name: &str, space: Option<&str>) -> Result<()> {
        let is_root = self.state.frames.iter().filter(|frame| frame.is_element()).count() <= 1;
        self.buffer().push(b'<');
        self.buffer().extend_from_slice(name.as_bytes());
        let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
        let own = self.options.namespace.clone().filter(|_| is_root);
        match space.or(own.as_deref()) {
            Some(space) if self.state.scope.find(prefix).is_none_or(|own| **own != *space) => {
                self.declare(prefix, space)
            }
            None if !prefix.is_empty() && prefix != "xml" && self.state.scope.find(prefix).is_none() => {
                Err(no_prefix(prefix))
            }
            _ => Ok(()),
        }
    }

    /// Returns the buffer for attributes of an element.
    fn attributes_of(&mut self, index: usize, name: &str) -> Result<&mut Vec<u8>> {
        let frame = &mut self.state.frames[index];
        match frame.tag {
            Tag::Open => Ok(&mut self.output.buffer),
            Tag::Closed(_) => Ok(&mut frame.late),
            _ => Err(too_late(name)),
        }
    }

    /// Declares a namespace in the start tag of the innermost element.
    pub(super) fn declare(&mut self, prefix: &str, uri: &str) -> Result<()> {
        let Some(index) = self.element_at() else { return Err(super::super::out_of_place()) };
        let buffer = self.attributes_of(index, "xmlns")?;
        buffer.extend_from_slice(b" xmlns");
        if !prefix.is_empty() {
            buffer.push(b':');
            buffer.extend_from_slice(prefix.as_bytes());
        }
        buffer.extend_from_slice(b"=\"");
        escape::write(buffer, uri, Place::Attribute)?;
        buffer.push(b'"');
        self.state.scope.declare(prefix, uri);
        Ok(())
    }

    /// Begins a pending element with its default name.
    pub(super) fn settle(&mut self) -> Result<()> {
        let Some(index) = self.element_at().filter(|index| self.state.frames[*index].tag == Tag::Pending) else {
            return Ok(());
        };
        let name = self.state.frames[index].name.clone();
        self.begin_pending(index, &name)
    }

    /// Begins a pending element with a name.
    fn begin_pending(&mut self, index: usize, name: &str) -> Result<()> {
        let later = self.state.frames.split_off(index);
        let begun = self.content(true);
        self.state.frames.extend(later);
        begun?;
        let frame = &mut self.state.frames[index];
        frame.tag = Tag::Open;
        frame.name = name.into();
        let space = frame.space.clone();
        self.write_start(name, space.as_deref())
    }

    /// Writes the name of the innermost element.
    pub(super) fn write_name(&mut self, text: &str) -> Result<()> {
        let Some(index) = self.element_at() else { return Err(super::super::out_of_place()) };
        let scope = &self.state.scope;
        let name = name::encode(text, |prefix| prefix == "xml" || scope.find(prefix).is_some()).into_owned();
        let frame = &self.state.frames[index];
        if frame.tag == Tag::Pending {
            return self.begin_pending(index, &name);
        }
        if *frame.name == *name {
            return Ok(());
        }
        let (expected, found) = (format!("the name of the element, `{}`", frame.name), format!("`{name}`"));
        Err(Error::mismatch(ErrorKind::Encode, expected, found))
    }

    /// Writes an attribute of the innermost element. `name` is encoded.
    pub(super) fn write_attribute(&mut self, name: &str, space: Option<&str>, text: &str) -> Result<()> {
        self.settle()?;
        let Some(index) = self.element_at() else { return Err(misplaced("an element", "an attribute")) };
        let mut prefixed = None;
        if let Some((prefix, _)) = name.split_once(':')
            && prefix != "xml"
            && space.is_none()
            && self.state.scope.find(prefix).is_none()
        {
            return Err(no_prefix(prefix));
        }
        if let Some(space) = space {
            let own = name.split_once(':').map(|(prefix, _)| prefix);
            prefixed = Some(self.prefix_for(own, space, name)?);
        }
        let name = prefixed.as_deref().unwrap_or(name);
        let out = self.attributes_of(index, name)?;
        out.push(b' ');
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"=\"");
        escape::write(out, text, Place::Attribute)?;
        out.push(b'"');
        Ok(())
    }

    /// Returns the name with a prefix of a namespace. Declares one if necessary.
    fn prefix_for(&mut self, own: Option<&str>, space: &str, name: &str) -> Result<String> {
        let local = super::super::layout::local(name);
        let scope = &self.state.scope;
        let stands = |prefix: &str| scope.find(prefix).is_some_and(|uri| **uri == *space);
        let known = own.filter(|own| stands(own)).map(str::to_owned);
        if let Some(prefix) = known.or_else(|| scope.prefix_of(space)) {
            return Ok(format!("{prefix}:{local}"));
        }
        let taken = |prefix: &str| scope.find(prefix).is_some();
        let usual = match space {
            XSI => "xsi",
            DEMAT => "demat",
            _ => "ns",
        };
        let first = own.unwrap_or(usual);
        let prefix = if taken(first) {
            (1..=u32::MAX).map(|number| format!("{first}{number}")).find(|prefix| !taken(prefix)).unwrap_or_default()
        } else {
            first.to_owned()
        };
        self.declare(&prefix, space)?;
        Ok(format!("{prefix}:{local}"))
    }

    /// Writes text into the innermost element.
    pub(super) fn write_text(&mut self, text: &str, place: Place) -> Result<()> {
        self.content(false)?;
        if text.is_empty() {
            // An empty section distinguishes empty text from none.
            self.buffer().extend_from_slice(b"<![CDATA[]]>");
            return Ok(());
        }
        escape::write(self.buffer(), text, place)
    }

    /// Ends the innermost frame, and its element if it has one.
    pub(super) fn end_element(&mut self) -> Result<()> {
        self.settle()?;
        let Some(frame) = self.state.frames.pop() else { return Err(super::super::out_of_place()) };
        if !frame.is_element() {
            return Ok(());
        }
        self.put_late(frame.tag, &frame.late);
        self.state.scope.truncate(frame.outside);
        if frame.tag == Tag::Open {
            self.buffer().extend_from_slice(b"/>");
            return Ok(());
        }
        let in_text = frame.text || self.state.frames.iter().any(|frame| frame.kind == FrameKind::Mixed);
        if let (Some(indent), true, false) = (self.options.indent, frame.elements, in_text) {
            let deep = self.state.frames.iter().filter(|frame| frame.is_element()).count();
            self.line(deep * usize::from(indent));
        }
        let buffer = self.buffer();
        buffer.extend_from_slice(b"</");
        buffer.extend_from_slice(frame.name.as_bytes());
        buffer.push(b'>');
        Ok(())
    }

    /// Inserts late attributes into their start tag.
    pub(super) fn put_late(&mut self, tag: Tag, late: &[u8]) {
        if let Tag::Closed(at) = tag
            && !late.is_empty()
        {
            self.output.buffer.splice(at..at, late.iter().copied());
        }
    }

    /// Writes an element with text only.
    pub(super) fn write_leaf(&mut self, name: &str, space: Option<&str>, text: &str, is_item: bool) -> Result<()> {
        self.begin_element(FrameKind::Parts, name, space)?;
        if is_item {
            self.write_attribute("list", Some(DEMAT), "item")?;
        }
        if !text.is_empty() {
            self.content(false)?;
            escape::write(self.buffer(), text, Place::Text)?;
        }
        self.end_element()
    }

    /// Writes a null as an element with `xsi:nil`.
    pub(super) fn write_nil(&mut self, name: &str, space: Option<&str>, is_item: bool) -> Result<()> {
        self.begin_element(FrameKind::Parts, name, space)?;
        self.write_attribute("nil", Some(XSI), "true")?;
        if is_item {
            self.write_attribute("list", Some(DEMAT), "item")?;
        }
        self.end_element()
    }
}
