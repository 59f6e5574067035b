//! Decodes values without a type: dicts, lists and scalars. It does not recurse, at any depth.

use super::alike;
use super::keys::KeyPosition;
use super::spare::Spare;
use super::text::{KEYS, value_object};
use super::{Engine, LOOK, Repeats};
use crate::object::{self, Object};
use crate::plan::{BytesKind, Zone};
use demat_core::scalar::{Date, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Error, Mark, Result, Source, Token};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PySet;
use std::borrow::Cow;
use std::collections::HashSet;

/// An open container.
pub(super) struct Frame {
    map: bool,
    /// The start of its items, or of its alternating keys and values, in the engine's values.
    start: usize,
    /// Whether some of its values are containers.
    deep: bool,
    keys: FrameKeys,
    /// The position of its last key in the key cache; for a list, of the key whose value it is.
    position: KeyPosition,
    /// The mark just inside the container, for the error about a repeated key.
    mark: Mark,
}

/// The keys of an open map.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKeys {
    /// Any scalars may come; so far there is only text.
    Any,
    /// Some are no text.
    Mixed,
    /// They were declared as text.
    Text,
}

/// The open containers.
struct Open {
    /// The innermost.
    top: Frame,
    /// The containers around it, outermost first.
    outer: Vec<Frame>,
}

impl Open {
    /// Steps into a container.
    #[inline(always)]
    fn enter(&mut self, map: bool, start: usize, mark: Mark) {
        let position = self.top.position.inside();
        let inner = Frame { map, start, deep: false, keys: FrameKeys::Any, position, mark };
        self.outer.push(std::mem::replace(&mut self.top, inner));
    }
}

/// A decoded value, or the start of a container.
enum Stood {
    Value(Object),
    List,
    Map,
}

