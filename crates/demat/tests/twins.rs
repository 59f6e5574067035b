//! The fast paths of the binary formats read and write any value as their general sources and sinks do.

#[path = "messages/mod.rs"]
mod types;
#[path = "messages/values.rs"]
mod values;

use core::fmt::Debug;
use demat::formats::stream::{Part, Windowed as _};
use demat::formats::{Keep, Output};
use demat::scalar::{Date, DateTime, Decimal, Duration, Instant, Time, Uuid};
use demat::{Decode, Encode, Result, Sink, Source, cbor, msgpack, nbt, raw};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use std::collections::BTreeMap;
use types::{Colour, Pair, Usual};
use values::{numbers, other, pairs, usual};

/// Kinds that messages don't have, and fields that may be absent.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
struct Wide {
    a: Option<i64>,
    #[demat(skip_if = "Option::is_none")]
    b: Option<String>,
    #[demat(default, skip_if = "Vec::is_empty")]
    c: Vec<Option<u16>>,
    #[demat(default)]
    d: Option<Vec<f32>>,
    e: Date,
    f: Option<DateTime>,
    g: Instant,
    h: (),
    i: Duration,
    j: Uuid,
    k: Vec<Colour>,
    l: BTreeMap<i32, Vec<BTreeMap<String, u64>>>,
    m: Option<Box<Self>>,
    n: Only,
    p: Vec<Vec<i8>>,
    q: Time,
    a_key_of_more_than_thirty_one_bytes: bool,
}

/// An enum of one name, whose values may take no bytes.
#[derive(Debug, Clone, Copy, PartialEq, Encode, Decode)]
enum Only {
    One,
}

/// What some of the fast paths leave to the general ones.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
struct Odd {
    a: (i64, String),
    b: Vec<()>,
    c: Option<types::Either>,
    d: Pair,
    #[demat(flatten)]
    e: BTreeMap<String, i64>,
}

fn wide() -> impl Strategy<Value = Wide> {
    let colours = prop_oneof![Just(Colour::Red), Just(Colour::Green), Just(Colour::Blue)];
    let first = (
        option::of(numbers()),
        option::of(".{0,40}"),
        vec(option::of(any::<u16>()), 0..4),
        option::of(vec(any::<f32>(), 0..3)),
        -9_000..90_000_i32,
        0..86_400_u32,
    );
    let second = (
        vec(colours, 0..3),
        btree_map(any::<i32>(), vec(btree_map(".{0,5}", any::<u64>(), 0..2), 0..2), 0..3),
        vec(vec(any::<i8>(), 0..3), 0..140),
        any::<bool>(),
        any::<[u8; 16]>(),
        numbers(),
    );
    let leaf = (first, second).prop_map(|((a, b, c, d, days, second), (k, l, p, flag, uuid, number))| {
        let e = Date::from_days_since_epoch(days).expect("a date");
        let q = Time::from_second_of_day(second, u32::from(flag) * 7_000).expect("a time");
        let at = DateTime::new(e, q);
        Wide {
            a,
            b,
            c,
            d,
            e,
            f: flag.then_some(at),
            g: Instant::parse(&format!("{at}{}", if flag { "Z" } else { "" })).expect("an instant"),
            h: (),
            i: Duration::new(number >> 8, 5).expect("a duration"),
            j: Uuid(uuid),
            k,
            l,
            m: None,
            n: Only::One,
            p,
            q,
            a_key_of_more_than_thirty_one_bytes: flag,
        }
    });
    let leaf = leaf.boxed();
    (leaf.clone(), option::of(leaf)).prop_map(|(outer, m)| Wide { m: m.map(Box::new), ..outer })
}

/// What the fast path of NBT writes and reads itself: values of one tag each.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
struct Tagged {
    a: i8,
    b: Option<i16>,
    c: (),
    #[demat(rename = "long, with a quote \" and 😀")]
    d: String,
    e: Box<Compound>,
}

/// The same, without what only the general source and sink handle.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
struct Compound {
    a: i8,
    b: Option<i16>,
    c: u32,
    a_key_of_fourteen: Option<u64>,
    #[demat(rename = "grün")]
    e: Vec<i8>,
    f: Vec<i32>,
    g: Vec<Vec<i64>>,
    h: Vec<Option<i32>>,
    i: (f32, f64, Vec<f64>, Vec<f32>),
    j: Inner,
    k: Vec<Inner>,
}

