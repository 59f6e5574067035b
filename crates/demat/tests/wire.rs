//! What derived types are in Protocol Buffers.

use demat::{Decode, Encode};
use demat_core::{Form, Recorded};
use demat_formats::proto::{decode, encode};
use std::collections::BTreeMap;

#[derive(Debug, PartialEq, Encode, Decode)]
struct Numbers {
    #[demat(wire = "sint32")]
    zigzag: i32,
    #[demat(number = 5, wire = "fixed64")]
    fixed: u64,
    #[demat(wire = "sfixed32", wire = "expanded")]
    many: Vec<i32>,
    #[demat(wire = "key sint64", wire = "fixed32")]
    by_key: BTreeMap<i64, u32>,
    #[demat(number = 7, wire = "required")]
    there: u32,
    plain: i32,
}

#[derive(Debug, PartialEq, Encode, Decode)]
enum Who {
    #[demat(number = 2)]
    Name(String),
    #[demat(number = 3)]
    Number(u32),
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Task {
    id: u32,
    #[demat(number = 536870912, wire = "oneof")]
    who: Option<Who>,
}

#[test]
fn a_field_is_written_as_its_attribute_says() {
    let numbers =
        Numbers { zigzag: -1, fixed: 2, many: vec![1, -1], by_key: BTreeMap::from([(-2, 3)]), there: 0, plain: 0 };
    let expected = [
        &[8, 1, 0x29, 2, 0, 0, 0, 0, 0, 0, 0][..],
        &[0x1d, 1, 0, 0, 0, 0x1d, 0xff, 0xff, 0xff, 0xff],
        &[0x22, 7, 8, 3, 0x15, 3, 0, 0, 0],
        &[0x38, 0],
    ]
    .concat();
    let numbers_of: Vec<u32> = Numbers::record().fields().iter().map(demat_core::Field::number).collect();
    assert_eq!(numbers_of, [1, 5, 3, 4, 7, 6]);
    let bytes = encode(&numbers).unwrap();
    assert_eq!(bytes, expected);
    assert_eq!(decode::<Numbers>(&bytes).unwrap(), numbers);
    assert_eq!(Numbers::record().fields()[0].wire().form, Form::Sint32);
}

#[test]
fn an_enum_can_be_the_fields_of_the_record() {
    for (task, bytes) in [
        (Task { id: 1, who: Some(Who::Name("me".into())) }, &b"\x08\x01\x12\x02me"[..]),
        (Task { id: 0, who: Some(Who::Number(0)) }, b"\x18\x00"),
        (Task { id: 7, who: None }, b"\x08\x07"),
    ] {
        assert_eq!(encode(&task).unwrap(), bytes);
        assert_eq!(decode::<Task>(bytes).unwrap(), task);
    }
}
