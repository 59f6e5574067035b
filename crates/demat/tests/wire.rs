//! What derived types are in Protocol Buffers.

use demat::{Decode, Encode};
use demat_core::Recorded;
use demat_formats::proto::{Form, Wire, decode, encode};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

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
    assert_eq!(Wire::of_field(&Numbers::record().fields()[0]).form, Form::Sint32);
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

#[derive(Debug, PartialEq, Encode, Decode)]
struct Peer {
    plain: IpAddr,
    #[demat(wire = "ipv4")]
    four: Ipv4Addr,
    #[demat(wire = "ip")]
    many: Vec<IpAddr>,
    #[demat(wire = "ip_port")]
    at: SocketAddr,
    #[demat(wire = "ip")]
    none: Option<Ipv6Addr>,
}

#[test]
fn addresses_are_texts_or_bytes() {
    let peer = Peer {
        plain: "::1".parse().unwrap(),
        four: "127.0.0.1".parse().unwrap(),
        many: vec!["10.0.0.2".parse().unwrap(), "2001:db8::1".parse().unwrap()],
        at: "1.2.3.4:443".parse().unwrap(),
        none: None,
    };
    let bytes = encode(&peer).unwrap();
    let many = [&b"\x1a\x04\x0a\x00\x00\x02\x1a\x10\x20\x01\x0d\xb8"[..], &[0; 11], &[1]].concat();
    let expected = [&b"\x0a\x03::1\x15\x01\x00\x00\x7f"[..], &many, b"\x22\x06\x01\x02\x03\x04\x01\xbb"].concat();
    assert_eq!(bytes, expected);
    assert_eq!(decode::<Peer>(&bytes).unwrap(), peer);
    let json = demat_formats::json::encode(&peer).unwrap();
    let text = r#"{"plain":"::1","four":"127.0.0.1","many":["10.0.0.2","2001:db8::1"],"at":"1.2.3.4:443","none":null}"#;
    assert_eq!(String::from_utf8(json).unwrap(), text);
    assert_eq!(demat_formats::json::decode::<Peer>(text.as_bytes()).unwrap(), peer);
    let refused = demat_formats::json::decode::<Peer>(br#"{"plain":"1.2.3"}"#).unwrap_err().to_string();
    assert!(refused.contains("expected an IP address, found `text` \"1.2.3\""), "{refused}");
    let refused = decode::<Peer>(b"\x0a\x03::1\x15\x01\x00\x00\x7f\x1a\x03abc").unwrap_err().to_string();
    assert!(refused.contains("expected an IP address, found other bytes"), "{refused}");
}
