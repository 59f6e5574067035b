//! Refuses maps with two keys that are written alike, such as `1` and `"1"` in JSON.

use super::classes::Known;
use super::encode_sink::AnySink;
use super::hint::Hint;
use super::object_ref::{bool_class, float_class, int_class, text_class};
use super::pairs::Pairs;
use super::{EncodeOptions, EncodeSink, Engine, ObjectRef, fault};
use crate::format::Format;
use crate::known;
use crate::plan::{EnumNode, Node};
use demat_core::{Error, ErrorKind, Result, Sink, forward};
use demat_formats::To;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::collections::HashSet;

/// The keys of a map that were written so far.
///
/// Most keys are `str`, of which equal ones are written alike. Others are compared as the format writes them: each is
/// written to a sink of its own, too.
pub(super) struct WrittenKeys {
    format: Format,
    texts: HashSet<String>,
    /// The bytes of the keys, from the first key on that is no `str`.
    written: Option<HashSet<Vec<u8>>>,
}

impl WrittenKeys {
    /// Adds a text.
    ///
    /// # Errors
    /// If a key is written like it already.
    fn add_text(&mut self, text: &str, options: &EncodeOptions) -> Result<()> {
        let is_new = match &mut self.written {
            None => self.texts.insert(text.to_owned()),
            Some(written) => match bytes_of(self.format, options, |sink| sink.text(text)) {
                Some(bytes) => written.insert(bytes),
                None => self.texts.insert(text.to_owned()),
            },
        };
        if is_new { Ok(()) } else { Err(self.alike()) }
    }

    /// Adds the bytes of another key.
    ///
    /// # Errors
    /// If a key is written like it already.
    fn add(&mut self, bytes: Vec<u8>, options: &EncodeOptions) -> Result<()> {
        let (format, texts) = (self.format, &mut self.texts);
        let written = self.written.get_or_insert_with(|| {
            texts.drain().filter_map(|text| bytes_of(format, options, |sink| sink.text(&text))).collect()
        });
        if written.insert(bytes) { Ok(()) } else { Err(self.alike()) }
    }

    #[cold]
    fn alike(&self) -> Error {
        let message = format!("another key of the dict is written like this one in {}", self.format);
        Error::new(ErrorKind::Encode, message)
    }
}

/// Returns a map of one entry in a format; `None` if the format has no such map.
fn bytes_of(format: Format, options: &EncodeOptions, key: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut sink = format.codec()?.sink(&options.write, Box::new(To(&mut bytes))).ok()?;
    let write = || {
        sink.begin_map(Some(1))?;
        sink.entry()?;
        key(&mut *sink)?;
        sink.value()?;
        sink.i64(0)?;
        sink.end_map()?;
        sink.finish()
    };
    write().ok()?;
    drop(sink);
    Some(bytes)
}

/// Writes a key to the sink of the whole value, and to one of its own.
struct Both<'s> {
    main: &'s mut dyn Sink,
    own: &'s mut dyn Sink,
    /// Whether the latter has taken everything.
    is_whole: bool,
}

/// Writes methods that call the same one of both sinks, of which only the first one's errors count.
macro_rules! both {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        $(fn $name(&mut self, $($argument: $type),*) -> Result<()> {
            self.main.$name($($argument),*)?;
            self.is_whole = self.is_whole && self.own.$name($($argument),*).is_ok();
            Ok(())
        })*
    };
}

