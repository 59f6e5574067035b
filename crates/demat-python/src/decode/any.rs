//! Values without a type: dicts, lists and scalars, whatever stands there. No call stack is used, however deep it goes.

use super::Engine;
use super::number::int_object;
use super::text::{key_object, value_object};
use crate::object::{self, Object};
use crate::plan::Zone;
use demat_core::{Error, Kind, Mark, Result, Source};
use pyo3::ffi;

/// A container that is open.
enum Frame {
    /// Its items begin here in the engine's values.
    List(usize),
    /// Its keys and values begin here, by turns.
    Map(usize),
}

/// What stood in a place.
enum Stood {
    Value(Object),
    List,
    Map,
}

impl<'a, S: Source<'a>, const ALL: bool> Engine<'_, 'a, S, ALL> {
    #[inline(never)]
    pub(super) fn any(&mut self) -> Result<Object> {
        // Most values within typed records are scalars.
        match self.stood()? {
            Stood::Value(value) => Ok(value),
            Stood::List => self.containers(|start| Frame::List(start)),
            Stood::Map => self.containers(|start| Frame::Map(start)),
        }
    }

    fn containers(&mut self, first: impl FnOnce(usize) -> Frame) -> Result<Object> {
        let base = self.values.len();
        let mut frames = vec![first(base)];
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
                Some(Frame::Map(start)) => {
                    if self.source.entry()? {
                        self.key(*start)?;
                        None
                    } else {
                        Some(self.dict_of(*start)?)
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
                match self.stood()? {
                    Stood::Value(value) => done = Some(value),
                    Stood::List => frames.push(Frame::List(self.values.len())),
                    Stood::Map => frames.push(Frame::Map(self.values.len())),
                }
            }
            self.values.extend(done);
        }
    }

    /// The key that stands here, and the step to its value.
    #[inline(always)]
    fn key(&mut self, start: usize) -> Result<()> {
        let key = key_object(&self.source.text()?);
        let key = self.made(key)?;
        if self.manner.watch_repeats {
            self.watch(start, &key)?;
        }
        self.values.push(key);
        self.source.value()
    }

    /// Refuses a key that the open map has already.
    #[cold]
    fn watch(&mut self, start: usize, key: &Object) -> Result<()> {
        // SAFETY: living objects; both are exact text, so that nothing else runs.
        let again = self.values[start..].chunks(2).any(|entry| unsafe {
            entry[0].as_ptr() == key.as_ptr() || ffi::PyUnicode_Compare(entry[0].as_ptr(), key.as_ptr()) == 0
        });
        if again {
            let label = key.clone().into_bound(self.py).to_string();
            self.source.repeated(&label)?;
        }
        Ok(())
    }

    /// Takes what stands here: a scalar whole, a container stepped into.
    #[inline(always)]
    fn stood(&mut self) -> Result<Stood> {
        let mark = self.source.mark();
        let pointer = match self.source.peek()? {
            Kind::Text => value_object(&self.source.text()?),
            Kind::Int => int_object(&self.source.int()?),
            // SAFETY: the GIL is held.
            Kind::Float => unsafe { ffi::PyFloat_FromDouble(self.source.float()?) },
            Kind::Bool => return self.source.bool().map(|bool| Stood::Value(Object::bool(bool))),
            Kind::Null => return self.source.null().map(|_| Stood::Value(Object::none())),
            Kind::List => return self.source.list().map(|_| Stood::List),
            Kind::Map => return self.source.map().map(|_| Stood::Map),
            other => return self.rare(other, mark).map(Stood::Value),
        };
        self.made(pointer).map(Stood::Value)
    }

    /// Kinds that few formats have.
    #[inline(never)]
    fn rare(&mut self, kind: Kind, mark: Mark) -> Result<Object> {
        match kind {
            Kind::Bytes => self.bytes(crate::plan::BytesKind::Bytes),
            Kind::Decimal => self.decimal(),
            Kind::Date => self.date(),
            Kind::Time => self.time(Zone::Naive),
            Kind::Instant => self.source.instant().and_then(|instant| self.instant(instant, Zone::Either, mark)),
            Kind::Duration => self.timedelta(),
            _ => self.uuid(),
        }
    }

    /// The list of the values from `start` on.
    #[inline(always)]
    fn list_of(&mut self, start: usize) -> Result<Object> {
        let count = self.values.len() - start;
        // SAFETY: the GIL is held.
        let list = self.made(unsafe { ffi::PyList_New(count as ffi::Py_ssize_t) })?;
        for (index, value) in self.values.drain(start..).enumerate() {
            // SAFETY: a new list of so many places, which nobody else has seen; it takes the reference.
            unsafe { ffi::PyList_SET_ITEM(list.as_ptr(), index as ffi::Py_ssize_t, value.into_ptr()) };
        }
        Ok(list)
    }

    /// The dict of the keys and values from `start` on.
    #[inline(always)]
    fn dict_of(&mut self, start: usize) -> Result<Object> {
        // SAFETY: the GIL is held.
        let dict = self.made(unsafe { ffi::PyDict_New() })?;
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
        Ok(dict)
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
                Frame::Map(start) => {
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
