//! Encodes dicts and other mappings.

use super::engine::LOOK;
use super::hint::Hint;
use super::object_ref::{dict_class, text_class};
use super::pairs::{self, Pair, Pairs};
use super::put::put_pairs;
use super::written_keys::WrittenKeys;
use super::{EncodeSink, Engine, ObjectRef, fault};
use crate::object::Object;
use demat_core::{Error, Result};
use demat_formats::ScalarWriter;
use pyo3::ffi;
use pyo3::prelude::*;

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Encodes an instance of `dict` or a subclass, with hints for its keys and values.
    ///
    /// # Errors
    /// If a part can't be encoded, or two keys are written alike, as `1` and `"1"` in JSON.
    #[inline(always)]
    pub(super) fn dict<H: Hint<'e>>(&mut self, keys: H, values: H, dict: ObjectRef) -> Result<()> {
        if !dict.is_exactly(dict_class()) {
            return self.dict_of_subclass(keys, values, dict);
        }
        self.own_dict(keys, values, dict)
    }

    /// Encodes an instance of a subclass of `dict`. A look at its class may run user code, so it is held.
    #[cold]
    #[inline(never)]
    fn dict_of_subclass<H: Hint<'e>>(&mut self, keys: H, values: H, dict: ObjectRef) -> Result<()> {
        let held = dict.hold();
        let dict = ObjectRef::of(&held);
        if overrides_items(dict) { self.mapping(keys, values, dict) } else { self.own_dict(keys, values, dict) }
    }

    /// Encodes a dict by its own entries.
    #[inline(never)]
    fn own_dict<H: Hint<'e>>(&mut self, keys: H, values: H, dict: ObjectRef) -> Result<()> {
        let plain =
            keys.leaves_scalars(self.sink.tells_variants()) && values.leaves_scalars(self.sink.tells_variants());
        self.deeper()?;
        let moments = self.moments;
        let len = size_of(dict).cast_unsigned();
        // SAFETY: a dict, as the callers have checked.
        let pairs = unsafe { pairs::of(dict.as_ptr()) };
        let watched = if self.may_be_alike(keys, dict, pairs) { self.watched() } else { None };
        match pairs {
            Some(mut pairs) if plain && watched.is_none() => {
                let written = match self.sink.map_scalars(len) {
                    Some(mut scalars) => {
                        // SAFETY: the pairs are those of the dict, and no user code runs here.
                        let written = unsafe { put_pairs(&mut scalars, &mut pairs, moments) };
                        if written == len {
                            scalars.end();
                        } else {
                            scalars.leave(written);
                        }
                        Some(written)
                    }
                    None => None,
                };
                match written {
                    Some(written) if written == len => {
                        self.back();
                        return Ok(());
                    }
                    Some(_) => {}
                    None => self.sink.begin_map(Some(len))?,
                }
                self.pairs(keys, values, dict, pairs)?;
            }
            _ => {
                self.sink.begin_map(Some(len))?;
                self.entries(keys, values, &dict.hold(), watched)?;
            }
        }
        self.back();
        self.sink.end_map()
    }

    /// Encodes a dict without a declared type, which may well be empty.
    #[inline(always)]
    pub(super) fn dict_or_empty<H: Hint<'e>>(&mut self, hint: H, dict: ObjectRef) -> Result<()> {
        if size_of(dict) > 0 {
            return self.dict(hint, hint, dict);
        }
        self.deeper()?;
        self.back();
        self.sink.empty_map()
    }

    /// Encodes the entries directly from the dict's memory.
    #[inline(always)]
    fn pairs<H: Hint<'e>>(&mut self, keys: H, values: H, dict: ObjectRef, mut pairs: Pairs) -> Result<()> {
        let mut held: Option<Object> = None;
        let mut told_so_far = 0u32;
        let moments = self.moments;
        // SAFETY: after each run of user code, the pairs are checked to be still those of the dict.
        while let Some(Pair { key, value }) = unsafe { pairs.next() } {
            // SAFETY: they are alive until user code runs.
            let (key, value) = unsafe { (ObjectRef::new(key), ObjectRef::new(value)) };
            let told = if pairs.of_any_keys() && !key.is_exactly(text_class()) {
                None
            } else {
                if let Err(error) = self.key(key) {
                    return Err(within(error, key));
                }
                self.scalar(value)
            };
            match told {
                Some(Ok(())) => {}
                Some(Err(error)) => return Err(within(error, key)),
                None => {
                    // User code may run from here on, and the key is needed for the path.
                    let held: &Object = held.get_or_insert_with(|| dict.hold());
                    let len = size_of(dict);
                    self.other_pair(keys, values, key, value)?;
                    self.step()?;
                    // SAFETY: still a dict, and held.
                    if size_of(dict) != len || !unsafe { pairs.are_of(held.as_ptr()) } {
                        return Err(fault::changed("dict"));
                    }
                }
            }
            told_so_far += 1;
            let is_due = told_so_far >= LOOK;
            // A sink of rows of a table may let other threads run at a record boundary.
            if !is_due && K::LOOKS_FAST {
                self.border()?;
            } else {
                let held: &Object = held.get_or_insert_with(|| dict.hold());
                let len = size_of(dict);
                self.border()?;
                if is_due {
                    told_so_far = 0;
                    self.heed()?;
                }
                // SAFETY: still a dict, and held.
                if size_of(dict) != len || !unsafe { pairs.are_of(held.as_ptr()) } {
                    return Err(fault::changed("dict"));
                }
            }
            let written = match self.sink.field_scalars() {
                Some(mut scalars) => {
                    // SAFETY: no user code runs here, and the pairs are those of the dict, as above.
                    let written = unsafe { put_pairs(&mut scalars, &mut pairs, moments) };
                    scalars.leave(written);
                    written
                }
                None => 0,
            };
            if written > 0 {
                self.border()?;
                told_so_far += written as u32;
            }
        }
        Ok(())
    }

    /// Encodes the value of a pair that is no scalar, after its key; or the whole pair, if the key is no `str`.
    #[inline(always)]
    fn other_pair<H: Hint<'e>>(&mut self, keys: H, values: H, key: ObjectRef, value: ObjectRef) -> Result<()> {
        let held = key.hold();
        if !key.is_exactly(text_class()) {
            self.sink.entry()?;
            return self.entry(keys, values, (&held, &value.hold()), None);
        }
        match values.nested(self, value).unwrap_or_else(|| values.tell(self, value)) {
            Ok(()) => Ok(()),
            Err(error) => Err(within(error, key)),
        }
    }

    /// Encodes the entries of any dict.
    #[inline(never)]
    fn entries<H: Hint<'e>>(
        &mut self,
        keys: H,
        values: H,
        dict: &Object,
        mut watched: Option<WrittenKeys>,
    ) -> Result<()> {
        let len = size_of(ObjectRef::of(dict));
        let (mut position, mut told) = (0, 0);
        let (mut key, mut value) = (core::ptr::null_mut(), core::ptr::null_mut());
        // SAFETY: a dict. The iteration is memory-safe whatever happens to the dict between two steps: the entries may
        // be inconsistent then, but are alive.
        while unsafe { ffi::PyDict_Next(dict.as_ptr(), &raw mut position, &raw mut key, &raw mut value) } != 0 {
            // SAFETY: they are alive until user code runs.
            let (key, value) = unsafe { (ObjectRef::new(key), ObjectRef::new(value)) };
            self.sink.entry()?;
            self.entry(keys, values, (&key.hold(), &value.hold()), watched.as_mut())?;
            self.border()?;
            self.step()?;
            told += 1;
            if size_of(ObjectRef::of(dict)) != len || told > len {
                break;
            }
        }
        if told == len && size_of(ObjectRef::of(dict)) == len { Ok(()) } else { Err(fault::changed("dict")) }
    }

    /// Encodes an entry of any kind, after it was begun.
    #[inline(never)]
    fn entry<H: Hint<'e>>(
        &mut self,
        keys: H,
        values: H,
        (key, value): (&Object, &Object),
        watched: Option<&mut WrittenKeys>,
    ) -> Result<()> {
        let key = ObjectRef::of(key);
        let told = match watched {
            None => self.value(keys, key),
            Some(watched) => self.watched_key(keys, key, watched),
        };
        if let Err(error) = told {
            return Err(within(error, key));
        }
        self.sink.value()?;
        self.value(values, ObjectRef::of(value)).map_err(|error| within(error, key))
    }

    /// Encodes any object with an `items()` method.
    #[inline(never)]
    pub(super) fn mapping<H: Hint<'e>>(&mut self, keys: H, values: H, object: ObjectRef) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let held = object.hold().into_bound(py);
        let items = held.call_method0(pyo3::intern!(py, "items")).and_then(|items| items.try_iter());
        let items = items.map_err(|raised| self.raised(raised))?;
        self.deeper()?;
        self.sink.begin_map(None)?;
        // A mapping may well have a key twice.
        let mut watched = self.watched();
        for pair in items {
            let pair = pair.and_then(|pair| pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>());
            let (key, value) = pair.map_err(|raised| self.raised(raised))?;
            self.sink.entry()?;
            self.entry(keys, values, (&Object::of(&key), &Object::of(&value)), watched.as_mut())?;
            self.border()?;
            self.step()?;
        }
        self.back();
        self.sink.end_map()
    }
}

/// Returns the number of entries of a dict.
#[inline(always)]
fn size_of(dict: ObjectRef) -> ffi::Py_ssize_t {
    // SAFETY: a dict, as the callers have checked.
    unsafe { (*dict.as_ptr().cast::<ffi::PyDictObject>()).ma_used }
}

/// Returns whether a subclass of `dict` overrides `items`.
#[cold]
fn overrides_items(object: ObjectRef) -> bool {
    // SAFETY: the GIL is held, and the class is alive.
    let (py, class) = unsafe {
        let py = Python::assume_attached();
        (py, pyo3::Borrowed::from_ptr(py, object.class().cast()))
    };
    let name = pyo3::intern!(py, "items");
    let (own, plain) = (class.getattr(name), py.get_type::<pyo3::types::PyDict>().getattr(name));
    !matches!((own, plain), (Ok(own), Ok(plain)) if own.is(&plain))
}

#[cold]
#[inline(never)]
fn within(error: Error, key: ObjectRef) -> Error {
    // SAFETY: the key is still held by its owner, or no user code has run.
    error.within_field(unsafe { fault::key_name(key.as_ptr()) })
}
