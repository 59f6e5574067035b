//! A sink that enforces a shape's checks.

use super::bound::Scalar;
use super::checks::Checks;
use super::walk::Walk;
use crate::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use crate::{Enum, KeyPattern, Kind, QuotedKey, Record, Result, Shape, Sink, Union};
use std::sync::Arc;

/// Sink adapter that enforces a shape's checks: it refuses a value that fails one, and passes the others on.
///
/// It checks scalars one by one, and a length when its list or map ends. A shape without checks ([`Checks::of`] returns
/// `None`) needs no such sink.
#[derive(Debug)]
pub struct Checked<K> {
    inner: K,
    walk: Walk,
}

impl<K> Checked<K> {
    /// Wraps a sink that receives one value of the shape that the checks were compiled from.
    pub fn new(inner: K, checks: Arc<Checks>) -> Self {
        Self { inner, walk: Walk::new(checks) }
    }

    /// Returns the wrapped sink.
    pub fn inner(&mut self) -> &mut K {
        &mut self.inner
    }

    /// Unwraps the sink.
    pub fn into_inner(self) -> K {
        self.inner
    }
}

macro_rules! scalars {
    ($($told:ident($value:ident: $type:ty) as $scalar:expr;)*) => {$(
        #[inline]
        fn $told(&mut self, $value: $type) -> Result<()> {
            self.walk.scalar($scalar)?;
            self.inner.$told($value)
        }
    )*};
}

impl<K: Sink> Sink for Checked<K> {
    scalars! {
        bool(value: bool) as Scalar::Bool(value);
        int(value: &Int<'_>) as Scalar::Int(value);
        i64(value: i64) as Scalar::I64(value);
        u64(value: u64) as Scalar::Int(&Int::from(value));
        float(value: f64) as Scalar::Float(value);
        float32(value: f32) as Scalar::Float(f64::from(value));
        text(value: &str) as Scalar::Text(value);
        bytes(value: &[u8]) as Scalar::Bytes(value);
        decimal(value: &Decimal<'_>) as Scalar::Decimal(value);
        date(value: Date) as Scalar::Date(value);
        time(value: Time) as Scalar::Time(value);
        date_time(value: DateTime) as Scalar::DateTime(value);
        duration(value: Duration) as Scalar::Duration(value);
        uuid(value: Uuid) as Scalar::Uuid;
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.walk.scalar(Scalar::Instant(at.with_offset(offset)))?;
        self.inner.instant(at, offset)
    }

    #[inline]
    fn null(&mut self) -> Result<()> {
        self.walk.scalar(Scalar::Null)?;
        self.inner.null()
    }

    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        self.walk.scalar(Scalar::Text(names.name_at(index)))?;
        self.inner.variant(names, index)
    }

    fn begin(&mut self, shape: &Shape) -> Result<()> {
        self.inner.begin(shape)
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.walk.begin(Kind::List)?;
        self.inner.begin_list(len)
    }

    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        self.walk.begin(Kind::List)?;
        self.inner.begin_list_of(item, len)
    }

    #[inline]
    fn item(&mut self) -> Result<()> {
        self.walk.item();
        self.inner.item()
    }

    fn end_list(&mut self) -> Result<()> {
        self.walk.end()?;
        self.inner.end_list()
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.walk.begin(Kind::Map)?;
        self.inner.begin_map(len)
    }

    fn entry(&mut self) -> Result<()> {
        self.walk.entry();
        self.inner.entry()
    }

    fn value(&mut self) -> Result<()> {
        self.walk.value();
        self.inner.value()
    }

    fn end_map(&mut self) -> Result<()> {
        self.walk.end()?;
        self.inner.end_map()
    }

    fn key(&mut self, key: &str) -> Result<()> {
        self.walk.key(key)?;
        self.inner.key(key)
    }

    fn key_with(&mut self, key: &str, token: &KeyPattern) -> Result<()> {
        self.walk.key(key)?;
        self.inner.key_with(key, token)
    }

    fn key_quoted(&mut self, key: &str, quoted: &QuotedKey) -> Result<()> {
        self.walk.key(key)?;
        self.inner.key_quoted(key, quoted)
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.walk.begin(Kind::Map)?;
        self.inner.begin_record(record)
    }

    #[inline]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        self.walk.field(record, index)?;
        self.inner.field(record, index)
    }

    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        self.walk.key(key)?;
        self.inner.rest(record, key)
    }

    fn end_record(&mut self, record: &Record) -> Result<()> {
        self.walk.end()?;
        self.inner.end_record(record)
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.walk.variant(union, index);
        self.inner.begin_variant(union, index)
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.inner.end_variant(union, index)
    }

    fn commit(&mut self) -> Result<()> {
        self.walk.commit();
        self.inner.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        self.walk.rollback();
        self.inner.rollback()
    }

    fn finish(&mut self) -> Result<()> {
        self.inner.finish()
    }
}
