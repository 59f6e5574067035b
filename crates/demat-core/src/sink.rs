use crate::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, ToShortText, Uuid, base64};
use crate::{Basic, Enum, Error, KeyPattern, Numbers, QuotedKey, Record, Result, Shape, Tag, Union};

/// A **place** that values are written to, part by part.
///
/// The sequence of calls:
///
/// * a scalar: [`int`](Self::int), [`text`](Self::text), …;
/// * a list: [`begin_list`](Self::begin_list), for each item [`item`](Self::item) and the item,
///   [`end_list`](Self::end_list);
/// * a record: [`begin_record`](Self::begin_record), for each field that is there [`field`](Self::field) and its
///   value, [`end_record`](Self::end_record);
/// * a map: [`begin_map`](Self::begin_map), for each entry [`entry`](Self::entry), the key as a scalar,
///   [`value`](Self::value) and the value, [`end_map`](Self::end_map).
///
/// [`rollback`](Self::rollback) undoes everything since the last [`commit`](Self::commit). So a bad record leaves
/// nothing behind, and a stream can continue after the end of a window.
///
/// Fifteen methods are required. The defaults of the others are written in terms of these.
pub trait Sink {
    /// Writes a null.
    fn null(&mut self) -> Result<()>;
    /// Writes a bool.
    fn bool(&mut self, value: bool) -> Result<()>;
    /// Writes an integer of any size.
    fn int(&mut self, value: &Int<'_>) -> Result<()>;
    /// Writes a binary64 number.
    fn float(&mut self, value: f64) -> Result<()>;
    /// Writes text.
    fn text(&mut self, value: &str) -> Result<()>;
    /// Begins a list; `len` if it is known.
    fn begin_list(&mut self, len: Option<usize>) -> Result<()>;
    /// Begins an item of the list.
    fn item(&mut self) -> Result<()>;
    /// Ends the list.
    fn end_list(&mut self) -> Result<()>;
    /// Begins a map; `len` if it is known.
    fn begin_map(&mut self, len: Option<usize>) -> Result<()>;
    /// Begins an entry of the map: write the key next.
    fn entry(&mut self) -> Result<()>;
    /// Ends the key of an entry: write the value next.
    fn value(&mut self) -> Result<()>;
    /// Ends the map.
    fn end_map(&mut self) -> Result<()>;
    /// Makes everything written so far final. The sink may pass it on.
    fn commit(&mut self) -> Result<()>;
    /// Undoes everything since the last commit.
    fn rollback(&mut self) -> Result<()>;
    /// Ends the output, and passes on what is left.
    fn finish(&mut self) -> Result<()>;

    /// Announces the shape of the whole value, before its first part. Callers that know the shape call this, for sinks
    /// that need it (a table, columns) and were not configured with one.
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

    /// Writes a whole value from its encoded bytes in a format. The bytes were checked to be one value. Returns whether
    /// the sink copied them unchanged. If it returns false, the caller writes the value part by part: the sink has
    /// another format, or its options ask for another form of the value.
    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        let _ = (format, bytes);
        Ok(false)
    }

    /// Writes a list without items.
    #[inline]
    fn empty_list(&mut self) -> Result<()> {
        self.begin_list(Some(0))?;
        self.end_list()
    }

    /// Writes a map without entries.
    #[inline]
    fn empty_map(&mut self) -> Result<()> {
        self.begin_map(Some(0))?;
        self.end_map()
    }

