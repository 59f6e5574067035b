//! Encodes scalars of the standard library, and instances of subclasses of builtin classes.

use super::base::Base;
use super::hint::Anything;
use super::{EncodeSink, Engine, ObjectRef, int, text};
use crate::columns::reader_of_any;
use crate::decode::DecodeOptions;
use crate::known;
use crate::lazy::LazyValue;
use crate::object::Object;
use crate::plan::slot;
use crate::raw::Raw;
use demat_core::scalar::{Decimal, Uuid};
use demat_core::{Error, ErrorKind, Position, Result, Shape, Source, copy_any};
use demat_formats::codec::AnyReader;
use demat_formats::json::{JsonSource, ReadOptions};
use demat_formats::stream::Part;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use pyo3::{ffi, intern};

impl<K: EncodeSink> Engine<'_, K> {
    /// Encodes an object as the kind of its base class.
    #[inline(never)]
    pub(super) fn base(&mut self, base: Base, object: ObjectRef) -> Result<()> {
        // SAFETY: the base was determined from the object's class.
        unsafe {
            match base {
                Base::Text => self.text(object),
                Base::Int => self.int(object),
                Base::Float => self.float(object),
                Base::List => self.list(Anything, object),
                Base::Tuple => self.tuple(Anything, object),
                Base::Dict => self.dict(Anything, Anything, object),
                Base::Bytes | Base::Bytearray => self.bytes(base, object),
                Base::Memoryview => self.memoryview(object),
                Base::Datetime => self.datetime(object),
                Base::Date => self.date(object),
                Base::Time => self.time(object),
                Base::Timedelta => self.timedelta(object),
                Base::Decimal => self.decimal(object),
                Base::Uuid => self.uuid(object),
                Base::Raw => self.raw(object),
                Base::Numbers => self.numbers(object),
                Base::Arrow => self.arrow(object),
                Base::Textual => self.textual(object),
                Base::Mapping => self.mapping(Anything, Anything, object),
                Base::Iterable => self.iterable(Anything, object),
            }
        }
    }

    /// # Safety
    /// The object is of this base, one of the three kinds of bytes.
    pub(super) unsafe fn bytes(&mut self, base: Base, object: ObjectRef) -> Result<()> {
        let pointer = object.as_ptr();
        // SAFETY: as the caller guarantees. Only the sink runs while the bytes are borrowed.
        unsafe {
            let (start, len) = match base {
                Base::Bytes => (ffi::PyBytes_AS_STRING(pointer), ffi::Py_SIZE(pointer)),
                Base::Bytearray => {
                    (ffi::PyByteArray_AS_STRING(pointer).cast_const(), ffi::PyByteArray_GET_SIZE(pointer))
                }
                // Like `tobytes`, for any item type and memory layout.
                _ => {
                    let copy = Object::new(ffi::PyBytes_FromObject(object.hold().as_ptr()));
                    let copy = copy.map_err(|raised| self.raised(raised))?;
                    return self.bytes(Base::Bytes, ObjectRef::of(&copy));
                }
            };
            self.sink.bytes(core::slice::from_raw_parts(start.cast(), len.cast_unsigned()))
        }
    }

    /// Encodes an instance of `Decimal` or a subclass.
    pub(super) fn decimal(&mut self, object: ObjectRef) -> Result<()> {
        let text = self.decimal_text(object)?;
        // SAFETY: a `str` of our own. Only the sink runs while it is borrowed.
        let digits = unsafe { text::utf8_of(&text) }.unwrap_or_default();
        match Decimal::parse(digits) {
            Some(decimal) => self.sink.decimal(&decimal),
            None => Err(Error::mismatch(ErrorKind::Encode, "a finite `Decimal`", digits.to_string())),
        }
    }

    /// Returns the digits of a `Decimal`, as a `str`. Calls `Decimal.__str__` directly, since a subclass may override it.
    fn decimal_text(&mut self, object: ObjectRef) -> Result<Object> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let held = object.hold();
        let exact = known::decimal(py).map_err(|raised| self.raised(raised))?;
        if object.is_exactly(exact.as_type_ptr()) {
            // SAFETY: the object is held. The result is a `str`, or null with an exception set.
            return Object::new(unsafe { ffi::PyObject_Str(held.as_ptr()) }).map_err(|raised| self.no_scalar(raised));
        }
        let text = exact.call_method1(intern!(py, "__str__"), (held.into_bound(py),));
        let text = text.and_then(|text| text.cast_into::<PyString>().map_err(PyErr::from));
        text.map(|text| Object::of(text.as_any())).map_err(|raised| self.no_scalar(raised))
    }

    /// Encodes a text-like object that is no `str`.
    fn textual(&mut self, object: ObjectRef) -> Result<()> {
        let text = self.str_of(object)?;
        self.sink.text(&text)
    }

    /// Returns the result of `str`.
    fn str_of(&mut self, object: ObjectRef) -> Result<String> {
        // SAFETY: engines run with the GIL held.
        let object = object.hold().into_bound(unsafe { Python::assume_attached() });
        let text = object.str().and_then(|text| text.to_str().map(ToString::to_string));
        text.map_err(|raised| self.no_scalar(raised))
    }

    fn uuid(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        // The first one imports the module.
        let held = object.hold();
        if let Some(bytes) = uuid_bytes(py, object) {
            return self.sink.uuid(Uuid(bytes));
        }
        let number = held.into_bound(py).getattr(intern!(py, "int")).map_err(|raised| self.no_scalar(raised))?;
        // The constructor checks the range, but `object.__setattr__` can set any value.
        let Ok(bits) = number.extract::<u128>() else {
            let found = number.repr().map_or_else(|_| "another".to_string(), |repr| repr.to_string());
            return Err(Error::mismatch(ErrorKind::Encode, "a UUID whose `int` has 128 bits", found));
        };
        self.sink.uuid(Uuid(bits.to_be_bytes()))
    }

    /// Encodes the wire value of an enum's member or a flag: text or an int, of any class.
    pub(super) fn wire(&mut self, value: &Bound<'_, PyAny>) -> Result<()> {
        // SAFETY: the caller owns it.
        let lent = unsafe { ObjectRef::new(value.as_ptr()) };
        if value.is_instance_of::<PyString>() { self.text(lent) } else { self.plain(Anything, lent) }
    }

    /// Encodes a raw value: copies its bytes if they are in the sink's format, else converts them. Both ways validate
    /// the bytes.
    fn raw(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let object = object.hold().into_bound(py);
        let taken;
        let raw = match object.cast::<LazyValue>() {
            Ok(lazy) => {
                taken = lazy.get().as_raw(py).map_err(|error| self.raised(error))?;
                &taken
            }
            Err(_) => object.cast::<Raw>().map_err(|error| self.raised(error.into()))?.get(),
        };
        let bytes = raw.bytes.as_bytes(py);
        let left = self.options.write.depth.saturating_sub(self.depth);
        let options = ReadOptions { depth: left, ..ReadOptions::default() };
        // Flushes first: a retry of the copy must not roll back what was written before.
        self.is_parted = true;
        self.sink.commit()?;
        if raw.format.is_json_document() {
            let mut source = JsonSource::with_options(bytes, options);
            let span = source.span().and_then(|span| source.end().map(|()| span)).map_err(not_as_it_says)?;
            if self.sink.as_is(raw.format.name(), &span)? {
                return Ok(());
            }
        }
        if raw.format.needs_type() {
            let message = format!("a `Raw` of {} does not say what its fields are", raw.format);
            return Err(Error::new(ErrorKind::Encode, message));
        }
        let mut own = DecodeOptions::new(raw.format);
        own.read.depth = options.depth;
        own.read.repeated_keys = options.repeated_keys;
        let mut reader = own.reader()?.boxed();
        self.copied(reader.boxed_source(Part::whole(bytes)))
    }

    /// Encodes columns as a list of records, and an array as a list of its values.
    fn arrow(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let object = object.hold().into_bound(py);
        let reader = reader_of_any(&object).map_err(|error| self.raised(error))?;
        let shape = reader.shape()?;
        let mut source = reader.into_source();
        self.is_parted = true;
        self.sink.commit()?;
        copy_any(&mut source, &shape, &mut self.sink)?;
        source.end()
    }

    fn copied<'a, S: Source<'a>>(&mut self, mut source: S) -> Result<()> {
        copy_any(&mut source, &Shape::Any, &mut self.sink).map_err(not_as_it_says)?;
        source.end().map_err(not_as_it_says)
    }
}

