use super::{again, from_json, from_json_with, known, mapping, refused};
use crate::canonical::{Canonical, ReadOptions};
use crate::json::Json;
use crate::ndjson::Ndjson;
use crate::proto::ProtoSink;
use crate::stream::{self, Window};
use crate::{Keep, Output};
use demat_core::Sink;
use std::sync::Arc;

#[test]
fn whole_numbers_come_in_many_forms() {
    let mapping = mapping("a:int32?, b:uint64?");
    for (json, value) in [
        ("1", 1),
        ("\"1\"", 1),
        ("1.0", 1),
        ("1e0", 1),
        ("\"1.000\"", 1),
        ("0.1e1", 1),
        ("1000e-3", 1),
        ("-0", 0),
        ("2e1", 20),
        ("0e99999", 0),
    ] {
        let bytes = from_json(&format!("{{\"a\":{json}}}"), &mapping).unwrap_or_else(|error| panic!("{json}: {error}"));
        assert_eq!(bytes, [8, value], "{json}");
    }
    assert_eq!(again(r#"{"b":1.8446744073709551615e19}"#, &mapping), r#"{"b":"18446744073709551615"}"#);
    for json in [
        "1.5",
        "1e30",
        "1e-1",
        "\"\"",
        "\" 1\"",
        "\"1 \"",
        "\"0x1\"",
        "\"01\"",
        "true",
        "[]",
        "{}",
        "\"NaN\"",
        "1e99999999999999999999",
    ] {
        assert!(from_json(&format!("{{\"a\":{json}}}"), &mapping).is_err(), "{json}");
    }
    for json in ["2147483648", "-2147483649", "\"2147483648\""] {
        refused(&format!("{{\"a\":{json}}}"), &mapping, "int32");
    }
    refused(r#"{"b":-1}"#, &mapping, "uint64");
}

#[test]
fn floats_come_as_texts_too() {
    let mapping = mapping("a:float?, b:float32?");
    for (json, same) in [
        (r#"{"a":"1.5e3","b":"-2"}"#, r#"{"a":1500.0,"b":-2.0}"#),
        (r#"{"a":"NaN","b":"Infinity"}"#, r#"{"a":"NaN","b":"Infinity"}"#),
        (r#"{"a":1e308,"b":3.4028235e38}"#, r#"{"a":1e+308,"b":3.4028235e+38}"#),
    ] {
        assert_eq!(again(json, &mapping), same);
    }
    for json in [
        r#"{"a":"nan"}"#,
        r#"{"a":"+1"}"#,
        r#"{"a":"inf"}"#,
        r#"{"a":1e309}"#,
        r#"{"b":3.5e38}"#,
        r#"{"b":"1e39"}"#,
        r#"{"a":true}"#,
    ] {
        assert!(from_json(json, &mapping).is_err(), "{json}");
    }
}

#[test]
fn bytes_come_in_both_alphabets_and_with_padding_or_without() {
    let mapping = mapping("a:bytes?");
    for (text, bytes) in
        [("-_8=", &b"\xfb\xff"[..]), ("+/8", b"\xfb\xff"), ("AQI", b"\x01\x02"), ("", b""), ("-_", b"\xfb")]
    {
        let expected = [&[10, bytes.len() as u8][..], bytes].concat();
        assert_eq!(from_json(&format!("{{\"a\":\"{text}\"}}"), &mapping).unwrap(), expected, "{text}");
    }
    for text in ["A", "A=", "A===", "AQI==", "A Q", "AQ=I"] {
        refused(&format!("{{\"a\":\"{text}\"}}"), &mapping, "base64");
    }
}

#[test]
fn null_is_a_field_that_did_not_come() {
    let mapping =
        mapping("a:int32?, b:[int32]?, c:map(text, int32)?, d:A{}?, e@99:union(f@5:int32, g@6:text)? #proto:oneof");
    assert_eq!(from_json(r#"{"a":null,"b":null,"c":null,"d":null,"f":null}"#, &mapping).unwrap(), b"");
    assert_eq!(from_json(r#"{"f":null,"g":"x"}"#, &mapping).unwrap(), b"\x32\x01x");
    for json in [r#"{"b":[null]}"#, r#"{"c":{"k":null}}"#] {
        assert!(from_json(json, &mapping).is_err(), "{json}");
    }
}

#[test]
fn fields_that_come_twice_are_refused() {
    let mapping = mapping("a_b:int32?, c:map(int32, int32)?, e@99:union(f@5:int32, g@6:text)? #proto:oneof");
    for json in [
        r#"{"aB":1,"aB":2}"#,
        r#"{"aB":1,"a_b":2}"#,
        r#"{"f":1,"g":"x"}"#,
        r#"{"f":1,"f":1}"#,
        r#"{"c":{"1":1,"1":2}}"#,
    ] {
        refused(json, &mapping, "stands here again");
    }
}

#[test]
fn what_nobody_knows_is_refused_or_passed_over() {
    let mapping = mapping("a:int32?, b:[enum E(X) | int32]?, c:map(text, E | int32)?, d:(E | int32)?");
    refused(r#"{"a":1,"z":{}}"#, &mapping, "unknown field `z`");
    refused(r#"{"@type":"x"}"#, &mapping, "unknown field `@type`");
    refused(r#"{"d":"Y"}"#, &mapping, "expected `X`, found `Y`");
    refused(r#"{"d":"x"}"#, &mapping, "expected `X`, found `x`");
    let json = r#"{"z":[{}],"a":1,"y":null,"b":["X","Y",3,"Z"],"c":{"k":"Y","l":"X"},"d":"Y"}"#;
    let bytes = from_json_with(json, &mapping, true).unwrap();
    assert_eq!(bytes, from_json(r#"{"a":1,"b":["X",3],"c":{"l":"X"}}"#, &mapping).unwrap());
}

#[test]
fn keys_of_maps_are_texts_of_their_kind() {
    let mapping = mapping("a:map(int32, text)?, b:map(bool, int32)?, c:map(uint64, int32)?");
    let json = r#"{"a":{"-1":"x"},"b":{"true":1,"false":0},"c":{"18446744073709551615":1}}"#;
    assert_eq!(again(json, &mapping), json);
    for json in [r#"{"a":{"x":"x"}}"#, r#"{"b":{"True":1}}"#, r#"{"c":{"-1":1}}"#, r#"{"a":{"2147483648":""}}"#] {
        assert!(from_json(json, &mapping).is_err(), "{json}");
    }
}

#[test]
fn googles_own_are_read_as_strictly_as_they_are_written() {
    let mapping = Arc::new(known());
    for (json, same) in [
        (r#"{"a":"1970-01-01T01:00:00+01:00"}"#, r#"{"a":"1970-01-01T00:00:00Z"}"#),
        (r#"{"b":"1.5s"}"#, r#"{"b":"1.500s"}"#),
        (r#"{"b":"-0.1s"}"#, r#"{"b":"-0.100s"}"#),
        (r#"{"h":{"taskId":1,"@type":"x/p.Task"}}"#, r#"{"h":{"@type":"x/p.Task","taskId":1}}"#),
        (
            r#"{"h":{"value":"1970-01-01T00:00:00Z","@type":"x/p.Time"}}"#,
            r#"{"h":{"@type":"x/p.Time","value":"1970-01-01T00:00:00Z"}}"#,
        ),
        (r#"{"g":5}"#, r#"{"g":"5"}"#),
    ] {
        assert_eq!(again(json, &mapping), same);
    }
    for (json, message) in [
        (r#"{"a":"1970-01-01T00:00:00"}"#, "a timestamp as RFC 3339"),
        (r#"{"a":"1970-01-01t00:00:00Z"}"#, "a timestamp as RFC 3339"),
        (r#"{"a":"1970-01-01T00:00:00z"}"#, "a timestamp as RFC 3339"),
        (r#"{"a":"0000-12-31T00:00:00Z"}"#, "a timestamp as RFC 3339"),
        (r#"{"a":"9999-12-31T23:59:59-01:00"}"#, "a timestamp as RFC 3339"),
        (r#"{"b":"1"}"#, "a duration in seconds"),
        (r#"{"b":".5s"}"#, "a duration in seconds"),
        (r#"{"b":"1.s"}"#, "a duration in seconds"),
        (r#"{"b":"+1s"}"#, "a duration in seconds"),
        (r#"{"b":"315576000001s"}"#, "a duration in seconds"),
        (r#"{"b":"1.0000000001s"}"#, "a duration in seconds"),
        (r#"{"c":"a_b"}"#, "paths in lowerCamelCase"),
        (r#"{"h":{"taskId":1}}"#, "the type of the message"),
        (r#"{"h":{"@type":"p.Task"}}"#, "names no message"),
        (r#"{"h":{"@type":"x/p.Time"}}"#, "the message, as `value`"),
        (r#"{"h":{"@type":"x/p.Task","inner":{"@type":"x/p.Task"}}}"#, "unknown field `@type`"),
        (r#"{"h":{"@type":"x/p.Task","@type":"x/p.Task"}}"#, "one `@type`"),
        (r#"{"g":null,"g":"x"}"#, "a whole number"),
    ] {
        refused(json, &mapping, message);
    }
}

#[test]
fn every_window_reads_the_same() {
    let mapping = Arc::new(known());
    let json = r#"{"d":{"a":[1,{"b":null}],"c":{"d":[true]}},"f":[[],[1.5,"x"]],"i":[{"k":1}],"h":{"@type":"x/p.Task","taskId":1},"c":"aB,c","b":"1.5s"}"#;
    let expected = from_json(json, &mapping).unwrap();
    for size in [1, 2, 7, 64, 1000] {
        for many in [false, true] {
            let text = if many { format!("[{json},{json}]") } else { json.to_owned() };
            let shape = if many { mapping.shape().clone().list() } else { mapping.shape().clone() };
            let mut window = Window::with_size(text.as_bytes(), size);
            let mut format = Canonical::new(Json::default(), Arc::clone(&mapping), ReadOptions::default());
            let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
            stream::copy(&mut window, &mut format, &shape, &mut sink as &mut dyn Sink, &mut stream::Stop)
                .unwrap_or_else(|error| panic!("{size}: {error}"));
            let bytes = sink.into_output().into_parts().0;
            if many {
                let lines = format!("{json}\n{json}\n");
                let mut window = Window::with_size(lines.as_bytes(), size);
                let mut format = Canonical::new(Ndjson::default(), Arc::clone(&mapping), ReadOptions::default());
                let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
                stream::copy(&mut window, &mut format, &shape, &mut sink as &mut dyn Sink, &mut stream::Stop)
                    .unwrap_or_else(|error| panic!("{size}: {error}"));
                assert_eq!(sink.into_output().into_parts().0, bytes, "{size}");
                assert_eq!(bytes.len(), 2 * (expected.len() + 2), "{size}");
            } else {
                assert_eq!(bytes, expected, "{size}");
            }
        }
    }
}

#[test]
fn what_is_cut_off_anywhere_is_an_error() {
    let mapping = Arc::new(known());
    let json = r#"{"d":{"a":[1,{"b":null}]},"h":{"@type":"x/p.Task","taskId":1},"c":"aB","i":[null]}"#;
    for end in 0..json.len() {
        assert!(from_json(&json[..end], &mapping).is_err(), "{end}");
    }
}

#[test]
fn an_any_in_an_any_ends_somewhere() {
    let deep = |levels: usize| {
        let shape = "Any{type_url:text? #proto:implicit #proto:\"json any\", value:bytes? #proto:implicit}";
        let types: super::Types = Arc::new(move |name| (name == "p.Any").then(|| shape.parse().unwrap()));
        let mapping = Arc::new(super::Mapping::new(&shape.parse().unwrap()).unwrap().with_types(types));
        let json = format!("{}{{}}{}", r#"{"@type":"x/p.Any","value":"#.repeat(levels), "}".repeat(levels));
        from_json(&json, &mapping).and_then(|bytes| super::to_json(&bytes, &mapping)).map(|same| assert_eq!(same, json))
    };
    deep(10).unwrap();
    assert!(deep(80).unwrap_err().to_string().contains("`Any` in `Any`"));
}
