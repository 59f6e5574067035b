use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use crate::text_as::text_as;
use crate::{
    Error, ErrorKind, Field, FloatWidth, IntWidth, Listed, NumbersInto, Record, Ref, Result, Shape, Source, Text,
    Unknown,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};
use std::rc::Rc;
use std::sync::Arc;

/// A type that has a shape. The shape is a constant, so it costs nothing at run time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no shape",
    note = "for your own types write `#[derive(demat::Encode, demat::Decode)]`; `Decode` gives the type its shape",
    note = "for a type that is only ever encoded write `#[derive(demat::Shaped, demat::Encode)]`"
)]
pub trait Shaped {
    /// The shape of the type's values.
    const SHAPE: &'static Shape;
}

/// A **value** that can be built from any source. Derive it.
///
/// | kind | types that implement it |
/// |---|---|
/// | bool, numbers | `bool`, all ints and floats, `NonZero`, [`Int`], [`Decimal`]; `rust_decimal::Decimal` |
/// | text | `String`, `&str`, `Cow<str>`, `Box<str>`, `Rc<str>`, `Arc<str>`, `char`, paths, network addresses |
/// | bytes | `&[u8]`, `Cow<[u8]>`; a `Vec<u8>` is a list of ints |
/// | lists | `Vec`, `VecDeque`, `[T; N]`, slices in `Box`, `Rc` and `Arc`, `HashSet`, `BTreeSet`; tuples of up to 12 |
/// | maps | `HashMap`, `BTreeMap` |
/// | dates and times | [`Date`], [`Time`], [`DateTime`], [`Instant`], [`Duration`]; `std::time`; `chrono`, `jiff` |
/// | others | `()` as null, `Option`, `Box`, `Rc`, `Arc`, [`Uuid`] and `uuid::Uuid` |
///
/// Types of other crates are features with the names of these.
///
/// `'a` is the lifetime of the input: a type that borrows from it (`&'b str`) implements `Decode<'a>` for every `'a`
/// that outlives its own `'b`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be decoded",
    note = "for your own types write `#[derive(demat::Decode)]`",
    note = "for types of other crates use `#[demat(with = \"module\")]` on the field, or a newtype"
)]
pub trait Decode<'a>: Shaped + Sized {
    /// Reads the value from a source.
    ///
    /// # Errors
    /// The errors of the source, with the path.
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self>;

    /// Appends items of the current list, as long as there is a faster way than one by one. Numbers override it.
    ///
    /// # Errors
    /// If the next item can't be determined.
    #[doc(hidden)]
    #[inline]
    fn decode_items<S: Source<'a> + ?Sized>(source: &mut S, items: &mut Vec<Self>) -> Result<()> {
        let _ = (source, items);
        Ok(())
    }

    /// Returns the value of a field that is absent from a record; an option is `None` then.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint), for types without such a value.
    fn missing(key: &str) -> Result<Self> {
        Err(Error::missing(key))
    }
}

/// A type whose values can be the fields of a record. Derived along with [`Shaped`] for structs with named fields. Maps
/// from text implement it as records that keep every field.
#[diagnostic::on_unimplemented(
    message = "the fields of `{Self}` cannot be part of another record",
    note = "`#[demat(flatten)]` is for structs with named fields that derive `Decode`, and for maps from `String`"
)]
pub trait Recorded: Shaped {
    /// The number of fields: a constant, so that the indices of the fields behind them are constants, too.
    const COUNT: usize;

    /// The keys that are known at compile time, so that the derive can refuse to flatten records with a common key.
    #[doc(hidden)]
    const KEYS: &'static [crate::derived::Keys] = &[];

    /// The record.
    fn record() -> &'static Record;
}

/// A record that can be built field by field inside another one, as `#[demat(flatten)]` requires.
pub trait DecodeFields<'a>: Decode<'a> + Recorded {
    /// The fields decoded so far.
    type Parts: Default;

    /// Decodes the field with this index of [`record`](Recorded::record). If it is the field that
    /// [keeps](crate::Unknown::Keep) unknown ones, the source is at the key.
    ///
    /// # Errors
    /// As [`Decode::decode`].
    fn decode_field<S: Source<'a> + ?Sized>(parts: &mut Self::Parts, index: usize, source: &mut S) -> Result<()>;

    /// Builds the value after all fields of the input.
    ///
    /// # Errors
    /// If a required field is missing.
    fn finish(parts: Self::Parts) -> Result<Self>;
}

macro_rules! shaped {
    ($($type:ty: $shape:expr;)*) => {$(
        impl Shaped for $type {
            const SHAPE: &'static Shape = &$shape;
        }
    )*};
}

