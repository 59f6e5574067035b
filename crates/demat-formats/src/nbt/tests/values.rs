//! How each kind of value is encoded.

use super::*;

/// Returns the payload of a compound after `\x0a\0\0`, the tag and the name `a`.
fn field(value: Value, shape: &str) -> Vec<u8> {
    let bytes = written(&map(&[("a", value)]), &format!("{{a: {shape}}}")).unwrap();
    let payload = bytes.strip_prefix(b"\x0a\0\0").and_then(|rest| rest.strip_suffix(b"\0")).unwrap();
    [&payload[..1], payload[1..].strip_prefix(b"\0\x01a").unwrap()].concat()
}

#[test]
fn ints_have_the_tag_of_their_width() {
    assert_eq!(field(int(7), "int8"), b"\x01\x07");
    assert_eq!(field(int(7), "uint8"), b"\x02\0\x07");
    assert_eq!(field(int(-2), "int16"), b"\x02\xff\xfe");
    assert_eq!(field(int(7), "uint16"), b"\x03\0\0\0\x07");
    assert_eq!(field(int(7), "int32"), b"\x03\0\0\0\x07");
    assert_eq!(field(int(7), "int64"), b"\x04\0\0\0\0\0\0\0\x07");
    assert_eq!(field(int(7), "int"), b"\x03\0\0\0\x07");
    assert_eq!(field(int(7), "any"), b"\x03\0\0\0\x07");
    assert_eq!(field(int(1 << 31), "int"), b"\x04\0\0\0\0\x80\0\0\0");
    assert_eq!(field(int(7), "int8?"), b"\x01\x07");
    let error = written(&Value::Int(u64::MAX.into()), "any").unwrap_err();
    assert_eq!(error.to_string(), "expected an int of 64 bits with sign, found `18446744073709551615`");
}

#[test]
fn the_other_scalars_have_one_tag() {
    assert_eq!(field(Value::Bool(true), "bool"), b"\x01\x01");
    assert_eq!(field(Value::Float(0.5), "float32"), b"\x05\x3f\0\0\0");
    assert_eq!(field(Value::Float(0.5), "float64"), b"\x06\x3f\xe0\0\0\0\0\0\0");
    assert_eq!(field(text("é\0"), "text"), b"\x08\0\x04\xc3\xa9\xc0\x80");
    assert_eq!(field(Value::Bytes(vec![1, 2].into()), "bytes"), b"\x07\0\0\0\x02\x01\x02");
    assert_eq!(field(text("2026-05-01"), "date"), b"\x08\0\x0a2026-05-01");
}

#[test]
fn lists_are_typed_by_their_shape() {
    let numbers = || Value::List(vec![int(1), int(2)]);
    assert_eq!(field(numbers(), "[int8]"), b"\x07\0\0\0\x02\x01\x02");
    assert_eq!(field(numbers(), "[int32]"), b"\x0b\0\0\0\x02\0\0\0\x01\0\0\0\x02");
    assert_eq!(field(numbers(), "[int64]")[..5], *b"\x0c\0\0\0\x02");
    assert_eq!(field(numbers(), "[int32?]"), b"\x09\x03\0\0\0\x02\0\0\0\x01\0\0\0\x02");
    assert_eq!(field(numbers(), "[int16]"), b"\x09\x02\0\0\0\x02\0\x01\0\x02");
    assert_eq!(field(numbers(), "[int]"), b"\x09\x03\0\0\0\x02\0\0\0\x01\0\0\0\x02");
    assert_eq!(field(numbers(), "(int8, int8)"), b"\x09\x01\0\0\0\x02\x01\x02");
    let empty = || Value::List(vec![]);
    assert_eq!(field(empty(), "[text]"), b"\x09\x08\0\0\0\0");
    assert_eq!(field(empty(), "[{a: int}]"), b"\x09\x0a\0\0\0\0");
    assert_eq!(field(empty(), "[int]"), b"\x09\0\0\0\0\0");
    assert_eq!(field(empty(), "[int32]"), b"\x0b\0\0\0\0");
    assert_eq!(field(empty(), "any"), b"\x09\0\0\0\0\0");
    assert_eq!(field(Value::List(vec![numbers(), empty()]), "[[int32]]")[..6], *b"\x09\x0b\0\0\0\x02");
}

