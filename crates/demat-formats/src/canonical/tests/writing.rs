use super::{again, from_json, known, mapping, to_json};
use crate::canonical::{CanonicalSink, CanonicalSource, ReadOptions};
use crate::json::{CompactSink, JsonSink, JsonSource, WriteOptions};
use crate::ndjson::NdjsonSink;
use crate::proto::ProtoSource;
use crate::{Keep, Output};
use demat_core::copy;
use std::sync::Arc;

#[test]
fn fields_have_names_in_camel_case_or_their_own() {
    let mapping = mapping("task_id:int32, _a__b9c_:int32 #proto:\"json_name other\", C_d:int32");
    assert_eq!(to_json(b"\x08\x01\x10\x02\x18\x03", &mapping).unwrap(), r#"{"taskId":1,"other":2,"CD":3}"#);
    for json in [r#"{"taskId":1,"other":2,"CD":3}"#, r#"{"task_id":1,"_a__b9c_":2,"C_d":3}"#] {
        assert_eq!(from_json(json, &mapping).unwrap(), b"\x08\x01\x10\x02\x18\x03", "{json}");
    }
}

#[test]
fn what_is_nothing_is_left_out() {
    let implicit = mapping("a:int32, b:text, c:bytes, d:float, e:bool, f:[int32], g:map(text, int32), h:enum E(X, Y)");
    assert_eq!(to_json(b"", &implicit).unwrap(), "{}");
    assert_eq!(to_json(b"\x08\x00\x12\x00\x32\x00", &implicit).unwrap(), "{}");
    // A negative zero is not a zero value, so it is written.
    assert_eq!(to_json(b"\x21\0\0\0\0\0\0\0\x80", &implicit).unwrap(), r#"{"d":-0.0}"#);
    let explicit = mapping("a:int32?, b:text?, c:bytes?, d:float?, e:bool?, h:(enum E(X, Y))?");
    assert_eq!(
        to_json(b"\x08\x00\x12\x00\x1a\x00\x21\0\0\0\0\0\0\0\0\x28\x00\x30\x00", &explicit).unwrap(),
        r#"{"a":0,"b":"","c":"","d":0.0,"e":false,"h":"X"}"#
    );
}

#[test]
fn numbers_of_64_bits_are_texts() {
    let mapping =
        mapping("a:int64, b:uint64, c:int64 #proto:sint64, d:[uint64] #proto:fixed64, e:map(int64, int64), f:uint32");
    let json = r#"{"a":"-9223372036854775808","b":"18446744073709551615","c":"-1","d":["0","7"],"e":{"-5":"6"},"f":4294967295}"#;
    assert_eq!(again(json, &mapping), json);
}

#[test]
fn floats_that_are_no_numbers_are_texts() {
    let mapping = mapping("a:float, b:float32, c:[float]");
    let json = r#"{"a":"NaN","b":"-Infinity","c":["Infinity",1.5]}"#;
    assert_eq!(again(json, &mapping), json);
}

#[test]
fn enums_are_names_and_numbers_that_have_none() {
    let open = mapping("a:enum E(X, Y = 1, Z = 1) | int32, b:[E | int32], c:map(text, E | int32)");
    assert_eq!(
        again(r#"{"a":"Z","b":["X",1,7],"c":{"k":1,"l":9}}"#, &open),
        r#"{"a":"Y","b":["X","Y",7],"c":{"k":"Y","l":9}}"#
    );
    // For a closed enum, other numbers are unknown fields.
    let closed =
        "a:(enum E(X, Y) | int32)? #proto:closed, b:[E | int32]? #proto:closed, c:map(text, E | int32)? #proto:closed";
    let (open, closed) = (mapping(&closed.replace(" #proto:closed", "")), mapping(closed));
    let bytes = from_json(r#"{"a":7,"b":[7,1,8],"c":{"k":7,"l":1,"m":8}}"#, &open).unwrap();
    assert_eq!(to_json(&bytes, &closed).unwrap(), r#"{"b":["Y"],"c":{"l":"Y"}}"#);
}

#[test]
fn a_oneof_is_the_field_of_it_that_is_set() {
    let mapping = mapping(
        "a_b:int32?, who@99:union(first_name@2:text, last@3:int64, more@4:A{b:int32?}, odd@5:int32 #proto:sint32 #proto:\"json_name even\")? #proto:oneof",
    );
    for json in [r#"{"firstName":""}"#, r#"{"aB":1,"last":"0"}"#, r#"{"more":{"b":1}}"#, r#"{"even":-1}"#] {
        assert_eq!(again(json, &mapping), json);
    }
    assert_eq!(from_json(r#"{"odd":-1}"#, &mapping).unwrap(), b"\x28\x01");
}

#[test]
fn googles_own_have_forms_of_their_own() {
    let mapping = Arc::new(known());
    for json in [
        r#"{"a":"1970-01-01T00:00:00Z"}"#,
        r#"{"a":"0001-01-01T00:00:00.000001Z"}"#,
        r#"{"a":"9999-12-31T23:59:59.999999999Z"}"#,
        r#"{"a":"1972-01-01T10:00:20.021Z","b":"-1.000340012s"}"#,
        r#"{"b":"0s"}"#,
        r#"{"b":"315576000000.999999999s"}"#,
        r#"{"c":"userName,photo.bigOne"}"#,
        r#"{"c":""}"#,
        r#"{"d":{}}"#,
        r#"{"d":{"a":null,"b":1.5,"c":"x","d":true,"e":{"f":[]},"g":[1.0,[null]]}}"#,
        r#"{"e":null}"#,
        r#"{"e":[{"a":{}}]}"#,
        r#"{"f":[]}"#,
        r#"{"f":[null,false]}"#,
        r#"{"g":"0"}"#,
        r#"{"g":"-5","k":""}"#,
        r#"{"h":{}}"#,
        r#"{"h":{"@type":"x/p.Task"}}"#,
        r#"{"h":{"@type":"x/y/p.Task","taskId":1,"inner":{"taskId":2}}}"#,
        r#"{"h":{"@type":"x/p.Time","value":"1970-01-01T00:00:00Z"}}"#,
        r#"{"i":[null,[1.0],{"a":null}]}"#,
    ] {
        assert_eq!(again(json, &mapping), json);
    }
    // JSON writes this enum as null, and null may be left out.
    assert_eq!(again(r#"{"j":null}"#, &mapping), "{}");
}

#[test]
fn a_date_and_time_without_an_offset_is_text() {
    let mapping = mapping("a:datetime, b:[datetime], c:map(text, datetime)");
    let json =
        r#"{"a":"2026-02-03T04:05:06.500","b":["0001-01-01T00:00:00"],"c":{"k":"9999-12-31T23:59:59.999999999"}}"#;
    assert_eq!(again(json, &mapping), json);
    let bytes = from_json(json, &mapping).unwrap();
    assert_eq!(&bytes[..2], b"\x0a\x17");
    super::refused(r#"{"a":"2026-02-03T04:05:06Z"}"#, &mapping, "`2026-02-03T04:05:06Z`, which has an offset");
}

#[test]
fn what_has_no_form_is_refused() {
    let mapping = Arc::new(known());
    for (bytes, message) in [
        // Seconds of 2^55 in a timestamp and in a duration; nanoseconds with another sign than the seconds.
        (&b"\x0a\x09\x08\x80\x80\x80\x80\x80\x80\x80\x40"[..], "a timestamp of the years 1 to 9999"),
        (b"\x12\x09\x08\x80\x80\x80\x80\x80\x80\x80\x40", "a duration of ten thousand years"),
        (b"\x12\x0d\x08\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "a duration of ten thousand years"),
        (b"\x1a\x04\x0a\x02aB", "a path that its form in JSON leads back to"),
        (b"\x2a\x00", "a message that says none"),
        (b"\x2a\x09\x11\0\0\0\0\0\0\xf8\x7f", "a finite number"),
        (b"\x42\x05\x0a\x03x/y", "`x/y` names no message"),
        (b"\x42\x03\x12\x01x", "names no message"),
    ] {
        let error = to_json(bytes, &mapping).err().unwrap_or_else(|| panic!("{bytes:?}")).to_string();
        assert!(error.contains(message), "{bytes:?}: {error}");
    }
}

#[test]
fn any_sink_of_json_can_stand_behind_it() {
    let mapping = Arc::new(known());
    let bytes = from_json(r#"{"h":{"@type":"x/p.Task","taskId":1},"b":"1s"}"#, &mapping).unwrap();
    let options = WriteOptions { indent: Some(1), sorted_keys: true, ..WriteOptions::default() };
    let mut sink = CanonicalSink::new(JsonSink::new(Output::new(Vec::new(), Keep), options), Arc::clone(&mapping));
    copy(&mut ProtoSource::new(&bytes), mapping.shape(), &mut sink).unwrap();
    let text = String::from_utf8(sink.into_inner().into_output().into_parts().0).unwrap();
    assert_eq!(text, "{\n \"b\": \"1s\",\n \"h\": {\n  \"@type\": \"x/p.Task\",\n  \"taskId\": 1\n }\n}");

    let many = [&[bytes.len() as u8][..], &bytes, &[0]].concat();
    let lines = NdjsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let mut sink = CanonicalSink::new(lines, Arc::clone(&mapping));
    copy(&mut ProtoSource::new(&many), &mapping.shape().clone().list(), &mut sink).unwrap();
    let text = String::from_utf8(sink.into_inner().into_output().into_parts().0).unwrap();
    assert_eq!(text.lines().collect::<Vec<_>>(), [r#"{"h":{"@type":"x/p.Task","taskId":1},"b":"1s"}"#, "{}"]);
}

#[test]
fn a_field_that_repeats_is_written_once() {
    let mapping = mapping("a:int64?, b:A{c:int32?, d:[int32]?}?, e:map(int32, int32)?");
    let bytes =
        b"\x08\x01\x12\x02\x08\x05\x08\x02\x12\x04\x10\x06\x10\x07\x1a\x04\x08\x01\x10\x01\x1a\x04\x08\x01\x10\x02";
    assert_eq!(to_json(bytes, &mapping).unwrap(), r#"{"b":{"c":5,"d":[6,7]},"a":"2","e":{"1":2}}"#);
}

#[test]
fn records_of_another_shape_are_refused() {
    let mapping = mapping("a:int32?");
    let json = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let other = "Other{a:int32?}".parse().unwrap();
    let error = copy(&mut ProtoSource::new(b""), &other, &mut CanonicalSink::new(json, mapping)).unwrap_err();
    assert!(error.to_string().contains("`Other` is not of the shape"), "{error}");
}

/// JSON that was converted from JSON has the usual form.
#[test]
fn numbers_that_have_names_are_told_by_them() {
    let mapping =
        mapping("a:(enum(X, Y) | int32)? #proto:implicit, b:enum(X, Y)? #proto:closed, c:[enum(X, Y) | int32]?");
    for (json, same) in [
        (r#"{"a":1,"b":1,"c":[0,1,"Y",7]}"#, r#"{"a":"Y","b":"Y","c":["X","Y","Y",7]}"#),
        (r#"{"a":7}"#, r#"{"a":7}"#),
        (r#"{"a":"Y"}"#, r#"{"a":"Y"}"#),
    ] {
        let source = JsonSource::new(json.as_bytes());
        let mut source = CanonicalSource::new(source, Arc::clone(&mapping), ReadOptions::default());
        let mut sink = CanonicalSink::new(CompactSink::new(Output::new(Vec::new(), Keep)), Arc::clone(&mapping));
        copy(&mut source, mapping.shape(), &mut sink).unwrap_or_else(|error| panic!("{json}: {error}"));
        let written = sink.into_inner().into_output().into_parts().0;
        assert_eq!(String::from_utf8(written).unwrap(), same, "{json}");
    }
}