shaped! {
    bool: Shape::Bool;
    i8: Shape::Int(IntWidth::Signed(8));
    i16: Shape::Int(IntWidth::Signed(16));
    i32: Shape::Int(IntWidth::Signed(32));
    i64: Shape::Int(IntWidth::Signed(64));
    i128: Shape::Int(IntWidth::Signed(128));
    isize: Shape::Int(IntWidth::Signed(64));
    u8: Shape::Int(IntWidth::Unsigned(8));
    u16: Shape::Int(IntWidth::Unsigned(16));
    u32: Shape::Int(IntWidth::Unsigned(32));
    u64: Shape::Int(IntWidth::Unsigned(64));
    u128: Shape::Int(IntWidth::Unsigned(128));
    usize: Shape::Int(IntWidth::Unsigned(64));
    f32: Shape::Float(FloatWidth::F32);
    f64: Shape::Float(FloatWidth::F64);
    str: Shape::Text;
    String: Shape::Text;
    char: Shape::Text;
    (): Shape::Null;
    Int<'_>: Shape::Int(IntWidth::Any);
    Decimal<'_>: Shape::Decimal;
    Date: Shape::Date;
    Time: Shape::Time;
    DateTime: Shape::DateTime;
    Instant: Shape::Instant;
    Duration: Shape::Duration;
    Uuid: Shape::Uuid;
    Cow<'_, str>: Shape::Text;
    Cow<'_, [u8]>: Shape::Bytes;
    &str: Shape::Text;
    &[u8]: Shape::Bytes;
}

macro_rules! decode_scalar {
    ($($type:ty: |$source:ident| $decoded:expr;)*) => {$(
        impl<'a> Decode<'a> for $type {
            #[inline(always)]
            fn decode<S: Source<'a> + ?Sized>($source: &mut S) -> Result<Self> {
                $decoded
            }
        }
    )*};
}

decode_scalar! {
    bool: |source| source.bool();
    Date: |source| source.date();
    Time: |source| source.time();
    DateTime: |source| source.date_time();
    Instant: |source| source.instant();
    Duration: |source| source.duration();
    Uuid: |source| source.uuid();
    String: |source| source.text().map(|text| String::from(&*text));
}

macro_rules! decode_number {
    ($($type:ty: $kind:ident, $asked:ident;)*) => {$(
        impl<'a> Decode<'a> for $type {
            #[inline(always)]
            fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
                source.$asked()
            }

            #[inline(always)]
            fn decode_items<S: Source<'a> + ?Sized>(source: &mut S, items: &mut Vec<Self>) -> Result<()> {
                source.number_items(NumbersInto::$kind(items))
            }
        }
    )*};
}

decode_number! {
    i64: I64, i64;
    u64: U64, u64;
    f32: F32, float32;
    f64: F64, float;
}

macro_rules! decode_borrowed {
    ($($type:ty: |$source:ident| $decoded:expr;)*) => {$(
        impl<'a: 'b, 'b> Decode<'a> for $type {
            #[inline(always)]
            fn decode<S: Source<'a> + ?Sized>($source: &mut S) -> Result<Self> {
                $decoded
            }
        }
    )*};
}

decode_borrowed! {
    Int<'b>: |source| source.int();
    Decimal<'b>: |source| source.decimal();
    Cow<'b, str>: |source| source.text().map(Text::into_cow);
    Cow<'b, [u8]>: |source| source.bytes();
}

impl<'a: 'b, 'b> Decode<'a> for &'b str {
    #[inline(always)]
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        if let Text::Input(text) = source.text()? {
            return Ok(text);
        }
        let error = Error::expected("text without escapes, to borrow it", "text with escapes");
        Err(error.at(source.position()))
    }
}

impl<'a: 'b, 'b> Decode<'a> for &'b [u8] {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        if let Cow::Borrowed(bytes) = source.bytes()? {
            return Ok(bytes);
        }
        Err(Error::expected("bytes that can be borrowed", "`bytes` in base64").at(source.position()))
    }
}

impl<'a> Decode<'a> for char {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        text_as(source, "one character", "one character", |text| {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())
        })
    }
}

impl<'a> Decode<'a> for () {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        if source.null()? { Ok(()) } else { Err(source.mismatch("null")) }
    }
}

macro_rules! decode_int {
    ($($type:ty: $asked:ident, $name:literal $(, $kind:ident)?;)*) => {$(
        impl<'a> Decode<'a> for $type {
            #[inline(always)]
            fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
                let wide = source.$asked()?;
                Self::try_from(wide).map_err(|_| out_of_range($name, wide.to_string()).at(source.position()))
            }

            $(
                #[inline(always)]
                fn decode_items<S: Source<'a> + ?Sized>(source: &mut S, items: &mut Vec<Self>) -> Result<()> {
                    source.number_items(NumbersInto::$kind(items))
                }
            )?
        }
    )*};
}