#[derive(Debug, Clone, Default, PartialEq, Encode, Decode)]
struct Inner {
    a: Option<String>,
    b: BTreeMap<String, Vec<i16>>,
    c: Option<Vec<bool>>,
    d: f32,
    e: f64,
    f: Vec<f64>,
    g: Option<Date>,
    h: Vec<Uuid>,
    #[demat(default, skip_if = "Option::is_none")]
    i: Option<Box<Self>>,
    j: BTreeMap<i64, Colour>,
}

fn inner() -> impl Strategy<Value = Inner> {
    let text = prop_oneof![".{0,20}", "[a-z\0😀é]{0,70}"];
    let first =
        (option::of(text), btree_map(".{0,5}", vec(any::<i16>(), 0..3), 0..3), option::of(vec(any::<bool>(), 0..3)));
    let second = (any::<f32>(), any::<f64>(), vec(any::<f64>(), 0..9), option::of(-9_000..90_000_i32));
    let third = (vec(any::<[u8; 16]>(), 0..3), btree_map(any::<i64>(), Just(Colour::Green), 0..2));
    let leaf = (first, second, third).prop_map(|((a, b, c), (d, e, f, days), (uuids, j))| Inner {
        a,
        b,
        c,
        d,
        e,
        f,
        g: days.and_then(Date::from_days_since_epoch),
        h: uuids.into_iter().map(Uuid).collect(),
        i: None,
        j,
    });
    let leaf = leaf.boxed();
    (leaf.clone(), option::of(leaf)).prop_map(|(outer, i)| Inner { i: i.map(Box::new), ..outer })
}

fn tagged() -> impl Strategy<Value = Tagged> {
    let ints = (any::<i8>(), option::of(any::<i16>()), any::<u32>(), option::of(prop_oneof![Just(u64::MAX), 0..9_u64]));
    let lists = (vec(any::<i8>(), 0..4), vec(any::<i32>(), 0..4), vec(vec(any::<i64>(), 0..3), 0..3));
    let options = vec(prop_oneof![9 => any::<i32>().prop_map(Some), 1 => Just(None)], 0..4);
    let floats = (any::<f32>(), any::<f64>(), vec(any::<f64>(), 0..3), vec(any::<f32>(), 0..3));
    (ints, lists, options, floats, inner(), vec(inner(), 0..3), ".{0,20}").prop_map(
        |((a, b, c, a_key_of_fourteen), (e, f, g), h, i, j, k, d)| Tagged {
            a,
            b,
            c: (),
            d,
            e: Box::new(Compound { a, b, c, a_key_of_fourteen, e, f, g, h, i, j, k }),
        },
    )
}

fn odd() -> impl Strategy<Value = Odd> {
    let keys = btree_map("[f-z]{1,3}", any::<i64>(), 0..20);
    (numbers(), ".{0,9}", 0..3_usize, other(), keys).prop_map(|(number, text, count, other, e)| Odd {
        a: (number, text),
        b: vec![(); count],
        c: other.c,
        d: other.d.into_iter().next().unwrap_or_default(),
        e,
    })
}

/// A format: how it is read and written quickly, and generally.
trait Twin {
    fn written<T: Encode>(value: &T) -> Result<Vec<u8>>;
    fn read<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T>;
    fn written_generally<T: Encode>(value: &T) -> Result<Vec<u8>>;
    fn read_generally<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T>;
}

fn all_of<'a, T: Decode<'a>>(mut source: impl Source<'a>) -> Result<T> {
    let value = T::decode(&mut source)?;
    source.end().map(|()| value)
}

macro_rules! twin {
    ($twin:ident: $format:ident, $source:ident, $sink:ident) => {
        struct $twin;

        impl Twin for $twin {
            fn written<T: Encode>(value: &T) -> Result<Vec<u8>> {
                $format::encode(value)
            }

            fn read<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
                $format::decode(bytes)
            }

            fn written_generally<T: Encode>(value: &T) -> Result<Vec<u8>> {
                let mut sink = $format::$sink::new(Output::new(Vec::new(), Keep), $format::WriteOptions::default());
                value.encode(&mut sink)?;
                sink.finish()?;
                Ok(sink.into_output().into_parts().0)
            }

            fn read_generally<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
                all_of($format::$source::new(bytes))
            }
        }
    };
}

twin!(Msgpack: msgpack, MsgpackSource, MsgpackSink);
twin!(Cbor: cbor, CborSource, CborSink);

