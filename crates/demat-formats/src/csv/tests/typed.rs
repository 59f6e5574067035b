use super::*;
use crate::csv::Ragged;
use crate::stream::{self, Window};
use demat_core::{ErrorKind, FloatWidth, IntWidth, Kind, Ref, Source, Tag, Union, UnionRef, Unknown, Variant};

const INT: Shape = Shape::Int(IntWidth::Signed(64));
const FLOAT: Shape = Shape::Float(FloatWidth::F64);

/// Decodes one cell as a shape.
fn cell(text: &str, shape: Shape) -> Result<String> {
    let mut value = read(&format!("a,b\n{text},x\n"), &rows_of(record(&[("a", shape)])))?;
    if let Value::List(rows) = &mut value {
        value = rows.remove(0);
    }
    Ok(shown(value.get("a").unwrap_or(&Value::Null)))
}

/// A cell is text, which no variant accepts as such: the first that can be read of it counts.
#[test]
fn unions_without_text_are_read_of_cells() {
    for (text, shape, expected) in [
        ("7", "int64 | float", "7"),
        ("0.5", "int64 | float", "0.5"),
        ("1.0", "int64 | float", "1.0"),
        ("true", "int64 | bool", "true"),
        ("7", "int64 | text", "\"7\""),
    ] {
        assert_eq!(cell(text, shape.parse().unwrap()).unwrap(), expected, "{text} as {shape}");
    }
    let error = cell("x", "int64 | float".parse().unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("expected `int` or `float`, found `x` at `$[0].a`"), "{error}");
    assert_eq!(error.position().line, Some(2));
}

#[test]
fn whole_numbers_are_exact_and_strict() {
    let good = [
        ("0", "0"),
        ("-0", "0"),
        ("007", "7"),
        ("-12345678", "-12345678"),
        ("123456789", "123456789"),
        ("\"42\"", "42"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("00000000000000000000000000012", "12"),
    ];
    for (text, expected) in good {
        assert_eq!(cell(text, INT).unwrap(), expected);
        assert_eq!(cell(text, Shape::Int(IntWidth::Any)).unwrap(), expected);
    }
    assert_eq!(
        cell("-00123456789012345678901234567890", Shape::Int(IntWidth::Any)).unwrap(),
        "-123456789012345678901234567890"
    );
    for bad in [
        "",
        "-",
        "+1",
        " 1",
        "1 ",
        "1.0",
        "1e3",
        "0x1",
        "1_000",
        "abc",
        "--1",
        "\"\"",
        "1\u{663}",
        "12345678x",
        "1234567x",
    ] {
        let error = cell(bad, INT).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Type, "{bad}");
        assert!(cell(bad, Shape::Int(IntWidth::Any)).is_err());
        assert!(cell(bad, Shape::Int(IntWidth::Unsigned(64))).is_err());
    }
    assert_eq!(cell("9223372036854775808", INT).unwrap_err().reason(), "expected `int64`, found `9223372036854775808`");
    assert_eq!(
        cell("x", INT).unwrap_err().to_string(),
        "expected `int64`, found `x` at `$[0].a` (record 1, line 2, column 1)"
    );
    assert_eq!(cell("", INT).unwrap_err().reason(), "expected `int64`, found an empty cell");
}