decode_int! {
    i8: i64, "int8";
    i16: i64, "int16";
    i32: i64, "int32", I32;
    isize: i64, "int64";
    u8: u64, "uint8";
    u16: u64, "uint16";
    u32: u64, "uint32", U32;
    usize: u64, "uint64";
}

macro_rules! decode_wide_int {
    ($($type:ty: $to:ident, $name:literal;)*) => {$(
        impl<'a> Decode<'a> for $type {
            fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
                let int = source.int()?;
                int.$to().ok_or_else(|| out_of_range($name, int.to_string()).at(source.position()))
            }
        }
    )*};
}

decode_wide_int! {
    i128: to_i128, "int128";
    u128: to_u128, "uint128";
}

#[cold]
fn out_of_range(expected: &'static str, found: String) -> Error {
    Error::mismatch(ErrorKind::Constraint, expected, found)
}

macro_rules! decode_pointer {
    ($($pointer:ident)*) => {$(
        impl<T: Shaped + ?Sized> Shaped for $pointer<T> {
            const SHAPE: &'static Shape = T::SHAPE;
        }
        impl<'a, T: Decode<'a>> Decode<'a> for $pointer<T> {
            fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
                T::decode(source).map($pointer::new)
            }
            fn missing(key: &str) -> Result<Self> {
                T::missing(key).map($pointer::new)
            }
        }
    )*};
}

decode_pointer! { Box Rc Arc }

impl<T: Shaped> Shaped for Option<T> {
    const SHAPE: &'static Shape = &Shape::Option(Ref::Static(T::SHAPE));
}

impl<'a, T: Decode<'a>> Decode<'a> for Option<T> {
    #[inline]
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        if source.null()? { Ok(None) } else { T::decode(source).map(Some) }
    }

    fn missing(_: &str) -> Result<Self> {
        Ok(None)
    }
}

impl<T: Shaped> Shaped for [T] {
    const SHAPE: &'static Shape = &Shape::List(Ref::Static(T::SHAPE));
}

impl<T: Shaped> Shaped for Vec<T> {
    const SHAPE: &'static Shape = &Shape::List(Ref::Static(T::SHAPE));
}

impl<'a, T: Decode<'a>> Decode<'a> for Vec<T> {
    #[inline]
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        let mut items = Self::new();
        decode_list(source, &mut items)?;
        Ok(items)
    }
}

/// Decodes a list and appends its items to a vector, so that its memory can be reused.
///
/// # Errors
/// As [`Decode::decode`]. The items decoded before the error are in the vector.
#[inline]
pub fn decode_list<'a, T: Decode<'a>, S: Source<'a> + ?Sized>(source: &mut S, items: &mut Vec<T>) -> Result<()> {
    let before = items.len();
    let len = match source.list_or_single()? {
        Listed::Items(len) => len,
        Listed::Single => return decode_single(source, items),
    };
    // The source checks a count against the remaining bytes, but an item of the vector may be far larger than a byte.
    items.reserve(len.unwrap_or(0).min(1 << 16));
    T::decode_items(source, items)?;
    while source.item()? {
        match T::decode(source) {
            Ok(item) => items.push(item),
            Err(error) => return Err(error.within_item(items.len() - before)),
        }
    }
    Ok(())
}

/// Decodes a value as the only item of a list. It is by itself, since its code and its stack would be those of all lists.
#[cold]
#[inline(never)]
fn decode_single<'a, T: Decode<'a>, S: Source<'a> + ?Sized>(source: &mut S, items: &mut Vec<T>) -> Result<()> {
    items.push(T::decode(source).map_err(|error| error.within_item(0))?);
    Ok(())
}

impl<T: Shaped, const N: usize> Shaped for [T; N] {
    const SHAPE: &'static Shape = &Shape::List(Ref::Static(T::SHAPE));
}

impl<'a, T: Decode<'a>, const N: usize> Decode<'a> for [T; N] {
    fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
        let items: Vec<T> = Decode::decode(source)?;
        let len = items.len();
        Self::try_from(items).map_err(|_| {
            Error::mismatch(ErrorKind::Constraint, format!("a `list` of {N}"), format!("one of {len}"))
                .at(source.position())
        })
    }
}

