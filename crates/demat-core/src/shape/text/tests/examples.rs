use super::parse;
use crate::scalar::Date;
use crate::{Field, IntWidth, Record, RecordRef, Shape, Tag, UnionRef, Unknown, Value};

/// Each text is the canonical text of its shape.
#[test]
fn texts_in_their_written_form_come_back_as_they_are() {
    for text in [
        "any",
        "int?",
        "[[uint8]]",
        "(int, text)",
        "(int,)",
        "()",
        "map(text, [float32?])",
        "{}",
        "{!}",
        "id:int, done:bool, title:text",
        "a:int, !",
        "a:int, ...rest:map(text, any)",
        "Task{id:int64, due:date?}",
        "[{id:int}]",
        "id \"ID\"|ident|\"old id\"@7:int",
        "a:int = 5, b:float = 5.0, c:text = \"5\", d:date = \"2026-02-03\", e:any = date \"2026-02-03\"",
        "a:decimal = 1.50, b:[int] = [1, 2], c:map(text, int) = {\"x\": 1}, d:bool? = null",
        "a?:int, b!:int?, c!:int = 5",
        "id:int #sql:key, title:text = \"\" #sql:\"type VARCHAR(220)\" #xml:attribute, a:{b:int #sql:unique}",
        "enum(open, done = 5, late)",
        "enum Status(open, done)",
        "int | text",
        "(int | text)?",
        "[int | (bool | text)]",
        "union(circle:{r:float}, dot)",
        "union[](a:int, b:int)",
        "union Figure[kind](circle:{r:float}, dot:{})",
        "union[t, c](a@3:int, b)",
        "Node{value:int, next:Node?}",
        "Tree{left:Tree?, of:union(a:Tree, b:[Tree])}",
        "union Json[](a:null, b:bool, c:[Json], d:map(text, Json))",
        "from:Point{x:int, y:int}, to:Point",
        "a:enum E(x, y), b:E",
        "\"text\"{a:int}",
        "\"two words\":int, \"\":int",
    ] {
        assert_eq!(parse(text).to_string(), text);
        assert_eq!(parse(text), parse(text));
    }
}

#[test]
fn people_may_write_it_otherwise() {
    for (text, written) in [
        ("  id : int ,\n done:bool , ", "id:int, done:bool"),
        ("{id: int}", "id:int"),
        ("(int)", "int"),
        ("((int?))?", "int?"),
        ("float64", "float"),
        ("a: int, ...rest", "a:int, ...rest:map(text, any)"),
        ("union[kind](a: {kind: enum(a), x: int})", "union[kind](a:{x:int})"),
        ("union[kind](a)", "union[kind](a:{})"),
        ("int | text | null", "int | text | null"),
        ("a:float = 5, b:any = text \"x\"", "a:float = 5.0, b:any = \"x\""),
        ("\"\\u0041\\ud83d\\ude00\": int", "\"A😀\":int"),
    ] {
        assert_eq!(parse(text).to_string(), written);
    }
}

#[test]
fn fields_are_what_the_text_says() -> crate::Result<()> {
    let due = Value::Date(Date::new(2026, 2, 3).expect("a date"));
    let record = Record::new(
        "Task",
        vec![
            Field::new("id", 7, Shape::Int(IntWidth::Any)).with_key("ID").with_aliases(vec!["ident".into()]),
            Field::new("due", 2, Shape::Date).with_default(due),
            Field::new("tags", 3, Shape::Text.list().optional()),
            Field::new("rest", 4, Shape::Map(crate::Ref::new(Shape::Text), crate::Ref::new(Shape::Any))),
        ],
    )?
    .with_unknown(Unknown::Keep(3));
    let text = "Task{id \"ID\" | ident @7: int, due: date = \"2026-02-03\", tags: [text]?, ...rest}";
    assert_eq!(parse(text), Shape::record(record));
    Ok(())
}

#[test]
fn recursion_is_by_links_that_hold_while_the_whole_does() {
    let shape = parse("Node{value:int, next:Node?}");
    let Shape::Record(node) = &shape else { panic!("a record") };
    let node = node.get();
    let Shape::Record(next @ RecordRef::Link(name, _)) = node.fields()[1].shape().inner() else { panic!("a link") };
    assert_eq!((&**name, next.get().fields().len()), ("Node", 2));
    // Printed alone, the part includes the definition of what it links to.
    assert_eq!(Shape::Record(next.clone()).to_string(), "Node{value:int, next:Node?}");
}

#[test]
fn a_type_named_again_is_shared() {
    let Shape::Record(pair) = parse("from:Point{x:int}, to:Point") else { panic!("a record") };
    let pair = pair.get();
    let [Shape::Record(RecordRef::Shared(from)), Shape::Record(RecordRef::Shared(to))] =
        [pair.fields()[0].shape(), pair.fields()[1].shape()]
    else {
        panic!("records")
    };
    assert!(std::sync::Arc::ptr_eq(from, to));
}

#[test]
fn a_tag_by_field_is_a_field_of_each_variant() {
    let Shape::Union(UnionRef::Shared(union)) = parse("union[kind](circle:{r:float}, dot)") else { panic!("a union") };
    assert_eq!(*union.tag(), Tag::Field("kind".into()));
    assert_eq!(*union.variants()[0].shape(), parse("kind:enum(circle), r:float"));
    assert_eq!(*union.variants()[1].shape(), parse("kind:enum(dot)"));
}

static LIST: Record = Record::fixed("List", LIST_FIELDS, &[], Unknown::Ignore);
static LIST_FIELDS: &[Field] = &[Field::fixed("next", "next", &[], 1, LIST_NEXT, false)];
static LIST_NEXT: &Shape = &Shape::Option(crate::Ref::Static(&Shape::Record(RecordRef::Static(|| &LIST))));

#[test]
fn constants_that_refer_to_themselves_are_printed_by_name() {
    let shape = Shape::Record(RecordRef::Static(|| &LIST));
    assert_eq!(shape.to_string(), "List{next:List?}");
    assert_eq!(parse(&shape.to_string()), shape);
}
