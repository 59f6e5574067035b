//! `Sink` for references to sinks.

use crate::scalar::{Date, Decimal, Duration, Instant, Int, Time, Uuid};
use crate::{Enum, QuotedKey, Record, Result, Shape, Sink, Token, Union};

macro_rules! forward {
    ($($told:ident($($value:ident: $type:ty),*) -> $answer:ty;)*) => {$(
        #[inline]
        fn $told(&mut self, $($value: $type),*) -> $answer {
            (**self).$told($($value),*)
        }
    )*};
}

impl<S: Sink + ?Sized> Sink for &mut S {
    forward! {
        null() -> Result<()>;
        bool(value: bool) -> Result<()>;
        int(value: &Int<'_>) -> Result<()>;
        i64(value: i64) -> Result<()>;
        u64(value: u64) -> Result<()>;
        float(value: f64) -> Result<()>;
        float32(value: f32) -> Result<()>;
        text(value: &str) -> Result<()>;
        bytes(value: &[u8]) -> Result<()>;
        decimal(value: &Decimal<'_>) -> Result<()>;
        date(value: Date) -> Result<()>;
        time(value: Time) -> Result<()>;
        instant(value: Instant) -> Result<()>;
        duration(value: Duration) -> Result<()>;
        uuid(value: Uuid) -> Result<()>;
        variant(names: &Enum, index: usize) -> Result<()>;
        begin(shape: &Shape) -> Result<()>;
        as_is(format: &str, bytes: &[u8]) -> Result<bool>;
        begin_list(len: Option<usize>) -> Result<()>;
        begin_list_of(item: &Shape, len: Option<usize>) -> Result<()>;
        item() -> Result<()>;
        end_list() -> Result<()>;
        empty_list() -> Result<()>;
        begin_map(len: Option<usize>) -> Result<()>;
        entry() -> Result<()>;
        value() -> Result<()>;
        end_map() -> Result<()>;
        empty_map() -> Result<()>;
        key(key: &str) -> Result<()>;
        key_with(key: &str, token: &Token) -> Result<()>;
        key_quoted(key: &str, quoted: &QuotedKey) -> Result<()>;
        begin_record(record: &Record) -> Result<()>;
        field(record: &Record, index: usize) -> Result<()>;
        rest(record: &Record, key: &str) -> Result<()>;
        end_record(record: &Record) -> Result<()>;
        begin_variant(union: &Union, index: usize) -> Result<()>;
        end_variant(union: &Union, index: usize) -> Result<()>;
        commit() -> Result<()>;
        rollback() -> Result<()>;
        finish() -> Result<()>;
    }
}