macro_rules! decode_map {
    ($($map:ident<$key:ident: $($bound:path),+; V $(, $hasher:ident: $($hasher_bound:path),+)?>)*) => {$(
        impl<$key: Shaped, V: Shaped $(, $hasher)?> Shaped for $map<$key, V $(, $hasher)?> {
            const SHAPE: &'static Shape = &Shape::Map(Ref::Static($key::SHAPE), Ref::Static(V::SHAPE));
        }
        impl<'a, $key, V $(, $hasher)?> Decode<'a> for $map<$key, V $(, $hasher)?>
        where
            $key: Decode<'a> $(+ $bound)+,
            V: Decode<'a>,
            $($hasher: $($hasher_bound +)+)?
        {
            fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
                let mut entries = Self::default();
                source.map()?;
                while source.entry()? {
                    let mark = source.mark();
                    let key = $key::decode(source)?;
                    source.value()?;
                    match V::decode(source) {
                        Ok(value) => {
                            if entries.insert(key, value).is_some() {
                                refuse_if_asked(source, mark)?;
                            }
                        }
                        Err(error) => return Err(error.within_field(key_name(source, mark))),
                    }
                }
                Ok(entries)
            }
        }
    )*};
}

decode_map! {
    HashMap<Key: Eq, Hash; V, H: BuildHasher, Default>
    BTreeMap<Key: Ord; V>
}

macro_rules! decode_map_fields {
    ($($map:ident<V $(, $hasher:ident: $($hasher_bound:path),+)?>)*) => {$(
        impl<V: Shaped $(, $hasher)?> Recorded for $map<String, V $(, $hasher)?> {
            const COUNT: usize = 1;

            fn record() -> &'static Record {
                const {
                    &Record::fixed(
                        "",
                        const { &[Field::fixed("", "", &[], 1, Self::SHAPE, false)] },
                        &[],
                        Unknown::Keep(0),
                    )
                }
            }
        }
        impl<'a, V: Decode<'a> $(, $hasher: $($hasher_bound +)+)?> DecodeFields<'a> for $map<String, V $(, $hasher)?> {
            type Parts = Self;

            fn decode_field<S: Source<'a> + ?Sized>(parts: &mut Self, _: usize, source: &mut S) -> Result<()> {
                let key = source.text()?.to_string();
                source.value()?;
                let value = V::decode(source).map_err(|error| error.within_field(key.clone()))?;
                if parts.contains_key(&key) {
                    source.repeated(&key)?;
                }
                parts.insert(key, value);
                Ok(())
            }

            fn finish(parts: Self) -> Result<Self> {
                Ok(parts)
            }
        }
    )*};
}

decode_map_fields! {
    HashMap<V, H: BuildHasher, Default>
    BTreeMap<V>
}

/// Returns the key at a mark, for the path of an error.
#[cold]
fn key_name<'a, S: Source<'a> + ?Sized>(source: &mut S, mark: crate::Mark) -> String {
    source.reset(mark);
    source.text().map_or_else(|_| "?".to_string(), |text| text.to_string())
}

/// Handles a repeated key of a map: the last one wins, unless the source refuses repeated keys.
#[cold]
fn refuse_if_asked<'a, S: Source<'a> + ?Sized>(source: &mut S, key: crate::Mark) -> Result<()> {
    let here = source.mark();
    let name = key_name(source, key);
    // An error is about the key, which is the source's current position.
    source.repeated(&name)?;
    source.reset(here);
    Ok(())
}

macro_rules! decode_tuple {
    ($($count:literal: $($type:ident $index:tt),+;)*) => {$(
        impl<$($type: Shaped),+> Shaped for ($($type,)+) {
            const SHAPE: &'static Shape = {
                const fn items<$($type: Shaped),+>() -> &'static [Ref<Shape>] {
                    const { &[$(Ref::Static($type::SHAPE)),+] }
                }
                &Shape::Tuple(Ref::Static(items::<$($type),+>()))
            };
        }
        impl<'a, $($type: Decode<'a>),+> Decode<'a> for ($($type,)+) {
            fn decode<Asked: Source<'a> + ?Sized>(source: &mut Asked) -> Result<Self> {
                source.list()?;
                let items = ($({
                    if !source.item()? {
                        return Err(wrong_count($count, $index).at(source.position()));
                    }
                    $type::decode(source).map_err(|error| error.within_item($index))?
                },)+);
                if source.item()? {
                    source.peek()?; // the position is that of the excess item
                    return Err(wrong_count($count, $count + 1).at(source.position()));
                }
                Ok(items)
            }
        }
    )*};
}

decode_tuple! {
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

#[cold]
pub(crate) fn wrong_count(expected: usize, found: usize) -> Error {
    let found = if found > expected { "more items".to_string() } else { format!("only {found}") };
    Error::mismatch(ErrorKind::Constraint, format!("a `tuple` of {expected}"), found)
}