struct Raw;

impl Twin for Raw {
    fn written<T: Encode>(value: &T) -> Result<Vec<u8>> {
        raw::encode(value)
    }

    fn read<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
        raw::decode(bytes)
    }

    fn written_generally<T: Encode>(value: &T) -> Result<Vec<u8>> {
        let mut sink = raw::RawSink::new(Output::new(Vec::new(), Keep), raw::WriteOptions::default());
        sink.begin(T::SHAPE)?;
        value.encode(&mut sink)?;
        sink.finish()?;
        Ok(sink.into_output().into_parts().0)
    }

    fn read_generally<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
        let mut format = raw::Raw::new(&raw::ReadOptions::default())?;
        format.begin(T::SHAPE)?;
        all_of(format.whole(Part::whole(bytes)))
    }
}

struct Nbt;

impl Twin for Nbt {
    fn written<T: Encode>(value: &T) -> Result<Vec<u8>> {
        nbt::encode(value)
    }

    fn read<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
        nbt::decode(bytes)
    }

    fn written_generally<T: Encode>(value: &T) -> Result<Vec<u8>> {
        let mut sink = nbt::NbtSink::new(Output::new(Vec::new(), Keep), nbt::WriteOptions::default());
        sink.begin(T::SHAPE)?;
        value.encode(&mut sink)?;
        sink.finish()?;
        Ok(sink.into_output().into_parts().0)
    }

    fn read_generally<'a, T: Decode<'a>>(bytes: &'a [u8]) -> Result<T> {
        all_of(nbt::NbtSource::new(bytes))
    }
}

/// Compares what both ways read.
fn read_alike<'a, W: Twin, T: Decode<'a> + Debug>(bytes: &'a [u8]) {
    match (W::read::<T>(bytes), W::read_generally::<T>(bytes)) {
        // As text, in which one NaN is like another.
        (Ok(value), Ok(general)) => assert_eq!(format!("{value:?}"), format!("{general:?}"), "{bytes:x?}"),
        (Err(error), Err(general)) => assert_eq!(error.to_string(), general.to_string(), "{bytes:x?}"),
        (value, general) => panic!("{value:?}, generally {general:?}: {bytes:x?}"),
    }
}

/// What becomes of the bytes: a byte is replaced or inserted, and they are cut.
type Changes = Vec<(usize, u8, bool)>;

fn changes() -> impl Strategy<Value = Changes> {
    vec((any::<usize>(), any::<u8>(), any::<bool>()), 0..3)
}

fn agree<W: Twin, T: Encode + for<'a> Decode<'a> + Debug>(value: &T, changes: &Changes) {
    let bytes = match (W::written(value), W::written_generally(value)) {
        (Ok(bytes), Ok(general)) => {
            assert_eq!(bytes, general, "{value:?}");
            bytes
        }
        // Not every format has every value.
        (Err(error), Err(general)) => return assert_eq!(error.to_string(), general.to_string(), "{value:?}"),
        (bytes, general) => panic!("{bytes:x?}, generally {general:x?}: {value:?}"),
    };
    read_alike::<W, T>(&bytes);
    let mut other = bytes.clone();
    for (at, byte, is_new) in changes {
        let at = at % other.len().max(1);
        if *is_new {
            other.insert(at, *byte);
        } else {
            other[at] = *byte;
        }
        read_alike::<W, T>(&other);
    }
    if let Some((at, ..)) = changes.first() {
        read_alike::<W, T>(&bytes[..at % bytes.len()]);
        // As other types, whose fields have other kinds.
        read_alike::<W, Usual<'_>>(&bytes);
        read_alike::<W, Pair>(&bytes);
        read_alike::<W, Wide>(&bytes);
        read_alike::<W, Vec<Pair>>(&bytes);
    }
}

fn agree_in_all<T: Encode + for<'a> Decode<'a> + Debug>(value: &T, changes: &Changes) {
    agree::<Msgpack, T>(value, changes);
    agree::<Cbor, T>(value, changes);
    agree::<Raw, T>(value, changes);
    agree::<Nbt, T>(value, changes);
}

