//! Structs of every form.

mod support;

use demat::{Decode, Encode, IntWidth, Kind, Shape, Shaped, Source, ValueSource};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use support::{IntoValue, refusal, round_trip};

#[derive(Debug, PartialEq, Clone, Encode, Decode)]
struct Task {
    title: String,
    done: bool,
    due: Option<u64>,
}

fn task() -> Task {
    Task { title: "sleep".to_string(), done: true, due: None }
}

#[test]
fn a_record() {
    assert_eq!(round_trip(&task()), map! {"title": "sleep", "done": true, "due": ()});
    assert_eq!(map! {"done": true, "title": "sleep"}.to::<Task>().expect("an option may be missing"), task());
    let Shape::Record(record) = Task::SHAPE else { panic!("a record") };
    let record = record.get();
    assert_eq!(record.name(), "Task");
    let fields: Vec<_> = record.fields().iter().map(|f| (f.name(), f.key(), f.number(), f.required())).collect();
    assert_eq!(fields, [("title", "title", 1, true), ("done", "done", 2, true), ("due", "due", 3, false)]);
}

#[test]
fn unknown_fields_are_passed_over_wherever_they_stand() {
    let value = map! {"x": list![1, map!{"title": 2}], "title": "sleep", "y": (), "done": true, "z": 1};
    assert_eq!(value.to::<Task>().expect("decoded"), task());
}

#[test]
fn of_a_repeated_field_the_last_one_wins_unless_that_is_refused() {
    let value = map! {"title": "wake", "done": true, "title": "sleep"};
    assert_eq!(value.to::<Task>().expect("decoded"), task());
    let refused = Task::decode(&mut ValueSource::new(&value).refusing_repeats());
    assert_eq!(refused.expect_err("refused").reason(), "repeated key `title`");
}

