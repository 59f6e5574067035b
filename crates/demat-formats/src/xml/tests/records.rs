//! Records: attributes, elements, text, namespaces, mixed content.

use super::*;

#[test]
fn fields_stand_where_their_notes_say() {
    let shape = r#"Book{id: int #xml:attribute, title: text, "lang": text? #xml:attribute, price: float}"#;
    let text = xml(r#"{"id":1,"title":"A","lang":"en","price":2.5}"#, shape);
    assert_eq!(text, r#"<Book id="1" lang="en"><title>A</title><price>2.5</price></Book>"#);
    assert_eq!(xml(r#"{"id":1,"title":"A","lang":null,"price":2.5}"#, shape).matches("lang").count(), 0);
    let read = json_as("<x id=' 7 ' other='1'>\n<more/><price>1e1</price>\n<title> A </title></x>", shape);
    assert_eq!(read, r#"{"id":7,"price":10.0,"title":" A "}"#);
}

#[test]
fn text_of_an_element_is_a_field() {
    let shape = "Price{currency: text #xml:attribute, amount: float #xml:text}";
    assert_eq!(xml(r#"{"currency":"EUR","amount":5.5}"#, shape), r#"<Price currency="EUR">5.5</Price>"#);
    let shape = "P{value: text #xml:text, b: [text]}";
    assert_eq!(xml(r#"{"value":" x ","b":["y"]}"#, shape), "<P>&#32;x&#32;<b>y</b></P>");
    assert_eq!(xml(r#"{"value":"","b":[]}"#, shape), "<P/>");
    assert_eq!(json_as("<P>\n <b>1</b>\n text\n <b>2</b>\n</P>", shape), r#"{"b":["1","2"],"value":"text"}"#);
    let shape = "P{value: text? #xml:text, n: int? #xml:attribute}";
    for value in [r#"{"value":null,"n":1}"#, r#"{"value":"","n":null}"#, r#"{"value":"x","n":2}"#] {
        xml(value, shape);
    }
}

#[test]
fn repeated_elements_are_lists_wherever_they_stand() {
    let shape = "{a: [int], b: [text], c: int}";
    let text = "<r><a>1</a><b>x</b><a>2</a><c>5</c><b>y</b><a>3</a></r>";
    assert_eq!(json_as(text, shape), r#"{"a":[1,2,3],"b":["x","y"],"c":5}"#);
    for size in 1..40 {
        let streamed = streamed(text.as_bytes(), size, &shape.parse().unwrap()).unwrap();
        assert_eq!(streamed, read(text, shape).unwrap());
    }
    assert_eq!(xml(r#"{"a":[],"b":[],"c":1}"#, shape), "<root><c>1</c></root>");
    xml(r#"{"a":[[1,2],[],[3]]}"#, "{a: [[int]]}");
    let wrapped = r#"{books: [{t: text}] #xml:"wrapped book", n: [[int]] #xml:wrapped}"#;
    let text = xml(r#"{"books":[{"t":"a"},{"t":"b"}],"n":[[1],[],[2,3]]}"#, wrapped);
    assert!(text.starts_with("<root><books><book><t>a</t></book><book>"), "{text}");
    assert!(
        refusal("<r><books><b/></books></r>", wrapped).starts_with("expected an element `book`, found `b` at `$.books")
    );
    assert_eq!(
        refusal("<r><a>1</a><c>5</c><c>6</c></r>", "{a: [int], c: int}"),
        "`c` is repeated, but is not a list (line 1, column 20)"
    );
}

#[test]
fn mixed_content_is_a_list() {
    let shape = "P{class: text? #xml:attribute, content: [any] #xml:mixed}";
    let text = "<P>Hello <b>big</b> <i x='1'>w<u/></i>!<!-- c -->?</P>";
    let value =
        r##"{"content":["Hello ",{"#name":"b","#text":"big"}," ",{"#name":"i","@x":"1","u":"","#text":"w"},"!?"]}"##;
    assert_eq!(json_as(text, shape), value);
    assert_eq!(written(&read(text, shape).unwrap(), shape).unwrap(), "<P>Hello <b>big</b> <i x=\"1\"><u/>w</i>!?</P>");
    let choice = "Pets{pets: [map(text, text)] #xml:choice}";
    let text = "<Pets>\n<cat name='Tom'/> <dog>Rex</dog>\n<cat/></Pets>";
    let value = r##"{"pets":[{"#name":"cat","@name":"Tom"},{"#name":"dog","#text":"Rex"},{"#name":"cat"}]}"##;
    assert_eq!(json_as(text, choice), value);
    xml(value, choice);
    assert!(refusal("<P>x<b/></P>", choice).starts_with("expected an element, found `text` at `$.pets`"));
    let twice = written(&read(r"<P><b/></P>", shape).map(|_| Value::Null).unwrap(), shape);
    assert!(twice.is_err());
}

#[test]
fn names_are_fields_on_request() {
    let shape = "[Pet{kind: text #xml:name, name: text #xml:attribute}]";
    let text = xml(r#"[{"kind":"cat","name":"Tom"},{"kind":"dog","name":"Rex"}]"#, shape);
    assert_eq!(text, r#"<root><cat name="Tom"/><dog name="Rex"/></root>"#);
}

#[test]
fn namespaces_are_compared_and_not_prefixes() {
    let shape =
        r#"Feed{entry: [text] #xml:"namespace urn:a", "x:href": text #xml:"attribute, namespace urn:x", plain: text}"#;
    let written = concat!(
        r#"<Feed xmlns:x="urn:x" x:href="h"><entry xmlns="urn:a">1</entry><entry xmlns="urn:a">"#,
        r#"2</entry><plain>p</plain></Feed>"#
    );
    assert_eq!(xml(r#"{"entry":["1","2"],"x:href":"h","plain":"p"}"#, shape), written);
    let other = concat!(
        r#"<f xmlns:q="urn:x" q:href="h" xmlns:a="urn:a" xmlns:b="urn:b"><a:entry>1</a:entry>"#,
        r#"<b:entry>no</b:entry><plain>p</plain><z:entry xmlns:z="urn:a">2</z:entry></f>"#
    );
    assert_eq!(json_as(other, shape), r#"{"x:href":"h","entry":["1","2"],"plain":"p"}"#);
    let named = WriteOptions { namespace: Some("urn:a".into()), ..bare() };
    let value = read("<r><b>1</b></r>", "any").unwrap();
    assert_eq!(written_with(&value, &Shape::Any, named).unwrap(), r#"<root xmlns="urn:a"><b>1</b></root>"#);
}

#[test]
fn what_a_record_does_not_have_is_ignored_kept_or_refused() {
    let text = "<r i='1' xmlns='u'>t<a>1</a><b>2</b><b>3</b></r>";
    assert_eq!(json_as(text, "{a: int}"), r#"{"a":1}"#);
    assert_eq!(json_as(text, "{a: int, ...rest: map(text, any)}"), r##"{"@i":"1","a":1,"b":["2","3"],"#text":"t"}"##);
    assert!(refusal(text, "{a: int, !}").starts_with("unknown field `@i`; the fields are `a`"));
    assert!(refusal("<r>t<a>1</a></r>", "{a: int, !}").starts_with("unknown field `#text`"));
    xml(r##"{"a":1,"@i":"1","b":["2","3"],"#text":"t"}"##, "{a: int, ...rest: map(text, any)}");
}

#[test]
fn unions_are_told_by_what_stands_there() {
    let shape = "{pet: union[kind](Cat: {lives: int}, Dog: {tricks: [text]}), n: int | text, l: [int] | int}";
    let text = xml(r#"{"pet":{"kind":"Cat","lives":9},"n":"x","l":[1]}"#, shape);
    assert!(text.contains("<kind>Cat</kind>") && text.contains("demat:list=\"item\""), "{text}");
    xml(r#"[{"kind":"Cat","n":1},{"kind":"Dog","n":2}]"#, "[union[kind](Cat: {n: int}, Dog: {n: int})]");
    xml(r#"{"a":{"int":1},"b":"none"}"#, "map(text, union(int: int, none))");
    xml(r#"[{"t":"int","c":1},{"t":"list","c":[1,2]},{"t":"none"}]"#, "[union[t, c](int: int, list: [int], none)]");
    let by_attribute = "[union[\"@kind\"](Cat: {n: int}, Dog: {n: int})]";
    let text = xml(r#"[{"@kind":"Cat","n":1}]"#, by_attribute);
    assert!(text.contains("kind=\"Cat\"><n>1</n>"), "{text}");
}