#[test]
fn ints_of_a_list_without_a_width_have_the_smallest_tag_that_holds_all() {
    let wide = Value::List(vec![int(1), int(1 << 40), int(-1)]);
    for variant in VARIANTS {
        let options = WriteOptions { variant, ..WriteOptions::default() };
        let bytes = written_with(&wide, &Shape::Any, options.clone()).unwrap();
        assert_eq!(read_with(&bytes, &Shape::Any, &of(variant)).unwrap(), wide, "{variant:?}");
        assert_eq!(bytes[if variant == Variant::BedrockNetwork { 2 } else { 3 }], 4);
        let narrow = Value::List(vec![Value::List(vec![int(1), int(-1)]), Value::List((0..200).map(int).collect())]);
        let bytes = written_with(&narrow, &Shape::Any, options).unwrap();
        assert_eq!(read_with(&bytes, &Shape::Any, &of(variant)).unwrap(), narrow, "{variant:?}");
    }
}

#[test]
fn a_declared_long_makes_a_list_of_longs() {
    let value = Value::List(vec![int(1), int(1 << 40), int(3)]);
    for shape in ["(int, int64, int)", "(int64, int64, int)", "(int, int, int64)"] {
        let bytes = written(&value, shape).unwrap();
        assert_eq!(bytes[3], 4, "{shape}");
        assert_eq!(read(&bytes, shape).unwrap(), value, "{shape}");
    }
    assert!(written(&value, "(int, int64, int16)").unwrap_err().to_string().contains("which all have one tag"));
}

#[test]
fn every_int_tag_and_array_is_read() {
    assert_eq!(read(b"\x01\0\0\xff", "int").unwrap(), int(-1));
    assert_eq!(read(b"\x02\0\0\xff\xfe", "int8").unwrap(), int(-2));
    assert_eq!(read(b"\x0b\0\0\0\0\0\x01\0\0\0\x07", "[int8]").unwrap(), Value::List(vec![int(7)]));
    assert_eq!(read(b"\x07\0\0\0\0\0\x01\x07", "[int]").unwrap(), Value::List(vec![int(7)]));
    assert_eq!(read(b"\x07\0\0\0\0\0\x01\x07", "any").unwrap(), Value::Bytes(vec![7].into()));
    assert_eq!(read(b"\x0c\0\0\0\0\0\0", "any").unwrap(), Value::List(vec![]));
    assert_eq!(read(b"\x05\0\0\x3f\0\0\0", "float64").unwrap(), Value::Float(0.5));
    assert_eq!(read(b"\x03\0\0\0\0\0\x02", "float64").unwrap(), Value::Float(2.0));
    assert_eq!(read(b"\x03\0\0\0\0\0\x02", "decimal").unwrap().kind(), demat_core::Kind::Decimal);
    assert_eq!(read(b"\x01\0\0\x01", "bool").unwrap(), Value::Bool(true));
    let kinds = [("int", "\x08\0\0\0\0"), ("bool", "\x03\0\0\0\0\0\x01"), ("float", "\x08\0\0\0\0")];
    for (kind, bytes) in kinds {
        assert!(refusal(bytes.as_bytes(), kind).starts_with("expected `"), "{kind}");
    }
    assert_eq!(refusal(b"\x05\0\0\x3f\0\0\0", "int"), "expected `int`, found `float` 0.5 (byte 0)");
    assert_eq!(refusal(b"\x01\0\0\x02", "bool"), "expected `bool` as byte 0 or 1, found `2` (byte 0)");
}

#[test]
fn uuids_are_text_or_four_ints() {
    let uuid = demat_core::scalar::Uuid(*b"\xf8\x1d\x4f\xae\x7d\xec\x11\xd0\xa7\x65\x00\xa0\xc9\x1e\x6b\xf6");
    let value = Value::Uuid(uuid);
    let shape: Shape = "uuid".parse().unwrap();
    let as_text = written_with(&value, &shape, WriteOptions::default()).unwrap();
    assert_eq!(as_text[0], 8);
    for variant in VARIANTS {
        let options = WriteOptions { variant, uuid_ints: true, ..WriteOptions::default() };
        let bytes = written_with(&value, &shape, options).unwrap();
        assert_eq!(bytes[0], 11);
        assert_eq!(read_with(&bytes, &shape, &of(variant)).unwrap(), value);
    }
    assert_eq!(read(&as_text, "uuid").unwrap(), value);
    let error = refusal(b"\x0b\0\0\0\0\0\x01\0\0\0\0", "uuid");
    assert_eq!(error, "expected `uuid` as an int array of length 4, found an int array of length 1 (byte 0)");
}