#[test]
fn errors_say_where() {
    let error = refusal::<Vec<Task>>(&list![map! {"title": "a", "done": false}, map! {"title": 1, "done": false}]);
    assert_eq!(error.to_string(), "expected `text`, found `int` 1 at `$[1].title`");
    let error = refusal::<Vec<Task>>(&list![map! {"done": false, "title": 1}]);
    assert_eq!(error.path(), "$[0].title");
    let error = refusal::<Task>(&map! {"title": "a"});
    assert_eq!(error.to_string(), "expected field `done`, found nothing");
    assert_eq!(refusal::<Task>(&1.value()).reason(), "expected `record`, found `int` 1");
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Metres(f64);
#[derive(Debug, PartialEq, Encode, Decode)]
struct Pair(u8, String);
#[derive(Debug, PartialEq, Encode, Decode)]
struct Unit;
#[derive(Debug, PartialEq, Encode, Decode)]
struct Nothing {}
#[derive(Debug, PartialEq, Encode, Decode)]
struct Hollow();
#[derive(Debug, PartialEq, Encode, Decode)]
struct Maybe(Option<u8>);
#[derive(Debug, PartialEq, Encode, Decode)]
struct Id<T>(u64, PhantomData<T>);
#[derive(Debug, PartialEq, Encode, Decode)]
struct Triple(u8, #[demat(skip)] String, u8);
#[derive(Debug, PartialEq, Encode, Decode)]
struct HasMaybe {
    maybe: Maybe,
    r#type: u8,
}

#[test]
fn structs_without_names() {
    round_trip(&Metres(1.5));
    assert_eq!(Metres::SHAPE, f64::SHAPE);
    assert_eq!(round_trip(&Pair(7, "x".to_string())), list![7, "x"]);
    assert_eq!(Pair::SHAPE, <(u8, String)>::SHAPE);
    assert_eq!(round_trip(&Unit), ().value());
    assert_eq!(round_trip(&Nothing {}), map! {});
    assert_eq!(round_trip(&Hollow()), list![]);
    assert_eq!(round_trip(&Id::<Task>(3, PhantomData)), 3.value());
    assert_eq!(Id::<std::cell::Cell<u8>>::SHAPE, u64::SHAPE);
    assert_eq!(round_trip(&Triple(1, String::new(), 2)), list![1, 2]);
}

#[test]
fn tuples_of_another_length_are_refused_as_those_of_the_language_are() {
    for value in [list![7], list![7, "x", "y"], list![]] {
        assert_eq!(refusal::<Pair>(&value).to_string(), refusal::<(u8, String)>(&value).to_string());
    }
    assert_eq!(refusal::<Pair>(&list![7, 7]).path(), "$[1]");
}

#[test]
fn a_newtype_may_be_missing_if_its_field_may() {
    let value = map! {"type": 1};
    assert_eq!(value.to::<HasMaybe>().expect("decoded"), HasMaybe { maybe: Maybe(None), r#type: 1 });
    round_trip(&HasMaybe { maybe: Maybe(Some(1)), r#type: 2 });
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Borrowed<'a> {
    text: &'a str,
    maybe: Option<Cow<'a, str>>,
    bytes: Cow<'a, [u8]>,
    inner: Vec<Inner<'a>>,
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Inner<'b>(&'b str);

#[derive(Debug, PartialEq, Encode, Decode)]
struct Two<'a, 'b: 'a, T: Clone = u8> {
    a: &'a str,
    b: Inner<'b>,
    t: T,
}

#[test]
fn borrowed_fields_borrow_from_the_input() {
    let value = map! {"text": "abc", "maybe": "def", "bytes": "aGk=", "inner": list!["ghi"]};
    let demat::Value::Text(text) = value.get("text").expect("a text") else { panic!("a text") };
    let borrowed: Borrowed<'_> = value.to().expect("decoded");
    assert_eq!(borrowed.text.as_ptr(), text.as_ptr());
    assert!(matches!(borrowed.maybe, Some(Cow::Borrowed("def"))));
    assert_eq!(borrowed.inner, [Inner("ghi")]);
    let value = map! {"a": "x", "b": "y", "t": 1};
    assert_eq!(value.to::<Two<'_, '_>>().expect("decoded"), Two { a: "x", b: Inner("y"), t: 1 });
}

#[test]
fn owned_types_outlive_the_input() {
    fn decode(title: &'static str) -> Task {
        map! {"title": title, "done": true}.to().expect("decoded")
    }
    assert_eq!(decode("sleep"), task());
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Node {
    name: String,
    next: Option<Box<Node>>,
    children: Vec<Self>,
    by_name: BTreeMap<String, Node>,
}

fn leaf(name: &str) -> Node {
    Node { name: name.to_string(), next: None, children: vec![], by_name: BTreeMap::new() }
}

#[test]
fn a_type_may_hold_itself() {
    let mut node = leaf("a");
    node.next = Some(Box::new(leaf("b")));
    node.children = vec![leaf("c"), leaf("d")];
    node.by_name.insert("e".to_string(), leaf("f"));
    round_trip(&node);
    assert_eq!(Node::SHAPE, Node::SHAPE);
    let value = map! {"name": "a", "children": list![], "by_name": map!{"k": map!{"name": 1}}};
    assert_eq!(refusal::<Node>(&value).path(), "$.by_name.k.name");
}

trait Kinded {
    type Item;
}

#[derive(Debug, PartialEq)]
struct Bytes;
impl Kinded for Bytes {
    type Item = u8;
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Generic<T, U, const N: usize>
where
    U: Kinded,
    U::Item: PartialEq + std::fmt::Debug,
{
    many: Vec<T>,
    item: U::Item,
    array: [T; N],
    again: Option<Box<Generic<T, U, N>>>,
    #[demat(skip)]
    seen: PhantomData<U>,
}

#[test]
fn parameters_of_types_and_numbers() {
    let inner =
        Generic::<bool, Bytes, 2> { many: vec![true], item: 7, array: [true, false], again: None, seen: PhantomData };
    let outer = Generic { many: vec![], item: 8, array: [true, true], again: Some(Box::new(inner)), seen: PhantomData };
    round_trip(&outer);
    round_trip(&Generic::<u8, Bytes, 1> { many: vec![1], item: 2, array: [3], again: None, seen: PhantomData });
    let shape = |shape: &Shape| {
        let Shape::Record(record) = shape else { panic!("a record") };
        record.get().fields()[0].shape().clone()
    };
    assert_eq!(shape(Generic::<bool, Bytes, 2>::SHAPE), Shape::Bool.list());
    assert_eq!(shape(Generic::<u8, Bytes, 2>::SHAPE), Shape::Int(IntWidth::Unsigned(8)).list());
}

mod told_only {
    use demat::{Encode, Shaped};

    #[derive(Shaped, Encode)]
    pub(crate) struct Report<'a, T> {
        pub(crate) title: &'a str,
        pub(crate) rows: &'a [u8],
        pub(crate) more: Vec<T>,
    }
}

#[test]
fn a_type_may_be_encoded_only() {
    let report = told_only::Report { title: "x", rows: b"hi", more: vec![1u8] };
    let value = demat::Value::of(&report).expect("encoded");
    assert_eq!(value.get("title"), Some(&"x".value()));
    assert_eq!(value.get("rows").map(demat::Value::kind), Some(Kind::Bytes));
}

#[derive(Debug, PartialEq, Decode)]
struct AskedOnly {
    a: u8,
}

#[test]
fn a_type_may_be_decoded_only() {
    let mut source = ValueSource::new(&demat::Value::Null);
    assert!(AskedOnly::decode(&mut source).is_err());
    assert_eq!(map! {"a": 1}.to::<AskedOnly>().expect("decoded"), AskedOnly { a: 1 });
    assert!(source.end().is_err());
}

#[test]
#[allow(clippy::too_many_lines)]
fn many_fields_are_found_by_binary_search() {
    macro_rules! many {
        ($($field:ident)*) => {
            #[derive(Debug, PartialEq, Default, Encode, Decode)]
            struct Many { $($field: u8,)* }
            #[derive(Debug, PartialEq, Default, Encode, Decode)]
            struct Around { before: u8, #[demat(flatten)] many: Many, after: u8 }
        };
    }
    many! {
        z y x w v u t s r q p o n m l k j i h g f e d c b a
        z1 y1 x1 w1 v1 u1 t1 s1 r1 q1 p1 o1 n1 m1 l1 k1 j1 i1 h1 g1 f1 e1 d1 c1 b1 a1
        z2 y2 x2 w2 v2 u2 t2 s2 r2 q2 p2 o2 n2 m2 l2 k2 j2 i2 h2 g2 f2 e2 d2 c2 b2 a2
        z3 y3 x3 w3 v3 u3 t3 s3 r3 q3 p3 o3 n3 m3 l3 k3 j3 i3 h3 g3 f3 e3 d3 c3 b3 a3
        z4 y4 x4 w4 v4 u4 t4 s4 r4 q4 p4 o4 n4 m4 l4 k4 j4 i4 h4 g4 f4 e4 d4 c4 b4 a4
        z5 y5 x5 w5 v5 u5 t5 s5 r5 q5 p5 o5 n5 m5 l5 k5 j5 i5 h5 g5 f5 e5 d5 c5 b5 a5
    }
    let many = || Many { a: 1, m3: 2, z5: 3, a5: 4, z: 5, ..Many::default() };
    round_trip(&many());
    round_trip(&Around { before: 6, many: many(), after: 7 });
}
