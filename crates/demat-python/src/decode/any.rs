//! Values without a type: dicts, lists and scalars, whatever stands there. No call stack is used, however deep it goes.

use super::Engine;
use super::alike::Alike;
use super::number::int_object;
use super::text::{key_object, value_object};
use crate::object::{self, Object};
use crate::plan::{BytesKind, Zone};
use demat_core::scalar::{Date, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Error, Mark, Result, Source, Taken};
use pyo3::ffi;
use std::borrow::Cow;
use std::collections::HashSet;

/// A container that is open.
enum Frame {
    /// Its items begin here in the engine's values.
    List(usize),
    /// Its keys and values begin here, by turns; and where it stands, to come back to for a key that is repeated.
    Map(usize, Mark),
}

/// What stood in a place.
enum Stood {
    Value(Object),
    List,
    Map,
}

/// A value of a kind that few formats have.
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
    fn of(taken: Taken<'a, '_>) -> Self {
        match taken {
            Taken::Bytes(bytes) => Self::Bytes(bytes),
            Taken::Decimal(decimal) => Self::Decimal(decimal),
            Taken::Date(date) => Self::Date(date),
            Taken::Time(time) => Self::Time(time),
            Taken::Instant(instant) => Self::Instant(instant),
            Taken::Duration(duration) => Self::Duration(duration),
            Taken::Uuid(uuid) => Self::Uuid(uuid),
            Taken::Int(int) => Self::Int(int),
            // The others are frequent, and dealt with where they are met.
            _ => Self::Int(Int::I64(0)),
        }
    }
}

impl<'a, S: Source<'a>, const ALL: bool> Engine<'_, 'a, S, ALL> {
    #[inline(never)]
    pub(super) fn any(&mut self) -> Result<Object> {
        // Most values within typed records are scalars.
        let mark = self.source.mark();
        match self.stood()? {
            Stood::Value(value) => Ok(value),
            Stood::List => self.containers(Frame::List(self.values.len())),
            Stood::Map => self.containers(Frame::Map(self.values.len(), mark)),
        }
    }

    fn containers(&mut self, first: Frame) -> Result<Object> {
        let base = self.values.len();
        let mut frames = vec![first];
        let done = self.walk(&mut frames);
        done.map_err(|error| {
            let error = self.path(&frames, error);
            self.values.truncate(base);
            error
        })
    }

    fn walk(&mut self, frames: &mut Vec<Frame>) -> Result<Object> {
        loop {
            // To the next child of the innermost container, or out of it with what it became.
            let mut done = match frames.last() {
                Some(Frame::List(start)) => {
                    if self.source.item()? {
                        None
                    } else {
                        Some(self.list_of(*start)?)
                    }
                }
                Some(Frame::Map(start, mark)) => {
                    if self.source.entry()? {
                        self.key()?;
                        None
                    } else {
                        Some(self.dict_of(*start, *mark)?)
                    }
                }
                None => None,
            };
            if done.is_some() {
                frames.pop();
                if frames.is_empty() {
                    return done.ok_or_else(super::record::astray);
                }
            } else {
                let mark = self.source.mark();
                match self.stood()? {
                    Stood::Value(value) => done = Some(value),
                    Stood::List => frames.push(Frame::List(self.values.len())),
                    Stood::Map => frames.push(Frame::Map(self.values.len(), mark)),
                }
            }
            self.values.extend(done);
        }
    }

    /// The key that stands here, and the step to its value.
    #[inline(always)]
    fn key(&mut self) -> Result<()> {
        let key = key_object(&self.source.text()?);
        let key = self.made(key)?;
        self.values.push(key);
        self.source.value()
    }