    /// Begins a list whose items have one shape: [`begin_list`](Self::begin_list) for sinks with typed lists.
    #[inline]
    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        let _ = item;
        self.begin_list(len)
    }

    /// Writes a text key of the map; its value follows. Combines [`entry`](Self::entry), [`text`](Self::text) and
    /// [`value`](Self::value).
    #[inline]
    fn key(&mut self, key: &str) -> Result<()> {
        self.entry()?;
        self.text(key)?;
        self.value()
    }

    /// As [`key`](Self::key), for a key with a precomputed pattern, since it occurs repeatedly.
    #[inline]
    fn key_with(&mut self, key: &str, token: &KeyPattern) -> Result<()> {
        let _ = token;
        self.key(key)
    }

    /// As [`key`](Self::key), for a key with a precomputed quoted text.
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

    /// Begins the field with this index: write its value next. Fields may come in any order and may be left out.
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        self.entry()?;
        self.text(record.fields()[index].key())?;
        self.value()
    }

    /// Begins a field that the record does not have but [keeps](crate::Unknown::Keep): write its value next.
    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        let _ = record;
        self.entry()?;
        self.text(key)?;
        self.value()
    }

    /// Writes the fields from the index `first` on, which have these scalars. The error has the place of its value among
    /// them.
    fn field_run(&mut self, record: &Record, first: usize, values: &[Basic<'_>]) -> Result<(), (usize, Error)> {
        for (at, value) in values.iter().enumerate() {
            self.field(record, first + at).and_then(|()| value.write(self)).map_err(|error| (at, error))?;
        }
        Ok(())
    }

    /// Writes items of a list, which are these scalars. The error has the place of its value among them.
    fn item_run(&mut self, values: &[Basic<'_>]) -> Result<(), (usize, Error)> {
        for (at, value) in values.iter().enumerate() {
            self.item().and_then(|()| value.write(self)).map_err(|error| (at, error))?;
        }
        Ok(())
    }

    /// Writes items of a list, which are these numbers. The error has the place of its number among them.
    #[inline]
    fn number_items(&mut self, numbers: Numbers<'_>) -> Result<(), (usize, Error)> {
        numbers.write_each(self)
    }

    /// Ends the record.
    fn end_record(&mut self, record: &Record) -> Result<()> {
        let _ = record;
        self.end_map()
    }

    /// Writes an integer that fits `i64`.
    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        self.int(&Int::I64(value))
    }

    /// Writes an integer of big-endian bytes: their unsigned number, or -1 minus that. The number has at least nine bytes,
    /// the first of which is not zero. Returns whether the sink wrote it; if not, the caller writes it by its digits.
    fn int_bytes(&mut self, bytes: &[u8], negative: bool) -> Result<bool> {
        let _ = (bytes, negative);
        Ok(false)
    }

    /// Writes an integer that fits `u64`.
    #[inline]
    fn u64(&mut self, value: u64) -> Result<()> {
        self.int(&Int::from(value))
    }

    /// Writes a binary32 number.
    #[inline]
    fn float32(&mut self, value: f32) -> Result<()> {
        self.float(f64::from(value))
    }

    /// Writes bytes; as base64 (RFC 4648, section 4) in text formats.
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        let mut text = String::with_capacity(value.len().div_ceil(3) * 4);
        base64::encode(value, &mut text);
        self.text(&text)
    }

    /// Writes an exact decimal number.
    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.text(value.as_str())
    }

    /// Writes a date.
    fn date(&mut self, value: Date) -> Result<()> {
        self.text(value.to_short_text().as_str())
    }

    /// Writes a time of day.
    fn time(&mut self, value: Time) -> Result<()> {
        self.text(value.to_short_text().as_str())
    }

    /// Writes a date and time without an offset.
    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.text(at.to_short_text().as_str())
    }

    /// Writes a date and time with the clock's offset. An [`Instant`](crate::scalar::Instant), whose offset may be
    /// unknown, is [encoded](crate::Encode::encode) with this method or with [`date_time`](Self::date_time).
    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.text(at.with_offset(offset).to_short_text().as_str())
    }

    /// Writes a length of time.
    fn duration(&mut self, value: Duration) -> Result<()> {
        self.text(value.to_short_text().as_str())
    }

    /// Writes a UUID.
    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.text(value.to_short_text().as_str())
    }

    /// Writes a name of an enum.
    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        self.text(names.name_at(index))
    }

    /// Begins a variant of a union; its content follows, unless it has none.
    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let variant = &union.variants()[index];
        let empty = *variant.shape() == Shape::Null;
        match union.tag() {
            // The tag field is part of the variant's own record.
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

/// A sink that discards everything: for checking input without copying it.
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
