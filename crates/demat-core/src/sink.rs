use crate::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid, base64};
use crate::{Enum, KeyPattern, QuotedKey, Record, Result, Shape, Tag, Union};

/// A **place** that values go to, told part by part.
///
/// How to tell:
///
/// * a scalar: [`int`](Self::int), [`text`](Self::text), …;
/// * a list: [`begin_list`](Self::begin_list), for each item [`item`](Self::item) and the item,
///   [`end_list`](Self::end_list);
/// * a record: [`begin_record`](Self::begin_record), for each field that is there [`field`](Self::field) and its
///   value, [`end_record`](Self::end_record);
/// * a map: [`begin_map`](Self::begin_map), for each entry [`entry`](Self::entry), the key as a scalar,
///   [`value`](Self::value) and the value, [`end_map`](Self::end_map).
///
/// What was told since the last [`commit`](Self::commit) can be taken back by [`rollback`](Self::rollback): that is how
/// a bad record leaves nothing behind, and how streams go on where a window ended.
///
/// Fifteen methods are required; the others say in their own terms what these mean.
pub trait Sink {
    /// Tells a null.
    fn null(&mut self) -> Result<()>;
    /// Tells a bool.
    fn bool(&mut self, value: bool) -> Result<()>;
    /// Tells a whole number of any size.
    fn int(&mut self, value: &Int<'_>) -> Result<()>;
    /// Tells a binary64 number.
    fn float(&mut self, value: f64) -> Result<()>;
    /// Tells text.
    fn text(&mut self, value: &str) -> Result<()>;
    /// Begins a list; `len` where it is known.
    fn begin_list(&mut self, len: Option<usize>) -> Result<()>;
    /// An item of the list follows.
    fn item(&mut self) -> Result<()>;
    /// Ends the list.
    fn end_list(&mut self) -> Result<()>;
    /// Begins a map; `len` where it is known.
    fn begin_map(&mut self, len: Option<usize>) -> Result<()>;
    /// A key of the map follows.
    fn entry(&mut self) -> Result<()>;
    /// The value of the key follows.
    fn value(&mut self) -> Result<()>;
    /// Ends the map.
    fn end_map(&mut self) -> Result<()>;
    /// What was told is final; the sink may pass it on.
    fn commit(&mut self) -> Result<()>;
    /// Forgets what was told since the last commit.
    fn rollback(&mut self) -> Result<()>;
    /// Everything was told: passes on what is left.
    fn finish(&mut self) -> Result<()>;

    /// The whole that follows is of this shape. Whoever knows it says so before the first value, for sinks that must
    /// know it (a table, columns) and have not been told otherwise.
    fn begin(&mut self, shape: &Shape) -> Result<()> {
        let _ = shape;
        Ok(())
    }

    /// The value that follows had this shape in the place that it comes from. A sink with types of its own may follow it;
    /// the default ignores it. Only a copy without a shape calls it.
    #[inline]
    fn stated(&mut self, shape: &Shape) -> Result<()> {
        let _ = shape;
        Ok(())
    }

    /// Tells a whole value by the bytes that it has in a format, which were checked to be one; says whether the sink took
    /// them as they stand. One that did not (it is of another format, or was told to write values in a way of its own)
    /// is told the value part by part.
    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        let _ = (format, bytes);
        Ok(false)
    }

    /// Tells a list without items.
    #[inline]
    fn empty_list(&mut self) -> Result<()> {
        self.begin_list(Some(0))?;
        self.end_list()
    }

    /// Tells a map without entries.
    #[inline]
    fn empty_map(&mut self) -> Result<()> {
        self.begin_map(Some(0))?;
        self.end_map()
    }