    /// A map at a mark was found to have fewer keys than entries: the source refuses that if it was told to.
    #[cold]
    fn repeated_in(&mut self, mark: Mark) -> Result<()> {
        if !self.manner.watch_repeats {
            return Ok(());
        }
        let after = self.source.mark();
        self.source.reset(mark);
        self.source.map()?;
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

    /// Takes what stands here: a scalar whole, a container stepped into.
    #[inline(always)]
    fn stood(&mut self) -> Result<Stood> {
        let mut rare = None;
        let pointer = match self.source.take()? {
            Taken::Text(text) => value_object(&text),
            // SAFETY: the GIL is held.
            Taken::I64(int) => unsafe { ffi::PyLong_FromLongLong(int) },
            // SAFETY: the GIL is held.
            Taken::Float(float) => unsafe { ffi::PyFloat_FromDouble(float) },
            Taken::Bool(bool) => return Ok(Stood::Value(Object::bool(bool))),
            Taken::Null => return Ok(Stood::Value(Object::none())),
            Taken::List(_) => return Ok(Stood::List),
            Taken::Map(_) => return Ok(Stood::Map),
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

    /// Values that few formats have.
    #[inline(never)]
    fn rare(&mut self, rare: Rare<'a>) -> Result<Object> {
        let mark = self.source.mark();
        match rare {
            Rare::Int(int) => {
                let int = int_object(&int);
                self.made(int)
            }
            Rare::Bytes(bytes) => self.bytes_object(&bytes, BytesKind::Bytes),
            Rare::Decimal(decimal) => self.decimal_object(&decimal),
            Rare::Date(date) => self.date_object(date, mark),
            Rare::Time(time) => self.time_object(time, None, mark),
            Rare::Instant(instant) => self.instant(instant, Zone::Either, mark),
            Rare::Duration(duration) => self.duration(duration.total_nanos(), mark),
            Rare::Uuid(uuid) => self.uuid_object(uuid.0),
        }
    }

    /// The list of the values from `start` on.
    #[inline(always)]
    fn list_of(&mut self, start: usize) -> Result<Object> {
        let count = self.values.len() - start;
        // SAFETY: the GIL is held.
        let list = self.made(unsafe { ffi::PyList_New(count as ffi::Py_ssize_t) })?;
        self.fresh.made(list.as_ptr());
        for (index, value) in self.values.drain(start..).enumerate() {
            // SAFETY: a new list of so many places, which nobody else has seen; it takes the reference.
            unsafe { ffi::PyList_SET_ITEM(list.as_ptr(), index as ffi::Py_ssize_t, value.into_ptr()) };
        }
        Ok(list)
    }

    /// The dict of the keys and values from `start` on.
    #[inline(always)]
    fn dict_of(&mut self, start: usize, mark: Mark) -> Result<Object> {
        let count = (self.values.len() - start) / 2;
        let dict = match self.alike(start, count) {
            Some(dict) => dict,
            // SAFETY: the GIL is held.
            None => self.made(unsafe { ffi::PyDict_New() })?,
        };
        self.fresh.made(dict.as_ptr());
        let mut entries = self.values.drain(start..);
        let mut failed = false;
        while let (Some(key), Some(value)) = (entries.next(), entries.next()) {
            // SAFETY: living objects, and a dict of our own; keys are exact text.
            failed |= unsafe { ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr()) } < 0;
        }
        drop(entries);
        if failed {
            return Err(self.raised(object::fetch()));
        }
        // SAFETY: a dict.
        if unsafe { ffi::PyDict_Size(dict.as_ptr()) } as usize != count {
            self.repeated_in(mark)?;
        }
        Ok(dict)
    }

    /// A dict with the keys from `start` on that was laid out before.
    #[inline(always)]
    fn alike(&mut self, start: usize, count: usize) -> Option<Object> {
        if count <= Alike::FEW {
            return None;
        }
        let alike = self.alike.get_or_insert_with(|| Box::new(Alike::new()));
        alike.dict(&self.values[start..], count)
    }

    /// The error with the path through the containers that are open.
    #[cold]
    #[inline(never)]
    fn path(&self, frames: &[Frame], error: Error) -> Error {
        let mut error = error;
        let mut end = self.values.len();
        for frame in frames.iter().rev() {
            match *frame {
                Frame::List(start) => {
                    error = error.within_item(end - start);
                    end = start;
                }
                Frame::Map(start, _) => {
                    // After a key and before its value there is one more key than values.
                    if (end - start) % 2 == 1 {
                        error = error.within_field(self.values[end - 1].clone().into_bound(self.py).to_string());
                    }
                    end = start;
                }
            }
        }
        error
    }
}
