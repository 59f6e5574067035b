use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use crate::{Numbers, Record, Recorded, Result, Shaped, Sink};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// A **value** that can be written to any sink. Derive it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be encoded",
    note = "for your own types write `#[derive(demat::Encode)]`",
    note = "for types of other crates use `#[demat(with = \"module\")]` on the field, or a newtype"
)]
pub trait Encode: Shaped {
    /// Writes the value to a sink.
    ///
    /// # Errors
    /// The errors of the sink.
    fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> Result<()>;

    /// Writes values as items of the list that was begun last. Numbers override it, as sinks can write them at once.
    ///
    /// # Errors
    /// The errors of the sink, with the index of the item.
    #[doc(hidden)]
    #[inline]
    fn encode_items<K: Sink + ?Sized>(items: &[Self], sink: &mut K) -> Result<()>
    where
        Self: Sized,
    {
        for (index, item) in items.iter().enumerate() {
            sink.item()?;
            item.encode(sink).map_err(|error| error.within_item(index))?;
        }
        Ok(())
    }
}

/// A record that can write its fields into another one, as `#[demat(flatten)]` requires.
pub trait EncodeFields: Encode + Recorded {
    /// Writes the fields as those of `record` from index `first` on.
    ///
    /// # Errors
    /// The errors of the sink.
    fn encode_fields<K: Sink + ?Sized>(&self, record: &Record, first: usize, sink: &mut K) -> Result<()>;
}

macro_rules! encode_scalar {
    ($($type:ty: |$value:ident, $sink:ident| $told:expr;)*) => {$(
        impl Encode for $type {
            #[inline]
            fn encode<K: Sink + ?Sized>(&self, $sink: &mut K) -> Result<()> {
                let $value = self;
                $told
            }
        }
    )*};
}

macro_rules! encode_number {
    ($($type:ty: $kind:ident, |$value:ident, $sink:ident| $told:expr;)*) => {$(
        impl Encode for $type {
            #[inline]
            fn encode<K: Sink + ?Sized>(&self, $sink: &mut K) -> Result<()> {
                let $value = self;
                $told
            }

            #[inline]
            fn encode_items<K: Sink + ?Sized>(items: &[Self], sink: &mut K) -> Result<()> {
                sink.number_items(Numbers::$kind(items)).map_err(|(index, error)| error.within_item(index))
            }
        }
    )*};
}

encode_number! {
    i32: I32, |value, sink| sink.i64(i64::from(*value));
    i64: I64, |value, sink| sink.i64(*value);
    u32: U32, |value, sink| sink.i64(i64::from(*value));
    u64: U64, |value, sink| sink.u64(*value);
    f32: F32, |value, sink| sink.float32(*value);
    f64: F64, |value, sink| sink.float(*value);
}

encode_scalar! {
    bool: |value, sink| sink.bool(*value);
    i8: |value, sink| sink.i64(i64::from(*value));
    i16: |value, sink| sink.i64(i64::from(*value));
    i128: |value, sink| sink.int(&Int::from(*value));
    isize: |value, sink| sink.int(&Int::from(*value));
    u8: |value, sink| sink.i64(i64::from(*value));
    u16: |value, sink| sink.i64(i64::from(*value));
    u128: |value, sink| sink.int(&Int::from(*value));
    usize: |value, sink| sink.int(&Int::from(*value));
    str: |value, sink| sink.text(value);
    String: |value, sink| sink.text(value);
    char: |value, sink| sink.text(value.encode_utf8(&mut [0; 4]));
    (): |_value, sink| sink.null();
    Int<'_>: |value, sink| sink.int(value);
    Decimal<'_>: |value, sink| sink.decimal(value);
    Date: |value, sink| sink.date(*value);
    Time: |value, sink| sink.time(*value);
    DateTime: |value, sink| sink.date_time(*value);
    Instant: |value, sink| match value.split() {
        (at, Some(offset)) => sink.instant(at, offset),
        (at, None) => sink.date_time(at),
    };
    Duration: |value, sink| sink.duration(*value);
    Uuid: |value, sink| sink.uuid(*value);
    Cow<'_, [u8]>: |value, sink| sink.bytes(value);
    Cow<'_, str>: |value, sink| sink.text(value);
    &[u8]: |value, sink| sink.bytes(value);
    &str: |value, sink| sink.text(value);
}

macro_rules! encode_pointer {
    ($($pointer:ident)*) => {$(
        impl<T: Encode + ?Sized> Encode for $pointer<T> {
            #[inline]
            fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> Result<()> {
                (**self).encode(sink)
            }
        }
    )*};
}

encode_pointer! { Box Rc Arc }

impl<T: Encode> Encode for Option<T> {
    #[inline]
    fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> Result<()> {
        match self {
            Some(value) => value.encode(sink),
            None => sink.null(),
        }
    }
}

impl<T: Encode> Encode for Vec<T> {
    #[inline]
    fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> Result<()> {
        encode_list(self, sink)
    }
}

impl<T: Encode> Encode for [T] {
    #[inline]
    fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> Result<()> {
        encode_list(self, sink)
    }
}

impl<T: Encode, const N: usize> Encode for [T; N] {
    fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> Result<()> {
        encode_list(self, sink)
    }
}

/// Writes a list. An error has the index of the item.
#[inline]
fn encode_list<T: Encode, K: Sink + ?Sized>(items: &[T], sink: &mut K) -> Result<()> {
    sink.begin_list_of(T::SHAPE, Some(items.len()))?;
    T::encode_items(items, sink)?;
    sink.end_list()
}

macro_rules! encode_map {
    ($($map:ident<$key:ident, V $(, $hasher:ident)?>)*) => {$(
        impl<$key: Encode, V: Encode $(, $hasher)?> Encode for $map<$key, V $(, $hasher)?> {
            fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> Result<()> {
                sink.begin_map(Some(self.len()))?;
                for (key, value) in self {
                    sink.entry()?;
                    key.encode(sink)?;
                    sink.value()?;
                    value.encode(sink)?;
                }
                sink.end_map()
            }
        }
    )*};
}

encode_map! { HashMap<Key, V, H> BTreeMap<Key, V> }

macro_rules! encode_map_fields {
    ($($map:ident<V $(, $hasher:ident)?>)*) => {$(
        impl<V: Encode $(, $hasher)?> EncodeFields for $map<String, V $(, $hasher)?> {
            fn encode_fields<K: Sink + ?Sized>(&self, record: &Record, _: usize, sink: &mut K) -> Result<()> {
                for (key, value) in self {
                    sink.rest(record, key)?;
                    value.encode(sink).map_err(|error| error.within_field(key.clone()))?;
                }
                Ok(())
            }
        }
    )*};
}

encode_map_fields! { HashMap<V, H> BTreeMap<V> }

macro_rules! encode_tuple {
    ($($count:literal: $($type:ident $index:tt),+;)*) => {$(
        impl<$($type: Encode),+> Encode for ($($type,)+) {
            fn encode<Sinked: Sink + ?Sized>(&self, sink: &mut Sinked) -> Result<()> {
                sink.begin_list(Some($count))?;
                $(
                    sink.item()?;
                    self.$index.encode(sink).map_err(|error| error.within_item($index))?;
                )+
                sink.end_list()
            }
        }
    )*};
}

encode_tuple! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
    7: A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    9: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    10: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
    11: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, L 10;
    12: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, L 10, M 11;
}
