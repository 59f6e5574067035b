use super::{Cardinality, Form, Presence, RecordLayout, Wire};
use demat_core::{Field, FloatWidth, IntWidth, Note, Record, RecordRef, Ref, Shape, Value};
use std::borrow::Cow;

fn wire(field: &str) -> Wire {
    let shape: Shape = field.parse().unwrap();
    let Shape::Record(record) = shape else { panic!("{field}") };
    let record = record.get();
    assert_eq!(RecordLayout::of(&record).wire(0), Wire::of_field(&record.fields()[0]));
    RecordLayout::of(&record).wire(0)
}

fn plain(form: Form, presence: Presence) -> Wire {
    Wire { cardinality: Cardinality::Value, form, key: Form::None, packed: false, presence }
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
    // The presence of a message is always visible.
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
        Wire::of_field(&Field::new("a", 1, Shape::Float(FloatWidth::F64)).with_default(Value::Float(default))).presence
    };
    assert_eq!(float(0.0), Presence::Implicit);
    assert_eq!(float(-0.0), Presence::Explicit);
}

#[test]
fn lists_of_numbers_are_packed() {
    let list = Wire { cardinality: Cardinality::List, packed: true, ..plain(Form::Int64, Presence::Implicit) };
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
    assert_eq!((map.cardinality, map.key, map.form), (Cardinality::Map, Form::Sfixed32, Form::Sint64));
    assert_eq!(wire("a:int #sql:sint32").form, Form::Int64);
}

#[test]
fn constants_say_the_same() {
    const INT: Shape = Shape::Int(IntWidth::Signed(32));
    static NONE: Record = Record::fixed("", &[], &[], demat_core::Unknown::Ignore);
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
            assert_eq!(Wire::of_field(&fixed), Wire::of_field(&made), "{shape:?} {required}");
        }
    }
}

#[test]
fn compilers_work_out_the_same() {
    const OPTION: Shape = Shape::Option(Ref::Static(&Shape::Text));
    const NONE: &[Note] = &[];
    const fn note(place: &'static str, note: &'static str) -> Note {
        (Cow::Borrowed(place), Cow::Borrowed(note))
    }
    static SHAPES: [Shape; 8] = [
        Shape::Int(IntWidth::Signed(32)),
        OPTION,
        Shape::List(Ref::Static(&Shape::Int(IntWidth::Any))),
        Shape::Option(Ref::Static(&Shape::List(Ref::Static(&OPTION)))),
        Shape::Option(Ref::Static(&OPTION)),
        Shape::Map(Ref::Static(&Shape::Text), Ref::Static(&Shape::Bool)),
        Shape::Tuple(Ref::Static(&[Ref::Static(&Shape::Bool)])),
        Shape::Instant,
    ];
    static NOTES: [&[Note]; 8] = [
        NONE,
        &[note("proto", "sint32")],
        &[note("proto", "required")],
        &[note("proto", "implicit")],
        &[note("sql", "fixed64")],
        &[note("proto", "fixed64"), note("proto", "expanded")],
        &[note("proto", "expanded"), note("proto", "in kind")],
        &[note("proto", "group"), note("proto", "required"), note("proto", "implicit")],
    ];
    let mut known = 0;
    for (shape, notes) in SHAPES.iter().flat_map(|shape| NOTES.iter().map(move |notes| (shape, notes))) {
        for required in [false, true] {
            let field = Field::fixed_with("a", "a", &[], (1, notes), shape, required);
            if let Some(own) = Wire::of_constant(&field) {
                assert_eq!(own, Wire::of_field(&field), "{shape:?} {notes:?} {required}");
                known += 1;
            }
        }
    }
    assert_eq!(known, 6 * 7 * 2);
    let other = Wire { form: Form::Sint64, ..Wire::of(&Shape::Int(IntWidth::Any)) };
    let field = Field::new("a", 1, Shape::Int(IntWidth::Any)).with_override(other);
    assert_eq!((Wire::of_constant(&field), Wire::of_field(&field)), (None, other));
}
