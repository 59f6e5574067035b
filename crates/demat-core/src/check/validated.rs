//! Sink adapter that passes whole records to a host's validator.

use crate::{Record, Result, Shape, Sink, Union, Value, ValueSink, ValueSource, copy_any, forward};
use core::fmt;

/// Validation of whole records that only the host can run: constructors, hooks, its own validators.
pub trait Validator: Send + Sync {
    /// Returns the record as the host's class makes it, with defaults for missing fields.
    ///
    /// # Errors
    /// If the class refuses the record.
    fn validated(&self, record: Value) -> Result<Value>;
}

/// Sink adapter that collects each record, validates it, and writes the result to a sink. Records are the items of the
/// outermost list, or the whole value if that is not a list.
pub struct Validated<'v, K> {
    inner: K,
    validator: &'v dyn Validator,
    /// Shape of a record.
    shape: Shape,
    /// The record collected so far, and its nesting depth.
    gathered: Option<ValueSink>,
    depth: usize,
    /// Whether the outermost list is open.
    listed: bool,
    /// `listed` and `depth` at the last commit.
    saved: (bool, usize),
}

impl<'v, K: Sink> Validated<'v, K> {
    /// Wraps a sink. `shape` is that of a record or of a list of records.
    pub fn new(inner: K, shape: &Shape, validator: &'v dyn Validator) -> Self {
        let shape = match shape {
            Shape::List(item) => (**item).clone(),
            other => other.clone(),
        };
        Self { inner, validator, shape, gathered: None, depth: 0, listed: false, saved: (false, 0) }
    }

    fn part(&mut self, change: isize, tell: impl FnOnce(&mut ValueSink) -> Result<()>) -> Result<()> {
        tell(self.gathered.get_or_insert_with(ValueSink::default))?;
        self.depth = self.depth.saturating_add_signed(change);
        Ok(())
    }

    fn scalar(&mut self, tell: impl FnOnce(&mut ValueSink) -> Result<()>) -> Result<()> {
        self.part(0, tell)?;
        self.ended()
    }

    /// Validates and writes the collected record once it is complete.
    fn ended(&mut self) -> Result<()> {
        if self.depth > 0 {
            return Ok(());
        }
        let Some(gathered) = self.gathered.take() else { return Ok(()) };
        let record = self.validator.validated(gathered.whole())?;
        copy_any(&mut ValueSource::new(&record), &self.shape, &mut Within(&mut self.inner))
    }
}

/// Sink wrapper that forwards everything except the end.
struct Within<'s>(&'s mut dyn Sink);

impl Sink for Within<'_> {
    forward! { self => self.0; scalars containers begin_list_of }

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

impl<K: Sink> Sink for Validated<'_, K> {
    forward! { self by scalar; scalars }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.part(1, |sink| sink.begin_map(len))
    }

    fn entry(&mut self) -> Result<()> {
        self.part(0, Sink::entry)
    }

    fn value(&mut self) -> Result<()> {
        self.part(0, Sink::value)
    }

    fn end_map(&mut self) -> Result<()> {
        self.part(-1, Sink::end_map)?;
        self.ended()
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.part(1, |sink| sink.begin_record(record))
    }

    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        self.part(0, |sink| sink.field(record, index))
    }

    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        self.part(0, |sink| sink.rest(record, key))
    }

    fn end_record(&mut self, record: &Record) -> Result<()> {
        self.part(-1, |sink| sink.end_record(record))?;
        self.ended()
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.part(1, |sink| sink.begin_variant(union, index))
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.part(-1, |sink| sink.end_variant(union, index))?;
        self.ended()
    }

    fn begin(&mut self, shape: &Shape) -> Result<()> {
        self.inner.begin(shape)
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        if self.depth == 0 && !self.listed && !matches!(self.shape, Shape::List(_)) {
            self.listed = true;
            return self.inner.begin_list_of(&self.shape.clone(), len);
        }
        self.part(1, |sink| sink.begin_list(len))
    }

    fn item(&mut self) -> Result<()> {
        if self.depth == 0 { self.inner.item() } else { self.part(0, Sink::item) }
    }

    fn end_list(&mut self) -> Result<()> {
        if self.depth == 0 {
            self.listed = false;
            return self.inner.end_list();
        }
        self.part(-1, Sink::end_list)?;
        self.ended()
    }

    fn commit(&mut self) -> Result<()> {
        self.saved = (self.listed, self.depth);
        match &mut self.gathered {
            // A large record may be committed in several units.
            Some(gathered) => gathered.commit(),
            None => self.inner.commit(),
        }
    }

    fn rollback(&mut self) -> Result<()> {
        (self.listed, self.depth) = self.saved;
        match &mut self.gathered {
            Some(gathered) if self.depth > 0 => gathered.rollback(),
            _ => {
                self.gathered = None;
                self.inner.rollback()
            }
        }
    }

    fn finish(&mut self) -> Result<()> {
        self.inner.finish()
    }
}

impl<K: fmt::Debug> fmt::Debug for Validated<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validated").field("inner", &self.inner).field("shape", &self.shape).finish_non_exhaustive()
    }
}
