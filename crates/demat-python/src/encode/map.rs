//! Dicts, and everything else that has keys.

use super::hint::Hint;
use super::lent::dict_class;
use super::pairs::{self, Pair, Pairs};
use super::{Engine, Lent, Place, fault};
use crate::object::Object;
use demat_core::{Error, Result};
use pyo3::ffi;
use pyo3::prelude::*;

impl<'e, K: Place> Engine<'e, K> {
    /// An instance of `dict` or a subclass, with hints for its keys and values.
    ///
    /// Two keys that are written as the same text, as `1` and `"1"` in JSON, are both written.
    #[inline(never)]
    pub(super) fn dict<H: Hint<'e>>(&mut self, keys: H, values: H, object: Lent) -> Result<()> {
        if !object.is_exactly(dict_class()) && overrides_items(object) {
            return self.mapping(keys, values, object);
        }
        let dict = object.hold();
        let plain = keys.leaves_scalars() && values.leaves_scalars();
        let len = size_of(&dict);
        self.deeper()?;
        self.sink.begin_map(Some(len.cast_unsigned()))?;
        // SAFETY: a dict, as the callers have seen.
        match unsafe { pairs::of(dict.as_ptr()) } {
            Some(pairs) if plain => self.pairs(values, &dict, len, pairs)?,
            _ => self.entries(keys, values, &dict, len)?,
        }
        self.back();
        self.sink.end_map()
    }

    /// The entries of a dict whose keys are text.
    #[inline(always)]
    fn pairs<H: Hint<'e>>(&mut self, values: H, dict: &Object, len: isize, mut pairs: Pairs) -> Result<()> {
        // SAFETY: after code of the user's they were seen to be still those of the dict.
        while let Some(Pair { key, value }) = unsafe { pairs.next() } {
            // SAFETY: they live until code of the user's runs.
            let (key, value) = unsafe { (Lent::new(key), Lent::new(value)) };
            if let Err(error) = self.key(key) {
                return Err(within(error, key));
            }
            if let Some(told) = self.scalar(value) {
                if let Err(error) = told {
                    return Err(within(error, key));
                }
            } else {
                // Code of the user's may run from here on, and the key is needed for the path.
                let key = key.hold();
                if let Err(error) = values.tell(self, value) {
                    return Err(within(error, Lent::of(&key)));
                }
                // SAFETY: still a dict.
                if size_of(dict) != len || !unsafe { pairs.are_of(dict.as_ptr()) } {
                    return Err(fault::changed("dict"));
                }
            }
            self.border()?;
        }
        Ok(())
    }

    /// The entries of any dict.
    #[inline(never)]
    fn entries<H: Hint<'e>>(&mut self, keys: H, values: H, dict: &Object, len: isize) -> Result<()> {
        let (mut position, mut told) = (0, 0);
        let (mut key, mut value) = (core::ptr::null_mut(), core::ptr::null_mut());
        // SAFETY: a dict; it can be walked so whatever happens to it between two steps, and what was met may be wrong then
        // but is alive.
        while unsafe { ffi::PyDict_Next(dict.as_ptr(), &raw mut position, &raw mut key, &raw mut value) } != 0 {
            // SAFETY: they live until code of the user's runs.
            let (key, value) = unsafe { (Lent::new(key), Lent::new(value)) };
            self.sink.entry()?;
            self.entry(keys, values, (&key.hold(), &value.hold()))?;
            self.border()?;
            told += 1;
            if size_of(dict) != len || told > len {
                break;
            }
        }
        if told == len && size_of(dict) == len { Ok(()) } else { Err(fault::changed("dict")) }
    }

    /// An entry of any kind, after it was begun.
    #[inline(never)]
    fn entry<H: Hint<'e>>(&mut self, keys: H, values: H, (key, value): (&Object, &Object)) -> Result<()> {
        let key = Lent::of(key);
        if let Err(error) = self.value(keys, key) {
            return Err(within(error, key));
        }
        self.sink.value()?;
        self.value(values, Lent::of(value)).map_err(|error| within(error, key))
    }

    /// Anything that has `items()`.
    #[inline(never)]
    pub(super) fn mapping<H: Hint<'e>>(&mut self, keys: H, values: H, object: Lent) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let held = object.hold().into_bound(py);
        let items = held.call_method0(pyo3::intern!(py, "items")).and_then(|items| items.try_iter());
        let items = items.map_err(|raised| self.raised(raised))?;
        self.deeper()?;
        self.sink.begin_map(None)?;
        for pair in items {
            let pair = pair.and_then(|pair| pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>());
            let (key, value) = pair.map_err(|raised| self.raised(raised))?;
            self.sink.entry()?;
            self.entry(keys, values, (&Object::of(&key), &Object::of(&value)))?;
            self.border()?;
        }
        self.back();
        self.sink.end_map()
    }
}

/// How many entries a dict has.
#[inline(always)]
fn size_of(dict: &Object) -> ffi::Py_ssize_t {
    // SAFETY: a dict, as the callers have seen.
    unsafe { (*dict.as_ptr().cast::<ffi::PyDictObject>()).ma_used }
}

/// Whether an instance of a subclass of `dict` has its own idea of what is in it.
#[cold]
fn overrides_items(object: Lent) -> bool {
    // SAFETY: the GIL is held, and the class lives.
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
fn within(error: Error, key: Lent) -> Error {
    // SAFETY: whoever has it still holds it, or no code of the user's has run.
    error.within_field(unsafe { fault::key_name(key.as_ptr()) })
}
