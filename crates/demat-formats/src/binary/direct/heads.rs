use crate::binary::Header;
use crate::scan::Room;
use demat_core::scalar::{Date, DateTime, Decimal, Int, Offset, Uuid};
use demat_core::{Kind, Record, Result, Source};

/// The heads of a format, for the fast path.
///
/// Functions that take a value move the start of the input past it. They return `None`, and move nothing, at anything
/// that they do not know: another kind, another form of the same kind, the end of the input.
pub(crate) trait Heads {
    /// The general source, for what the fast path does not read itself.
    type Source<'a>: Source<'a>;

    /// The name of the format.
    const NAME: &'static str;

    /// Returns the general source of the rest of a document, in which containers may nest up to `depth` deep.
    fn source(rest: &[u8], depth: u32) -> Self::Source<'_>;
    /// Skips one value.
    fn pass_one(source: &mut Self::Source<'_>) -> Result<()>;
    /// Whether only the general source and sink of the format handle the record.
    fn is_odd(record: &Record) -> bool;

    /// Returns the header of a list.
    fn list(count: u32) -> Header;
    /// Returns the header of a map.
    fn map(count: u32) -> Header;
    /// Writes the header of a list.
    fn write_list(out: &mut impl Room, count: u32);
    /// Writes the header of a map.
    fn write_map(out: &mut impl Room, count: u32);
    /// Writes null.
    fn write_null(out: &mut impl Room);
    /// Writes a bool.
    fn write_bool(out: &mut impl Room, value: bool);
    /// Writes an int.
    fn write_i64(out: &mut impl Room, value: i64);
    /// Writes an unsigned int.
    fn write_u64(out: &mut impl Room, value: u64);
    /// Writes an int of any size.
    fn write_int(out: &mut Vec<u8>, value: &Int<'_>) -> Result<()>;
    /// Writes a binary64 number.
    fn write_f64(out: &mut impl Room, value: f64);
    /// Writes a binary32 number.
    fn write_f32(out: &mut impl Room, value: f32);
    /// Writes text.
    fn write_text(out: &mut impl Room, value: &str) -> Result<()>;
    /// Writes bytes.
    fn write_bytes(out: &mut Vec<u8>, value: &[u8]) -> Result<()>;
    /// Writes a date.
    fn write_date(out: &mut Vec<u8>, value: Date) -> Result<()>;
    /// Writes an instant.
    fn write_instant(out: &mut Vec<u8>, at: DateTime, offset: Offset) -> Result<()>;
    /// Writes a decimal.
    fn write_decimal(out: &mut Vec<u8>, value: &Decimal<'_>) -> Result<()>;
    /// Writes a UUID.
    fn write_uuid(out: &mut Vec<u8>, value: Uuid) -> Result<()>;

    /// Returns the kind of the next value, if its first byte tells it.
    fn kind(rest: &[u8]) -> Option<Kind>;
    /// Takes a null. Returns false for another value.
    fn null(rest: &mut &[u8]) -> Option<bool>;
    /// Takes a bool.
    fn bool(rest: &mut &[u8]) -> Option<bool>;
    /// Takes an int that fits `i64`.
    fn i64(rest: &mut &[u8]) -> Option<i64>;
    /// Takes an int that fits `u64`.
    fn u64(rest: &mut &[u8]) -> Option<u64>;
    /// Takes a binary64 number.
    fn f64(rest: &mut &[u8]) -> Option<f64>;
    /// Takes the bytes of a text.
    fn text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]>;
    /// Takes bytes.
    fn bytes<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]>;
    /// Takes the header of a list.
    fn list_count(rest: &mut &[u8]) -> Option<u64>;
    /// Takes the header of a map.
    fn map_count(rest: &mut &[u8]) -> Option<u64>;
    /// Returns the rest behind a key, if that key is next, in its shortest form.
    fn behind_key<'a>(rest: &'a [u8], key: &str) -> Option<&'a [u8]>;
}
