use super::{both, reads, refuses, shape, written};

#[test]
fn a_message_in_a_message_stands_behind_its_length() {
    both("c@3:{a:int32}", r#"{"c":{"a":150}}"#, b"\x1a\x03\x08\x96\x01");
    both("a:{b:{c:{d:int}}}", r#"{"a":{"b":{"c":{"d":0}}}}"#, b"\x0a\x04\x0a\x02\x0a\0");
    both("a:{b:int}?, c:int", r#"{"c":1}"#, b"\x10\x01");
    both("a:{b:int} #proto:group, c:int", r#"{"a":{"b":1},"c":2}"#, b"\x0b\x08\x01\x0c\x10\x02");
    both("a:[{b:int}] #proto:group", r#"{"a":[{"b":1},{"b":0}]}"#, b"\x0b\x08\x01\x0c\x0b\x0c");
}

#[test]
fn lengths_are_exact_however_long() {
    let shape = shape("a:{b:{c:text, d:int}, e:[{f:text}]}, g:int");
    for len in
        [1, 100, 115, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 200, 16_370, 16_384, 70_000, 3_000_000]
    {
        let text = "x".repeat(len);
        let json = format!(r#"{{"a":{{"b":{{"c":"{text}","d":7}},"e":[{{"f":"{text}"}},{{"f":"y"}}]}},"g":3}}"#);
        let bytes = written(&shape, &json).unwrap();
        assert_eq!(super::read(&shape, &bytes).unwrap(), json, "{len}");
        // Lengths have no redundant bytes.
        let varint = |value: usize| {
            if value < 128 {
                1
            } else if value < 16_384 {
                2
            } else if value < 2_097_152 {
                3
            } else {
                4
            }
        };
        let text_field = 1 + varint(len) + len;
        let (b, f) = (text_field + 2, text_field);
        let a = 1 + varint(b) + b + 1 + varint(f) + f + 1 + 1 + 3;
        assert_eq!(bytes.len(), 1 + varint(a) + a + 2, "{len}");
    }
}

#[test]
fn fields_come_in_any_order_and_unknown_ones_are_passed_over() {
    reads("a:int, b:text", b"\x12\x01x\x08\x01", r#"{"b":"x","a":1}"#);
    let unknown = b"\x08\x01\x1a\x02??\x20\xff\x01\x29\0\0\0\0\0\0\0\0\x35\0\0\0\0\x3b\x08\x01\x43\x44\x3c\x12\x01x\xf8\xff\xff\xff\x0f\0";
    reads("a:int, b:text", unknown, r#"{"a":1,"b":"x"}"#);
    refuses("a:int, !", b"\x10\x01", "unknown field `2`; the fields are `a` (byte 0)");
}

#[test]
fn unknown_fields_can_be_kept_and_written_again() {
    let shape = shape("a:int, ...rest:map(text, any), b@9:int");
    let bytes = b"\x08\x01\x1a\x02??\x48\x02";
    assert_eq!(super::read(&shape, bytes).unwrap(), r#"{"a":1,"3":"GgI/Pw==","b":2}"#);
    let mut source = super::ProtoSource::new(bytes);
    let mut sink = super::ProtoSink::new(crate::Output::new(Vec::new(), crate::Keep));
    demat_core::copy(&mut source, &shape, &mut sink).unwrap();
    assert_eq!(sink.into_output().into_parts().0, bytes);
    // Wherever in the message they are.
    let apart = b"\x18\x01\x18\x02\x08\x01\x18\x03";
    assert_eq!(super::read(&shape, apart).unwrap(), r#"{"3":"GAEYAhgD","a":1,"b":0}"#);
}

#[test]
fn the_last_of_several_values_counts() {
    reads("a:int, b:int", b"\x08\x01\x10\x05\x08\x02", r#"{"b":5,"a":2}"#);
}

#[test]
fn what_must_be_there_is_zero_or_an_error() {
    reads("a:int, b:text, c:[int], d:{e:int}?", b"", r#"{"a":0,"b":"","c":[]}"#);
    refuses("a:int #proto:required", b"", "expected field `a`, found nothing (byte 0)");
    refuses("a:{b:int}", b"", "expected field `a`, found nothing (byte 0)");
    refuses("a:enum(x = 1)", b"", "expected `x`, found the number 0 at `$.a` (byte 0)");
    // From the 65th field on, too. Present fields come first.
    let fields: Vec<_> = (0..100).map(|i| format!("f{i}:int")).collect();
    let zeros: Vec<_> = (0..100).filter(|i| *i != 80).map(|i| format!(",\"f{i}\":0")).collect();
    reads(&fields.join(", "), b"\x88\x05\x01", &format!("{{\"f80\":1{}}}", zeros.concat()));
}

#[test]
fn a_message_can_be_told_by_its_bytes() {
    use crate::proto::ProtoSink;
    use crate::{Keep, Output};
    use demat_core::Sink;
    let demat_core::Shape::Record(outer) = super::shape("{a:{b:int}, c:{b:int} #proto:group, d:any, e:text}") else {
        unreachable!()
    };
    let outer = outer.get();
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    sink.begin_record(&outer).unwrap();
    sink.field(&outer, 0).unwrap();
    assert!(!sink.as_is("json", b"{}").unwrap());
    assert!(sink.as_is("proto", b"\x08\x01").unwrap());
    sink.field(&outer, 1).unwrap();
    assert!(sink.as_is("proto", b"\x08\x02").unwrap());
    // A `google.protobuf.Value` can't be written as encoded bytes.
    sink.field(&outer, 2).unwrap();
    assert!(!sink.as_is("proto", b"\x08\x01").unwrap());
    sink.field(&outer, 3).unwrap();
    assert!(sink.as_is("proto", b"\x08\x01").is_err());
    sink.end_record(&outer).unwrap();
    sink.finish().unwrap();
    assert_eq!(sink.into_output().into_parts().0, b"\x0a\x02\x08\x01\x13\x08\x02\x14");
}