#[test]
fn a_field_that_is_null_is_left_out_and_read_as_null() {
    let shape = "{a: int?, b: text, c: text?}";
    let value = map(&[("a", Value::Null), ("b", text("x")), ("c", Value::Null)]);
    let bytes = written(&value, shape).unwrap();
    assert_eq!(bytes, b"\x0a\0\0\x08\0\x01b\0\x01x\0");
    let shape: Shape = shape.parse().unwrap();
    let Shape::Record(record) = &shape else { unreachable!() };
    let fields = record.get().fields().iter().map(|field| field.clone().with_required(true)).collect();
    let required = Shape::record(demat_core::Record::new("", fields).unwrap());
    let read = read_with(&bytes, &required, &of(Variant::Java)).unwrap();
    assert_eq!((read.get("a"), read.get("c")), (Some(&Value::Null), Some(&Value::Null)));
    let error = read_with(b"\x0a\0\0\0", &required, &of(Variant::Java)).unwrap_err();
    assert_eq!(error.reason(), "expected field `b`, found nothing");
}

#[test]
fn wide_records_omit_up_to_64_fields() {
    let fields = |count: u32| -> Vec<_> {
        (1..=count)
            .map(|number| Field::new(format!("f{number}"), number, Shape::Text.optional()).with_required(true))
            .collect()
    };
    let with = |count: u32| Shape::record(Record::new("", fields(count)).unwrap());
    let value = map(&[("f3", text("x")), ("f33", text("y")), ("f63", text("z"))]);
    let bytes = written(&value, "any").unwrap();
    let wide = read_with(&bytes, &with(64), &of(Variant::Java)).unwrap();
    for number in 1..=64 {
        let key = format!("f{number}");
        assert_eq!(wide.get(&key), Some(value.get(&key).unwrap_or(&Value::Null)), "{key}");
    }
    let error = read_with(&bytes, &with(65), &of(Variant::Java)).unwrap_err();
    assert_eq!(error.reason(), "expected field `f65`, found nothing");
}

#[test]
fn null_is_refused_anywhere_else() {
    let reason = "NBT has no null: only a field of a record can be left out";
    for (value, shape) in [
        (Value::Null, "any"),
        (Value::List(vec![Value::Null]), "[int?]"),
        (map(&[("a", Value::Null)]), "map(text, int?)"),
        (map(&[("a", Value::Null)]), "any"),
    ] {
        assert_eq!(written(&value, shape).unwrap_err().reason(), reason);
    }
}

#[test]
fn lists_of_several_tags_are_refused() {
    let mixed = |items: Vec<Value>| written(&Value::List(items), "any").unwrap_err().to_string();
    let reason = "expected int as the other items of the list, which all have one tag, found `string`";
    assert!(mixed(vec![int(1), text("a")]).starts_with(reason), "{}", mixed(vec![int(1), text("a")]));
    assert!(mixed(vec![Value::Bool(true), int(1)]).contains("byte"));
    assert!(mixed(vec![Value::Float(0.0), int(1)]).contains("double"));
    assert!(mixed(vec![map(&[]), Value::List(vec![])]).contains("compound"));
}

#[test]
fn keys_are_text() {
    let value = Value::Map(vec![(int(7), text("x")), (int(-1), text("y"))]);
    let bytes = written(&value, "map(int, text)").unwrap();
    assert_eq!(bytes, b"\x0a\0\0\x08\0\x017\0\x01x\x08\0\x02-1\0\x01y\0");
    assert_eq!(read(&bytes, "map(int, text)").unwrap(), value);
    assert_eq!(refusal(b"\x0a\0\0\x01\0\x01x\0\0", "map(int, int)"), "expected `int`, found `x` (byte 4)");
    let list_key = Value::Map(vec![(Value::List(vec![]), int(1))]);
    assert!(written(&list_key, "any").unwrap_err().to_string().contains("a scalar as key"));
}

#[test]
fn the_widths_of_a_map_and_of_variants_are_kept() {
    let value = map(&[("x", int(1))]);
    assert_eq!(written(&value, "map(text, int16)").unwrap(), b"\x0a\0\0\x02\0\x01x\0\x01\0");
}
