use super::{Keys, Piece, assemble, assembled, decode_nothing, decode_untagged, distinct_keys};
use crate::{Decode, Error, Field, Record, Recorded, Shape, Signal, Tag, Union, Unknown, Value, ValueSource, Variant};
use std::cell::Cell;
use std::collections::HashMap;

static FIELDS: [Field; 2] =
    [Field::fixed("a", "a", &[], 5, &Shape::Bool, true), Field::fixed("b", "b", &[], 2, &Shape::Text, true)];
static MORE: [Field; 1] = [Field::fixed("c", "c", &[], 1, &Shape::Null, false)];
static INNER: Record = Record::fixed("Inner", &MORE, &[], Unknown::Ignore);

#[test]
fn records_are_put_together_in_order() {
    let rest = <HashMap<String, bool>>::record();
    let pieces = [Piece::Flat("inner", &INNER), Piece::Own(&FIELDS), Piece::Flat("rest", rest)];
    let record = assemble("Outer", &pieces, Unknown::Forbid);
    let fields: Vec<_> = record.fields().iter().map(|field| (field.name(), field.number())).collect();
    assert_eq!(fields, [("c", 6), ("a", 5), ("b", 2), ("rest", 7)]);
    assert_eq!(record.unknown(), Unknown::Keep(3));
    // A key with the name of the field for unknown ones is itself unknown.
    assert_eq!(record.index_of("rest"), None);
    assert_eq!(record.index_of("b"), Some(2));
}

#[test]
#[should_panic(expected = "the fields that are flattened into `Outer` do not go together")]
fn records_with_a_key_in_common_are_refused() {
    assemble("Outer", &[Piece::Own(&FIELDS), Piece::Own(&FIELDS)], Unknown::Ignore);
}

#[test]
fn the_same_pieces_make_one_record() {
    let pieces = [Piece::Own(&FIELDS), Piece::Flat("inner", &INNER)];
    let once = assembled("Outer", &pieces, Unknown::Ignore);
    assert!(std::ptr::eq(once, assembled("Outer", &pieces, Unknown::Ignore)));
    assert!(!std::ptr::eq(once, assembled("Outer", &pieces, Unknown::Forbid)));
    assert!(!std::ptr::eq(once, assembled("Other", &pieces, Unknown::Ignore)));
    let fewer = assembled("Outer", &pieces[..1], Unknown::Ignore);
    assert_eq!((once.fields().len(), fewer.fields().len()), (3, 2));
}

#[test]
fn keys_are_compared_through_the_tree() {
    const INNER: &[Keys] = &[Keys::Key("a"), Keys::Key("ab")];
    distinct_keys(&[Keys::Key("b"), Keys::All(INNER), Keys::Key("")]);
    let doubled = [Keys::Key("ab"), Keys::All(&[Keys::All(INNER)])];
    assert!(std::panic::catch_unwind(|| distinct_keys(&doubled)).is_err());
}

#[test]
fn nothing_is_decoded_from_nothing() {
    assert_eq!(decode_nothing::<Option<u8>>().expect("null is one"), None);
    decode_nothing::<()>().expect("null is one");
    assert!(decode_nothing::<bool>().is_err());
}

static VARIANTS: [Variant; 3] =
    [Variant::fixed("a", 1, &Shape::Bool), Variant::fixed("b", 2, &Shape::Text), Variant::fixed("c", 3, &Shape::Bool)];
static UNION: Union = Union::fixed("Union", &VARIANTS, Tag::None);

/// Returns the variants that are tried for a bool, if each refuses with the error.
fn tried(refuse: impl Fn() -> Error) -> (Vec<usize>, Error) {
    let mut tried = Vec::new();
    let value = Value::Bool(true);
    let outcome: crate::Result<()> = decode_untagged(&mut ValueSource::new(&value), &UNION, |source, index| {
        // Each trial starts at the value.
        bool::decode(source)?;
        tried.push(index);
        Err(refuse())
    });
    (tried, outcome.expect_err("all are refused"))
}

#[test]
fn variants_that_fit_are_tried_in_order() {
    let count = Cell::new(0);
    let (tried, error) = tried(|| {
        count.set(count.get() + 1);
        Error::missing(&count.get().to_string())
    });
    assert_eq!(tried, [0, 2]);
    assert_eq!(error.reason(), "expected field `2`, found nothing");
}

#[test]
fn the_end_of_the_window_ends_all_trials() {
    let (tried, error) = tried(|| Error::signalled(Signal::Incomplete));
    assert_eq!(tried, [0]);
    assert_eq!(error.signal(), Some(Signal::Incomplete));
}