/// A value of a rare kind.
enum Rare<'a> {
    Int(Int<'a>),
    Bytes(Cow<'a, [u8]>),
    Decimal(Decimal<'a>),
    Date(Date),
    Time(Time),
    Instant(Instant),
    Duration(Duration),
    Uuid(Uuid),
}

impl<'a> Rare<'a> {
    #[cold]
    fn of(taken: Token<'a, '_>) -> Self {
        match taken {
            Token::Bytes(bytes) => Self::Bytes(bytes),
            Token::Decimal(decimal) => Self::Decimal(decimal),
            Token::Date(date) => Self::Date(date),
            Token::Time(time) => Self::Time(time),
            Token::DateTime(at) => Self::Instant(at.into()),
            Token::Instant(at, offset) => Self::Instant(at.with_offset(offset)),
            Token::Duration(duration) => Self::Duration(duration),
            Token::Uuid(uuid) => Self::Uuid(uuid),
            Token::Int(int) => Self::Int(int),
            // Frequent kinds are handled inline.
            _ => Self::Int(Int::I64(0)),
        }
    }
}

impl<'a, S: Source<'a>, const ALL: bool> Engine<'_, 'a, S, ALL> {
    #[inline(never)]
    pub(super) fn any(&mut self) -> Result<Object> {
        // Most values within typed records are scalars.
        match self.stood()? {
            Stood::Value(value) => Ok(value),
            Stood::List => self.containers(false, FrameKeys::Any),
            Stood::Map => self.containers(true, FrameKeys::Any),
        }
    }

    /// Decodes a map whose keys were declared as text, and whose values may be anything.
    #[inline(never)]
    pub(super) fn map_of_any(&mut self) -> Result<Object> {
        self.source.map()?;
        self.containers(true, FrameKeys::Text)
    }

    /// Decodes the container that was just entered, with these keys if it is a map.
    fn containers(&mut self, map: bool, keys: FrameKeys) -> Result<Object> {
        if self.values.capacity() == 0 {
            Spare { values: self.values, frames: self.frames } = Spare::take();
        }
        let start = self.values.len();
        let (position, mark) = (KeyPosition::NOWHERE, self.source.mark());
        let top = Frame { map, start, deep: false, keys, position, mark };
        let mut open = Open { top, outer: std::mem::take(&mut self.frames) };
        let done = self.walk(&mut open).map_err(|error| {
            let error = self.path(&open, error);
            self.values.truncate(start);
            open.outer.clear();
            error
        });
        self.frames = open.outer;
        done
    }

    fn walk(&mut self, open: &mut Open) -> Result<Object> {
        loop {
            // Steps to the next child of the innermost container, or closes it.
            let more = if open.top.map { self.key(&mut open.top)? } else { self.source.item()? };
            let value = if more {
                match self.stood()? {
                    Stood::Value(value) => value,
                    Stood::List => {
                        open.enter(false, self.values.len(), self.source.mark());
                        continue;
                    }
                    Stood::Map => {
                        open.enter(true, self.values.len(), self.source.mark());
                        continue;
                    }
                }
            } else {
                self.steps = self.steps.wrapping_add(1);
                if self.steps.is_multiple_of(LOOK) {
                    self.heed()?;
                }
                let done = if open.top.map { self.dict_of(&open.top)? } else { self.list_of(open.top.start)? };
                let Some(outer) = open.outer.pop() else { return Ok(done) };
                open.top = outer;
                open.top.deep = true;
                done
            };
            self.values.push(value);
            // A dict pushes two values per entry.
            if self.values.len() as u32 / 2 % LOOK == LOOK - 1 {
                self.heed()?;
            }
        }
    }

    /// Decodes the next key of a map, and steps to its value. Returns `false` at the end of the map.
    #[inline(always)]
    fn key(&mut self, map: &mut Frame) -> Result<bool> {
        // SAFETY: the GIL is held, and nothing but the source is asked while the reference is there.
        let keys = unsafe { KEYS.get() };
        if let Some((key, token, at)) = keys.expected(map.position)
            && self.source.key_is(key, token)
        {
            map.position = at;
            let key = self.made(keys.shared(at))?;
            self.values.push(key);
            return Ok(true);
        }
        if !self.source.entry()? {
            return Ok(false);
        }
        self.other_key(map)?;
        Ok(true)
    }

    /// Reads the keys of the map that was just entered, and skips the values. Returns a dict of the keys and the numbers of
    /// their last values, and the marks of all values.
    pub(super) fn keyed_marks(&mut self) -> Result<(Object, Vec<Mark>)> {
        let (position, mark) = (KeyPosition::NOWHERE, self.source.mark());
        let start = self.values.len();
        let mut map = Frame { map: true, start, deep: false, keys: FrameKeys::Any, position, mark };
        let mut marks = Vec::new();
        while self.key(&mut map)? {
            marks.push(self.source.mark());
            if let Err(error) = self.source.skip() {
                let key = self.values.last().map(|key| key.clone().into_bound(self.py).to_string());
                return Err(error.within_field(key.unwrap_or_default()));
            }
            // SAFETY: the GIL is held.
            let number = self.made(unsafe { ffi::PyLong_FromSize_t(marks.len() - 1) })?;
            self.values.push(number);
            if (marks.len() as u32).is_multiple_of(LOOK) {
                self.heed()?;
            }
        }
        Ok((self.new_dict(&map)?, marks))
    }

    /// Decodes a key that was not predicted.
    #[inline(never)]
    fn other_key(&mut self, map: &mut Frame) -> Result<()> {
        let mark = self.source.mark();
        let text = match (map.keys, &mut self.source) {
            (FrameKeys::Text, source) => source.text()?,
            (_, source) => match source.take()? {
                Token::Text(text) => text,
                Token::List(_) | Token::Map(_) => {
                    source.reset(mark);
                    return Err(source.mismatch("a scalar as a key"));
                }
                _ => {
                    source.reset(mark);
                    return self.key_of_other_kind(map);
                }
            },
        };
        // SAFETY: the GIL is held, and the table only creates and drops plain `str` objects, which runs no code.
        let keys = unsafe { KEYS.get() };
        let (key, at) = keys.object(&text);
        keys.follows(map.position, at);
        map.position = at;
        let key = self.made(key)?;
        self.values.push(key);
        self.source.value()
    }

    /// Decodes a key that is no text, as formats besides those of text have them.
    #[cold]
    #[inline(never)]
    fn key_of_other_kind(&mut self, map: &mut Frame) -> Result<()> {
        let Stood::Value(key) = self.stood()? else { return Err(self.source.mismatch("a scalar as a key")) };
        map.keys = FrameKeys::Mixed;
        map.position = KeyPosition::NOWHERE;
        self.values.push(key);
        self.source.value()
    }

    /// Handles a map that has fewer keys than entries. Returns an error if the options refuse repeated keys.
    #[cold]
    fn repeated_in(&mut self, map: &Frame, key: &str) -> Result<()> {
        match self.manner.repeats {
            Repeats::LastWins => return Ok(()),
            // Keys besides text are equal where Python says so, as 1 and True are. Reading again would not find that out.
            Repeats::ReadAgain if map.keys != FrameKeys::Mixed => {}
            Repeats::AtEnd | Repeats::ReadAgain => return self.source.repeated(key),
        }
        let after = self.source.mark();
        self.source.reset(map.mark);
        let mut met = HashSet::new();
        while self.source.entry()? {
            let key = self.source.text()?.to_string();
            if met.contains(&key) {
                self.source.repeated(&key).map_err(|error| error.within_field(key.clone()))?;
            }
            met.insert(key);
            self.source.value()?;
            self.source.skip()?;
        }
        self.source.reset(after);
        Ok(())
    }

    /// Decodes a scalar, or enters a container.
    #[inline(always)]
    fn stood(&mut self) -> Result<Stood> {
        let mut rare = None;
        let pointer = match self.source.take()? {
            Token::Text(text) => value_object(&text),
            // SAFETY: the GIL is held.
            Token::I64(int) => unsafe { ffi::PyLong_FromLongLong(int) },
            // SAFETY: the GIL is held.
            Token::Float(float) => unsafe { ffi::PyFloat_FromDouble(float) },
            Token::Bool(bool) => return Ok(Stood::Value(Object::bool(bool))),
            Token::Null => return Ok(Stood::Value(Object::none())),
            Token::List(_) => return Ok(Stood::List),
            Token::Map(_) => return Ok(Stood::Map),
            other => {
                rare = Some(Rare::of(other));
                std::ptr::null_mut()
            }
        };
        match rare {
            None => self.made(pointer).map(Stood::Value),
            Some(rare) => self.rare(rare).map(Stood::Value),
        }
    }

    /// Decodes a value of a rare kind.
    #[inline(never)]
    fn rare(&mut self, rare: Rare<'a>) -> Result<Object> {
        let mark = self.source.mark();
        match rare {
            Rare::Int(int) => self.int_object(&int),
            Rare::Bytes(bytes) => self.bytes_object(&bytes, BytesKind::Bytes),
            Rare::Decimal(decimal) => self.decimal_object(&decimal),
            Rare::Date(date) => self.date_object(date, mark),
            Rare::Time(time) => self.time_object(time, None, self.times(None).is_some(), mark),
            Rare::Instant(instant) => self.instant(instant, Zone::Either, self.times(None).is_some(), mark),
            Rare::Duration(duration) => self.duration(duration.total_nanos(), mark),
            Rare::Uuid(uuid) => self.uuid_object(uuid.0),
        }
    }

    /// Builds the list of the values from `start` on.
    #[inline(always)]
    fn list_of(&mut self, start: usize) -> Result<Object> {
        let count = self.values.len() - start;
        // SAFETY: the GIL is held.
        let list = self.made(unsafe { ffi::PyList_New(count as ffi::Py_ssize_t) })?;
        self.fresh.made(list.as_ptr());
        // SAFETY: a new list with `count` slots, which no other code has seen. It takes over the references, so the
        // engine no longer owns the values.
        unsafe {
            self.values.set_len(start);
            for index in 0..count {
                let value = self.values.as_ptr().add(start + index).read();
                ffi::PyList_SET_ITEM(list.as_ptr(), index as ffi::Py_ssize_t, value.into_ptr());
            }
        }
        Ok(list)
    }

    /// Builds the dict of the innermost container.
    #[inline(always)]
    fn dict_of(&mut self, top: &Frame) -> Result<Object> {
        if top.keys == FrameKeys::Mixed {
            return self.new_dict(top);
        }
        // SAFETY: keys are exact text, as they are made above. What the dict takes is not the engine's any more.
        let alike = unsafe { alike::dict(&self.values[top.start..], top.deep) };
        if let Some(dict) = alike {
            // SAFETY: `start` is at most the length.
            unsafe { self.values.set_len(top.start) };
            self.fresh.made(dict.as_ptr());
            return Ok(dict);
        }
        self.new_dict(top)
    }

    /// Builds the dict key by key.
    #[inline(never)]
    fn new_dict(&mut self, top: &Frame) -> Result<Object> {
        // SAFETY: the GIL is held.
        let dict = self.made(unsafe { ffi::PyDict_New() })?;
        self.fresh.made(dict.as_ptr());
        let entries = &self.values[top.start..];
        let failed = entries.chunks_exact(2).any(|entry| {
            // SAFETY: live objects, and a dict of our own.
            unsafe { ffi::PyDict_SetItem(dict.as_ptr(), entry[0].as_ptr(), entry[1].as_ptr()) < 0 }
        });
        if failed {
            self.values.truncate(top.start);
            return Err(self.raised(object::fetch()));
        }
        // SAFETY: a dict.
        let size = unsafe { ffi::PyDict_Size(dict.as_ptr()) }.cast_unsigned();
        let repeated = if size == entries.len() / 2 { None } else { self.first_repeated(entries) };
        self.values.truncate(top.start);
        if let Some(key) = repeated {
            self.repeated_in(top, &key)?;
        }
        Ok(dict)
    }

    /// Returns the first key of alternating keys and values that an earlier one equals, as text.
    #[cold]
    #[inline(never)]
    fn first_repeated(&self, entries: &[Object]) -> Option<String> {
        let met = PySet::empty(self.py).ok()?;
        entries.chunks_exact(2).find_map(|entry| {
            let (key, before) = (entry[0].clone().into_bound(self.py), met.len());
            met.add(&key).ok()?;
            (met.len() == before).then(|| key.to_string())
        })
    }

    /// Adds the path of the open containers to an error.
    #[cold]
    #[inline(never)]
    fn path(&self, open: &Open, error: Error) -> Error {
        let mut error = error;
        let mut end = self.values.len();
        for frame in std::iter::once(&open.top).chain(open.outer.iter().rev()) {
            if !frame.map {
                error = error.within_item(end - frame.start);
            } else if (end - frame.start) % 2 == 1 {
                // After a key and before its value there is one more key than values.
                error = error.within_field(self.values[end - 1].clone().into_bound(self.py).to_string());
            }
            end = frame.start;
        }
        error
    }
}
