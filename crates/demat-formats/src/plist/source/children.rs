//! Iterating over arrays and dicts.

use super::super::document::{Children, Object};
use super::{Found, Frame, PlistSource, Stand, astray, kind_of};
use demat_core::{Error, Record, Result, Source, Unknown};

impl PlistSource<'_, '_> {
    pub(super) fn top(&self) -> Option<&Frame> {
        self.state.frames.get(self.depth.checked_sub(1)?)
    }

    pub(super) fn top_mut(&mut self) -> Option<&mut Frame> {
        self.state.frames.get_mut(self.depth.checked_sub(1)?)
    }

    /// Returns whether the source is at a key.
    pub(super) fn is_at_key(&mut self) -> bool {
        matches!(self.container(), Ok((frame, Object::Dict(_))) if frame.next % 2 == 1)
    }

    /// Enters a container. The parser has already checked the depth.
    pub(super) fn enter(&mut self, id: u32) {
        let frame = Frame { id, next: 0 };
        match self.state.frames.get_mut(self.depth) {
            Some(place) => *place = frame,
            None => self.state.frames.push(frame),
        }
        self.depth += 1;
        self.stand = Stand::Nothing;
    }

    pub(super) fn leave(&mut self) {
        if let Some(id) = self.top().map(|frame| frame.id) {
            self.about.set(id);
        }
        self.depth = self.depth.saturating_sub(1);
        self.stand = Stand::Nothing;
    }

    /// Returns the innermost container.
    fn container(&mut self) -> Result<(Frame, Object)> {
        let frame = *self.top().ok_or_else(astray)?;
        let object = self.document()?.object(frame.id).copied();
        Ok((frame, object.ok_or_else(astray)?))
    }

    /// Moves to the next child. Returns false if there is none.
    fn next_child(&mut self, children: Children, index: u32) -> Result<bool> {
        let Some(id) = self.document()?.child(children, index) else { return Ok(false) };
        if let Some(frame) = self.top_mut() {
            frame.next = index + 1;
        }
        self.stand = Stand::Object(id);
        Ok(true)
    }

    pub(super) fn next_item(&mut self) -> Result<bool> {
        let (frame, Object::Array(children)) = self.container()? else { return Err(astray()) };
        let more = self.next_child(children, frame.next)?;
        if !more {
            self.leave();
        }
        Ok(more)
    }

    /// Moves to the next key. Returns false if there is none.
    pub(super) fn next_key(&mut self) -> Result<bool> {
        match self.container()? {
            (frame, Object::Dict(children)) => {
                // Keys and values alternate.
                let index = frame.next.next_multiple_of(2);
                if !self.next_child(children, index)? {
                    return Ok(false);
                }
                let found = self.found()?;
                if !matches!(found, Found::Object(_, Object::Text(_))) {
                    let kind = kind_of(&found).name();
                    return Err(Error::expected("text as a key", kind).at(self.position()));
                }
                Ok(true)
            }
            (Frame { id, next: 0 }, Object::Uid(_)) => {
                if let Some(frame) = self.top_mut() {
                    frame.next = 1;
                }
                self.stand = Stand::UidKey(id);
                Ok(true)
            }
            (_, Object::Uid(_)) => Ok(false),
            _ => Err(astray()),
        }
    }

    pub(super) fn step_to_value(&mut self) -> Result<()> {
        match self.container()? {
            (frame, Object::Dict(children)) => {
                if self.next_child(children, frame.next)? {
                    Ok(())
                } else {
                    Err(astray())
                }
            }
            (frame, Object::Uid(_)) => {
                self.stand = Stand::UidNumber(frame.id);
                Ok(())
            }
            _ => Err(astray()),
        }
    }

    /// Moves to the next field that the record has. After the last one, it yields null for each required field that may
    /// be null and is missing, since property lists have no null.
    pub(super) fn next_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        while !self.is_behind_all()? && self.next_key()? {
            let before = self.mark();
            let key = self.text()?;
            let predicted = record.fields().get(expected).filter(|field| field.key() == &*key);
            let known = match predicted {
                Some(_) if record.unknown() != Unknown::Keep(expected) => Some(expected),
                _ => record.index_of(&key),
            };
            let kept = if known.is_none() { record.unknown_key(&key) } else { Ok(None) };
            match (known, kept) {
                (Some(index), _) => {
                    self.step_to_value()?;
                    return Ok(Some(index));
                }
                (None, Ok(Some(rest))) => {
                    self.reset(before);
                    return Ok(Some(rest));
                }
                (None, Ok(None)) => {
                    self.step_to_value()?;
                    self.skip()?;
                }
                (None, Err(error)) => return Err(error.at(self.position())),
            }
        }
        self.next_missing(record)
    }

    /// Returns whether all entries of the dict were read, so that missing fields are next.
    fn is_behind_all(&mut self) -> Result<bool> {
        let (frame, object) = self.container()?;
        Ok(match object {
            Object::Dict(children) => frame.next > children.len,
            _ => frame.next > 1,
        })
    }

    fn next_missing(&mut self, record: &Record) -> Result<Option<usize>> {
        let (frame, object) = self.container()?;
        let len = if let Object::Dict(children) = object { children.len } else { 1 };
        // The index after the last child stands for the first field.
        let first = frame.next.saturating_sub(len + 1) as usize;
        for (index, field) in record.fields().iter().enumerate().skip(first) {
            let may_lack = field.required() && field.shape().allows_null() && record.unknown() != Unknown::Keep(index);
            if may_lack && !self.has_field(record, index, object)? {
                if let Some(frame) = self.top_mut() {
                    frame.next = len + 1 + index as u32 + 1;
                }
                self.stand = Stand::Null;
                return Ok(Some(index));
            }
        }
        self.leave();
        Ok(None)
    }

    /// Returns whether the dict has an entry for the field.
    fn has_field(&mut self, record: &Record, field: usize, object: Object) -> Result<bool> {
        let Object::Dict(children) = object else { return Ok(false) };
        let input = self.part.bytes;
        let document = self.document()?;
        let is_field = |index: u32| match document.child(children, index).and_then(|id| document.object(id)) {
            Some(Object::Text(span)) => {
                let key = core::str::from_utf8(document.bytes(input, *span)).unwrap_or_default();
                record.fields()[field].key() == key || record.index_of(key) == Some(field)
            }
            _ => false,
        };
        Ok((0..children.len).step_by(2).any(is_field))
    }
}
