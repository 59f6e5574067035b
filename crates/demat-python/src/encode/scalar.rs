//! Scalars of the standard library, and of subclasses of the builtin ones.

use super::base::Base;
use super::hint::Anything;
use super::{EncodeSink, Engine, ObjectRef};
use crate::columns::reader_of;
use crate::decode::DecodeOptions;
use crate::known;
use crate::object::Object;
use crate::raw::Raw;
use demat_arrow::ArrowSource;
use demat_core::scalar::{Decimal, Uuid};
use demat_core::{Error, ErrorKind, Position, Result, Shape, Source, copy_any};
use demat_formats::codec::AnyReader;
use demat_formats::json::{JsonSource, ReadOptions};
use demat_formats::stream::Part;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::{ffi, intern};

impl<K: EncodeSink> Engine<'_, K> {
    /// An object, as what its class stands on.
    #[inline(never)]
    pub(super) fn base(&mut self, base: Base, object: ObjectRef) -> Result<()> {
        // SAFETY: the base was found out from the object's class.
        unsafe {
            match base {
                Base::Text => self.text(object),
                Base::Int => self.int(object),
                Base::Float => self.float(object),
                Base::List => self.list(Anything, object),
                Base::Tuple => self.tuple(Anything, object),
                Base::Dict => self.dict(Anything, Anything, object),
                Base::Bytes | Base::Bytearray | Base::Memoryview => self.bytes(base, object),
                Base::Datetime => self.datetime(object),
                Base::Date => self.date(object),
                Base::Time => self.time(object),
                Base::Timedelta => self.timedelta(object),
                Base::Decimal => self.decimal(object),
                Base::Uuid => self.uuid(object),
                Base::Raw => self.raw(object),
                Base::Arrow => self.arrow(object),
                Base::Textual => self.textual(object),
                Base::Mapping => self.mapping(Anything, Anything, object),
                Base::Iterable => self.iterable(Anything, object),
            }
        }
    }

    /// # Safety
    /// The object is of this base, one of the three that are bytes.
    unsafe fn bytes(&mut self, base: Base, object: ObjectRef) -> Result<()> {
        let pointer = object.as_ptr();
        // SAFETY: as the caller says. Nothing but the sink runs while the bytes are borrowed.
        unsafe {
            let (start, len) = match base {
                Base::Bytes => (ffi::PyBytes_AS_STRING(pointer), ffi::Py_SIZE(pointer)),
                Base::Bytearray => {
                    (ffi::PyByteArray_AS_STRING(pointer).cast_const(), ffi::PyByteArray_GET_SIZE(pointer))
                }
                // Whatever its items are and however they lie: what `tobytes` gives.
                _ => {
                    let copy = Object::new(ffi::PyBytes_FromObject(object.hold().as_ptr()));
                    let copy = copy.map_err(|raised| self.raised(raised))?;
                    return self.bytes(Base::Bytes, ObjectRef::of(&copy));
                }
            };
            self.sink.bytes(core::slice::from_raw_parts(start.cast(), len.cast_unsigned()))
        }
    }

    fn decimal(&mut self, object: ObjectRef) -> Result<()> {
        let text = self.decimal_text(object)?;
        match Decimal::parse(&text) {
            Some(decimal) => self.sink.decimal(&decimal),
            None => Err(Error::mismatch(ErrorKind::Encode, "a finite `Decimal`", text)),
        }
    }

    /// Returns the digits of a `Decimal`. Calls `Decimal.__str__` directly, since a subclass may override it.
    fn decimal_text(&mut self, object: ObjectRef) -> Result<String> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let exact = known::decimal(py).map_err(|raised| self.raised(raised))?;
        if object.class().cast() == exact.as_ptr() {
            return self.str_of(object);
        }
        let text = exact.call_method1(intern!(py, "__str__"), (object.hold().into_bound(py),));
        text.and_then(|text| text.extract()).map_err(|raised| self.no_scalar(raised))
    }

    /// Text-like objects that are no `str`.
    fn textual(&mut self, object: ObjectRef) -> Result<()> {
        let text = self.str_of(object)?;
        self.sink.text(&text)
    }

    /// What `str` gives.
    fn str_of(&mut self, object: ObjectRef) -> Result<String> {
        // SAFETY: engines run with the GIL held.
        let object = object.hold().into_bound(unsafe { Python::assume_attached() });
        let text = object.str().and_then(|text| text.to_str().map(ToString::to_string));
        text.map_err(|raised| self.no_scalar(raised))
    }

    fn uuid(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let number =
            object.hold().into_bound(py).getattr(intern!(py, "int")).map_err(|raised| self.no_scalar(raised))?;
        // The class checks it where it makes one, but `object.__setattr__` sets anything.
        let Ok(bits) = number.extract::<u128>() else {
            let found = number.repr().map_or_else(|_| "another".to_string(), |repr| repr.to_string());
            return Err(Error::mismatch(ErrorKind::Encode, "a UUID whose `int` has 128 bits", found));
        };
        self.sink.uuid(Uuid(bits.to_be_bytes()))
    }

    /// The wire value of an enum's member, a flag's number: text or an int, whatever the class of it.
    pub(super) fn wire(&mut self, value: &Bound<'_, PyAny>) -> Result<()> {
        // SAFETY: it is owned by the caller.
        let lent = unsafe { ObjectRef::new(value.as_ptr()) };
        if value.is_instance_of::<PyString>() { self.text(lent) } else { self.plain(Anything, lent) }
    }

    /// A value that is bytes of a format: as they stand where they are of the sink's, and else copied from there. Either way
    /// they are looked at.
    fn raw(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let object = object.hold().into_bound(py);
        let raw = object.cast::<Raw>().map_err(|error| self.raised(error.into()))?.get();
        let bytes = raw.bytes.as_bytes(py);
        let left = self.options.write.json.depth.saturating_sub(self.depth);
        let options = ReadOptions { depth: left, ..ReadOptions::default() };
        // What was told so far must not be taken back where the copier has to go again.
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
        own.read.json = options;
        let mut reader = own.reader()?.boxed();
        self.copied(reader.boxed_source(Part::whole(bytes)))
    }

    /// Columns, as a list of records.
    fn arrow(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let object = object.hold().into_bound(py);
        let reader = reader_of(&object).map_err(|error| self.raised(error))?;
        let shape = demat_arrow::shape(&reader.schema)?;
        let mut source = ArrowSource::new(reader);
        self.sink.commit()?;
        copy_any(&mut source, &shape, &mut self.sink)?;
        source.end()
    }

    fn copied<'a, S: Source<'a>>(&mut self, mut source: S) -> Result<()> {
        copy_any(&mut source, &Shape::Any, &mut self.sink).map_err(not_as_it_says)?;
        source.end().map_err(not_as_it_says)
    }
}

/// What is wrong with the bytes of a value that was never decoded is wrong with the value that is encoded.
#[cold]
fn not_as_it_says(error: Error) -> Error {
    if error.kind() != ErrorKind::Syntax {
        return error;
    }
    let Position { offset, .. } = error.position();
    let place = offset.map_or_else(String::new, |offset| format!(" at its byte {offset}"));
    Error::new(ErrorKind::Encode, format!("what a `Raw` holds is not of its format: {}{place}", error.reason()))
}
