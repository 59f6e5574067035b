//! Values with a size limit.

use crate::collected::too_long;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Error, Result, Sink, Value, forward};

/// Builds a value, and returns it with its approximate size in bytes. Fails with a
/// [too long](crate::collected::is_too_long) error if that exceeds the limit.
pub(super) fn measured(limit: usize, tell: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<(Value, usize)> {
    let mut bytes = 0;
    let value = Value::build(|inner| {
        let mut own = Measured { inner, bytes: 0, limit };
        tell(&mut own)?;
        bytes = own.bytes;
        Ok(())
    })?;
    Ok((value, bytes))
}

/// A sink adapter that adds up the size of what it forwards.
struct Measured<'s> {
    inner: &'s mut dyn Sink,
    bytes: usize,
    limit: usize,
}

impl Measured<'_> {
    /// Counts one more value, with this many bytes of its own.
    fn count(&mut self, bytes: usize) -> Result<()> {
        self.bytes = self.bytes.saturating_add(bytes + size_of::<Value>());
        if self.bytes > self.limit { Err(Error::from(too_long())) } else { Ok(()) }
    }
}

macro_rules! counted {
    ($($name:ident($value:ident: $type:ty) $bytes:expr;)*) => {$(
        fn $name(&mut self, $value: $type) -> Result<()> {
            self.count($bytes)?;
            self.inner.$name($value)
        }
    )*};
}

impl Sink for Measured<'_> {
    counted! {
        bool(value: bool) 0;
        int(value: &Int<'_>) if value.to_i64().is_some() { 0 } else { value.to_string().len() };
        float(value: f64) 0;
        text(value: &str) value.len();
        bytes(value: &[u8]) value.len();
        decimal(value: &Decimal<'_>) value.as_str().len();
        date(value: Date) 0;
        time(value: Time) 0;
        date_time(at: DateTime) 0;
        duration(value: Duration) 0;
        uuid(value: Uuid) 0;
        begin_list(len: Option<usize>) 0;
        begin_map(len: Option<usize>) 0;
    }
    forward! { self => self.inner; item end_list entry value end_map marks }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.count(0)?;
        self.inner.instant(at, offset)
    }

    fn null(&mut self) -> Result<()> {
        self.count(0)?;
        self.inner.null()
    }
}