impl Sink for Both<'_> {
    both! {
        null(); bool(value: bool); i64(value: i64); u64(value: u64); float(value: f64); float32(value: f32);
        text(value: &str); bytes(value: &[u8]);
        int(value: &demat_core::scalar::Int<'_>); decimal(value: &demat_core::scalar::Decimal<'_>);
        date(value: demat_core::scalar::Date); time(value: demat_core::scalar::Time);
        date_time(at: demat_core::scalar::DateTime);
        instant(at: demat_core::scalar::DateTime, offset: demat_core::scalar::Offset);
        duration(value: demat_core::scalar::Duration); uuid(value: demat_core::scalar::Uuid);
        variant(names: &demat_core::Enum, index: usize);
        begin_list(len: Option<usize>); item(); end_list();
        begin_map(len: Option<usize>); entry(); value(); end_map();
    }
    forward! { self => self.main; marks }
}

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Returns an empty set of keys, for a map in which two keys may have the same text.
    pub(super) fn watched(&self) -> Option<WrittenKeys> {
        let format = self.options.format?;
        // Formats with a shape write keys of one kind.
        let format = if format.is_written_by_shape() { Format::DEFAULT } else { format };
        Some(WrittenKeys { format, texts: HashSet::new(), written: None })
    }

    /// Returns whether keys of a dict may be written alike, though they differ. `pairs` are its entries, if their layout
    /// is known. That takes no time if all keys are `str`, and hardly any if they are of another class of Python's own.
    #[inline(always)]
    pub(super) fn may_be_alike<H: Hint<'e>>(&mut self, keys: H, dict: ObjectRef, pairs: Option<Pairs>) -> bool {
        if self.options.format.is_none() {
            return false;
        }
        match pairs {
            Some(pairs) if !pairs.of_any_keys() => keys.converts(),
            _ => self.are_of_kinds(keys, dict, pairs),
        }
    }

    #[inline(never)]
    fn are_of_kinds<H: Hint<'e>>(&mut self, keys: H, dict: ObjectRef, pairs: Option<Pairs>) -> bool {
        if keys.converts() {
            return true;
        }
        let mut first = None::<ObjectRef>;
        let mut is_mixed = |key: ObjectRef| {
            let class = first.get_or_insert(key).class();
            // SAFETY: the class is compared before the number is read. Each NaN is a key of its own.
            key.class() != class || class == float_class() && unsafe { ffi::PyFloat_AS_DOUBLE(key.as_ptr()) }.is_nan()
        };
        if let Some(mut pairs) = pairs {
            // SAFETY: the entries of the dict; no user code runs here.
            while let Some(pair) = unsafe { pairs.next() } {
                // SAFETY: as above.
                if is_mixed(unsafe { ObjectRef::new(pair.key) }) {
                    return true;
                }
            }
        } else {
            let (mut position, mut key) = (0, core::ptr::null_mut());
            // SAFETY: a dict, and no user code runs here.
            while unsafe { ffi::PyDict_Next(dict.as_ptr(), &raw mut position, &raw mut key, core::ptr::null_mut()) }
                != 0
            {
                // SAFETY: as above.
                if is_mixed(unsafe { ObjectRef::new(key) }) {
                    return true;
                }
            }
        }
        first.is_some_and(|key| !self.is_one_to_one(key))
    }

    /// Returns whether different objects of this one's class are always written differently.
    fn is_one_to_one(&mut self, key: ObjectRef) -> bool {
        let class = key.class();
        if [text_class(), int_class(), float_class(), bool_class()].contains(&class) || key.is_none() {
            return true;
        }
        // SAFETY: engines run with the GIL held. The module's interface is a constant once it is imported.
        let (py, api) = unsafe { (Python::assume_attached(), ffi::PyDateTimeAPI().as_ref()) };
        let is_time =
            api.is_some_and(|api| [api.DateType, api.DateTimeType, api.TimeType, api.DeltaType].contains(&class));
        if is_time
            || class == &raw mut ffi::PyBytes_Type
            || known::uuid(py).is_ok_and(|uuid| uuid.as_type_ptr() == class)
        {
            return true;
        }
        match self.classes.of(key) {
            Ok(Known::Plan(program)) => matches!(&program.root, Node::Enum(node) if is_of_one_kind(py, node)),
            // The key itself will report an error.
            _ => false,
        }
    }

    /// Encodes a key, and refuses one that is written like another one.
    ///
    /// # Errors
    /// If it is, or can't be encoded.
    #[inline(never)]
    pub(super) fn watched_key<H: Hint<'e>>(
        &mut self,
        keys: H,
        key: ObjectRef,
        watched: &mut WrittenKeys,
    ) -> Result<()> {
        if key.is_exactly(text_class()) && !keys.converts() {
            // SAFETY: an exact `str`. Only sinks run while the text is borrowed.
            let Some(text) = (unsafe { super::text::utf8(&key) }) else {
                // SAFETY: as above.
                return Err(unsafe { fault::no_utf8(key) });
            };
            watched.add_text(text, self.options)?;
            return self.value(keys, key);
        }
        let Some(codec) = watched.format.codec() else { return self.value(keys, key) };
        let mut bytes = Vec::new();
        let mut own = codec.sink(&self.options.write, Box::new(To(&mut bytes)))?;
        let begun = own.begin_map(Some(1)).and_then(|()| own.entry()).is_ok();
        let (depth, named, numbered) = (self.depth, self.sink.named_tuples(), self.sink.by_number());
        let (full, shaped) = (self.sink.keeps_defaults(), self.sink.tells_variants());
        let mut both = Both { main: &mut self.sink, own: &mut *own, is_whole: begun };
        let mut engine = Engine::new(AnySink::like(&mut both, (named, numbered, full, shaped)), self.options);
        engine.depth = depth;
        let told = engine.value(keys, key);
        let (raised, is_parted) = (engine.raised.take(), engine.is_parted);
        drop(engine);
        let is_whole = both.is_whole;
        self.is_parted |= is_parted;
        if raised.is_some() {
            self.raised = raised;
        }
        told?;
        let is_whole = is_whole
            && own.value().and_then(|()| own.i64(0)).and_then(|()| own.end_map()).and_then(|()| own.finish()).is_ok();
        drop(own);
        if is_whole { watched.add(bytes, self.options) } else { Ok(()) }
    }
}

/// Returns whether the members of an enum are all written as text, or all as ints.
fn is_of_one_kind(py: Python<'_>, node: &EnumNode) -> bool {
    let mut texts = node.members.bind(py).iter().map(|(wire, _)| wire.is_instance_of::<PyString>());
    texts.next().is_none_or(|first| texts.all(|next| next == first))
}
