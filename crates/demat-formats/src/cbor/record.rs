//! Tags without a kind, as records of a number and a value.

use super::CborCodec;
use crate::codec::HasNotes;
use demat_core::{
    Decode, Encode, Error, Field, Fit, IntWidth, Note, Record, RecordRef, Result, Shape, Shaped, Sink, Source, Unknown,
    Value, Vocabulary, Word,
};
use std::borrow::Cow;

/// The key of the number.
pub(super) const TAG: &str = "tag";
/// The key of the content.
pub(super) const VALUE: &str = "value";

/// A value with a tag that has no kind of its own, such as 32 for a URI.
///
/// Any record with the keys `tag` and `value` can be read from such a value. A record is written as one if its field
/// `tag` has the note `tag` for the place `cbor`, as this type has.
///
/// ```
/// use demat_formats::cbor::{Tag, decode, encode};
/// let uri = Tag { tag: 32, value: "urn:a".to_string() };
/// assert_eq!(encode(&uri)?, b"\xd8\x20\x65urn:a");
/// assert_eq!(decode::<Tag<String>>(b"\xd8\x20\x65urn:a")?, uri);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Tag<T = Value> {
    /// The number of the tag. The tags of instants, dates, ints, decimals and UUIDs are read and written as these only.
    pub tag: u64,
    /// The value that has the tag.
    pub value: T,
}

/// The notes.
pub(super) static VOCABULARY: Vocabulary =
    Vocabulary { is_read: true, ..Vocabulary::new("cbor", &[Word::new("tag").on(Fit::INTS)]) };

impl HasNotes for CborCodec {
    const VOCABULARY: &'static Vocabulary = &VOCABULARY;

    fn fault(fields: &[Field]) -> Option<(&str, String)> {
        let noted = fields.iter().position(|field| field.notes_for(VOCABULARY.place).next().is_some())?;
        let reason = || "`tag` is for the first field of a record of `tag` and `value`".to_owned();
        (noted != 0 || !fields.iter().map(Field::key).eq([TAG, VALUE])).then(|| (fields[noted].name(), reason()))
    }
}

const NOTES: &[Note] = &[(Cow::Borrowed("cbor"), Cow::Borrowed("tag"))];

impl<T: Shaped> Tag<T> {
    fn record() -> &'static Record {
        const {
            &Record::fixed(
                "Tag",
                const {
                    &[
                        Field::fixed_with(TAG, TAG, &[], (1, NOTES), &Shape::Int(IntWidth::Unsigned(64)), true),
                        Field::fixed(VALUE, VALUE, &[], 2, T::SHAPE, true),
                    ]
                },
                &[],
                Unknown::Forbid,
            )
        }
    }
}

/// Whether values of this record are tagged values.
#[inline]
pub(super) fn is_tag(record: &Record) -> bool {
    record.has_notes() && has_note(record)
}

#[cold]
fn has_note(record: &Record) -> bool {
    record.fields().first().is_some_and(|field| field.notes_for(VOCABULARY.place).any(|note| note.trim() == "tag"))
}

impl<T: Shaped> Shaped for Tag<T> {
    const SHAPE: &'static Shape = &Shape::Record(RecordRef::Static(Self::record));
}

impl<'a, T: Decode<'a>> Decode<'a> for Tag<T> {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        let record = Self::record();
        source.record(record)?;
        let (mut tag, mut value) = (None, None);
        while let Some(index) = source.field(record, usize::from(tag.is_some()))? {
            if index == 0 {
                tag = Some(source.u64().map_err(|error| error.within_field(TAG))?);
            } else {
                value = Some(T::decode(source).map_err(|error| error.within_field(VALUE))?);
            }
        }
        let missing = |key| Error::missing(key).at(source.position());
        Ok(Self { tag: tag.ok_or_else(|| missing(TAG))?, value: value.ok_or_else(|| missing(VALUE))? })
    }
}

impl<T: Encode> Encode for Tag<T> {
    fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> Result<()> {
        let record = Self::record();
        sink.begin_record(record)?;
        sink.field(record, 0)?;
        sink.u64(self.tag)?;
        sink.field(record, 1)?;
        self.value.encode(sink).map_err(|error| error.within_field(VALUE))?;
        sink.end_record(record)
    }
}
