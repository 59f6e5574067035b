//! Lists in attributes, in text, and as fields that did not come.

use super::*;

#[test]
fn words_are_lists() {
    let shape = "{class: [text] #xml:attribute, sizes: [int] #xml:text}";
    assert_eq!(xml(r#"{"class":["a","b"],"sizes":[1,2,3]}"#, shape), r#"<root class="a b">1 2 3</root>"#);
    assert_eq!(xml(r#"{"class":[],"sizes":[]}"#, shape), "<root/>");
    assert_eq!(json_as("<r class=' a\n b&#32;c '> 1\n2 </r>", shape), r#"{"class":["a","b","c"],"sizes":[1,2]}"#);
    let value = read("<r class='a'>1</r>", shape).unwrap();
    assert_eq!(written(&value, shape).unwrap(), r#"<root class="a">1</root>"#);
    let bad = Value::Map(vec![(Value::Text("class".into()), Value::List(vec![Value::Text("a b".into())]))]);
    assert!(written(&bad, "{class: [text] #xml:attribute}").unwrap_err().to_string().contains("white space"));
}

#[test]
fn an_optional_list_differs_from_an_empty_one() {
    for value in
        [r#"{"a":null}"#, r#"{"a":[]}"#, r#"{"a":[1]}"#, r#"{"a":[null]}"#, r#"{"a":[null,1]}"#, r#"{"a":[1,null]}"#]
    {
        xml(value, "{a: [int?]?}");
        xml(value, "map(text, [int?]?)");
    }
    assert_eq!(xml(r#"{"a":[]}"#, "{a: [int]}"), "<root/>");
    assert_eq!(xml(r#"{"a":[]}"#, "{a: [int] = []}"), "<root/>");
    assert!(xml(r#"{"a":[]}"#, "{a: [int] = [1]}").contains("empty"));
    xml(r#"{"a":[[],[[]],[[1],[]]]}"#, "{a: [[[int]]]}");
}

#[test]
fn a_list_in_a_map_is_never_cut() {
    assert_eq!(json_as("<r><a>1</a><a>2</a></r>", "map(text, [int])"), r#"{"a":[1,2]}"#);
    assert_eq!(json_as("<r><a>1</a></r>", "map(text, [int])"), r#"{"a":[1]}"#);
    assert!(refusal("<r><a><b/></a><a><b/></a></r>", "map(text, map(text, any))").contains("found `list`"));
}
