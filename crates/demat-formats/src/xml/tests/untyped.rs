//! Reading without a shape: maps, lists and text, as elements tell.

use super::*;

#[test]
fn elements_are_maps_lists_and_text() {
    assert_eq!(json("<a>x</a>"), r#""x""#);
    assert_eq!(json("<a/>"), r#""""#);
    assert_eq!(json("<a></a>"), r#""""#);
    assert_eq!(json("<a><b>1</b><c>2</c></a>"), r#"{"b":"1","c":"2"}"#);
    assert_eq!(json("<a><b>1</b><c>2</c><b>3</b></a>"), r#"{"b":["1","3"],"c":"2"}"#);
    assert_eq!(json("<a i='1'>t</a>"), r##"{"@i":"1","#text":"t"}"##);
    assert_eq!(json("<a i='1'/>"), r#"{"@i":"1"}"#);
    assert_eq!(json("<a><b i='1'/><b>x</b><b><c/></b></a>"), r#"{"b":[{"@i":"1"},"x",{"c":""}]}"#);
    assert_eq!(json("<a>Hi <b>you</b> there </a>"), r##"{"b":"you","#text":"Hi  there"}"##);
    assert_eq!(
        json("<a xmlns='u' xmlns:p='v'><p:b p:c='1'/></a>"),
        r#"{"@xmlns":"u","@xmlns:p":"v","p:b":{"@p:c":"1"}}"#
    );
    assert_eq!(json("<a><b_x0020_c>1</b_x0020_c></a>"), r#"{"b c":"1"}"#);
    assert_eq!(json("\u{feff}<?xml version='1.0'?>\n<!-- c --><a>x</a>\n<?p?>"), r#""x""#);
}

#[test]
fn text_is_joined_and_unescaped() {
    assert_eq!(json("<a>x<!-- c -->y<![CDATA[<&>]]>&lt;&#65;&#x1F600;</a>"), "\"xy<&><A\u{1F600}\"");
    assert_eq!(json("<a>\r\n1\r2\n</a>"), r#""\n1\n2\n""#);
    assert_eq!(json("<a b='x\r\ny\tz&#10;&#9;&quot;'/>"), r#"{"@b":"x y z\n\t\""}"#);
    assert_eq!(json("<a>\n <b/>\n x &#32;\n <c/> </a>"), r##"{"b":"","c":"","#text":"x  "}"##);
    assert_eq!(json("<a> <![CDATA[ ]]> <b/></a>"), r##"{"b":"","#text":" "}"##);
    assert_eq!(json("<a>&#13;</a>"), r#""\r""#);
}

#[test]
fn nulls_are_said_or_asked_for() {
    let nil = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:nil";
    assert_eq!(
        json(&format!("<a><b {nil}='true'/><c {nil}='1'></c><d {nil}='false'/></a>")).matches("null").count(),
        2
    );
    assert_eq!(json(&format!("<a {nil}='true'/>")), "null");
    let options = ReadOptions { empty_null: true, ..ReadOptions::default() };
    let value = read_with(b"<a><b/><c d=''/><e></e><f><![CDATA[]]></f></a>", &Shape::Any, options).unwrap();
    let text = String::from_utf8(crate::json::encode(&value).unwrap()).unwrap();
    assert_eq!(text, r#"{"b":null,"c":{"@d":null},"e":null,"f":""}"#);
}

#[test]
fn a_map_may_have_any_keys() {
    let value = r#"{"a b":1,"":2,"1":3,"x:y":4,"_x0041_":5,"@":6,"@a b":7,"é":9}"#;
    let text = xml(value, "map(text, int)");
    assert!(text.starts_with("<root a_x0020_b=\"7\"><a_x0020_b>1</a_x0020_b><_x_>2</_x_>"), "{text}");
    assert_eq!(xml(r##"{"#text":"t","@i":"1"}"##, "map(text, text)"), "<root i=\"1\">t</root>");
    assert_eq!(xml(r##"{"#text":" "}"##, "map(text, text)"), "<root>&#32;</root>");
    assert_eq!(xml(r##"{"#text":""}"##, "map(text, text)"), "<root><![CDATA[]]></root>");
    let lists = xml(r##"{"a":[],"@b":[1],"c":[1,2],"#text":[3],"d":[null]}"##, "map(text, [int?])");
    assert!(lists.contains("demat:list=\"empty\""), "{lists}");
    assert_eq!(xml(r#"{"a":{"b":{}},"@c":{}}"#, "map(text, map(text, map(text, int)))").matches("_x0040_c").count(), 1);
    let numbers = Value::Map(vec![(Value::Int(1.into()), Value::Bool(true)), (Value::Int((-2).into()), Value::Null)]);
    let text = written(&numbers, "map(int, bool?)").unwrap();
    assert!(text.starts_with("<root><_x0031_>true</_x0031_><_x002D_2 "), "{text}");
    assert_eq!(read(&text, "map(int, bool?)").unwrap(), numbers);
}

#[test]
fn declarations_are_keys_of_a_map() {
    let value = r#"{"@xmlns":"u","@xmlns:p":"v","p:b":"1","q:c":"2","@p:d":"3","@q:e":"4"}"#;
    let text = xml(value, "map(text, text)");
    let wanted =
        "<root xmlns=\"u\" xmlns:p=\"v\" p:d=\"3\" q_x003A_e=\"4\"><p:b>1</p:b><q_x003A_c>2</q_x003A_c></root>";
    assert_eq!(text, wanted);
}
