use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid, base64};
use crate::{Enum, Error, KeyPattern, Kind, Mark, Position, Record, Result, Shape, Sink, Tag, Text, Token, Union};
use std::borrow::Cow;

/// A **place** that values come from, asked part by part.
///
/// The typed side asks ("an int, please") and the source answers or refuses; it never guesses. How to ask:
///
/// * a scalar: [`int`](Self::int), [`text`](Self::text), …; an optional value: [`null`](Self::null) first, which takes
///   a null if one stands there;
/// * a list: [`list`](Self::list), then for as long as [`item`](Self::item) is true, the item;
/// * a record: [`record`](Self::record), then for as long as [`field`](Self::field) names one, its value;
/// * a map: [`map`](Self::map), then for as long as [`entry`](Self::entry) is true, the key as a scalar,
///   [`value`](Self::value), and the value.
///
/// Every value that is offered must be asked for or [skipped](Self::skip). After an error a source stands nowhere
/// until it is [reset](Self::reset).
///
/// Nineteen methods are required; the others say in their own terms what these mean. A default is never a hint: a
/// source that overrides one gives the same answers, faster, or from a kind of value that its format has natively.
pub trait Source<'a> {
    /// The kind of the value that stands here, for readers without a shape. Consumes nothing.
    fn peek(&mut self) -> Result<Kind>;
    /// Takes a null if one stands here and says whether it did.
    fn null(&mut self) -> Result<bool>;
    /// Takes a bool.
    fn bool(&mut self) -> Result<bool>;
    /// Takes a whole number of any size.
    fn int(&mut self) -> Result<Int<'a>>;
    /// Takes a number as binary64, correctly rounded; refuses one that is too large for it.
    fn float(&mut self) -> Result<f64>;
    /// Takes text.
    fn text(&mut self) -> Result<Text<'a, '_>>;
    /// Steps into a list; says how many items it has where that is known beforehand (and checked against the bytes
    /// that are left).
    fn list(&mut self) -> Result<Option<usize>>;
    /// Steps to the next item of the list; false steps out of it.
    fn item(&mut self) -> Result<bool>;
    /// Steps into a map; says how many entries it has where that is known beforehand.
    fn map(&mut self) -> Result<Option<usize>>;
    /// Steps to the next key of the map; false steps out of it.
    fn entry(&mut self) -> Result<bool>;
    /// Steps from a key to its value.
    fn value(&mut self) -> Result<()>;
    /// Passes over a value, checking it as strictly as decoding would.
    fn skip(&mut self) -> Result<()>;
    /// Passes over a value and gives its bytes as they stand, for lazy records, replays and reject files.
    fn span(&mut self) -> Result<Cow<'a, [u8]>>;
    /// Where the source stands, to come back to within the same record.
    fn mark(&self) -> Mark;
    /// Goes back to a mark: of this record, or of a record that this one is inside of.
    fn reset(&mut self, mark: Mark);
    /// Where the value that was asked for last begins. May cost as much as the input read so far: for errors only.
    fn position(&self) -> Position;
    /// Checks that nothing follows the value that was read.
    fn end(&mut self) -> Result<()>;
    /// Called by a receiver that met a key (or field) again: fine where the last one wins, an error where the source
    /// was told to refuse that.
    fn repeated(&mut self, key: &str) -> Result<()>;
    /// Call it after reading a list of such records that was empty. It fails if the source declares fields anyway, as a
    /// table's header does, and they don't match the record.
    fn no_records(&mut self, _: &Record) -> Result<()> {
        Ok(())
    }
    /// Writes items of the list that it stands in to a sink, as long as it knows a faster way than to be asked for their
    /// values; `shape` is the list's. Each is committed. Returns how many: none, unless a source says otherwise.
    ///
    /// It stops at the end of the list, and before an item that is to be asked for, or that the sink refuses. That item is
    /// the next one, and what was written of it is rolled back.
    ///
    /// # Errors
    /// If the next item can't be found out; what the sink's `commit` and `rollback` return.
    fn write_items<K: Sink + ?Sized>(&mut self, shape: &Shape, sink: &mut K) -> Result<u64>
    where
        Self: Sized,
    {
        let _ = (shape, sink);
        Ok(0)
    }
    /// The error for a value of another kind than was asked for, at the value that stands here.
    fn mismatch(&mut self, expected: &'static str) -> Error;

    /// Takes what stands here and says what it is, for readers without a shape: [`peek`](Self::peek) and the question
    /// that follows from it, in one step. A list or map is stepped into. A key of a map is taken like any scalar.
    fn take(&mut self) -> Result<Token<'a, '_>> {
        Token::by_asking(self)
    }

    /// Steps to the next key of the map and takes it, mostly as text; nothing steps out of the map. As
    /// [`entry`](Self::entry) and [`take`](Self::take); [`value`](Self::value) follows.
    fn key(&mut self) -> Result<Option<Token<'a, '_>>> {
        if self.entry()? { self.take().map(Some) } else { Ok(None) }
    }

    /// Steps to the next key of the map and on to its value, if it is this one. `token` is the key's; the answer is a
    /// prediction that came true and no more: false says nothing about the next key, and nothing was stepped over.
    ///
    /// For readers without a shape who make something of each key: the maps of a document mostly have the keys of
    /// those before them, in the same order, and to compare one with what is expected is cheaper than to read it.
    #[inline]
    fn key_is(&mut self, key: &str, token: &KeyPattern) -> bool {
        let _ = (key, token);
        false
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

    /// Steps into a record.
    #[inline]
    fn record(&mut self, record: &Record) -> Result<()> {
        let _ = record;
        self.map().map(drop)
    }

    /// Steps to the next field of the record that is wanted and gives its index; nothing steps out of the record.
    ///
    /// `expected` is the index that the asker thinks comes next: a prediction and no more. Keys that the record does
    /// not have are dealt with as it [says](crate::Unknown); where it keeps them, the answer is the index of the
    /// field that keeps them and the source stands at the *key*, as after [`entry`](Self::entry).
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

    /// Takes a whole number that fits 64 bits with sign.
    #[inline]
    fn i64(&mut self) -> Result<i64> {
        let int = self.int()?;
        int.to_i64().ok_or_else(|| Error::expected("int64", int.to_string()).at(self.position()))
    }

    /// Takes a whole number that fits 64 bits without sign.
    #[inline]
    fn u64(&mut self) -> Result<u64> {
        let int = self.int()?;
        int.to_u64().ok_or_else(|| Error::expected("uint64", int.to_string()).at(self.position()))
    }

    /// Takes a number as binary32. The default rounds twice; sources of text override it.
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

    /// Takes bytes; from text, as base64 (RFC 4648, section 4).
    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        let decoded = base64::decode(&self.text()?);
        decoded.map(Cow::Owned).ok_or_else(|| Error::expected("`bytes` in base64", "other text").at(self.position()))
    }

    /// Takes an exact decimal number; from text, its digits.
    fn decimal(&mut self) -> Result<Decimal<'a>> {
        let decimal = match self.text()? {
            Text::Input(text) => Decimal::parse(text),
            Text::Scratch(text) => Decimal::parse(text).map(Decimal::into_owned),
        };
        decimal.ok_or_else(|| Error::expected("decimal", "other text").at(self.position()))
    }

    /// Takes a date; from text, as RFC 3339 `full-date`.
    fn date(&mut self) -> Result<Date> {
        let date = Date::parse(&self.text()?);
        date.ok_or_else(|| Error::expected("`date` as YYYY-MM-DD", "other text").at(self.position()))
    }

    /// Takes a time of day; from text, as RFC 3339 `partial-time`.
    fn time(&mut self) -> Result<Time> {
        let time = Time::parse(&self.text()?);
        time.ok_or_else(|| Error::expected("`time` as HH:MM:SS", "other text").at(self.position()))
    }

    /// Takes a date and time without an offset; from text, as RFC 3339 `full-date "T" partial-time`. One with an offset
    /// is refused.
    fn date_time(&mut self) -> Result<DateTime> {
        let text = self.text()?;
        if let Some(at) = DateTime::parse(&text) {
            return Ok(at);
        }
        let error = Error::no_date_time(&text);
        Err(error.at(self.position()))
    }

    /// Takes a date and time with its offset where that is known; from text, as RFC 3339, where the offset may be left
    /// out.
    fn instant(&mut self) -> Result<Instant> {
        let instant = Instant::parse(&self.text()?);
        instant.ok_or_else(|| Error::expected("`instant` as RFC 3339", "other text").at(self.position()))
    }

    /// Takes a span of time; from text, as ISO 8601 without years and months.
    fn duration(&mut self) -> Result<Duration> {
        let duration = Duration::parse(&self.text()?);
        duration.ok_or_else(|| Error::expected("`duration` as ISO 8601", "other text").at(self.position()))
    }

    /// Takes a UUID; from text, as hexadecimal digits.
    fn uuid(&mut self) -> Result<Uuid> {
        let uuid = Uuid::parse(&self.text()?);
        uuid.ok_or_else(|| Error::expected("uuid", "other text").at(self.position()))
    }

    /// Takes one of the names of an enum and gives its index.
    fn variant(&mut self, names: &Enum) -> Result<usize> {
        let text = self.text()?;
        if let Some(index) = names.index_of(&text) {
            return Ok(index);
        }
        let error = Error::mismatch(crate::ErrorKind::Constraint, names.names(), format!("`{}`", &*text));
        Err(error.at(self.position()))
    }

    /// Finds out which variant of a tagged union stands here and steps to its content; then the content is asked
    /// for by its shape, and [`chosen`](Self::chosen) steps out. A variant without content has none to ask for. A
    /// tag that is repeated must say the same again, and the content beside a tag must not be repeated: the first was
    /// passed on.
    ///
    /// Of an untagged union only a source that [tells its variants apart](Self::tells_variants) is asked.
    ///
    /// The tag may come late in the record: the source reads ahead and comes back. Of an untagged union the asker
    /// finds the variant, by [`peek`](Self::peek), [`mark`](Self::mark) and [`reset`](Self::reset).
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
                    // The text alone is a variant without content: of another, nothing could be asked for.
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

    /// Whether the place says which variant of an *untagged* union stands here, as places do whose fields have numbers: then
    /// [`choose`](Self::choose) is asked for it.
    #[inline]
    fn tells_variants(&self) -> bool {
        false
    }

    /// Steps out of the variant that [`choose`](Self::choose) stepped into; `boxed` is whether its content stood
    /// inside something (a map of one key) and not in place of the union.
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
    let found = format!("`{}`", &*name);
    Err(Error::mismatch(crate::ErrorKind::Constraint, union.names(), found).at(source.position()))
}

/// The tag in passing: were there another one that says something else, which one is meant would be anyone's guess.
fn same_name<'a, S: Source<'a> + ?Sized>(source: &mut S, union: &Union, index: usize) -> Result<()> {
    if name_of(source, union)? == index {
        return Ok(());
    }
    Err(Error::new(crate::ErrorKind::Constraint, "the tag stands here again and differs").at(source.position()))
}

/// Reads ahead for the field of this key. The usual case, the tag at the front, looks no further than that; a record
/// that has two of them is refused when its fields are read, since its tag can only be the one name.
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