/// Returns the number of a UUID from its slot, most significant byte first; `None` where it is not as usual.
#[inline]
fn uuid_bytes(py: Python<'_>, object: ObjectRef) -> Option<[u8; 16]> {
    static OFFSET: PyOnceLock<Option<isize>> = PyOnceLock::new();
    let class = known::uuid(py).ok()?;
    let offset = OFFSET.get_or_init(py, || slot(class, intern!(py, "int")));
    let offset = (*offset).filter(|_| object.is_exactly(class.as_type_ptr()))?;
    // SAFETY: an instance of the class, which has a slot at the offset. Its value is borrowed while no code runs.
    unsafe {
        let number = *object.as_ptr().byte_offset(offset).cast::<*mut ffi::PyObject>();
        if number.is_null() || ffi::Py_TYPE(number) != &raw mut ffi::PyLong_Type {
            return None;
        }
        int::of_128_bits(number).map(u128::to_be_bytes)
    }
}

/// Turns a syntax error in a raw value, which was never decoded, into an error about the encoded value.
#[cold]
fn not_as_it_says(error: Error) -> Error {
    if error.kind() != ErrorKind::Syntax {
        return error;
    }
    let Position { offset, .. } = error.position();
    let place = offset.map_or_else(String::new, |offset| format!(" at its byte {offset}"));
    Error::new(ErrorKind::Encode, format!("what a `Raw` holds is not of its format: {}{place}", error.reason()))
}