/// Many writers quote all cells.
#[test]
fn a_quoted_empty_cell_is_null_where_text_is_no_value() {
    for (shape, expected) in [
        ("int?", "null"),
        ("float?", "null"),
        ("bool?", "null"),
        ("date?", "null"),
        ("instant?", "null"),
        ("decimal?", "null"),
        ("uuid?", "null"),
        ("text?", "\"\""),
        ("text", "\"\""),
        ("any", "\"\""),
    ] {
        assert_eq!(cell("\"\"", shape.parse().unwrap()).unwrap(), expected, "{shape}");
    }
    // A field that may be missing is, and all others are read as usual, in any order of the columns.
    let shape: Shape = "[{a: int = 7, b: int?, c: text?}]".parse().unwrap();
    let text = "c,a,b\n\"\",\"\",\"\"\n\"x\",\"1\",\"2\"\n";
    assert_eq!(shown(&read(text, &shape).unwrap()), r#"[{c:"" b:null a:7} {c:"x" a:1 b:2}]"#);
}

#[test]
fn floats_bools_and_the_rest() {
    for (text, expected) in [
        ("1", "1.0"),
        ("-0.0", "-0.0"),
        ("1e3", "1000.0"),
        ("007.5", "7.5"),
        ("NaN", "NaN"),
        ("inf", "inf"),
        ("-inf", "-inf"),
        ("\"0.1\"", "0.1"),
    ] {
        assert_eq!(cell(text, FLOAT).unwrap(), expected);
        assert!(cell(text, Shape::Float(FloatWidth::F32)).is_ok());
    }
    for bad in ["", " 1", "1 ", "1e400", "nan", "infinity", "+1", "1,5", "x"] {
        assert!(cell(bad, FLOAT).is_err() || bad.contains(','), "{bad}");
    }
    for (text, expected) in [
        ("true", "true"),
        ("True", "true"),
        ("TRUE", "true"),
        ("1", "true"),
        ("0", "false"),
        ("False", "false"),
        ("\"false\"", "false"),
    ] {
        assert_eq!(cell(text, Shape::Bool).unwrap(), expected);
    }
    for bad in ["", "yes", "t", "2", " true", "tRUE"] {
        assert!(cell(bad, Shape::Bool).is_err(), "{bad}");
    }
    assert!(cell("1.50", Shape::Decimal).unwrap().contains("1.50"));
    assert!(cell("2025-02-30", Shape::Date).is_err());
    assert!(cell("2025-02-28", Shape::Date).is_ok());
    assert_eq!(cell("aGk=", Shape::Bytes).unwrap(), "Bytes([104, 105])");
}

#[test]
fn nothing_nested_stands_in_a_cell() {
    assert_eq!(cell("1", INT.list()).unwrap_err().reason(), "expected `list`, found `1`");
    assert_eq!(cell("", INT.list()).unwrap_err().reason(), "expected `list`, found an empty cell");
    assert_eq!(cell("1", Shape::record(record(&[("x", INT)]))).unwrap_err().reason(), "expected `record`, found `1`");
    assert_eq!(error(read("a\n1\n", &INT.list())).reason(), "expected `int64`, found a row");
    assert_eq!(error(read("a\n1\n", &INT)).reason(), "expected `int64`, found a table");
}

#[test]
fn nulls_and_missing_cells() {
    let shape = rows_of(record(&[("a", Shape::Text.optional()), ("b", INT.optional()), ("c", Shape::Text)]));
    assert_eq!(shown(&read("a,b,c\n,,\n\"\",1,\"\"\n", &shape).unwrap()), r#"[{a:null b:null c:""} {a:"" b:1 c:""}]"#);
    let fields = vec![
        Field::new("a", 1, INT).with_default(Value::Int(7.into())),
        Field::new("b", 2, Shape::Text).with_required(false),
        Field::new("c", 3, INT.optional()),
    ];
    let shape = rows_of(Record::new("R", fields).unwrap());
    assert_eq!(shown(&read("a,b,c\n,,\n1,x,2\n", &shape).unwrap()), r#"[{c:null a:7} {a:1 b:"x" c:2}]"#);
    let pad = Dialect { ragged: Ragged::Pad, ..Dialect::default() };
    let shape = rows_of(record(&[("a", INT), ("b", INT.optional()), ("c", Shape::Text)]));
    let error = error(read_in(pad, b"a,b,c\n1,2,x\n1\n", &shape));
    assert_eq!(error.reason(), "expected field `c`, found nothing");
}

#[test]
fn columns_are_found_by_name_in_any_order_with_others_between() {
    let shape = rows_of(record(&[("a", INT), ("b", Shape::Text)]));
    assert_eq!(shown(&read("x,b,y,a,z\n\"q\"\"\",two,,1,\n", &shape).unwrap()), r#"[{b:"two" a:1}]"#);
    let shape = rows_of(record(&[("a", INT), ("b", INT)]));
    assert_eq!(shown(&read_in(bare(), b"1,2\n3,4\n", &shape).unwrap()), "[{a:1 b:2} {a:3 b:4}]");
    let alias = Field::new("a", 1, INT).with_aliases(vec!["alpha".into()]);
    let shape = rows_of(Record::new("R", vec![alias]).unwrap());
    assert_eq!(shown(&read("alpha\n1\n", &shape).unwrap()), "[{a:1}]");
    assert!(error(read("alpha,a\n1,2\n", &shape)).reason().contains("are both the field `a`"));
}

#[test]
fn a_header_without_a_required_column_is_one_error() {
    let shape = rows_of(record(&[("a", INT), ("b", INT), ("c", INT.optional()), ("d", INT)]));
    let text = "x,a\n1,2\n3,4\n";
    let refused = error(read(text, &shape));
    assert_eq!(refused.reason(), "expected columns `b`, `d`, found columns `x`, `a`");
    assert_eq!((refused.position().line, refused.position().column), (Some(1), Some(1)));
    // Leaving out rows can't fix this error.
    let mut rejects = Rejects::default();
    let copied = stream::copy(
        &mut Window::new(text.as_bytes()),
        &mut Csv::default(),
        &shape,
        &mut demat_core::Nothing,
        &mut rejects,
    );
    assert_eq!(copied.unwrap_err().reason(), refused.reason());
    assert!(rejects.0.is_empty());
    assert_eq!(error(read_in(bare(), b"1,2\n", &shape)).reason(), "expected column `d`, found 2 columns");
}

#[test]
fn unknown_columns_are_ignored_forbidden_or_kept() {
    let known = record(&[("a", INT)]);
    assert_eq!(shown(&read("a,b\n1,2\n", &rows_of(known.clone())).unwrap()), "[{a:1}]");
    let refused = error(read("a,b\n1,2\n", &rows_of(known.with_unknown(Unknown::Forbid))));
    assert_eq!(refused.reason(), "unknown field `b`; the fields are `a`");
    assert_eq!(refused.position().line, Some(1));
    let rest = Shape::Map(Ref::new(Shape::Text), Ref::new(Shape::Text.optional()));
    let keep = record(&[("rest", rest), ("a", INT)]).with_unknown(Unknown::Keep(0));
    let value = read("x,a,y\n1,2,\n", &rows_of(keep.clone())).unwrap();
    assert_eq!(shown(&value), r#"[{x:"1" a:2 y:null}]"#);
    assert_eq!(shown(&read_in(bare(), b"1,2\n", &rows_of(keep)).unwrap()), r#"[{a:1 2:"2"}]"#);
}

#[test]
fn tuples_lists_maps_and_unions_as_rows() {
    let pair = Shape::Tuple(Ref::Shared([Ref::new(INT), Ref::new(Shape::Text)].into()));
    assert_eq!(shown(&read_in(bare(), b"1,a\n2,b\n", &pair.clone().list()).unwrap()), r#"[[1 "a"] [2 "b"]]"#);
    assert_eq!(shown(&read("x,y\n1,a\n", &pair.list()).unwrap()), r#"[[1 "a"]]"#);
    assert_eq!(shown(&read("x,y\n1,2\n", &INT.list().list()).unwrap()), "[[1 2]]");
    let map = Shape::Map(Ref::new(Shape::Text), Ref::new(INT));
    assert_eq!(shown(&read("x,y\n1,2\n", &map.clone().list()).unwrap()), "[{x:1 y:2}]");
    assert_eq!(shown(&read_in(bare(), b"1,2\n", &map.list()).unwrap()), "[{1:1 2:2}]");

    let kind = |name: &'static str| {
        let names = demat_core::Enum::new("", vec![(name.into(), 1)]);
        ("kind", Shape::Enum(Ref::new(names)))
    };
    let circle = record(&[kind("circle"), ("radius", INT)]);
    let square = record(&[kind("square"), ("side", INT)]);
    let variants =
        vec![Variant::new("circle", 1, Shape::record(circle)), Variant::new("square", 2, Shape::record(square))];
    let union = Shape::Union(UnionRef::new(Union::new("Figure", variants, Tag::Field("kind".into()))));
    let value = read("radius,side,kind\n1,,circle\n,2,square\n3,,circle\n", &union.list()).unwrap();
    assert_eq!(shown(&value), r#"[{radius:1 kind:"circle"} {side:2 kind:"square"} {radius:3 kind:"circle"}]"#);
}

#[test]
fn what_stands_where() {
    let mut csv = Csv::default();
    let mut source = csv.source(Part::whole(b"a,b\nx,\n"));
    assert_eq!(source.peek().unwrap(), Kind::List);
    source.list().unwrap();
    assert!(source.item().unwrap());
    assert_eq!(source.peek().unwrap(), Kind::Map);
    source.map().unwrap();
    assert!(source.entry().unwrap());
    assert_eq!(&*source.text().unwrap(), "a");
    source.value().unwrap();
    assert_eq!((source.peek().unwrap(), source.null().unwrap()), (Kind::Text, false));
    let mark = source.mark();
    assert_eq!(&*source.text().unwrap(), "x");
    source.reset(mark);
    assert_eq!(&*source.text().unwrap(), "x");
    assert!(source.entry().unwrap());
    source.value().unwrap();
    assert_eq!((source.peek().unwrap(), source.null().unwrap()), (Kind::Null, true));
    // Reads behind the last cell must fail.
    assert!(source.text().is_err() && source.int().is_err() && source.value().is_err());
    assert!(!source.entry().unwrap());
}

#[test]
fn bad_rows_are_passed_over_whole() {
    let text = "a,b\n1,x\nbad\n2,\"y\"z\nq,r\n\"3\",\"w\n\"\n4,5,6\n5,é\n";
    let shape = rows_of(record(&[("a", INT), ("b", Shape::Text)]));
    for size in [1, 2, 7, 64, 1000] {
        let mut rejects = Rejects::default();
        let mut sink = CsvSink::new(Dialect::default(), Output::new(Vec::new(), Keep)).unwrap();
        let mut window = Window::with_size(text.as_bytes(), size);
        let summary = stream::copy(&mut window, &mut Csv::default(), &shape, &mut sink, &mut rejects).unwrap();
        assert_eq!((summary.records, summary.rejected), (3, 4));
        assert_eq!(sink.into_output().buffer, "a,b\n1,x\n3,\"w\n\"\n5,é\n".as_bytes());
        let bytes: Vec<_> = rejects.0.iter().map(|(bytes, _)| bytes.as_str()).collect();
        assert_eq!(bytes, ["bad", "2,\"y\"z", "q,r", "4,5,6"]);
        assert_eq!(rejects.0[0].1, "expected 2 cells, found 1 cell at `$[1]` (record 2, line 3, column 1)");
        assert_eq!(rejects.0[2].1, "expected `int64`, found `q` at `$[3].a` (record 4, line 5, column 1)");
    }
}
