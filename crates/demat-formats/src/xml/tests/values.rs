//! Scalars.

use super::*;

#[test]
fn scalars_come_back() {
    for (value, shape, text) in [
        ("true", "bool", "<root>true</root>"),
        ("-5", "int", "<root>-5</root>"),
        ("123456789012345678901234567890", "int", "<root>123456789012345678901234567890</root>"),
        ("1.5", "float", "<root>1.5</root>"),
        ("0.1", "float32", "<root>0.1</root>"),
        (r#""a<b>&c]]>""#, "text", "<root>a&lt;b&gt;&amp;c]]&gt;</root>"),
        (r#"" x\r\n\t ""#, "text", "<root> x&#13;\n\t </root>"),
        (r#""""#, "text", "<root/>"),
        (r#""AQI=""#, "bytes", "<root>AQI=</root>"),
        (r#""1.50""#, "decimal", "<root>1.50</root>"),
        (r#""2026-01-02""#, "date", "<root>2026-01-02</root>"),
        (r#""10:20:30.500""#, "time", "<root>10:20:30.500</root>"),
        (r#""2026-01-02T10:20:30""#, "datetime", "<root>2026-01-02T10:20:30</root>"),
        (r#""2026-01-02T10:20:30+02:00""#, "instant", "<root>2026-01-02T10:20:30+02:00</root>"),
        (r#""PT1H""#, "duration", "<root>PT1H</root>"),
        (r#""open""#, "enum(open, done)", "<root>open</root>"),
        ("null", "int?", "<root xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/>"),
        ("[]", "[int]", "<root/>"),
        (
            "[1,null]",
            "[int?]",
            "<root><item>1</item><item xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
             xsi:nil=\"true\"/></root>",
        ),
        (
            "[[1],[],[2,3]]",
            "[[int]]",
            "<root><item><item>1</item></item><item/><item><item>2</item><item>3</item></item></root>",
        ),
        (r#"[1,"x"]"#, "(int, text)", "<root><item>1</item><item>x</item></root>"),
        ("{}", "map(text, int)", "<root/>"),
    ] {
        assert_eq!(xml(value, shape), text);
    }
}

#[test]
fn values_are_read_as_xml_schema_writes_them() {
    for (text, shape, value) in [
        ("<a>\n +007 </a>", "int", "7"),
        ("<a>-0</a>", "int", "0"),
        ("<a>000</a>", "int", "0"),
        ("<a> 1 </a>", "bool", "true"),
        ("<a>+1.e2</a>", "float", "100.0"),
        ("<a>.5</a>", "float", "0.5"),
        ("<a> +1.50 </a>", "decimal", "1.50"),
        ("<a>AQ\n I=</a>", "bytes", r#""AQI=""#),
        ("<a> 2026-01-02 </a>", "date", r#""2026-01-02""#),
        ("<a> open </a>", "enum(open, done)", r#""open""#),
        ("<a x='1'>5</a>", "int", "5"),
        ("<a><![CDATA[5]]></a>", "int", "5"),
        ("<a>1<!-- -->2</a>", "int", "12"),
    ] {
        assert_eq!(json_as(text, shape), value, "{text}");
    }
    for (text, wanted) in [("INF", f64::INFINITY), ("-INF", f64::NEG_INFINITY)] {
        assert_eq!(read(&format!("<a>{text}</a>"), "float").unwrap(), Value::Float(wanted));
        assert_eq!(written(&Value::Float(wanted), "float").unwrap(), format!("<root>{text}</root>"));
    }
    assert_eq!(written(&Value::Float(f64::NAN), "float").unwrap(), "<root>NaN</root>");
    assert!(matches!(read("<a>NaN</a>", "float").unwrap(), Value::Float(nan) if nan.is_nan()));
}

#[test]
fn other_values_are_refused_with_their_place() {
    for (text, shape, wanted) in [
        ("<a>x</a>", "int", "expected `int`, found `x` (line 1, column 1)"),
        ("<a/>", "int", "expected `int`, found no text (line 1, column 1)"),
        (
            "<a><b/></a>",
            "int",
            "expected `int`, found an element with others in it, or with attributes (line 1, column 1)",
        ),
        ("<a>\n<b>1e999</b></a>", "{b: float}", "expected `float`, found `1e999` at `$.b` (line 2, column 1)"),
        ("<a>inf</a>", "float", "expected `float`, found `inf` (line 1, column 1)"),
        ("<a>True</a>", "bool", "expected `bool`, found `True` (line 1, column 1)"),
        ("<a><b>1</b>x</a>", "[int]", "expected an element, found `text` (line 1, column 12)"),
        ("<a b='x'/>", "{b \"@b\": int}", "expected `int`, found `x` at `$.b` (line 1, column 7)"),
        ("<a><b>1</b></a>", "{c: int}", "expected field `c`, found nothing (line 1, column 16)"),
        ("<a><b>1</b><b>2</b></a>", "map(text, int)", "expected `int`, found `list` at `$.b` (line 1, column 4)"),
    ] {
        let error = refusal(text, shape);
        assert!(error.contains(wanted), "{text}: {error}");
    }
}
