use crate::excerpt;
use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid, base64};
use crate::text_as::{decimal_of_text, text_as};
use crate::{
    Basic, Enum, Error, KeyPattern, Kind, Listed, Mark, Next, NumbersInto, Position, Record, Result, Shape, Sink, Tag,
    Text, Token, Union, Wanted,
};
use std::borrow::Cow;

/// A **place** that values are read from, part by part.
///
/// The typed side requests a kind ("an int, please"), and the source returns it or refuses; it never guesses. The
/// sequence of calls:
///
/// * a scalar: [`int`](Self::int), [`text`](Self::text), …; an optional value: first [`null`](Self::null), which takes
///   a null if it is next;
/// * a list: [`list`](Self::list), then while [`item`](Self::item) returns true, the item;
/// * a record: [`record`](Self::record), then while [`field`](Self::field) returns an index, that field's value;
/// * a map: [`map`](Self::map), then while [`entry`](Self::entry) returns true, the key as a scalar,
///   [`value`](Self::value), and the value.
///
/// Every value must be read or [skipped](Self::skip). After an error, a source is in no valid position until it is
/// [reset](Self::reset).
///
/// Nineteen methods are required. The defaults of the others are written in terms of these and define the results: a
/// source overrides one only to return the same results faster, or for kinds that its format has natively.
pub trait Source<'a> {
    /// Returns the kind of the next value, for readers without a shape. Consumes nothing.
    fn peek(&mut self) -> Result<Kind>;
    /// Takes the next value if it is null. Returns whether it was.
    fn null(&mut self) -> Result<bool>;
    /// Reads a bool.
    fn bool(&mut self) -> Result<bool>;
    /// Reads an integer of any size.
    fn int(&mut self) -> Result<Int<'a>>;
    /// Reads a number as binary64, correctly rounded. Refuses one that is too large.
    fn float(&mut self) -> Result<f64>;
    /// Reads text.
    fn text(&mut self) -> Result<Text<'a, '_>>;
    /// Enters a list. Returns the number of items if the format stores it (checked against the remaining bytes).
    fn list(&mut self) -> Result<Option<usize>>;
    /// Whether single values are read as lists of one. True for [`AcceptSingle`](crate::AcceptSingle) only.
    fn accepts_single(&self) -> bool {
        false
    }
    /// Enters a list, as [`list`](Self::list) does; of a source that [accepts single values](Self::accepts_single), stays
    /// at a value that is neither a list nor null. Readers with a shape request their lists by this.
    fn list_or_single(&mut self) -> Result<Listed> {
        if self.accepts_single() && !matches!(self.peek()?, Kind::List | Kind::Null) {
            return Ok(Listed::Single);
        }
        self.list().map(Listed::Items)
    }
    /// Steps to the next item of the list. Returns false at the end, and leaves the list.
    fn item(&mut self) -> Result<bool>;
    /// Enters a map. Returns the number of entries if the format stores it.
    fn map(&mut self) -> Result<Option<usize>>;
    /// Steps to the next key of the map. Returns false at the end, and leaves the map.
    fn entry(&mut self) -> Result<bool>;
    /// Steps from a key to its value.
    fn value(&mut self) -> Result<()>;
    /// Skips a value, checking it as strictly as decoding would.
    fn skip(&mut self) -> Result<()>;
    /// Skips a value and returns its unchanged bytes: for lazy records, replays and reject files.
    fn span(&mut self) -> Result<Cow<'a, [u8]>>;
    /// Returns a mark of the current position, to come back to within the same record.
    fn mark(&self) -> Mark;
    /// Goes back to a mark in this record or in an enclosing one.
    fn reset(&mut self, mark: Mark);
    /// Returns the start of the last value that was read. May take time linear in the input read so far, so it is for
    /// errors only.
    fn position(&self) -> Position;
    /// Checks that nothing follows the value that was read.
    fn end(&mut self) -> Result<()>;
    /// Receivers call this at a repeated key or field. Returns an error if the source refuses repeated keys; otherwise
    /// the last one wins.
    fn repeated(&mut self, key: &str) -> Result<()>;
    /// Call it after reading an empty list of such records. It fails if the source declares fields anyway, as a table's
    /// header does, and they don't match the record.
    fn no_records(&mut self, _: &Record) -> Result<()> {
        Ok(())
    }
    /// Writes items of the current list to a sink, as long as this is faster than reading them value by value; `shape`
    /// is the list's. Commits each item. Returns their number; the default writes none.
    ///
    /// It stops at the end of the list, and before an item that it has no faster way for, or that the sink refuses.
    /// That item is then the next one, and the output for it is rolled back.
    ///
    /// # Errors
    /// If the next item can't be determined; and the errors of the sink's `commit` and `rollback`.
    fn write_items<K: Sink + ?Sized>(&mut self, shape: &Shape, sink: &mut K) -> Result<u64>
    where
        Self: Sized,
    {
        let _ = (shape, sink);
        Ok(0)
    }
    /// Appends items of the current list to a vector, as long as they are numbers of its type and this is faster than
    /// reading them one by one. The default appends none.
    ///
    /// It stops at the end of the list, and before an item that it has no faster way for, or refuses. That item is then
    /// the next one.
    ///
    /// # Errors
    /// If the next item can't be determined.
    #[inline]
    fn number_items(&mut self, into: NumbersInto<'_>) -> Result<()> {
        let _ = into;
        Ok(())
    }
    /// Returns the error for a value of another kind than requested, at the next value.
    fn mismatch(&mut self, expected: &'static str) -> Error;

    /// Returns the shape that the place states for the current value, if it is more specific than the kind: an int of
    /// 16 bits, the items of an empty list. Consumes nothing. A copy without a shape passes it to
    /// [`Sink::stated`](crate::Sink::stated), so that a format with typed values keeps their types.
    #[inline]
    fn stated(&mut self) -> Result<Option<Shape>> {
        Ok(None)
    }

    /// Reads the current value together with its kind, for callers without a shape: [`peek`](Self::peek) and the method
    /// for that kind, in one call. Enters a list or map. Reads a key of a map like any scalar.
    fn take(&mut self) -> Result<Token<'a, '_>> {
        Token::by_asking(self)
    }

    /// Moves to the next key of the map and reads it, usually as text. At the end of the map, leaves it and returns
    /// `None`. Combines [`entry`](Self::entry) and [`take`](Self::take); [`value`](Self::value) follows.
    fn key(&mut self) -> Result<Option<Token<'a, '_>>> {
        if self.entry()? { self.take().map(Some) } else { Ok(None) }
    }

    /// Steps to the value of the next key, if the source can tell that the key is this one. `token` is the key's
    /// pattern. This is only a prediction: false says nothing about the next key, and the position is unchanged.
    ///
    /// It is for readers without a shape that cache something per key. The maps of a document usually have the same
    /// keys in the same order, and comparing an expected key is cheaper than reading it.
    #[inline]
    fn key_is(&mut self, key: &str, token: &KeyPattern) -> bool {
        let _ = (key, token);
        false
    }

    /// Returns whether the place holds a list of records, as opposed to one record. Consumes nothing. Callers that
    /// accept records from either use it. `record` is the shape of one record, if it is known.
    ///
    /// By default it returns whether [`peek`](Self::peek) returns a list. A source overrides it if its places do not
    /// distinguish a list from a record.
    fn lists_records(&mut self, record: Option<&Record>) -> Result<bool> {
        let _ = record;
        Ok(self.peek()? == Kind::List)
    }

    /// Steps into a value as a list of all that is in it, whose items may have [names](Self::item_is): for a walk to
    /// the records in a document.
    fn elements(&mut self) -> Result<()> {
        self.list().map(drop)
    }

    /// Whether the item that was stepped to has this name. Items have none, unless a source says otherwise.
    fn item_is(&mut self, name: &str) -> Result<bool> {
        let _ = name;
        Ok(false)
    }

    /// Returns whether [`field`](Self::field) may also follow a [`map`](Self::map) and the entries that were read of it,
    /// as it follows [`record`](Self::record). Then a reader that looked for a tag goes on behind it.
    #[inline]
    fn goes_on_as_record(&self) -> bool {
        false
    }

    /// Steps into a record.
    #[inline]
    fn record(&mut self, record: &Record) -> Result<()> {
        let _ = record;
        self.map().map(drop)
    }

    /// Steps to the next field of the record and returns its index. Returns `None` at the end, and leaves the record.
    ///
    /// `expected` is the index that the caller predicts. It is only a hint. Keys that the record does not have are
    /// treated as it [says](crate::Unknown). If it keeps them, the result is the index of the field that keeps them,
    /// and the source is at the *key*, as after [`entry`](Self::entry).
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        let _ = expected;
        loop {
            if !self.entry()? {
                return Ok(None);
            }
            let mark = self.mark();
            let key = self.text()?;
            let known = record.index_of(&key);
            let kept = if known.is_none() { record.unknown_key(&key) } else { Ok(None) };
            match (known, kept) {
                (Some(index), _) => {
                    self.value()?;
                    return Ok(Some(index));
                }
                (None, Ok(Some(rest))) => {
                    self.reset(mark);
                    return Ok(Some(rest));
                }
                (None, Ok(None)) => {
                    self.value()?;
                    self.skip()?;
                }
                (None, Err(error)) => return Err(error.at(self.position())),
            }
        }
    }

    /// Reads an integer that fits `i64`.
    #[inline]
    fn i64(&mut self) -> Result<i64> {
        let int = self.int()?;
        int.to_i64().ok_or_else(|| Error::expected("int64", int.to_string()).at(self.position()))
    }

    /// Reads an integer that fits `i64`. For any other integer, returns `None` and consumes nothing, or returns the error
    /// of [`i64`](Self::i64). A source overrides it if integers beyond 64 bits are usual in its format.
    #[inline]
    fn try_i64(&mut self) -> Result<Option<i64>> {
        self.i64().map(Some)
    }

    /// Reads an integer that the place stores as big-endian bytes: it is their unsigned number, or, if the second part is
    /// true, -1 minus that. Returns `None` and consumes nothing if the place stores the next value in another way.
    ///
    /// It is for callers with integers of any size, which need no decimal digits then.
    fn int_bytes(&mut self) -> Result<Option<(Cow<'a, [u8]>, bool)>> {
        Ok(None)
    }

    /// Returns whether each call has a price of its own, since the source is behind a pointer. Then a caller should read
    /// runs ([`field_run`](Self::field_run), [`item_run`](Self::item_run)).
    #[inline]
    fn prefers_runs(&self) -> bool {
        false
    }

    /// Reads fields of a record as long as they are scalars of the kind that `wanted` has at their index, and as long as
    /// the indices increase. Returns how many there are in `into`, with their indices, and where they end.
    ///
    /// `expected` is the lowest index that it accepts. A value that it can't read is left to the caller, with its error.
    ///
    /// # Errors
    /// Those of [`field`](Self::field).
    fn field_run(
        &mut self,
        record: &Record,
        expected: usize,
        wanted: &[Wanted],
        into: &mut [(usize, Basic<'a>)],
    ) -> Result<(usize, Next)> {
        let mut expected = expected;
        for (count, place) in into.iter_mut().enumerate() {
            let Some(index) = self.field(record, expected)? else { return Ok((count, Next::End)) };
            let wanted = wanted.get(index).filter(|_| index >= expected);
            let Some(value) = wanted.and_then(|wanted| Basic::read(self, *wanted)) else {
                return Ok((count, Next::Value(index)));
            };
            *place = (index, value);
            expected = index + 1;
        }
        Ok((into.len(), Next::More))
    }

    /// Reads items of a list as long as they are scalars of this kind. Returns how many there are in `into`, and where
    /// they end. An item that it can't read is left to the caller, with its error.
    ///
    /// # Errors
    /// Those of [`item`](Self::item).
    fn item_run(&mut self, wanted: Wanted, into: &mut [Basic<'a>]) -> Result<(usize, Next)> {
        for (count, place) in into.iter_mut().enumerate() {
            if !self.item()? {
                return Ok((count, Next::End));
            }
            match Basic::read(self, wanted) {
                Some(value) => *place = value,
                None => return Ok((count, Next::Value(count))),
            }
        }
        Ok((into.len(), Next::More))
    }

    /// Reads an integer that fits `u64`.
    #[inline]
    fn u64(&mut self) -> Result<u64> {
        let int = self.int()?;
        int.to_u64().ok_or_else(|| Error::expected("uint64", int.to_string()).at(self.position()))
    }

    /// Reads a number as binary32. The default rounds twice; sources of text override it.
    #[inline]
    fn float32(&mut self) -> Result<f32> {
        let wide = self.float()?;
        #[allow(clippy::cast_possible_truncation)]
        let narrow = wide as f32;
        if narrow.is_infinite() && wide.is_finite() {
            return Err(Error::expected("float32", wide.to_string()).at(self.position()));
        }
        Ok(narrow)
    }

    /// Reads bytes; from text, as base64 (RFC 4648, section 4).
    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        text_as(self, "bytes", "`bytes` in base64", base64::decode).map(Cow::Owned)
    }

    /// Reads an exact decimal number; from text, its digits.
    fn decimal(&mut self) -> Result<Decimal<'a>> {
        decimal_of_text(self)
    }

    /// Reads a date; from text, as RFC 3339 `full-date`.
    fn date(&mut self) -> Result<Date> {
        text_as(self, "date", "`date` as YYYY-MM-DD", Date::parse)
    }

    /// Reads a time of day; from text, as RFC 3339 `partial-time`.
    fn time(&mut self) -> Result<Time> {
        text_as(self, "time", "`time` as HH:MM:SS", Time::parse)
    }

    /// Reads a date and time without an offset; from text, as RFC 3339 `full-date "T" partial-time`. Refuses one with
    /// an offset.
    fn date_time(&mut self) -> Result<DateTime> {
        let text = self.text().map_err(|error| error.not_of_text("datetime"))?;
        if let Some(at) = DateTime::parse(&text) {
            return Ok(at);
        }
        let error = Error::no_date_time(&text);
        Err(error.at(self.position()))
    }

    /// Reads a date and time with its offset if that is known; from text, as RFC 3339, where the offset may be absent.
    fn instant(&mut self) -> Result<Instant> {
        text_as(self, "instant", "`instant` as RFC 3339", Instant::parse)
    }

    /// Reads a length of time; from text, as ISO 8601 without years and months.
    fn duration(&mut self) -> Result<Duration> {
        text_as(self, "duration", "`duration` as ISO 8601", Duration::parse)
    }

    /// Reads a UUID; from text, as hexadecimal digits.
    fn uuid(&mut self) -> Result<Uuid> {
        text_as(self, "uuid", "uuid", Uuid::parse)
    }

    /// Reads a name of an enum, and returns its index.
    fn variant(&mut self, names: &Enum) -> Result<usize> {
        let text = self.text()?;
        if let Some(index) = names.index_of(&text) {
            return Ok(index);
        }
        let error = Error::mismatch(crate::ErrorKind::Constraint, names.names(), excerpt::name(&text));
        Err(error.at(self.position()))
    }

    /// Finds the variant of a tagged union and moves to its content. Then the caller reads the content by its shape,
    /// and [`chosen`](Self::chosen) leaves the variant. A variant without content has none to read. A repeated tag must
    /// have the same value, and the content beside a tag must not be repeated, since the first was passed on.
    ///
    /// For an untagged union, call it only on a source that [distinguishes its variants](Self::tells_variants).
    ///
    /// The tag may come late in the record: the source reads ahead and goes back. For other sources, the caller finds
    /// the variant of an untagged union with [`peek`](Self::peek), [`mark`](Self::mark) and [`reset`](Self::reset).
    fn choose(&mut self, union: &Union) -> Result<usize> {
        let mark = self.mark();
        match union.tag() {
            Tag::Field(tag) => {
                let index = choose_by_field(self, union, tag)?;
                self.reset(mark);
                Ok(index)
            }
            Tag::Key => {
                if self.peek()? == Kind::Text {
                    let index = name_of(self, union)?;
                    // Text alone is a variant without content. Other variants need their content.
                    if union.variants()[index].is_empty() {
                        return Ok(index);
                    }
                    let found = format!("`{}` without its content", union.variants()[index].name());
                    return Err(Error::expected("a map of one key", found).at(self.position()));
                }
                self.map()?;
                if !self.entry()? {
                    return Err(Error::expected(union.names(), "an empty record").at(self.position()));
                }
                let index = name_of(self, union)?;
                self.value()?;
                if union.variants()[index].shape() == &crate::Shape::Null && !self.null()? {
                    return Err(self.mismatch("null"));
                }
                Ok(index)
            }
            Tag::Pair(pair) => {
                let tag = pair.fields()[0].key();
                let index = choose_by_field(self, union, tag)?;
                self.reset(mark);
                self.record(pair)?;
                let empty = union.variants()[index].shape() == &crate::Shape::Null;
                loop {
                    match self.field(pair, 1)? {
                        Some(0) => same_name(self, union, index)?,
                        Some(_) if !empty => return Ok(index),
                        Some(_) => self.skip()?,
                        None if empty => return Ok(index),
                        None => return Err(Error::missing(pair.fields()[1].key()).at(self.position())),
                    }
                }
            }
            Tag::None => Err(Error::new(crate::ErrorKind::Encode, "an untagged union has no tag to choose by")),
        }
    }

    /// Whether the format identifies the variant of an *untagged* union, as formats with numbered fields do. Then call
    /// [`choose`](Self::choose) for it.
    #[inline]
    fn tells_variants(&self) -> bool {
        false
    }

    /// Leaves the variant that [`choose`](Self::choose) entered. `boxed` is whether its content was inside a container
    /// (a map of one key) and not in place of the union.
    fn chosen(&mut self, union: &Union, index: usize, boxed: bool) -> Result<()> {
        match union.tag() {
            Tag::Key if boxed => {
                if self.entry()? {
                    self.peek()?; // the position is that of the key
                    return Err(Error::expected("one key", "another key").at(self.position()));
                }
                Ok(())
            }
            Tag::Pair(pair) if union.variants()[index].shape() != &crate::Shape::Null => {
                while let Some(field) = self.field(pair, 0)? {
                    if field == 1 {
                        let message = format!("the field `{}` stands here again", pair.fields()[1].key());
                        return Err(Error::new(crate::ErrorKind::Constraint, message).at(self.position()));
                    }
                    same_name(self, union, index)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn name_of<'a, S: Source<'a> + ?Sized>(source: &mut S, union: &Union) -> Result<usize> {
    let name = source.text()?;
    if let Some(index) = union.index_of(&name) {
        return Ok(index);
    }
    let found = excerpt::name(&name);
    Err(Error::mismatch(crate::ErrorKind::Constraint, union.names(), found).at(source.position()))
}

/// Reads a repeated tag. Another value is an error, since the variant would be ambiguous.
fn same_name<'a, S: Source<'a> + ?Sized>(source: &mut S, union: &Union, index: usize) -> Result<()> {
    if name_of(source, union)? == index {
        return Ok(());
    }
    Err(Error::new(crate::ErrorKind::Constraint, "the tag stands here again and differs").at(source.position()))
}

/// Reads ahead for the field with this key. In the usual case the tag is the first field, and nothing more is read. A
/// record with two tags is refused when its fields are read, since its tag's enum has only one name.
fn choose_by_field<'a, S: Source<'a> + ?Sized>(source: &mut S, union: &Union, tag: &str) -> Result<usize> {
    let mut found = None;
    source.map()?;
    while source.entry()? {
        let is_tag = *source.text()? == *tag;
        source.value()?;
        if is_tag {
            found = Some(name_of(source, union).map_err(|error| error.within_field(tag.to_string()))?);
            break;
        }
        source.skip()?;
    }
    found.ok_or_else(|| Error::missing(tag).at(source.position()))
}
