//! Entities that a document declares.

use super::*;
use crate::stream::Records;
use std::fmt::Write;

fn expanding() -> Xml {
    Xml::new(ReadOptions { doctype: Doctype::Expand, ..ReadOptions::default() })
}

fn read_by(text: &str, size: usize, shape: &Shape) -> Result<Value> {
    let mut window = Window::with_size(text.as_bytes(), size);
    Value::build(|sink| copy_stream(&mut window, &mut expanding(), shape, sink, &mut Stop).map(drop))
}

/// What a document is with its entities expanded, in JSON.
fn expanded(text: &str) -> String {
    let value = read_by(text, 1 << 16, &Shape::Any).unwrap_or_else(|error| panic!("{error}: {text}"));
    for size in (1..60).chain([200]) {
        assert_eq!(read_by(text, size, &Shape::Any).unwrap(), value, "{size} {text}");
    }
    String::from_utf8(crate::json::encode(&value).unwrap()).unwrap()
}

fn refusal(text: &str) -> String {
    let error = read_by(text, 1 << 16, &Shape::Any).unwrap_err().to_string();
    for size in [1, 7, 50] {
        assert_eq!(read_by(text, size, &Shape::Any).unwrap_err().to_string(), error, "{size} {text}");
    }
    error
}

#[test]
fn entities_are_expanded() {
    let e = "<!DOCTYPE a [<!ENTITY e 'x&#38;amp;y'><!ENTITY f \"<b c='&e;'>&e;</b>\"><!ENTITY q '&#34;&#39;\"'>]>";
    assert_eq!(expanded(&format!("{e}<a>1&e;2</a>")), r#""1x&y2""#);
    assert_eq!(expanded(&format!("{e}<a>&f;</a>")), r##"{"b":{"@c":"x&y","#text":"x&y"}}"##);
    assert_eq!(expanded(&format!("{e}<a b='&q;&e;&#9;'/>")), r#"{"@b":"\"'\"x&y\t"}"#);
    assert_eq!(expanded(&format!("{e}<a><![CDATA[&e;]]><!--&e;--><?p &e;?>&lt;&amp;&#65;</a>")), r#""&e;<&A""#);
    assert_eq!(
        expanded("<!DOCTYPE a [<!ENTITY e ''><!ENTITY e 'x'>]><a>1&e;2<b/>&e;</a>"),
        r##"{"b":"","#text":"12"}"##
    );
    assert_eq!(
        expanded("<!DOCTYPE a [<!ENTITY e 'x\r\ny&#13;&#10;z'>]><a b='&e;'>&e;</a>"),
        "{\"@b\":\"x y  z\",\"#text\":\"x\\ny\\r\\nz\"}"
    );
    // Declared as the specification has it, the five stand for themselves.
    let five = "<!ENTITY lt '&#38;#60;'><!ENTITY less '&#38;#60;'>";
    assert_eq!(
        expanded(&format!("<!DOCTYPE a [{five}]><a b='&less;&lt;'>&lt;&less;</a>")),
        r##"{"@b":"<<","#text":"<<"}"##
    );
    let inner = "<!ENTITY % p \"<!ENTITY e 'x'>\">%p;";
    assert_eq!(expanded(&format!("<!DOCTYPE a [{inner}]><a>&e;</a>")), r#""x""#);
    assert_eq!(expanded("<!DOCTYPE a [<!ENTITY e 'x'><!ATTLIST a b CDATA '&e;'>]><a/>"), r#""""#);
}

#[test]
fn records_may_be_in_an_entity() {
    let r = "<r><i>1</i></r><r><i>2</i></r>";
    let text =
        format!("<!DOCTYPE a [<!ENTITY r '{r}'><!ENTITY s '&r;<r><i>3</i></r>&r;'>]><a>&s;\n&r;<r><i>4</i></r>&s;</a>");
    let shape: Shape = "[{i: int}]".parse().unwrap();
    let numbers: Vec<_> = [1, 2, 3, 1, 2, 1, 2, 4, 1, 2, 3, 1, 2]
        .map(|n: i64| Value::Map(vec![(Value::Text("i".into()), Value::Int(n.into()))]))
        .into();
    for size in (1..200).chain([1000]) {
        assert_eq!(read_by(&text, size, &shape).unwrap(), Value::List(numbers.clone()), "{size}");
        let records = Records::<_, _, Value>::new(Window::with_size(text.as_bytes(), size), expanding());
        let records: Vec<_> = records.map(|record| record.unwrap()).collect();
        assert_eq!(records.len(), 13, "{size}");
        assert_eq!(format!("{:?}", records[2]).matches('3').count(), 1);
    }
}

#[test]
fn what_does_not_fit_in_is_refused() {
    for (declared, content, wanted) in [
        ("<!ENTITY e '&e;'>", "&e;", "the entity `&e;` refers to itself (line 1"),
        ("<!ENTITY e '&f;'><!ENTITY f '<b c=\"&e;\"/>'>", "&e;", "the entity `&e;` refers to itself"),
        ("<!ENTITY e '</a><a>'>", "&e;", "the entity `&e;` is not well-formed"),
        ("<!ENTITY e '<b>&f;'><!ENTITY f '</b>'>", "&e;", "the entity `&f;` is not well-formed"),
        ("<!ENTITY e '<b>'>", "&e;</b>", "the entity `&e;` is not well-formed"),
        ("<!ENTITY e '<!-- '>", "&e;-->", "the entity `&e;` is not well-formed"),
        ("<!ENTITY e '&#38;'>", "&e;amp;", "the entity `&e;` is not well-formed"),
        ("<!ENTITY e '<'>", "<b c='&e;'/>", "the entity `&e;` has a `<`"),
        ("<!ENTITY e '&f;'>", "&e;", "the entity `&f;` is not declared"),
        ("<!ENTITY e 'x'>", "&f;", "the entity `&f;` is not read"),
        ("<!ENTITY e SYSTEM 'file:///etc/passwd'>", "&e;", "the entity `&e;` is external, and such are never read"),
        ("<!NOTATION n SYSTEM 'n'><!ENTITY e SYSTEM 'x' NDATA n>", "&e;", "the entity `&e;` is external"),
        ("<!ENTITY % p SYSTEM 'x'>%p;<!ENTITY e 'x'>", "&e;", "the entity `&e;` is not read"),
        ("<!ENTITY % p '<!ENTITY e>'>%p;", "", "the parameter entity `%p;` is not well-formed"),
        ("<!ENTITY % p '&#37;p;'>%p;", "", "the depth of references to parameter entities exceeds the limit of 16"),
    ] {
        let error = refusal(&format!("<!DOCTYPE a [{declared}]><a>{content}</a>"));
        assert!(error.contains(wanted), "{declared} {content}: {error}");
    }
    assert!(refusal("<!DOCTYPE a [<!ENTITY e ' '>]><a/>&e;").contains("expected end of input"));
    let error = read_by("<!DOCTYPE a [<!ENTITY e '<'>]>\n<a>é&e;</a>", 9, &Shape::Any).unwrap_err();
    assert_eq!((error.position().line, error.position().column, error.position().offset), (Some(2), Some(5), Some(36)));
    // The default, and a source over a slice.
    assert!(super::refusal("<!DOCTYPE a><a/>", "any").contains("refused"));
    let options = ReadOptions { doctype: Doctype::Expand, ..ReadOptions::default() };
    let error = skipped_with(b"<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", options).unwrap_err();
    assert!(error.to_string().contains("the entity `&e;` is not read"));
}

#[test]
fn expansion_has_limits() {
    let mut laughs = String::from("<!DOCTYPE a [<!ENTITY l0 'ha'>");
    (1..30).for_each(|at| write!(laughs, "<!ENTITY l{at} '{}'>", format!("&l{};", at - 1).repeat(10)).unwrap());
    let wanted = "the text of an expanded entity exceeds the limit of 1048576 bytes";
    for content in ["<a>&l29;</a>", "<a b='&l29;'/>"] {
        assert!(refusal(&format!("{laughs}]>{content}")).contains(wanted));
    }
    // The texts may be empty.
    assert!(refusal(&format!("{}]><a>&l29;</a>", laughs.replace("ha", ""))).contains(wanted));
    let long = "x".repeat(100_000);
    let quadratic = format!("<!DOCTYPE a [<!ENTITY e '{long}'>]><a>{}</a>", "&e;".repeat(100_000));
    let error = read_by(&quadratic, 1 << 16, &Shape::Any).unwrap_err().to_string();
    assert!(
        error.contains("the text of all expanded entities exceeds the limit of 10 times the input before"),
        "{error}"
    );
    let mut deep = String::from("<!DOCTYPE a [<!ENTITY l0 'ha'>");
    (1..40).for_each(|at| write!(deep, "<!ENTITY l{at} '&l{};'>", at - 1).unwrap());
    assert!(
        refusal(&format!("{deep}]><a>&l39;</a>"))
            .contains("the depth of references to entities exceeds the limit of 32")
    );
    assert_eq!(expanded(&format!("{deep}]><a>&l31;</a>")), r#""ha""#);
    // What a document of text needs is far from the limits.
    let usual = format!("<!DOCTYPE a [<!ENTITY e 'ä'>]><a>{}</a>", "<b>x&e;y</b>".repeat(100_000));
    read_by(&usual, 1 << 16, &Shape::Any).unwrap();
}
