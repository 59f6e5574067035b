mod source;
#[cfg(test)]
mod tests;

pub use source::ValueSource;

use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Offset, Time, Uuid};
use crate::{Copier, Decode, Encode, Error, Kind, Result, Shape, Shaped, Sink, Source};
use std::borrow::Cow;

/// A value of any kind, for hosts without types.
///
/// Demat never uses it between a source and a sink. A map keeps the order of its entries; decoded from text with a
/// repeated key, it has the last value. It nests at most 1,024 levels, since dropping a deeper one could overflow a
/// small stack. Copy deeper documents instead.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // each variant is its kind
pub enum Value {
    Null,
    Bool(bool),
    Int(Int<'static>),
    Float(f64),
    Text(Cow<'static, str>),
    Bytes(Cow<'static, [u8]>),
    Decimal(Decimal<'static>),
    Date(Date),
    Time(Time),
    DateTime(DateTime),
    Instant(DateTime, Offset),
    Duration(Duration),
    Uuid(Uuid),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

impl Value {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Bool(_) => Kind::Bool,
            Self::Int(_) => Kind::Int,
            Self::Float(_) => Kind::Float,
            Self::Text(_) => Kind::Text,
            Self::Bytes(_) => Kind::Bytes,
            Self::Decimal(_) => Kind::Decimal,
            Self::Date(_) => Kind::Date,
            Self::Time(_) => Kind::Time,
            Self::DateTime(_) => Kind::DateTime,
            Self::Instant(..) => Kind::Instant,
            Self::Duration(_) => Kind::Duration,
            Self::Uuid(_) => Kind::Uuid,
            Self::List(_) => Kind::List,
            Self::Map(_) => Kind::Map,
        }
    }

    /// Returns the value of a text key in a map.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Map(entries) = self else { return None };
        entries.iter().rev().find(|(own, _)| matches!(own, Self::Text(own) if own == key)).map(|(_, value)| value)
    }

    /// Decodes a value by a shape: dates become dates, and only ints are whole numbers.
    ///
    /// # Errors
    /// The errors of the source.
    pub fn decode_as<'a, S: Source<'a> + ?Sized>(source: &mut S, shape: &Shape) -> Result<Self> {
        let mut builder = ValueSink::default();
        let mut copier = Copier::new(shape.clone());
        copier.begin(source);
        // One instance for all sinks, since its speed does not matter.
        copier.run_all(source, &mut builder as &mut dyn Sink)?;
        Ok(builder.whole())
    }

    /// Encodes a value, and returns the result as an untyped receiver sees it.
    ///
    /// ```
    /// use demat_core::Value;
    /// assert_eq!(Value::of(&vec![true])?, Value::List(vec![Value::Bool(true)]));
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a part can't be encoded.
    pub fn of<T: Encode + ?Sized>(value: &T) -> Result<Self> {
        let mut builder = ValueSink::default();
        value.encode(&mut builder)?;
        Ok(builder.whole())
    }

    /// Builds a value from a function's calls to a sink.
    ///
    /// ```
    /// use demat_core::Value;
    /// assert_eq!(Value::build(|sink| sink.bool(true))?, Value::Bool(true));
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of the function.
    pub fn build(tell: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<Self> {
        let mut builder = ValueSink::default();
        tell(&mut builder)?;
        Ok(builder.whole())
    }

    /// Decodes a type from this value. The result may borrow from it.
    ///
    /// ```
    /// use demat_core::Value;
    /// let pair: (&str, u8) = Value::List(vec![Value::Text("a".into()), Value::Int(7.into())]).to()?;
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the value does not have the type's shape.
    pub fn to<'a, T: Decode<'a>>(&'a self) -> Result<T> {
        let mut source = ValueSource::new(self);
        let decoded = T::decode(&mut source)?;
        source.end()?;
        Ok(decoded)
    }
}

impl From<Instant> for Value {
    fn from(instant: Instant) -> Self {
        match instant.split() {
            (at, Some(offset)) => Self::Instant(at, offset),
            (at, None) => Self::DateTime(at),
        }
    }
}

impl Shaped for Value {
    const SHAPE: &'static Shape = &Shape::Any;
}

impl<'a> Decode<'a> for Value {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        Self::decode_as(source, &Shape::Any)
    }
}

impl Encode for Value {
    fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> Result<()> {
        match self {
            Self::Null => sink.null(),
            Self::Bool(value) => sink.bool(*value),
            Self::Int(value) => sink.int(value),
            Self::Float(value) => sink.float(*value),
            Self::Text(value) => sink.text(value),
            Self::Bytes(value) => sink.bytes(value),
            Self::Decimal(value) => sink.decimal(value),
            Self::Date(value) => sink.date(*value),
            Self::Time(value) => sink.time(*value),
            Self::DateTime(value) => sink.date_time(*value),
            Self::Instant(at, offset) => sink.instant(*at, *offset),
            Self::Duration(value) => sink.duration(*value),
            Self::Uuid(value) => sink.uuid(*value),
            Self::List(_) | Self::Map(_) => tell_nested(self, sink),
        }
    }
}

/// The remaining children of an open list or map.
enum Rest<'v> {
    List(core::slice::Iter<'v, Value>, usize),
    Map(core::slice::Iter<'v, (Value, Value)>, &'v Value),
}

/// Writes a list or map. It has its own stack, so that only the sink limits the depth.
fn tell_nested<K: Sink + ?Sized>(value: &Value, sink: &mut K) -> Result<()> {
    let mut open: Vec<Rest<'_>> = Vec::new();
    let mut next = Some(value);
    loop {
        let told = match next.take() {
            Some(Value::List(items)) => {
                sink.begin_list(Some(items.len())).map(|()| open.push(Rest::List(items.iter(), items.len())))
            }
            Some(Value::Map(entries)) => {
                sink.begin_map(Some(entries.len())).map(|()| open.push(Rest::Map(entries.iter(), &Value::Null)))
            }
            Some(scalar) => scalar.encode(sink),
            None => Ok(()),
        };
        if let Err(error) = told {
            return Err(within(&open, error));
        }
        let Some(rest) = open.last_mut() else { return Ok(()) };
        next = match rest {
            Rest::List(items, _) => match items.next() {
                Some(item) => {
                    sink.item()?;
                    Some(item)
                }
                None => None,
            },
            Rest::Map(entries, current) => match entries.next() {
                Some((key, value)) => {
                    *current = key;
                    if let Value::Text(key) = key {
                        sink.key(key)?;
                    } else {
                        sink.entry()?;
                        // A key must be a scalar; the sink refuses any other.
                        key.encode(sink)?;
                        sink.value()?;
                    }
                    Some(value)
                }
                None => None,
            },
        };
        if next.is_none() {
            match open.pop() {
                Some(Rest::List(..)) => sink.end_list()?,
                _ => sink.end_map()?,
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }
}

/// Adds the path to an error.
#[cold]
fn within(open: &[Rest<'_>], error: Error) -> Error {
    open.iter().rev().fold(error, |error, rest| match rest {
        Rest::List(items, len) => error.within_item((len - items.len()).saturating_sub(1)),
        Rest::Map(_, Value::Text(key)) => error.within_field(key.to_string()),
        Rest::Map(_, Value::Int(key)) => error.within_field(key.to_string()),
        Rest::Map(..) => error,
    })
}

/// A sink that builds values. It has its own stack, so that depth uses heap memory and not the call stack.
#[derive(Debug, Default)]
pub struct ValueSink {
    open: Vec<Open>,
    /// The parts of the open lists and maps, outermost first, keys and values alternating. When a container ends, its
    /// parts are counted, and it gets exactly as much memory as it needs.
    parts: Vec<Value>,
    /// The numbers of open containers and of parts at the last commit.
    committed: (usize, usize),
    /// The containers that were open then and have ended since, the last one last.
    ended: Vec<Open>,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    is_map: bool,
    /// The index of its first part.
    start: usize,
}

/// The maximum nesting depth.
const DEEPEST: usize = 1024;

impl ValueSink {
    /// Returns the value that was written; null if none was.
    pub fn whole(mut self) -> Value {
        self.parts.pop().unwrap_or(Value::Null)
    }

    fn begin(&mut self, is_map: bool) -> Result<()> {
        if self.open.len() == DEEPEST {
            return Err(Error::limit("the depth of nesting of a value", DEEPEST));
        }
        self.open.push(Open { is_map, start: self.parts.len() });
        Ok(())
    }

    #[allow(clippy::unnecessary_wraps)] // it implements a method of the sink
    #[inline]
    fn put(&mut self, value: Value) -> Result<()> {
        self.parts.push(value);
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        let Some(open @ Open { is_map, start }) = self.open.pop() else { return Ok(()) };
        if self.open.len() < self.committed.0 {
            self.committed.0 = self.open.len();
            self.ended.push(open);
        }
        let mut parts = self.parts.drain(start..);
        let value = if is_map {
            let mut entries = Vec::with_capacity(parts.len() / 2);
            while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                entries.push((key, value));
            }
            Value::Map(entries)
        } else {
            Value::List(parts.by_ref().collect())
        };
        drop(parts);
        self.put(value)
    }

    /// Reopens a list or map that has ended.
    fn reopen(&mut self, open: Open) {
        self.parts.truncate(open.start + 1);
        match self.parts.pop() {
            Some(Value::List(items)) => self.parts.extend(items),
            Some(Value::Map(entries)) => self.parts.extend(entries.into_iter().flat_map(|(key, value)| [key, value])),
            other => self.parts.extend(other),
        }
        self.open.push(open);
    }
}

impl Sink for ValueSink {
    fn null(&mut self) -> Result<()> {
        self.put(Value::Null)
    }
    fn bool(&mut self, value: bool) -> Result<()> {
        self.put(Value::Bool(value))
    }
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.put(Value::Int(value.clone().into_owned()))
    }
    fn float(&mut self, value: f64) -> Result<()> {
        self.put(Value::Float(value))
    }
    fn text(&mut self, value: &str) -> Result<()> {
        self.put(Value::Text(Cow::Owned(value.to_string())))
    }
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.put(Value::Bytes(Cow::Owned(value.to_vec())))
    }
    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.put(Value::Decimal(value.clone().into_owned()))
    }
    fn date(&mut self, value: Date) -> Result<()> {
        self.put(Value::Date(value))
    }
    fn time(&mut self, value: Time) -> Result<()> {
        self.put(Value::Time(value))
    }
    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.put(Value::DateTime(at))
    }
    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.put(Value::Instant(at, offset))
    }
    fn duration(&mut self, value: Duration) -> Result<()> {
        self.put(Value::Duration(value))
    }
    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.put(Value::Uuid(value))
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.begin(false)
    }
    fn item(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_list(&mut self) -> Result<()> {
        self.close()
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.begin(true)
    }
    fn entry(&mut self) -> Result<()> {
        Ok(())
    }
    fn value(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_map(&mut self) -> Result<()> {
        self.close()
    }
    fn commit(&mut self) -> Result<()> {
        self.committed = (self.open.len(), self.parts.len());
        self.ended.clear();
        Ok(())
    }
    fn rollback(&mut self) -> Result<()> {
        self.open.truncate(self.committed.0);
        while let Some(open) = self.ended.pop() {
            self.reopen(open);
        }
        self.committed.0 = self.open.len();
        self.parts.truncate(self.committed.1);
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
