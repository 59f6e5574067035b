//! `Source` for references to sources and for boxes with one.

use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use crate::{
    Basic, Enum, Error, KeyPattern, Kind, Mark, Next, NumbersInto, Position, Record, Result, Shape, Source, Text,
    Token, Union, Wanted,
};
use std::borrow::Cow;

/// Writes methods that forward to another source.
macro_rules! forward_source {
    ($self:ident => $source:expr; $($name:ident($($value:ident: $type:ty),*) -> $answer:ty;)*) => {
        $(
            #[inline]
            fn $name(&mut $self, $($value: $type),*) -> $answer {
                $source.$name($($value),*)
            }
        )*
    };
}
pub(crate) use forward_source;

macro_rules! impl_source {
    ($($pointer:ty),*) => {
        $(
            impl<'a, S: Source<'a> + ?Sized> Source<'a> for $pointer {
                forward_source! { self => (**self);
                    peek() -> Result<Kind>;
                    null() -> Result<bool>;
                    bool() -> Result<bool>;
                    int() -> Result<Int<'a>>;
                    i64() -> Result<i64>;
                    try_i64() -> Result<Option<i64>>;
                    int_bytes() -> Result<Option<(Cow<'a, [u8]>, bool)>>;
                    u64() -> Result<u64>;
                    number_items(into: NumbersInto<'_>) -> Result<()>;
                    float() -> Result<f64>;
                    float32() -> Result<f32>;
                    text() -> Result<Text<'a, '_>>;
                    bytes() -> Result<Cow<'a, [u8]>>;
                    decimal() -> Result<Decimal<'a>>;
                    date() -> Result<Date>;
                    time() -> Result<Time>;
                    date_time() -> Result<DateTime>;
                    instant() -> Result<Instant>;
                    duration() -> Result<Duration>;
                    uuid() -> Result<Uuid>;
                    variant(names: &Enum) -> Result<usize>;
                    stated() -> Result<Option<Shape>>;
                    take() -> Result<Token<'a, '_>>;
                    list() -> Result<Option<usize>>;
                    item() -> Result<bool>;
                    lists_records(record: Option<&Record>) -> Result<bool>;
                    elements() -> Result<()>;
                    item_is(name: &str) -> Result<bool>;
                    map() -> Result<Option<usize>>;
                    entry() -> Result<bool>;
                    key() -> Result<Option<Token<'a, '_>>>;
                    key_is(key: &str, token: &KeyPattern) -> bool;
                    value() -> Result<()>;
                    record(record: &Record) -> Result<()>;
                    field(record: &Record, expected: usize) -> Result<Option<usize>>;
                    choose(union: &Union) -> Result<usize>;
                    chosen(union: &Union, index: usize, boxed: bool) -> Result<()>;
                    skip() -> Result<()>;
                    span() -> Result<Cow<'a, [u8]>>;
                    reset(mark: Mark) -> ();
                    end() -> Result<()>;
                    repeated(key: &str) -> Result<()>;
                    no_records(record: &Record) -> Result<()>;
                    mismatch(expected: &'static str) -> Error;
                }

                #[inline]
                fn prefers_runs(&self) -> bool {
                    true
                }
                #[inline]
                fn field_run(
                    &mut self,
                    record: &Record,
                    expected: usize,
                    wanted: &[Wanted],
                    into: &mut [(usize, Basic<'a>)],
                ) -> Result<(usize, Next)> {
                    (**self).field_run(record, expected, wanted, into)
                }
                #[inline]
                fn item_run(&mut self, wanted: Wanted, into: &mut [Basic<'a>]) -> Result<(usize, Next)> {
                    (**self).item_run(wanted, into)
                }
                #[inline]
                fn mark(&self) -> Mark {
                    (**self).mark()
                }
                #[inline]
                fn position(&self) -> Position {
                    (**self).position()
                }
                #[inline]
                fn accepts_single(&self) -> bool {
                    (**self).accepts_single()
                }
                #[inline]
                fn tells_variants(&self) -> bool {
                    (**self).tells_variants()
                }
            }
        )*
    };
}

impl_source!(&mut S, Box<S>);
