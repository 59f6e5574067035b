//! Enums in every style.

mod support;

use demat::{Decode, Encode, Shape, Shaped, Tag, Value};
use support::{IntoValue, refusal, round_trip};

#[derive(Debug, PartialEq, Clone, Copy, Encode, Decode)]
#[demat(rename_all = "kebab-case")]
enum Colour {
    DeepRed,
    Green = 7,
    #[demat(rename = "BLAU")]
    Blue,
    #[demat(number = 3)]
    Grey,
}

#[test]
fn names_and_numbers() {
    assert_eq!(round_trip(&Colour::DeepRed), "deep-red".value());
    assert_eq!(round_trip(&vec![Colour::Green, Colour::Blue, Colour::Grey]), list!["green", "BLAU", "grey"]);
    let Shape::Enum(names) = Colour::SHAPE else { panic!("an enum") };
    let numbers: Vec<_> = (0..names.len()).map(|i| names.number_at(i)).collect();
    assert_eq!(numbers, [0, 7, 8, 3]);
    assert_eq!(names.name(), "Colour");
    let error = refusal::<Colour>(&"red".value());
    assert_eq!(error.reason(), "expected `deep-red` or `green` or `BLAU` or `grey`, found `red`");
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Sides {
    a: u8,
    b: u8,
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Marker;

macro_rules! figure {
    ($name:ident $(#[$attribute:meta])*) => {
        #[derive(Debug, PartialEq, Encode, Decode)]
        $(#[$attribute])*
        enum $name {
            Nothing,
            Marked(Marker),
            Circle {
                radius: u8,
                #[demat(default)]
                colour: Option<u8>,
            },
            #[demat(rename = "box", rename_all = "UPPERCASE")]
            Box { width: u8 },
            Rectangle(Sides),
            Square(u8),
            Point(u8, i16),
            Maybe(Option<u8>),
            Group(Vec<$name>),
        }
        impl $name {
            fn all() -> Vec<Self> {
                vec![
                    Self::Nothing,
                    Self::Marked(Marker),
                    Self::Circle { radius: 1, colour: None },
                    Self::Box { width: 2 },
                    Self::Rectangle(Sides { a: 1, b: 2 }),
                    Self::Square(3),
                    Self::Point(4, -5),
                    Self::Maybe(None),
                    Self::Maybe(Some(1)),
                    Self::Group(vec![Self::Nothing, Self::Square(1), Self::Group(vec![])]),
                ]
            }
        }
    };
}

figure! { Keyed }
figure! { Paired #[demat(tag = "t", content = "c")] }

#[test]
fn by_key() {
    assert_eq!(
        round_trip(&Keyed::all()),
        list![
            "Nothing",
            "Marked",
            map! {"Circle": map!{"radius": 1, "colour": ()}},
            map! {"box": map!{"WIDTH": 2}},
            map! {"Rectangle": map!{"a": 1, "b": 2}},
            map! {"Square": 3},
            map! {"Point": list![4, -5]},
            map! {"Maybe": ()},
            map! {"Maybe": 1},
            map! {"Group": list!["Nothing", map!{"Square": 1}, map!{"Group": list![]}]},
        ]
    );
    assert_eq!(map! {"Nothing": ()}.to::<Keyed>().expect("decoded"), Keyed::Nothing);
    assert_eq!(map! {"Marked": ()}.to::<Keyed>().expect("decoded"), Keyed::Marked(Marker));
    assert_eq!(refusal::<Keyed>(&map! {"Square": 3, "Point": 4}).reason(), "expected one key, found another key");
    assert_eq!(refusal::<Keyed>(&map! {"Circle": map!{"radius": "x"}}).path(), "$.radius");
    assert!(refusal::<Keyed>(&"Nought".value()).reason().ends_with("found `Nought`"));
    assert!(refusal::<Keyed>(&map! {}).reason().ends_with("found an empty record"));
}

#[test]
fn the_name_alone_is_no_content() {
    // What follows must not be taken for it.
    let value = list!["Square", 3];
    let error = refusal::<Vec<Keyed>>(&value);
    assert_eq!(error.to_string(), "expected a map of one key, found `Square` without its content at `$[0]`");
    let copied = Value::decode_as(&mut demat::ValueSource::new(&value), <Vec<Keyed>>::SHAPE);
    assert_eq!(copied.expect_err("refused").to_string(), error.to_string());
}

#[test]
fn by_a_pair() {
    assert_eq!(round_trip(&Paired::Nothing), map! {"t": "Nothing"});
    assert_eq!(round_trip(&Paired::Square(3)), map! {"t": "Square", "c": 3});
    for figure in Paired::all() {
        round_trip(&figure);
    }
    let value = map! {"x": 1, "c": list![1, 2], "t": "Point"};
    assert_eq!(value.to::<Paired>().expect("decoded"), Paired::Point(1, 2));
    assert_eq!(refusal::<Paired>(&map! {"t": "Square"}).reason(), "expected field `c`, found nothing");
    assert_eq!(refusal::<Paired>(&map! {"c": 1}).reason(), "expected field `t`, found nothing");
}

#[derive(Debug, PartialEq, Encode, Decode)]
#[demat(tag = "kind", rename_all = "lowercase")]
enum Tagged<T> {
    Nothing,
    Circle {
        radius: u8,
        inner: Option<Box<Tagged<T>>>,
    },
    Rectangle(Sides),
    Other(T),
    Flat {
        first: u8,
        #[demat(flatten)]
        sides: Sides,
    },
}

#[test]
fn by_a_field() {
    type Figure = Tagged<Rest>;
    #[derive(Debug, PartialEq, Encode, Decode)]
    struct Rest {
        #[demat(flatten)]
        all: std::collections::BTreeMap<String, u8>,
    }

    assert_eq!(round_trip(&Figure::Nothing), map! {"kind": "nothing"});
    let inner = Some(Box::new(Figure::Nothing));
    let circle = Figure::Circle { radius: 1, inner };
    assert_eq!(round_trip(&circle), map! {"kind": "circle", "radius": 1, "inner": map!{"kind": "nothing"}});
    let sides = || Sides { a: 1, b: 2 };
    assert_eq!(round_trip(&Figure::Rectangle(sides())), map! {"kind": "rectangle", "a": 1, "b": 2});
    let flat = Figure::Flat { first: 0, sides: sides() };
    assert_eq!(round_trip(&flat), map! {"kind": "flat", "first": 0, "a": 1, "b": 2});
    let rest = Rest { all: [("x".to_string(), 1), ("y".to_string(), 2)].into() };
    assert_eq!(round_trip(&Figure::Other(rest)), map! {"kind": "other", "x": 1, "y": 2});

    let error = refusal::<Figure>(&map! {"kind": "circle", "radius": true});
    assert_eq!(error.to_string(), "expected `int`, found `bool` true at `$.radius`");
    assert_eq!(refusal::<Figure>(&map! {"radius": 1}).reason(), "expected field `kind`, found nothing");
    assert_eq!(refusal::<Figure>(&map! {"kind": "square"}).path(), "$.kind");
    // The record has one tag, and it is the one that it was chosen by.
    assert!(map! {"kind": "nothing", "kind": "circle"}.to::<Figure>().is_err());

    let Shape::Union(union) = Figure::SHAPE else { panic!("a union") };
    let union = union.get();
    assert_eq!(*union.tag(), Tag::Field("kind".into()));
    for variant in union.variants() {
        let Shape::Record(record) = variant.shape() else { panic!("a record") };
        let record = record.get();
        let Shape::Enum(names) = record.fields()[0].shape() else { panic!("the tag is an enum") };
        assert_eq!((record.fields()[0].key(), names.len()), ("kind", 1));
        assert_eq!(names.name_at(0), variant.name());
    }
}

#[derive(Debug, PartialEq, Encode, Decode)]
#[demat(tag = "kind")]
enum UnitsOnly {
    A,
    B,
}

#[test]
fn units_with_a_tag_are_records() {
    assert_eq!(round_trip(&vec![UnitsOnly::A, UnitsOnly::B]), list![map! {"kind": "A"}, map! {"kind": "B"}]);
}

#[derive(Debug, PartialEq, Encode, Decode)]
#[demat(untagged)]
enum Loose {
    Nothing,
    Number(i64),
    Name { name: String },
    Sides(Sides),
    Texts(Vec<String>),
    Many(Vec<Loose>),
}

#[test]
fn untagged() {
    assert_eq!(round_trip(&Loose::Nothing), ().value());
    assert_eq!(round_trip(&Loose::Number(3)), 3.value());
    assert_eq!(round_trip(&Loose::Name { name: "x".to_string() }), map! {"name": "x"});
    assert_eq!(round_trip(&Loose::Sides(Sides { a: 1, b: 2 })), map! {"a": 1, "b": 2});
    round_trip(&Loose::Texts(vec!["a".to_string()]));
    round_trip(&Loose::Many(vec![Loose::Number(1), Loose::Many(vec![Loose::Number(1)])]));
    assert_eq!(list![].to::<Loose>().expect("the first that fits"), Loose::Texts(vec![]));
    let error = refusal::<Loose>(&true.value());
    let names = "`Nothing` or `Number` or `Name` or `Sides` or `Texts` or `Many`";
    assert_eq!(error.reason(), format!("expected {names}, found `bool` true"));
    // One candidate alone: its own error.
    #[derive(Debug, Encode, Decode)]
    #[demat(untagged)]
    enum Plain {
        Sides(Sides),
        Number(u8),
    }
    assert_eq!(refusal::<Plain>(&map! {"a": 1, "b": "x"}).path(), "$.b");
    // Several: that of the last one.
    assert_eq!(refusal::<Loose>(&map! {"a": 1}).reason(), "expected field `b`, found nothing");
}

#[test]
fn trying_has_an_end() {
    let nested = |depth: usize| (0..depth).fold(1.value(), |inner, _| list![inner]);
    let value = nested(8);
    assert!(value.to::<Loose>().is_ok());
    let value = nested(30);
    let error = refusal::<Loose>(&value);
    assert_eq!(error.kind(), demat::ErrorKind::Limit);
    // And the count of trials is back where it was.
    assert!(nested(8).to::<Loose>().is_ok());
}

#[derive(Debug, PartialEq, Encode, Decode)]
enum Borrowing<'a, T, const N: usize> {
    Text(&'a str),
    Many {
        items: [T; N],
    },
    #[demat(number = 9)]
    Last,
}

#[test]
fn parameters() {
    let value = list![map! {"Text": "x"}, map! {"Many": map!{"items": list![1, 2]}}, "Last"];
    let decoded: Vec<Borrowing<'_, u8, 2>> = value.to().expect("decoded");
    assert_eq!(decoded, [Borrowing::Text("x"), Borrowing::Many { items: [1, 2] }, Borrowing::Last]);
    assert_eq!(Value::of(&decoded).expect("encoded"), value);
    let Shape::Union(union) = Borrowing::<u8, 2>::SHAPE else { panic!("a union") };
    let numbers: Vec<_> = union.get().variants().iter().map(demat::Variant::number).collect();
    assert_eq!(numbers, [1, 2, 9]);
}
