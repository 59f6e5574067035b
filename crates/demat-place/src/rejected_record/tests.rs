//! Tests of refused records.

use super::RejectedRecord;
use demat_core::{Error, ErrorKind, Position};

fn some() -> Vec<RejectedRecord> {
    let position = Position { offset: Some(10), line: Some(2), column: Some(3), record: Some(2) };
    let full = Error::expected("int", "text").within_field("a").within_item(1).at(position);
    vec![
        RejectedRecord::of(&full, b"{\"a\":\"x\"}"),
        RejectedRecord::of(&Error::new(ErrorKind::Syntax, ""), b"\xff\0"),
        RejectedRecord::of(&Error::new(ErrorKind::Limit, "long"), b""),
    ]
}

#[test]
fn they_come_back_in_their_order() {
    let mut aside = Vec::new();
    for one in &some() {
        one.write_to(&mut aside).unwrap();
    }
    let mut rest = &aside[..];
    for one in some() {
        assert_eq!(RejectedRecord::read_from(&mut rest).unwrap(), Some(one));
    }
    assert_eq!(RejectedRecord::read_from(&mut rest).unwrap(), None);
}

#[test]
fn cut_and_wrong_bytes_are_errors() {
    let mut aside = Vec::new();
    some()[0].write_to(&mut aside).unwrap();
    for len in 1..aside.len() {
        assert!(RejectedRecord::read_from(&mut &aside[..len]).is_err(), "{len}");
    }
    let mut long = aside.clone();
    long[36..44].copy_from_slice(&(u64::MAX - 1).to_le_bytes());
    assert!(RejectedRecord::read_from(&mut &long[..]).is_err());
}

#[test]
fn positions_are_counted_on() {
    let moved = some().remove(0).behind(100, 20, 3000);
    assert_eq!(moved.numbers, [Some(102), Some(22), Some(3), Some(3010)]);
    assert_eq!(moved.texts[0].as_deref(), Some("$[101].a"));
    let whole = some().remove(1).behind(100, 20, 3000);
    assert_eq!((whole.numbers, whole.texts[0].as_deref()), ([None; 4], Some("$")));
}
