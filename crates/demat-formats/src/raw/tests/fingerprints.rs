//! What the fingerprint depends on.

use super::super::{description, fingerprint};
use super::*;
use demat_core::{Field, Record};

#[test]
fn descriptions_are_canonical() {
    let cases = [
        ("any", "raw1*"),
        ("[int?]", "raw1l?i;"),
        ("map(text, uint8)", "raw1msu8;"),
        ("(int16, float32, bool)", "raw1(i16;f4b)"),
        ("enum(on, off)", "raw1e[2:on3:off]"),
        ("union(a: int, b: null)", "raw1<1:ai;1:b0>"),
        ("{a: int, b: text?}", "raw1{1:a=1!i;1:b=2~s}"),
        ("T{a: int, next: T?}", "raw1{1:a=1!i;4:next=2~#0;}"),
        ("{a: {x: int}, b: {x: int}}", "raw1{1:a=1!{1:x=1!i;}1:b=2!#1;}"),
    ];
    for (of, text) in cases {
        assert_eq!(description(&shape(of)).unwrap(), text, "{of}");
    }
}

#[test]
fn names_of_types_defaults_aliases_and_notes_do_not_count() {
    let same = |one: &str, other: &str| fingerprint(&shape(one)).unwrap() == fingerprint(&shape(other)).unwrap();
    assert!(same("A{a: int}", "B{a: int}"));
    assert!(!same("A{a: int}", "A{b: int}"));
    assert!(!same("A{a: int}", "A{a: int32}"));
    assert!(!same("A{a: int, b: int}", "A{b: int, a: int}"));
    let record = |field: Field| fingerprint(&Shape::record(Record::new("", vec![field]).unwrap())).unwrap();
    let plain = Field::new("a", 1, Shape::Text);
    assert_eq!(record(plain.clone()), record(plain.clone().with_note("sql", "key").with_aliases(vec!["b".into()])));
    assert_ne!(record(plain.clone()), record(plain.clone().with_number(2)));
    assert_ne!(record(plain.clone()), record(plain.with_required(false)));
}

#[test]
fn sharing_and_unrolling_do_not_count() {
    // Each level has the one before twice: told apart one by one, there are a billion.
    let mut shape = Shape::Bool;
    for _ in 0..30 {
        let part = demat_core::Ref::new(shape);
        shape = Shape::Tuple(demat_core::Ref::Shared(vec![part.clone(), part].into()));
    }
    assert!(description(&shape).unwrap().len() < 300);
    let once = "A{next: A?}";
    let twice = "A{next: B{next: A?}?}";
    assert_eq!(description(&super::shape(once)).unwrap(), description(&super::shape(twice)).unwrap());
}

#[test]
fn fingerprints_are_fixed() {
    // Other programs compute the same: `docs/raw.md` has these.
    let hex = |of: &str| format!("{:016x}", u64::from_be_bytes(fingerprint(&shape(of)).unwrap()));
    assert_eq!(hex("text"), "c96f849111a35617");
    assert_eq!(hex("[{id: int, title: text, due: date?}]"), "31168c4374ffe094");
}