    /// Begins a list of items of one shape: [`begin_list`](Self::begin_list) for sinks whose lists have a type.
    #[inline]
    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        let _ = item;
        self.begin_list(len)
    }

    /// A key of the map that is text, and its value follows: [`entry`](Self::entry), [`text`](Self::text) and
    /// [`value`](Self::value) in one.
    #[inline]
    fn key(&mut self, key: &str) -> Result<()> {
        self.entry()?;
        self.text(key)?;
        self.value()
    }

    /// The same for a key whose token is at hand, as it comes again and again.
    #[inline]
    fn key_with(&mut self, key: &str, token: &KeyPattern) -> Result<()> {
        let _ = token;
        self.key(key)
    }

    /// The same for a key that is at hand as texts quote it.
    #[inline]
    fn key_quoted(&mut self, key: &str, quoted: &QuotedKey) -> Result<()> {
        let _ = quoted;
        self.key(key)
    }

    /// Begins a record.
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        let _ = record;
        self.begin_map(None)
    }

    /// The value of the field with this index follows. Fields come in any order and may be left out.
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        self.entry()?;
        self.text(record.fields()[index].key())?;
        self.value()
    }

    /// The value of a field that the record does not have but [keeps](crate::Unknown::Keep) follows.
    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        let _ = record;
        self.entry()?;
        self.text(key)?;
        self.value()
    }

    /// Ends the record.
    fn end_record(&mut self, record: &Record) -> Result<()> {
        let _ = record;
        self.end_map()
    }

    /// Tells a whole number that fits 64 bits with sign.
    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        self.int(&Int::I64(value))
    }

    /// Tells a whole number that fits 64 bits without sign.
    #[inline]
    fn u64(&mut self, value: u64) -> Result<()> {
        self.int(&Int::from(value))
    }

    /// Tells a binary32 number.
    #[inline]
    fn float32(&mut self, value: f32) -> Result<()> {
        self.float(f64::from(value))
    }

    /// Tells bytes; to text, as base64 (RFC 4648, section 4).
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        let mut text = String::with_capacity(value.len().div_ceil(3) * 4);
        base64::encode(value, &mut text);
        self.text(&text)
    }

    /// Tells an exact decimal number.
    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.text(value.as_str())
    }

    /// Tells a date.
    fn date(&mut self, value: Date) -> Result<()> {
        self.text(&value.to_string())
    }

    /// Tells a time of day.
    fn time(&mut self, value: Time) -> Result<()> {
        self.text(&value.to_string())
    }

    /// Tells a date and time without an offset.
    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.text(&at.to_string())
    }

    /// Tells a date and time, and the offset of the clock that shows them. An [`Instant`](crate::scalar::Instant), whose
    /// offset may be unknown, is [encoded](crate::Encode::encode) as the one or the other.
    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.text(&at.with_offset(offset).to_string())
    }

    /// Tells a span of time.
    fn duration(&mut self, value: Duration) -> Result<()> {
        self.text(&value.to_string())
    }

    /// Tells a UUID.
    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.text(&value.to_string())
    }

    /// Tells one of the names of an enum.
    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        self.text(names.name_at(index))
    }

    /// Begins a variant of a union; its content follows, unless it has none.
    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let variant = &union.variants()[index];
        let empty = *variant.shape() == Shape::Null;
        match union.tag() {
            // A tag by field is part of the variant's own record.
            Tag::Field(_) | Tag::None => Ok(()),
            Tag::Key if empty => self.text(variant.name()),
            Tag::Key => {
                self.begin_map(Some(1))?;
                self.entry()?;
                self.text(variant.name())?;
                self.value()
            }
            Tag::Pair(pair) => {
                self.begin_record(pair)?;
                self.field(pair, 0)?;
                self.text(variant.name())?;
                if empty { Ok(()) } else { self.field(pair, 1) }
            }
        }
    }

    /// Ends the variant.
    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        match union.tag() {
            Tag::Key if *union.variants()[index].shape() != Shape::Null => self.end_map(),
            Tag::Pair(pair) => self.end_record(pair),
            _ => Ok(()),
        }
    }
}

/// A sink that is told everything and keeps nothing: for checking input without moving it.
///
/// ```
/// use demat_core::{Nothing, Sink};
/// assert!(Nothing.text("gone").is_ok());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Nothing;

impl Sink for Nothing {
    fn null(&mut self) -> Result<()> {
        Ok(())
    }
    fn bool(&mut self, _: bool) -> Result<()> {
        Ok(())
    }
    fn int(&mut self, _: &Int<'_>) -> Result<()> {
        Ok(())
    }
    fn float(&mut self, _: f64) -> Result<()> {
        Ok(())
    }
    fn text(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        Ok(())
    }
    fn item(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_list(&mut self) -> Result<()> {
        Ok(())
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        Ok(())
    }
    fn entry(&mut self) -> Result<()> {
        Ok(())
    }
    fn value(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_map(&mut self) -> Result<()> {
        Ok(())
    }
    fn commit(&mut self) -> Result<()> {
        Ok(())
    }
    fn rollback(&mut self) -> Result<()> {
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
