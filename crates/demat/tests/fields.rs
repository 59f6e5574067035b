//! Every attribute of a field.

mod support;

use demat::{Decode, Encode, Record, Result, Shape, Shaped, Sink, Source, Value, ValueSource};
use std::collections::BTreeMap;
use support::{IntoValue, refusal, round_trip};

fn record(shape: &'static Shape) -> &'static Record {
    match shape {
        Shape::Record(demat::RecordRef::Static(record)) => record(),
        _ => panic!("a record"),
    }
}

#[derive(Debug, PartialEq, Encode, Decode)]
#[allow(clippy::struct_field_names)] // they have words, for `rename_all`
#[demat(rename = "Renamed", rename_all = "camelCase")]
struct Names {
    first_name: u8,
    #[demat(rename = "LAST", alias = "last", alias = "surname", number = 9)]
    last_name: u8,
    third_name: u8,
}

#[test]
fn names_and_numbers() {
    let names = Names { first_name: 1, last_name: 2, third_name: 3 };
    assert_eq!(round_trip(&names), map! {"firstName": 1, "LAST": 2, "thirdName": 3});
    assert_eq!(map! {"surname": 2, "firstName": 1, "thirdName": 3}.to::<Names>().expect("decoded"), names);
    let numbers: Vec<_> = record(Names::SHAPE).fields().iter().map(demat::Field::number).collect();
    assert_eq!(numbers, [1, 9, 3]);
    assert_eq!(record(Names::SHAPE).name(), "Renamed");
    // Paths name the field as the type does, messages as the place does.
    let error = refusal::<Names>(&map! {"firstName": 1, "last": true, "thirdName": 3});
    assert_eq!(error.path(), "$.last_name");
    assert_eq!(refusal::<Names>(&map! {"firstName": 1}).reason(), "expected field `LAST`, found nothing");
    // An alias and the name are one field.
    let twice = map! {"firstName": 1, "last": 2, "surname": 3, "thirdName": 3};
    assert!(Names::decode(&mut ValueSource::new(&twice).refusing_repeats()).is_err());
}

fn eighty() -> u16 {
    80
}

#[derive(Debug, PartialEq, Clone, Copy, Default, Encode, Decode)]
enum Level {
    #[default]
    Low,
    High,
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Defaults<T> {
    #[demat(default)]
    list: Vec<T>,
    #[demat(default)]
    own: T,
    #[demat(default = eighty)]
    port: u16,
    #[demat(default = u8::MAX)]
    max: u8,
    #[demat(default = Level::High)]
    level: Level,
    #[demat(default = "localhost")]
    host: String,
    #[demat(default = 2 + 2)]
    sum: i64,
    #[demat(default = Some(3))]
    some: Option<u8>,
    #[demat(skip)]
    skipped: Option<T>,
    #[demat(skip, default = 7)]
    seven: u8,
}

#[test]
fn what_is_missing_has_its_default() {
    let value = map! {};
    let decoded: Defaults<u8> = value.to().expect("decoded");
    let expected = Defaults {
        list: vec![],
        own: 0,
        port: 80,
        max: 255,
        level: Level::High,
        host: "localhost".to_string(),
        sum: 4,
        some: Some(3),
        skipped: None,
        seven: 7,
    };
    assert_eq!(decoded, expected);
    round_trip(&expected);
    assert!(record(Defaults::<u8>::SHAPE).fields().iter().all(|field| !field.required()));
    assert_eq!(record(Defaults::<u8>::SHAPE).fields().len(), 8);
    // A skipped field is an unknown one.
    assert_eq!(map! {"seven": 1, "skipped": "x"}.to::<Defaults<u8>>().expect("decoded"), expected);
    // Null is a value of an option, not its absence.
    assert_eq!(map! {"some": ()}.to::<Defaults<u8>>().expect("decoded").some, None);
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Skipping {
    #[demat(skip_if = "Option::is_none")]
    a: Option<u8>,
    #[demat(default, skip_if = Vec::is_empty)]
    b: Vec<u8>,
    #[demat(default, skip_if = |c: &u8| *c == 0)]
    c: u8,
}

#[test]
fn what_says_little_is_not_told() {
    assert_eq!(round_trip(&Skipping { a: None, b: vec![], c: 0 }), map! {});
    assert_eq!(round_trip(&Skipping { a: Some(1), b: vec![2], c: 3 }), map! {"a": 1, "b": list![2], "c": 3});
}

/// A type of another crate.
#[derive(Debug, PartialEq, Clone, Copy, Default)]
struct Foreign(u8);

mod hex {
    use super::{Foreign, Result, Shape, Sink, Source};
    use demat::Error;

    pub(crate) const SHAPE: Shape = Shape::Text;

    #[allow(clippy::trivially_copy_pass_by_ref)] // as the derive calls it
    pub(crate) fn encode<K: Sink + ?Sized>(value: &Foreign, sink: &mut K) -> Result<()> {
        sink.text(&format!("{:02x}", value.0))
    }

    pub(crate) fn decode<'a, S: Source<'a> + ?Sized>(source: &mut S) -> Result<Foreign> {
        let text = source.text()?;
        let number = u8::from_str_radix(&text, 16).map(Foreign);
        number.map_err(|_| Error::expected("two digits", "other text").at(source.position()))
    }
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct With {
    #[demat(with = "hex")]
    quoted: Foreign,
    #[demat(with = self::hex, shape = Shape::Text, default)]
    bare: Foreign,
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct WithNewtype(#[demat(with = "hex")] Foreign);

#[derive(Debug, PartialEq, Encode, Decode)]
enum WithVariant {
    One(#[demat(with = "hex")] Foreign),
    Two(u8, #[demat(with = "hex", shape = Shape::Text)] Foreign),
    Three {
        #[demat(with = "hex")]
        foreign: Foreign,
    },
}

#[test]
fn a_module_does_it_for_types_of_others() {
    let with = With { quoted: Foreign(255), bare: Foreign(1) };
    assert_eq!(round_trip(&with), map! {"quoted": "ff", "bare": "01"});
    assert_eq!(map! {"quoted": "00"}.to::<With>().expect("decoded").bare, Foreign(0));
    assert_eq!(refusal::<With>(&map! {"bare": "00"}).reason(), "expected field `quoted`, found nothing");
    assert_eq!(refusal::<With>(&map! {"quoted": "xx"}).path(), "$.quoted");
    assert_eq!(round_trip(&WithNewtype(Foreign(16))), "10".value());
    assert_eq!(round_trip(&WithVariant::One(Foreign(16))), map! {"One": "10"});
    assert_eq!(round_trip(&WithVariant::Two(1, Foreign(16))), map! {"Two": list![1, "10"]});
    assert_eq!(round_trip(&WithVariant::Three { foreign: Foreign(16) }), map! {"Three": map!{"foreign": "10"}});
}

#[derive(Debug, PartialEq, Encode, Decode)]
#[demat(deny_unknown)]
struct Strict {
    a: u8,
}

#[test]
fn unknown_fields_are_refused_on_request() {
    round_trip(&Strict { a: 1 });
    let error = refusal::<Strict>(&map! {"a": 1, "b": 2});
    assert_eq!(error.reason(), "unknown field `b`; the fields are `a`");
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Page {
    limit: u8,
    #[demat(default)]
    offset: u8,
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Query {
    text: String,
    #[demat(flatten)]
    page: Page,
    last: bool,
    #[demat(flatten)]
    more: BTreeMap<String, u8>,
}

fn query() -> Query {
    Query { text: "x".to_string(), page: Page { limit: 1, offset: 2 }, last: true, more: BTreeMap::new() }
}

#[test]
fn fields_of_another_record_stand_among_its_own() {
    let mut query = query();
    assert_eq!(round_trip(&query), map! {"text": "x", "limit": 1, "offset": 2, "last": true});
    query.more = [("k".to_string(), 3), ("l".to_string(), 4)].into();
    assert_eq!(round_trip(&query), map! {"text": "x", "limit": 1, "offset": 2, "last": true, "k": 3, "l": 4});
    let fields: Vec<_> = record(Query::SHAPE).fields().iter().map(|f| (f.name(), f.number())).collect();
    assert_eq!(fields, [("text", 1), ("limit", 3), ("offset", 4), ("last", 2), ("more", 5)]);
    assert!(std::ptr::eq(record(Query::SHAPE), record(Query::SHAPE)));
}

#[test]
fn flattened_fields_are_as_strict_as_others() {
    let base = || map! {"text": "x", "limit": 1, "last": true};
    let with = |key: &'static str, value: Value| {
        let Value::Map(mut entries) = base() else { unreachable!() };
        entries.push((key.value(), value));
        Value::Map(entries)
    };
    assert_eq!(base().to::<Query>().expect("decoded").page.offset, 0);
    assert_eq!(
        refusal::<Query>(&with("offset", "y".value())).to_string(),
        "expected `int`, found `text` \"y\" at `$.offset`"
    );
    assert_eq!(refusal::<Query>(&with("other", "y".value())).path(), "$.other");
    assert_eq!(refusal::<Query>(&map! {"text": "x", "last": true}).reason(), "expected field `limit`, found nothing");
    for key in ["limit", "text"] {
        let twice = with(key, base().get(key).expect("there").clone());
        twice.to::<Query>().expect("the last one wins");
        let refused = Query::decode(&mut ValueSource::new(&twice).refusing_repeats());
        assert_eq!(refused.expect_err("refused").reason(), format!("repeated key `{key}`"));
    }
    let mut twice = with("other", 1.value());
    if let Value::Map(entries) = &mut twice {
        entries.push(("other".value(), 2.value()));
    }
    assert_eq!(twice.to::<Query>().expect("the last one wins").more["other"], 2);
    assert!(Query::decode(&mut ValueSource::new(&twice).refusing_repeats()).is_err());
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Listing<T> {
    items: Vec<T>,
    #[demat(flatten)]
    page: T,
    #[demat(flatten)]
    wrapped: Wrapped<Strict>,
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Wrapped<T> {
    w: u8,
    #[demat(flatten)]
    inner: T,
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Cover {
    colour: u8,
}

#[test]
fn flattening_goes_deep_and_knows_parameters() {
    let wrapped = || Wrapped { w: 5, inner: Strict { a: 6 } };
    let listing = Listing { items: vec![], page: Page { limit: 1, offset: 2 }, wrapped: wrapped() };
    assert_eq!(round_trip(&listing), map! {"items": list![], "limit": 1, "offset": 2, "w": 5, "a": 6});
    let other = Listing { items: vec![Cover { colour: 1 }], page: Cover { colour: 3 }, wrapped: wrapped() };
    assert_eq!(round_trip(&other), map! {"items": list![map!{"colour": 1}], "colour": 3, "w": 5, "a": 6});
    let record = record(Listing::<Cover>::SHAPE);
    assert!(std::ptr::eq(record, self::record(Listing::<Cover>::SHAPE)));
    assert_eq!(record.fields()[1].key(), "colour");
    assert_eq!(record.fields().len(), <Listing<Cover> as demat::Recorded>::COUNT);
}

#[test]
fn a_map_in_a_map_keeps_what_nobody_knows() {
    #[derive(Debug, PartialEq, Encode, Decode)]
    struct Open {
        #[demat(flatten)]
        rest: std::collections::HashMap<String, Value>,
    }
    let open = Open { rest: [("a".to_string(), list![1, "b"])].into() };
    round_trip(&open);
    let outer = Wrapped { w: 1, inner: open };
    assert_eq!(round_trip(&outer), map! {"w": 1, "a": list![1, "b"]});
}

#[test]
fn a_long_way_down() {
    #[derive(Debug, PartialEq, Encode, Decode)]
    struct Config {
        servers: Vec<Server>,
    }
    #[derive(Debug, PartialEq, Encode, Decode)]
    struct Server {
        ports: BTreeMap<String, (u8, u16)>,
    }
    let value = map! {"servers": list![map!{"ports": map!{}}, map!{"ports": map!{"a b": list![1, 70_000]}}]};
    let error = refusal::<Config>(&value);
    assert_eq!(error.to_string(), "expected `uint16`, found `70000` at `$.servers[1].ports[\"a b\"][1]`");
}
