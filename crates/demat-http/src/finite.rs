//! Replaces numbers that a format can't represent.

use demat_core::scalar::{Date, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Enum, Record, Result, Shape, Sink, Union};
use demat_store::Unrepresentable;

/// Sink adapter in front of a JSON sink: replaces numbers that are not finite by null or text, and counts them.
///
/// Tables replace values themselves and report which. This adapter is for all other stores.
pub(crate) struct Finite<'s> {
    sink: &'s mut dyn Sink,
    how: Unrepresentable,
    /// The number of replaced values.
    pub(crate) replaced: u64,
    committed: u64,
}

impl<'s> Finite<'s> {
    pub(crate) fn new(sink: &'s mut dyn Sink, how: Unrepresentable) -> Self {
        Self { sink, how, replaced: 0, committed: 0 }
    }

    #[cold]
    fn instead(&mut self, value: f64) -> Result<()> {
        self.replaced += 1;
        match self.how {
            Unrepresentable::Null => self.sink.null(),
            Unrepresentable::Text => self.sink.text(&value.to_string()),
            Unrepresentable::Refuse => self.sink.float(value),
        }
    }
}

/// Generates the methods that forward unchanged.
macro_rules! passed {
    ($($told:ident($($value:ident: $type:ty),*);)*) => {$(
        fn $told(&mut self, $($value: $type),*) -> Result<()> {
            self.sink.$told($($value),*)
        }
    )*};
}

impl Sink for Finite<'_> {
    fn float(&mut self, value: f64) -> Result<()> {
        if value.is_finite() { self.sink.float(value) } else { self.instead(value) }
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        if value.is_finite() { self.sink.float32(value) } else { self.instead(f64::from(value)) }
    }

    passed! {
        null();
        bool(value: bool);
        int(value: &Int<'_>);
        i64(value: i64);
        u64(value: u64);
        text(value: &str);
        bytes(value: &[u8]);
        decimal(value: &Decimal<'_>);
        date(value: Date);
        time(value: Time);
        instant(value: Instant);
        duration(value: Duration);
        uuid(value: Uuid);
        variant(names: &Enum, index: usize);
        begin(shape: &Shape);
        begin_list(len: Option<usize>);
        begin_list_of(item: &Shape, len: Option<usize>);
        item();
        end_list();
        begin_map(len: Option<usize>);
        entry();
        key(key: &str);
        value();
        end_map();
        begin_record(record: &Record);
        field(record: &Record, index: usize);
        rest(record: &Record, key: &str);
        end_record(record: &Record);
        begin_variant(union: &Union, index: usize);
        end_variant(union: &Union, index: usize);
        finish();
    }

    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        self.sink.as_is(format, bytes)
    }

    fn commit(&mut self) -> Result<()> {
        self.committed = self.replaced;
        self.sink.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        self.replaced = self.committed;
        self.sink.rollback()
    }
}
