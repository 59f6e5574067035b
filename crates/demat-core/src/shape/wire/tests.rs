use super::{Class, Form, Presence, Wire};
use crate::{Field, FloatWidth, IntWidth, Record, RecordRef, Ref, Shape, Value};

fn wire(field: &str) -> Wire {
    let shape: Shape = field.parse().unwrap();
    let Shape::Record(record) = shape else { panic!("{field}") };
    record.get().fields()[0].wire()
}

fn plain(form: Form, presence: Presence) -> Wire {
    Wire { class: Class::Value, form, key: Form::None, packed: false, presence }
}

#[test]
fn the_form_follows_from_the_shape() {
    for (text, form) in [
        ("a:bool", Form::Bool),
        ("a:int", Form::Int64),
        ("a:int32", Form::Int32),
        ("a:int16", Form::Int32),
        ("a:uint8", Form::Uint32),
        ("a:uint64", Form::Uint64),
        ("a:float32", Form::Float),
        ("a:float", Form::Double),
        ("a:text", Form::Text),
        ("a:bytes", Form::Bytes),
        ("a:decimal", Form::Text),
        ("a:uuid", Form::Text),
    ] {
        assert_eq!(wire(text), plain(form, Presence::Implicit), "{text}");
    }
    // Messages can always be told from nothing.
    assert_eq!(wire("a:instant"), plain(Form::Timestamp, Presence::Explicit));
    assert_eq!(wire("a:duration"), plain(Form::Duration, Presence::Explicit));
    assert_eq!(wire("a:{b:int}"), plain(Form::Message, Presence::Explicit));
    assert_eq!(wire("a:any"), plain(Form::Any, Presence::Explicit));
}

#[test]
fn what_can_be_missing_is_told_from_zero() {
    assert_eq!(wire("a:int?"), plain(Form::Int64, Presence::Explicit));
    assert_eq!(wire("a?:int"), plain(Form::Int64, Presence::Explicit));
    assert_eq!(wire("a:int = 0"), plain(Form::Int64, Presence::Implicit));
    assert_eq!(wire("a:int = 5"), plain(Form::Int64, Presence::Explicit));
    assert_eq!(wire("a:text #proto:required"), plain(Form::Text, Presence::Explicit));
    let float = |default: f64| {
        Field::new("a", 1, Shape::Float(FloatWidth::F64)).with_default(Value::Float(default)).wire().presence
    };
    assert_eq!(float(0.0), Presence::Implicit);
    assert_eq!(float(-0.0), Presence::Explicit);
}

#[test]
fn lists_of_numbers_are_packed() {
    let list = Wire { class: Class::List, packed: true, ..plain(Form::Int64, Presence::Implicit) };
    assert_eq!(wire("a:[int]"), list);
    assert_eq!(wire("a:[int] #proto:expanded"), Wire { packed: false, ..list });
    assert_eq!(wire("a:[text]"), Wire { form: Form::Text, packed: false, ..list });
    assert_eq!(wire("a:[[int]]"), Wire { form: Form::None, packed: false, ..list });
    assert_eq!(wire("a:(int, int)"), list);
    assert_eq!(wire("a:(int, text)").form, Form::None);
}

#[test]
fn notes_have_the_last_word() {
    assert_eq!(wire("a:int #proto:sint32").form, Form::Sint32);
    assert_eq!(wire("a:[int] #proto:fixed64").form, Form::Fixed64);
    assert_eq!(wire("a:{b:int} #proto:group").form, Form::Group);
    let map = wire("a:map(int, int) #proto:\"key sfixed32\" #proto:sint64");
    assert_eq!((map.class, map.key, map.form), (Class::Map, Form::Sfixed32, Form::Sint64));
    assert_eq!(wire("a:int #sql:sint32").form, Form::Int64);
}

#[test]
fn constants_say_the_same() {
    const INT: Shape = Shape::Int(IntWidth::Signed(32));
    static NONE: Record = Record::fixed("", &[], &[], crate::Unknown::Ignore);
    static SHAPES: [Shape; 8] = [
        INT,
        Shape::Option(Ref::Static(&INT)),
        Shape::List(Ref::Static(&INT)),
        Shape::Option(Ref::Static(&Shape::List(Ref::Static(&Shape::Text)))),
        Shape::Map(Ref::Static(&Shape::Text), Ref::Static(&INT)),
        Shape::Record(RecordRef::Static(|| &NONE)),
        Shape::Tuple(Ref::Static(&[Ref::Static(&INT), Ref::Static(&INT)])),
        Shape::Instant,
    ];
    for shape in &SHAPES {
        for required in [false, true] {
            let fixed = Field::fixed("a", "a", &[], 1, shape, required);
            let made = Field::new("a", 1, shape.clone()).with_required(required);
            assert_eq!(fixed.wire(), made.wire(), "{shape:?} {required}");
        }
    }
}
