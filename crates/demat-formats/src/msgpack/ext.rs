//! Extension types other than the timestamp, as records of a code and bytes.

use super::MsgpackCodec;
use super::head::{Head, head};
use super::timestamp::TIMESTAMP;
use crate::codec::HasNotes;
use demat_core::{
    Decode, Encode, Error, Field, Fit, IntWidth, Note, Record, RecordRef, Result, Shape, Shaped, Sink, Source, Unknown,
    Vocabulary, Word,
};
use std::borrow::Cow;

/// The key of the code.
pub(super) const CODE: &str = "code";
/// The key of the content.
pub(super) const DATA: &str = "data";

/// A value of an extension type: a code that applications define, and bytes.
///
/// Any record with the keys `code` and `data` can be read from such a value. A record is written as one if its field
/// `code` has the note `ext` for the place `msgpack`, as this type has.
///
/// ```
/// use demat_formats::msgpack::{Ext, decode, encode};
/// let ext = Ext { code: 5, data: vec![1, 2, 3] };
/// assert_eq!(encode(&ext)?, b"\xc7\x03\x05\x01\x02\x03");
/// assert_eq!(decode::<Ext>(b"\xc7\x03\x05\x01\x02\x03")?, ext);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Ext {
    /// The type: 0 to 127 are for applications. -1 is the timestamp, which is read and written as an instant only.
    pub code: i8,
    /// The content.
    pub data: Vec<u8>,
}

/// The notes.
pub(super) static VOCABULARY: Vocabulary = Vocabulary::new("msgpack", &[Word::new("ext").on(Fit::INTS)]);

impl HasNotes for MsgpackCodec {
    const VOCABULARY: &'static Vocabulary = &VOCABULARY;

    fn fault(fields: &[Field]) -> Option<(&str, String)> {
        let noted = fields.iter().position(|field| field.notes_for(VOCABULARY.place).next().is_some())?;
        let keys = fields.iter().map(Field::key);
        let reason = || "`ext` is for the first field of a record of `code` and `data`".to_owned();
        (!keys.eq([CODE, DATA]) || noted != 0).then(|| (fields[noted].name(), reason()))
    }
}

const NOTES: &[Note] = &[(Cow::Borrowed("msgpack"), Cow::Borrowed("ext"))];
static FIELDS: [Field; 2] = [
    Field::fixed_with(CODE, CODE, &[], (1, NOTES), &Shape::Int(IntWidth::Signed(8)), true),
    Field::fixed(DATA, DATA, &[], 2, &Shape::Bytes, true),
];
static RECORD: Record = Record::fixed("Ext", &FIELDS, &[], Unknown::Forbid);

/// Whether values of this record are extension types.
#[inline]
pub(super) fn is_ext(record: &Record) -> bool {
    record.fields().first().is_some_and(|code| !code.notes().is_empty() && has_note(code))
}

#[cold]
fn has_note(code: &Field) -> bool {
    code.key() == CODE && code.notes_for("msgpack").any(|note| note == "ext")
}

/// Whether values of this shape are extension types.
pub(super) fn is_ext_shape(shape: &Shape) -> bool {
    matches!(shape, Shape::Record(record) if is_ext(&record.get()))
}

/// Returns the code and the length of the extension type that begins at `at`, and where its content begins; `None` for
/// anything else, and for a timestamp.
pub(super) fn ext_at(bytes: &[u8], at: usize) -> Option<(i8, u32, usize)> {
    if !matches!(bytes.get(at)?, 0xc7..=0xc9 | 0xd4..=0xd8) {
        return None;
    }
    match head(bytes, at) {
        Ok((Head::Ext(code, len), content)) if code != TIMESTAMP => Some((code, len, content)),
        _ => None,
    }
}

/// Returns whether bytes begin with an extension type that is read as a record of its parts: any but the timestamp.
///
/// ```
/// use demat_formats::msgpack::begins_ext;
/// assert!(begins_ext(b"\xc7\x03\x05\x01\x02\x03"));
/// assert!(!begins_ext(b"\xd6\xff\x00\x00\x00\x00"));
/// ```
pub fn begins_ext(bytes: &[u8]) -> bool {
    ext_at(bytes, 0).is_some()
}

impl Shaped for Ext {
    const SHAPE: &'static Shape = &Shape::Record(RecordRef::Static(|| &RECORD));
}

impl<'a> Decode<'a> for Ext {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        source.record(&RECORD)?;
        let (mut code, mut data) = (None, None);
        while let Some(index) = source.field(&RECORD, usize::from(code.is_some()))? {
            if index == 0 {
                let value = source.i64().map_err(|error| error.within_field(CODE))?;
                let found = i8::try_from(value).map_err(|_| Error::expected("int8", value.to_string()));
                code = Some(found.map_err(|error| error.at(source.position()).within_field(CODE))?);
            } else {
                data = Some(source.bytes().map_err(|error| error.within_field(DATA))?.into_owned());
            }
        }
        match (code, data) {
            (Some(code), Some(data)) => Ok(Self { code, data }),
            (None, _) => Err(Error::missing(CODE).at(source.position())),
            (_, None) => Err(Error::missing(DATA).at(source.position())),
        }
    }
}

impl Encode for Ext {
    fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> Result<()> {
        sink.begin_record(&RECORD)?;
        sink.field(&RECORD, 0)?;
        sink.i64(self.code.into())?;
        sink.field(&RECORD, 1)?;
        sink.bytes(&self.data)?;
        sink.end_record(&RECORD)
    }
}
