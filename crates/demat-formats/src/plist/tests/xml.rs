//! The XML form.

use super::*;

fn expect(inner: &str, of: &str, json: &str) {
    assert_eq!(read(&xml(inner), of).unwrap(), value(json, &shape(of)), "{inner}");
}

#[test]
fn elements_are_values() {
    expect("<integer>-7</integer>", "int", "-7");
    expect("<integer> 18446744073709551615\n</integer>", "uint64", "18446744073709551615");
    expect("<integer>0x1F</integer>", "int", "31");
    expect("<integer>+5</integer>", "int", "5");
    expect("<real>1.5e3</real>", "float", "1500.0");
    expect("<integer>3</integer>", "float", "3.0");
    expect("<true/>", "bool", "true");
    expect("<false></false>", "bool", "false");
    expect("<string/>", "text", "\"\"");
    expect("<string>a &amp; b&#10;&#x20AC;</string>", "text", "\"a & b\\n€\"");
    expect("<string>a<![CDATA[<&>]]>b<!-- no -->c</string>", "text", "\"a<&>bc\"");
    expect("<string>a\r\nb\rc</string>", "text", "\"a\\nb\\nc\"");
    expect("<data>\n\tAP8\n=\t</data>", "bytes", "\"AP8=\"");
    expect("<date>2024-02-29T12:30:00Z</date>", "instant", "\"2024-02-29T12:30:00Z\"");
    expect("<array><integer>1</integer><!-- x --> <integer>2</integer></array>", "[int]", "[1, 2]");
    expect("<dict><key>a</key><dict/><key>b</key><array/></dict>", "any", "{\"a\": {}, \"b\": []}");
    for text in ["nan", "NaN"] {
        let Value::Float(float) = read(&xml(&format!("<real>{text}</real>")), "float").unwrap() else { panic!() };
        assert!(float.is_nan());
    }
    assert_eq!(read(&xml("<real>-infinity</real>"), "float").unwrap(), Value::Float(f64::NEG_INFINITY));
}

#[test]
fn documents_have_a_prolog_or_none() {
    let doctype = "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
                   \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">";
    for text in [
        "<true/>".to_string(),
        "<plist><true/></plist>".to_string(),
        format!(
            "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{doctype}\n<plist version=\"1.0\">\n<true/>\n</plist>\n"
        ),
        "<?xml version='1.0'?><!-- a --><!DOCTYPE plist><!-- b --><plist>\r\n<true/><!-- c --></plist><!-- d -->"
            .to_string(),
    ] {
        assert_eq!(read(text.as_bytes(), "bool").unwrap(), Value::Bool(true), "{text}");
    }
}

#[test]
fn fields_that_lack_are_null() {
    let of = "{a: int, b: text?, c: {d: int?}?}";
    assert_eq!(
        read(&xml("<dict><key>a</key><integer>1</integer></dict>"), of).unwrap().get("a"),
        Some(&Value::Int(1.into()))
    );
    let required = Shape::record(
        demat_core::Record::new(
            "T",
            vec![
                demat_core::Field::new("a", 1, shape("int?")).with_required(true),
                demat_core::Field::new("b", 2, shape("int")),
                demat_core::Field::new("c", 3, shape("text?")).with_required(true),
            ],
        )
        .unwrap(),
    );
    let bytes = xml("<dict><key>x</key><true/><key>b</key><integer>1</integer></dict>");
    let found = read_as(&bytes, &required, ReadOptions::default()).unwrap();
    assert_eq!(
        (found.get("a"), found.get("b"), found.get("c")),
        (Some(&Value::Null), Some(&Value::Int(1.into())), Some(&Value::Null))
    );
    let error = read(&xml("<dict/>"), "{a: int}").unwrap_err();
    assert!(error.to_string().starts_with("expected field `a`, found nothing"), "{error}");
}

#[test]
fn repeated_keys_are_resolved_or_refused() {
    let bytes = xml("<dict><key>a</key><integer>1</integer>\n<key>a</key><integer>2</integer></dict>");
    for of in ["any", "{a: int}", "map(text, int)"] {
        assert_eq!(read(&bytes, of).unwrap().get("a"), Some(&Value::Int(2.into())), "{of}");
        let options = ReadOptions { repeated_keys: crate::json::RepeatedKeys::Refuse, ..ReadOptions::default() };
        let error = read_as(&bytes, &shape(of), options).unwrap_err();
        assert!(error.to_string().starts_with("the key `a` stands here again"), "{of}: {error}");
    }
}

#[test]
fn keys_may_be_numbers() {
    expect("<dict><key>1</key><string>a</string></dict>", "map(int, text)", "{\"1\": \"a\"}");
}
