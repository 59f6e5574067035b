//! Sink adapter that passes whole records to a host's validator.

use crate::scalar::{Date, Decimal, Duration, Instant, Int, Time, Uuid};
use crate::{Copier, Enum, Record, Result, Shape, Sink, Union, Value, ValueSink, ValueSource};
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
        copy_value(&record, &self.shape, &mut self.inner)
    }
}

/// Copies a value of a shape to the sink without calling `finish`.
fn copy_value(value: &Value, shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
    let mut source = ValueSource::new(value);
    let mut copier = Copier::new(shape.clone());
    copier.begin(&source);
    copier.run_all(&mut source, &mut Within(sink))
}

/// Sink wrapper that forwards everything except the end.
struct Within<'s>(&'s mut dyn Sink);

macro_rules! within {
    ($($told:ident($($value:ident: $type:ty),*);)*) => {$(
        fn $told(&mut self, $($value: $type),*) -> Result<()> {
            self.0.$told($($value),*)
        }
    )*};
}

impl Sink for Within<'_> {
    within! {
        null();
        bool(value: bool);
        int(value: &Int<'_>);
        float(value: f64);
        float32(value: f32);
        text(value: &str);
        bytes(value: &[u8]);
        decimal(value: &Decimal<'_>);
        date(value: Date);
        time(value: Time);
        instant(value: Instant);
        duration(value: Duration);
        uuid(value: Uuid);
        variant(names: &Enum, index: usize);
        begin_list(len: Option<usize>);
        begin_list_of(item: &Shape, len: Option<usize>);
        item();
        end_list();
        begin_map(len: Option<usize>);
        entry();
        value();
        end_map();
        begin_record(record: &Record);
        field(record: &Record, index: usize);
        rest(record: &Record, key: &str);
        end_record(record: &Record);
        begin_variant(union: &Union, index: usize);
        end_variant(union: &Union, index: usize);
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

macro_rules! gather {
    ($($told:ident($($value:ident: $type:ty),*) $how:ident $change:expr;)*) => {$(
        fn $told(&mut self, $($value: $type),*) -> Result<()> {
            gather!(@$how self, $change, |sink: &mut ValueSink| sink.$told($($value),*))
        }
    )*};
    (@scalar $self:ident, $change:expr, $tell:expr) => { $self.scalar($tell) };
    (@part $self:ident, $change:expr, $tell:expr) => { $self.part($change, $tell) };
    (@end $self:ident, $change:expr, $tell:expr) => {{
        $self.part($change, $tell)?;
        $self.ended()
    }};
}

impl<K: Sink> Sink for Validated<'_, K> {
    gather! {
        null() scalar 0;
        bool(value: bool) scalar 0;
        int(value: &Int<'_>) scalar 0;
        float(value: f64) scalar 0;
        text(value: &str) scalar 0;
        bytes(value: &[u8]) scalar 0;
        decimal(value: &Decimal<'_>) scalar 0;
        date(value: Date) scalar 0;
        time(value: Time) scalar 0;
        instant(value: Instant) scalar 0;
        duration(value: Duration) scalar 0;
        uuid(value: Uuid) scalar 0;
        variant(names: &Enum, index: usize) scalar 0;
        begin_map(len: Option<usize>) part 1;
        entry() part 0;
        value() part 0;
        end_map() end -1;
        begin_record(record: &Record) part 1;
        field(record: &Record, index: usize) part 0;
        rest(record: &Record, key: &str) part 0;
        end_record(record: &Record) end -1;
        begin_variant(union: &Union, index: usize) part 1;
        end_variant(union: &Union, index: usize) end -1;
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
