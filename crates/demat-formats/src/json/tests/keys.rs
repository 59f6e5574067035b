//! Repeated keys: the last one wins, in every way of reading. With the option, they are refused.

use super::{Few, copied, decode, streamed};
use crate::json::{self, Json, JsonSink, JsonSource, ReadOptions, RepeatedKeys, WriteOptions};
use crate::stream::{OnError, Stop, Window, copy as copy_stream};
use crate::{Keep, Output};
use demat_core::{
    Decode, Enum, Error, ErrorKind, Field, IntWidth, Nothing, Record, Ref, Result, Shape, Tag, Union, UnionRef,
    Unknown, Value, Variant, copy,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

const INT: Shape = Shape::Int(IntWidth::Any);
const REFUSE: ReadOptions = ReadOptions { depth: 1024, repeated_keys: RepeatedKeys::Refuse, nonfinite_text: false };

fn ab() -> Record {
    Record::new("", vec![Field::new("a", 1, Shape::Any), Field::new("b", 2, INT).with_required(false)]).unwrap()
}

fn map(key: Shape, value: Shape) -> Shape {
    Shape::Map(Ref::new(key), Ref::new(value))
}

/// All ways of copying agree.
#[track_caller]
fn agrees(text: &str, shape: &Shape, expected: &str) {
    assert_eq!(copied(text.as_bytes(), shape).unwrap(), expected, "{text}");
    for size in [1, 3, 16, 64, 4096] {
        assert_eq!(streamed(text.as_bytes(), shape, size.max(text.len() * 2)).unwrap(), expected, "{text} by {size}");
    }
    let value = Value::decode_as(&mut JsonSource::new(text.as_bytes()), shape).unwrap();
    assert_eq!(String::from_utf8(json::encode(&value).unwrap()).unwrap(), expected, "{text} as a value");
}

#[test]
fn the_last_one_wins_without_a_shape() {
    agrees(r#"{"a":1,"a":2}"#, &Shape::Any, r#"{"a":2}"#);
    agrees(r#"{"a":1,"b":2,"a":3,"c":4,"b":5}"#, &Shape::Any, r#"{"a":3,"c":4,"b":5}"#);
    agrees(r#"{"a":1,"\u0061":2}"#, &Shape::Any, r#"{"a":2}"#);
    agrees(r#"{"":1,"":2}"#, &Shape::Any, r#"{"":2}"#);
    // In the middle of a list, nested, of different kinds, and within a value that is dropped.
    agrees(r#"[0,{"a":1,"a":[2]},{"a":3}]"#, &Shape::Any, r#"[0,{"a":[2]},{"a":3}]"#);
    agrees(r#"{"a":{"x":1,"x":2},"a":{"y":1,"y":[{"z":1,"z":2}]}}"#, &Shape::Any, r#"{"a":{"y":[{"z":2}]}}"#);
    agrees(
        r#"{"a":{"a":1},"b":{"a":2},"a":{"b":3,"b":{"a":4,"a":5}}}"#,
        &Shape::Any,
        r#"{"b":{"a":2},"a":{"b":{"a":5}}}"#,
    );
    assert_eq!(decode(br#"{"a":1,"a":2}"#).unwrap().get("a"), Some(&decode(b"2").unwrap()));
}

#[test]
fn the_last_one_wins_in_records() {
    let shape = Shape::record(ab());
    agrees(r#"{"a":1,"a":2}"#, &shape, r#"{"a":2}"#);
    agrees(r#"{"a":[1,2],"b":1,"a":{"x":1},"b":7}"#, &shape, r#"{"a":{"x":1},"b":7}"#);
    agrees(r#"{"u":1,"a":1,"u":2,"b":2,"a":3}"#, &shape, r#"{"b":2,"a":3}"#);
    agrees(r#"[{"a":1,"a":2},{"b":1,"a":2,"b":3}]"#, &shape.clone().list(), r#"[{"a":2},{"a":2,"b":3}]"#);
    // A dropped value may be of any kind.
    agrees(r#"{"b":1,"a":1,"b":2}"#, &shape, r#"{"a":1,"b":2}"#);
    let aliased = Record::new("", vec![Field::new("a", 1, INT).with_aliases(vec![Cow::Borrowed("A")])]).unwrap();
    agrees(r#"{"a":1,"A":2}"#, &Shape::record(aliased), r#"{"a":2}"#);
    let deep = (0..30).fold(shape, |shape, _| Shape::record(Record::new("", vec![Field::new("a", 1, shape)]).unwrap()));
    let text = format!("{}{{\"a\":1,\"a\":2}}{}", "{\"a\":null,\"a\":".repeat(30), "}".repeat(30));
    let expected = format!("{}{{\"a\":2}}{}", "{\"a\":".repeat(30), "}".repeat(30));
    // The first of the repeated values is null where a record is expected. Only a two-pass copy skips it.
    assert_eq!(copied(text.replace("null", "{\"a\":1}").as_bytes(), &Shape::Any).unwrap(), expected);
    assert!(copied(text.as_bytes(), &deep).is_err());
}

#[test]
fn the_last_one_wins_in_maps_of_every_key_and_size() {
    agrees(r#"{"1":1,"2":2,"1":3}"#, &map(INT, INT), r#"{"2":2,"1":3}"#);
    agrees(r#"{"1":1,"\u0031":3}"#, &map(INT, INT), r#"{"1":3}"#);
    agrees(r#"{"true":1,"true":3}"#, &map(Shape::Bool, INT), r#"{"true":3}"#);
    agrees(r#"{"2020-01-01":1,"2020-01-01":3}"#, &map(Shape::Date, INT), r#"{"2020-01-01":3}"#);
    let names = Enum::new("", vec![(Cow::Borrowed("x"), 1), (Cow::Borrowed("y"), 2)]);
    agrees(r#"{"x":1,"y":2,"x":3}"#, &map(Shape::Enum(Ref::new(names)), INT), r#"{"y":2,"x":3}"#);
    for count in [1usize, 2, 23, 24, 25, 26, 27, 60, 1000] {
        for again in [0, count / 2, count - 1] {
            let entries: Vec<String> = (0..count).map(|i| format!("\"key{i}\":{i}")).collect();
            let text = format!("{{{},\"key{again}\":-1}}", entries.join(","));
            let mut kept = entries.clone();
            kept.remove(again);
            kept.push(format!("\"key{again}\":-1"));
            let expected = format!("{{{}}}", kept.join(","));
            assert_eq!(copied(text.as_bytes(), &Shape::Any).unwrap(), expected);
            assert_eq!(copied(text.as_bytes(), &map(Shape::Text, INT)).unwrap(), expected);
            let nested = format!("[{{\"m\":{text}}}, {text}]");
            assert_eq!(
                streamed(nested.as_bytes(), &Shape::Any, nested.len() * 2).unwrap(),
                format!("[{{\"m\":{expected}}},{expected}]")
            );
        }
    }
}

#[test]
fn the_last_one_wins_in_rust_maps() {
    let map: HashMap<String, i64> = json::decode(br#"{"a":1,"b":2,"a":3}"#).unwrap();
    assert_eq!((map["a"], map["b"], map.len()), (3, 2, 2));
    let map: BTreeMap<i64, Vec<i64>> = json::decode(br#"{"1":[1],"1":[2,3]}"#).unwrap();
    assert_eq!(map, BTreeMap::from([(1, vec![2, 3])]));
}

#[test]
fn the_last_one_wins_among_what_a_record_keeps() {
    let keep = || {
        let fields =
            vec![Field::new("a", 1, INT), Field::new("rest", 2, map(Shape::Text, Shape::Any)).with_required(false)];
        Shape::record(Record::new("", fields).unwrap().with_unknown(Unknown::Keep(1)))
    };
    agrees(r#"{"x":1,"a":2,"x":3}"#, &keep(), r#"{"a":2,"x":3}"#);
    agrees(r#"{"x":1,"a":2,"y":{"x":1,"x":2},"x":3,"a":4}"#, &keep(), r#"{"y":{"x":2},"x":3,"a":4}"#);
    agrees(r#"[{"x":1,"a":2},{"x":1,"a":2}]"#, &keep().list(), r#"[{"x":1,"a":2},{"x":1,"a":2}]"#);
    let refused = read(br#"{"x":1,"a":2,"x":3}"#, &keep(), REFUSE).unwrap_err();
    assert_eq!(refused.to_string(), "the key `x` stands here again (line 1, column 14)");
}

fn read(text: &[u8], shape: &Shape, options: ReadOptions) -> Result<()> {
    copy(&mut JsonSource::with_options(text, options), shape, &mut Nothing)
}

fn typed<'a, T: Decode<'a>>(text: &'a [u8]) -> Result<T> {
    T::decode(&mut JsonSource::with_options(text, REFUSE))
}

#[test]
fn they_are_refused_on_request_and_the_error_says_where() {
    let cases: [(&str, Shape, &str); 8] = [
        (r#"{"a":1,"a":2}"#, Shape::Any, "the key `a` stands here again (line 1, column 8)"),
        (r#"{"a":1,"a":2}"#, Shape::record(ab()), "the key `a` stands here again (line 1, column 8)"),
        (r#"{"a":1,"\u0061" : 2}"#, Shape::record(ab()), "the key `a` stands here again (line 1, column 8)"),
        (
            r#"[0,{"x":{"a\"b":1,"a\"b" :2}}]"#,
            Shape::Any,
            "the key `a\"b` stands here again at `$[1].x` (line 1, column 19)",
        ),
        (
            r#"{"a":{"1":1,"1":2}}"#,
            map(Shape::Text, map(INT, INT)),
            "the key `1` stands here again at `$.a` (line 1, column 13)",
        ),
        ("{\"a\":1,\n \"b\":2,\n \"b\":3}", Shape::record(ab()), "the key `b` stands here again (line 3, column 2)"),
        ("{\"a\":1,\"a\\\\\":2,\"a\\\\\":3}", Shape::Any, "the key `a\\` stands here again (line 1, column 16)"),
        (r#"{"ä":1,"ä":2}"#, Shape::Any, "the key `ä` stands here again (line 1, column 8)"),
    ];
    for (text, shape, message) in cases {
        let error = read(text.as_bytes(), &shape, REFUSE).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
        assert_eq!(error.kind(), ErrorKind::Constraint);
        for size in [1, 2, 7, 100] {
            let mut window = Window::with_size(Few(text.as_bytes(), size), size);
            let error = copy_stream(&mut window, &mut Json::new(REFUSE), &shape, &mut Nothing, &mut Stop).unwrap_err();
            assert_eq!(
                error.reason(),
                message.split(" at `").next().unwrap().split(" (").next().unwrap(),
                "{text} by {size}"
            );
        }
    }
    let error = typed::<HashMap<String, i64>>(br#"{"a":1,"b":2,"a":3}"#).unwrap_err();
    assert_eq!(error.to_string(), "the key `a` stands here again (line 1, column 14)");
    let error = typed::<BTreeMap<i64, i64>>(br#"{"1":1, "1" : 3}"#).unwrap_err();
    assert_eq!(error.to_string(), "the key `1` stands here again (line 1, column 9)");
    for count in [10, 24, 25, 26, 100] {
        let entries: Vec<String> = (0..count).map(|i| format!("\"k{i}\":0")).collect();
        let text = format!("{{{},\"k7\":1}}", entries.join(","));
        assert!(read(text.as_bytes(), &Shape::Any, REFUSE).is_err(), "{count}");
        assert!(read(format!("{{{}}}", entries.join(",")).as_bytes(), &Shape::Any, REFUSE).is_ok(), "{count}");
    }
    // Equal keys in different objects do not repeat.
    read(br#"[{"a":1},{"a":{"a":[{"a":1},{"a":2}]}}]"#, &Shape::Any, REFUSE).unwrap();
}

/// The hash has a random key, so an input can't have keys that always collide. These did with a fixed key, and then the
/// copy of a stream did not end.
#[test]
fn keys_made_to_collide_do_not() {
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut pairs = 0;
    for words in 1..200u64 {
        for (short, long) in
            (8 * words..8 * words + 7).flat_map(|short| (short + 1..8 * words + 8).map(move |long| (short, long)))
        {
            let differs = (short.wrapping_mul(MIX) ^ long.wrapping_mul(MIX)).to_le_bytes();
            if differs.iter().any(|byte| *byte >= 0x80) {
                continue;
            }
            let one: Vec<u8> =
                [&[b'A'; 8][..], &vec![b'x'; short as usize / 8 * 8 - 8], &vec![0; short as usize % 8]].concat();
            let mut two: Vec<u8> =
                [&[b'A'; 8][..], &vec![b'x'; long as usize / 8 * 8 - 8], &vec![0; long as usize % 8]].concat();
            two.iter_mut().zip(differs).for_each(|(byte, differs)| *byte ^= differs);
            let keys = [one, two]
                .map(|key| String::from_utf8(json::encode(&String::from_utf8(key).unwrap()).unwrap()).unwrap());
            let text = format!("[{{{}:1,{}:2}}]", keys[0], keys[1]);
            read(text.as_bytes(), &Shape::Any, REFUSE).unwrap();
            assert_eq!(streamed(text.as_bytes(), &Shape::Any, text.len() * 2).unwrap(), text);
            pairs += 1;
        }
    }
    assert!(pairs > 0, "no pair was tried");
}

#[test]
fn a_container_in_pieces_cannot_take_a_value_back_and_says_so() {
    // Far larger than the window, so its first key has left the window when the last arrives.
    let text = format!("{{\"a\":1,\"filler\":[{}],\"a\":2}}", vec!["1234567"; 10_000].join(","));
    let error = streamed(text.as_bytes(), &Shape::Any, 1024).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert!(error.to_string().contains("a key repeats in a container that is too large to be held"), "{error}");
    // A record that may be left out is held whole, so its repeated key is found.
    struct GoOn;
    impl OnError for GoOn {
        fn goes_on(&mut self, _: &Error) -> bool {
            true
        }
        fn reject(&mut self, error: Error, _: &[u8]) -> Result<()> {
            Err(error)
        }
    }
    let text = format!("[{text}]");
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let mut window = Window::with_size(text.as_bytes(), 1024);
    let summary = copy_stream(&mut window, &mut Json::default(), &Shape::Any, &mut sink, &mut GoOn).unwrap();
    assert_eq!(summary.records, 1);
    assert!(sink.into_output().into_parts().0.ends_with(b"],\"a\":2}]"));
}

#[test]
fn untagged_unions_meet_a_repeated_key_where_they_stand() {
    let point = Record::new("", vec![Field::new("x", 1, INT), Field::new("y", 2, INT)]).unwrap();
    let named = Record::new("", vec![Field::new("name", 1, Shape::Text)]).unwrap();
    let variants = vec![Variant::new("named", 1, Shape::record(named)), Variant::new("point", 2, Shape::record(point))];
    let shape = Shape::Union(UnionRef::new(Union::new("", variants, Tag::None))).list();
    agrees(
        r#"[{"x":0,"y":0},{"x":1,"y":2,"x":3},{"name":"a","name":"b"}]"#,
        &shape,
        r#"[{"x":0,"y":0},{"y":2,"x":3},{"name":"b"}]"#,
    );
}

#[test]
fn keys_that_are_numbers_are_numbers_alone() {
    for key in [" 1", "1 ", "\\t1", "\\ufeff1", "01", "1.0", "+1", "", "x", "1,", "\\u0031\\u0020"] {
        let text = format!("{{\"{key}\":0}}");
        assert!(json::decode::<HashMap<i64, i64>>(text.as_bytes()).is_err(), "{text}");
        assert!(copied(text.as_bytes(), &map(INT, INT)).is_err(), "{text}");
    }
    assert!(json::decode::<HashMap<bool, i64>>(br#"{" true":0}"#).is_err());
    let error = json::decode::<HashMap<i64, i64>>(br#"{"1":0, "x":1}"#).unwrap_err();
    assert_eq!(error.to_string(), "expected `int`, found `x` (line 1, column 9)");
    let error = json::decode::<HashMap<u8, i64>>(br#"{"256":0}"#).unwrap_err();
    assert_eq!((error.kind(), error.reason().as_str()), (ErrorKind::Constraint, "expected `uint8`, found `256`"));
    assert_eq!(copied(br#"{"-1":0,"\u0031":1}"#, &map(INT, INT)).unwrap(), r#"{"-1":0,"1":1}"#);
    let error = copied(br#"{"17":"x"}"#, &map(INT, INT)).unwrap_err();
    assert_eq!(error.to_string(), "expected `int`, found `text` \"x\" at `$[\"17\"]` (line 1, column 7)");
}

#[test]
fn what_is_passed_over_is_passed_over_only_as_it_stands() {
    // The source expects the unknown key of the last record in the same place. It must not accept a missing or extra
    // comma because of that.
    let shape = Shape::record(ab()).list();
    for (text, ok) in [
        (r#"[{"x":1,"a":1},{"x":1,"a":1}]"#, true),
        (r#"[{"x":1,"a":1},{,"x":1,"a":1}]"#, false),
        (r#"[{"a":1,"x":1},{"a":1"x":1}]"#, false),
        (r#"[{"a":1,"x":1},{,"a":1,"x":1}]"#, false),
        (r#"[{"a":1,"x":"s","y":2},{"a":1,"x":"s" "y":2}]"#, false),
        (r#"[{"a":1,"x":"s","y":2},{"a":1,"x":"s""y":2}]"#, false),
        (r#"[{"a":1,"x":true},{"a":1,"x":truee}]"#, false),
        (r#"[{"a":1,"x":true,"y":1},{"a":1,"x":true1,"y":1}]"#, false),
        (r#"[{"a":1,"x":12,"y":1},{"a":1,"x":012,"y":1}]"#, false),
        (r#"[{"a":1,"x":12,"y":1},{"a":1,"x":1.,"y":1}]"#, false),
        (r#"[{"a":1,"x":12,"y":1},{"a":1,"x":1.5e3,"y":1}]"#, true),
        ("[{\"a\":1,\"x\":\"s\"},{\"a\":1,\"x\":\"\u{1}\"}]", false),
        (r#"[{"a":1,"x":"s"},{"a":1,"x":"\x"}]"#, false),
        (r#"[{"a":1,"x":"s"},{"a":1,"x":,"y":1}]"#, false),
        (r#"[{"a":1,"x":"s"},{"a":1,"x":}]"#, false),
        (r#"[{"a":1,"x":"s"},{"a":1,"x"}]"#, false),
        (r#"[{"a":1,"x":"s"},{"a":1,"x":"s",}]"#, false),
    ] {
        // The bytes that follow fill the words that are read ahead.
        let text = format!("{}{}", text, " ".repeat(100));
        assert_eq!(copied(text.as_bytes(), &shape).is_ok(), ok, "{text}");
        assert_eq!(decode(text.as_bytes()).is_ok(), ok, "{text}");
    }
}

#[test]
fn a_pair_of_tag_and_content_is_one_pair() {
    let variants =
        vec![Variant::new("int", 1, INT), Variant::new("none", 2, Shape::Null), Variant::new("list", 3, INT.list())];
    let pair = Shape::Union(UnionRef::new(Union::new("", variants.clone(), Tag::pair("kind", "value").unwrap())));
    agrees(
        r#"[{"kind":"int","value":1},{"value":2,"kind":"int"},{"kind":"none"},{"x":0,"kind":"list","y":[],"value":[1]}]"#,
        &pair.clone().list(),
        r#"[{"kind":"int","value":1},{"kind":"int","value":2},{"kind":"none"},{"kind":"list","value":[1]}]"#,
    );
    for text in [
        r#"{"kind":"int","value":1,"value":2}"#,
        r#"{"kind":"int","kind":"list","value":1}"#,
        r#"{"kind":"int","value":1,"kind":"list"}"#,
        r#"{"value":1}"#,
        r#"{"kind":"int"}"#,
        r#"{"kind":"other","value":1}"#,
        r#"{"kind":1,"value":1}"#,
    ] {
        assert_eq!(
            copied(text.as_bytes(), &pair).map_err(|error| error.kind() == ErrorKind::Syntax),
            Err(false),
            "{text}"
        );
    }
    // Missing or extra commas are refused here, too.
    let good = r#"{"x":5,"kind":"int","value":1},{"kind":"int","x":5,"value":1},{"x":5,"kind":"int","value":1},"#;
    for bad in
        [r#"{,"x":5,"kind":"int","value":1}"#, r#"{"kind":"int""x":5,"value":1}"#, r#"{"x":5"kind":"int","value":1}"#]
    {
        assert!(copied(format!("[{good}{bad}]{}", " ".repeat(100)).as_bytes(), &pair.clone().list()).is_err(), "{bad}");
    }
    let key = Shape::Union(UnionRef::new(Union::new("", variants, Tag::Key))).list();
    agrees(r#"[{"int":1},"none",{"list":[2]},{"none":null}]"#, &key, r#"[{"int":1},"none",{"list":[2]},"none"]"#);
    for text in [
        r#"["int" 5]"#,
        r#"["int"]"#,
        r#"["int",5]"#,
        r#"[{"int":1,"list":[]}]"#,
        r#"[{"int":1,"int":2}]"#,
        "[{}]",
        r#"["other"]"#,
        r#"[{"none":1}]"#,
    ] {
        assert!(copied(text.as_bytes(), &key).is_err(), "{text}");
    }
    let error = copied(br#"["int"]"#, &key).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a map of one key, found `int` without its content at `$[0]` (line 1, column 2)"
    );
}