proptest! {
    #[test]
    fn usual_values(value in usual(), changes in changes()) {
        // `Cow` borrows, so this type is read by its own lifetime.
        for (bytes, general) in [
            (Msgpack::written(&value), Msgpack::written_generally(&value)),
            (Cbor::written(&value), Cbor::written_generally(&value)),
            (Raw::written(&value), Raw::written_generally(&value)),
            (Nbt::written(&value), Nbt::written_generally(&value)),
        ] {
            let [bytes, general] = [bytes, general].map(|written| written.map_err(|error| error.to_string()));
            prop_assert_eq!(bytes, general);
        }
        let mut bytes = Msgpack::written(&value).unwrap();
        read_alike::<Msgpack, Usual<'_>>(&bytes);
        read_alike::<Cbor, Usual<'_>>(&Cbor::written(&value).unwrap());
        read_alike::<Raw, Usual<'_>>(&Raw::written(&value).unwrap());
        for (at, byte, _) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
            read_alike::<Msgpack, Usual<'_>>(&bytes);
        }
    }

    #[test]
    fn wide_values(value in wide(), changes in changes()) {
        agree_in_all(&value, &changes);
    }

    #[test]
    fn values_with_maps_and_unions(value in other(), changes in changes()) {
        agree_in_all(&value, &changes);
    }

    #[test]
    fn odd_values(value in odd(), changes in changes()) {
        agree_in_all(&value, &changes);
    }

    #[test]
    fn values_of_one_tag_each(value in tagged(), changes in changes()) {
        agree_in_all(&value, &changes);
        agree_in_all(&*value.e, &changes);
        agree_in_all(&value.e.k, &changes);
        agree_in_all(&value.e.j.b, &changes);
    }

    #[test]
    fn lists(values in vec(pairs(), 0..5), many in vec(numbers(), 0..300), changes in changes()) {
        agree_in_all(&values, &changes);
        agree_in_all(&many, &changes);
    }
}

#[test]
fn decimals() {
    let decimals = ["0", "-12.50", "1e30", "123456789012345678901234567890.5"];
    let decimals: Vec<_> = decimals.map(|text| Decimal::parse(text).expect("a decimal")).into();
    let bytes = [Msgpack::written(&decimals), Cbor::written(&decimals), Raw::written(&decimals)].map(Result::unwrap);
    assert_eq!(bytes[0], Msgpack::written_generally(&decimals).unwrap());
    assert_eq!(bytes[1], Cbor::written_generally(&decimals).unwrap());
    assert_eq!(bytes[2], Raw::written_generally(&decimals).unwrap());
    for end in 0..bytes[2].len() {
        read_alike::<Msgpack, Vec<Decimal<'_>>>(bytes[0].get(..=end).unwrap_or(&bytes[0]));
        read_alike::<Cbor, Vec<Decimal<'_>>>(bytes[1].get(..=end).unwrap_or(&bytes[1]));
        read_alike::<Raw, Vec<Decimal<'_>>>(&bytes[2][..=end]);
    }
}

#[test]
fn deep_values() {
    for depth in [3, 70, 200] {
        let deep = (0..depth).fold(Pair::default(), |inner, x| Pair { x, y: None, z: vec![inner] });
        agree_in_all(&deep, &Vec::new());
    }
}

#[test]
fn other_forms_of_the_same_value() {
    // Fields in another order, unknown fields, wider numbers, lists and texts without a length.
    for bytes in [
        &b"\x83\xa1z\x90\xa1?\xdc\x00\x02\x01\x81\x01\x02\xa1x\xd3\0\0\0\0\0\0\0\x05"[..],
        b"\xdf\0\0\0\x02\xa1x\xcc\x05\xd9\x01z\xdd\0\0\0\0",
        b"\x81\xa1x\xc7\x01\x05\x00",
        b"\x82\xa1x\x01\xa1x\x02",
        b"\x81\xa1x\x01\x81\xa1x\x02",
    ] {
        read_alike::<Msgpack, Pair>(bytes);
        read_alike::<Msgpack, Vec<Pair>>(bytes);
    }
    for bytes in [
        &b"\xbf\x61z\x9f\xff\x61x\x18\x05\xff"[..],
        b"\xa2\x61x\xc2\x41\x05\x7f\x61z\xff\x80",
        b"\xa2\x61z\x80\x61x\xd9\x30\x39\x05",
        b"\xa3\x61z\x80\x61?\xa1\x01\xf9\0\0\x61x\x1b\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\xa2\x61z\x80\x61x\x3b\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\xa1\x61x\x1c",
    ] {
        read_alike::<Cbor, Pair>(bytes);
        read_alike::<Cbor, Vec<Pair>>(bytes);
    }
}
