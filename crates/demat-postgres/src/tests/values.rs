use super::server::connection;
use super::{json, load};
use crate::column_type::{ColumnType, TypeClass};
use crate::{Connection, Definition, Param, RowSource, Table, TableName, record_of};
use demat_core::Shape;

/// Creates a table of a shape.
fn create(connection: &Connection, name: &str, shape: &Shape) -> Table {
    let row = shape.row().unwrap().get();
    let definition = Definition::of(TableName::parse(name).unwrap(), &row).unwrap();
    let table = connection.create(&definition).unwrap();
    definition.check(&table).unwrap();
    table
}

/// The text of a shape, and the JSON of values that it has.
const KINDS: &[(&str, &[&str])] = &[
    ("bool", &["true", "false"]),
    ("int16", &["-32768", "32767", "0"]),
    ("int32", &["-2147483648", "2147483647"]),
    ("int64", &["-9223372036854775808", "9223372036854775807"]),
    ("uint64", &["0", "18446744073709551615"]),
    ("float32", &["1.5", "-0.1", "3.4028235e+38"]),
    ("float64", &["1.5", "-0.1", "1.7976931348623157e+308", "5e-324"]),
    ("decimal", &["1.50", "-0.000000000000000000000001", "123456789012345678901234567890.5"]),
    ("text", &["\"\"", "\"a\\\"b\\\\\"", "\"héllo \u{1F600}\""]),
    ("bytes", &["\"\"", "\"AP8=\""]),
    ("date", &["\"0001-01-01\"", "\"9999-12-31\"", "\"2000-02-29\"", "\"1999-12-31\""]),
    ("time", &["\"00:00:00\"", "\"23:59:59.999999\""]),
    ("datetime", &["\"0001-01-01T00:00:00\"", "\"9999-12-31T23:59:59.999999\"", "\"1969-07-20T20:17:40.500\""]),
    ("instant", &["\"0001-01-01T00:00:00Z\"", "\"9999-12-31T23:59:59.999999Z\"", "\"1999-12-31T23:59:59.500Z\""]),
    ("duration", &["\"PT0S\"", "\"PT1.5S\"", "\"-P1DT12H\""]),
    ("uuid", &["\"00000000-0000-0000-0000-000000000000\"", "\"f81d4fae-7dec-11d0-a765-00a0c91e6bf6\""]),
    ("any", &["1", "\"a\"", "[1,[],{\"a\":null}]", "{\"b\":1.5}", "[]", "true"]),
    ("{a: int, b: text?}", &["{\"a\":1,\"b\":null}"]),
    ("[{a: int}]", &["[]", "[{\"a\":1},{\"a\":2}]"]),
    ("map(text, int)", &["{}", "{\"x\":1}"]),
    ("[int32]", &["[]", "[1,-2]"]),
    ("[int64?]", &["[null]", "[null,9223372036854775807,null]"]),
    ("[text]", &["[\"\",\"a,b\",\"{}\",\"NULL\"]"]),
    ("[[int64]]", &["[]", "[[1,2],[3,4]]", "[[1]]"]),
    ("[[[text]]]", &["[[[\"a\",\"b\"]],[[\"c\",\"d\"]]]"]),
    ("[decimal]", &["[1.5,0.00]"]),
    ("[uuid]", &["[\"f81d4fae-7dec-11d0-a765-00a0c91e6bf6\"]"]),
    ("[bool]", &["[true,false]"]),
    ("[bytes]", &["[\"AP8=\",\"\"]"]),
    ("[instant]", &["[\"1999-12-31T23:59:59.500Z\"]"]),
];

#[test]
fn every_kind_comes_back() {
    let Some(connection) = connection() else { return };
    for (at, (kind, values)) in KINDS.iter().enumerate() {
        let shape: Shape = format!("[{{id: int64 #sql:key, v: {kind}, n: ({kind})?}}]").parse().unwrap();
        let name = format!("t{at}");
        let table = create(&connection, &name, &shape);
        let rows: Vec<_> =
            values.iter().enumerate().map(|(id, value)| format!("{{\"id\":{id},\"v\":{value},\"n\":null}}")).collect();
        let whole = format!("[{}]", rows.join(","));
        assert_eq!(load(&connection, &name, &shape, &whole).unwrap(), values.len() as u64, "{kind}");
        // With the shape that the table has.
        let own = Shape::record(table.record().unwrap()).list();
        let rows = connection.copy_out(&format!("{} ORDER BY id", table.select())).unwrap();
        let back = super::as_json(&mut RowSource::new(rows), &own).unwrap();
        assert_eq!(back.replace(": ", ":").replace(", ", ","), whole, "{kind}");
        // With the shape that it was written with.
        let rows = connection.copy_out(&format!("{} ORDER BY id", table.select())).unwrap();
        let back = super::as_json(&mut RowSource::new(rows), &shape).unwrap();
        assert_eq!(back.replace(": ", ":").replace(", ", ","), whole, "{kind}");
        // By a statement.
        let statement = connection.prepare(&format!("SELECT * FROM {name} WHERE id >= $1 ORDER BY id")).unwrap();
        let param = Param::encode(&statement.params()[0], |sink| sink.i64(0)).unwrap();
        let rows = statement.query(&[param]).unwrap();
        let back = super::as_json(&mut RowSource::new(rows), &shape).unwrap();
        assert_eq!(back.replace(": ", ":").replace(", ", ","), whole, "{kind}");
    }
}

#[test]
fn what_other_programs_store_is_read() {
    let Some(connection) = connection() else { return };
    connection
        .execute("CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN positive AS int CHECK (VALUE > 0)")
        .unwrap();
    for (sql, expected) in [
        ("'sad'::mood", "\"sad\""),
        ("ARRAY['ok', 'sad']::mood[]", "[\"ok\",\"sad\"]"),
        ("7::positive", "7"),
        ("ARRAY[1, 2]::positive[]", "[1,2]"),
        ("'192.168.0.1/24'::inet", "\"192.168.0.1/24\""),
        ("'10.0.0.0/8'::cidr", "\"10.0.0.0/8\""),
        ("'2001:db8::1'::inet", "\"2001:db8::1\""),
        ("'08:00:2b:01:02:03'::macaddr", "\"08:00:2b:01:02:03\""),
        ("'NaN'::float8", "\"NaN\""),
        ("'-infinity'::float4", "\"-Infinity\""),
        ("'1 day 2 hours'::interval", "\"P1DT2H\""),
        ("'ab'::char(4)", "\"ab  \""),
        ("'ab'::varchar(4)", "\"ab\""),
        ("'pg_type'::name", "\"pg_type\""),
        ("4294967295::oid", "4294967295"),
        ("1.10::numeric(10,4)", "1.1000"),
        ("1e10::numeric", "10000000000"),
        ("'{}'::int[]", "[]"),
        ("'[0:1]={1,2}'::int[]", "[1,2]"),
        ("'{{1,2},{3,NULL}}'::int[]", "[[1,2],[3,null]]"),
        ("ARRAY['{\"a\": [1]}', '2']::jsonb[]", "[{\"a\":[1]},2]"),
        ("'{\"a\" : 1}'::json", "{\"a\":1}"),
        ("NULL::int", "null"),
        ("'2000-01-01 12:00+02'::timestamptz", "\"2000-01-01T10:00:00Z\""),
    ] {
        // The number of dimensions is not part of an array's type: nested lists are read with a shape that has them.
        let rows = connection.copy_out(&format!("SELECT {sql} AS v")).unwrap();
        let mut shape = Shape::record(record_of(crate::Rows::columns(&rows)).unwrap()).list();
        if sql.contains("{{") {
            shape = "[{v: [[int?]]}]".parse().unwrap();
        }
        let found = super::as_json(&mut RowSource::new(rows), &shape).unwrap();
        assert_eq!(found.replace(": ", ":"), format!("[{{\"v\":{expected}}}]"), "{sql}");
    }
}

#[test]
fn values_without_a_counterpart_are_refused() {
    let Some(connection) = connection() else { return };
    for (sql, expected) in [
        ("'infinity'::date", "`infinity`"),
        ("'-infinity'::timestamp", "`-infinity`"),
        ("'infinity'::timestamptz", "`infinity`"),
        ("'10000-01-01'::date", "beyond the years"),
        ("'0001-01-01 BC'::date", "beyond the years"),
        ("'24:00'::time", "24:00:00"),
        ("'1 month'::interval", "months"),
        ("'NaN'::numeric", "`NaN`"),
        ("'infinity'::numeric", "`infinity`"),
        ("'(1,2)'::point", "type `point`"),
        ("'12:00+02'::timetz", "type `time with time zone`"),
    ] {
        let error = json(&connection, &format!("SELECT 1 AS id, {sql} AS v")).unwrap_err();
        let text = error.to_string();
        assert!(text.contains(expected) && error.position().record == Some(1), "{sql}: {text}");
        // The connection goes on.
        assert_eq!(json(&connection, "SELECT 1 AS a").unwrap().replace(": ", ":"), "[{\"a\":1}]");
    }
}

#[test]
fn values_that_a_column_would_change_are_refused() {
    let Some(connection) = connection() else { return };
    for (own, shape, value, expected) in [
        ("smallint", "int", "32768", "`smallint`"),
        ("integer", "int", "-2147483649", "`integer`"),
        ("bigint", "int", "9223372036854775808", "`bigint`"),
        ("real", "float64", "0.1", "`real`"),
        ("numeric(6,2)", "decimal", "1.005", "round"),
        ("numeric", "decimal", "1e200000", "`numeric`"),
        ("text", "text", "\"a\\u0000b\"", "U+0000"),
        ("varchar(3)", "text", "\"abc \"", "4 characters"),
        ("time", "time", "\"12:00:00.0000001\"", "digits of a second"),
        ("timestamp(0)", "datetime", "\"2000-01-01T00:00:00.5\"", "digits of a second"),
        ("timestamptz", "instant", "\"2000-01-01T00:00:00\"", "a datetime with an offset"),
        ("timestamp", "instant", "\"2000-01-01T00:00:00Z\"", "a datetime without an offset"),
        ("timestamptz", "text", "\"soon\"", "soon"),
        ("inet", "text", "\"1.2.3\"", "address"),
        ("interval", "duration", "\"PT0.0000001S\"", "digits of a second"),
        ("int[]", "[int]", "[1,2147483648]", "`integer`"),
        ("int[]", "[[int]]", "[[1],[1,2]]", "same length"),
        ("int[]", "[[int]]", "[[],[]]", "empty lists"),
        ("boolean", "int", "1", "bool"),
        ("char(4)", "text", "\"ab\"", "fills shorter texts with spaces"),
        ("interval day to hour", "duration", "\"PT1.5S\"", "cut the value off"),
        ("timestamptz", "instant", "\"0001-01-01T00:00:00+01:00\"", "years 1 to 9999"),
    ] {
        connection.execute(&format!("DROP TABLE IF EXISTS t; CREATE TABLE t (id int, v {own})")).unwrap();
        let shape: Shape = format!("[{{id: int, v: {shape}}}]").parse().unwrap();
        let error = load(&connection, "t", &shape, &format!("[{{\"id\":1,\"v\":{value}}}]")).unwrap_err();
        assert!(error.to_string().contains(expected), "{own}: {error}");
        assert_eq!(json(&connection, "SELECT * FROM t").unwrap(), "[]");
    }
}

#[test]
fn numbers_before_the_point_are_not_rounded() {
    let own = ColumnType { oid: 1_700, name: "numeric(4,-2)".to_string(), class: TypeClass::Numeric(Some(-2)) };
    Param::encode(&own, |sink| sink.i64(1_200)).unwrap();
    Param::encode(&own, |sink| sink.i64(0)).unwrap();
    let error = Param::encode(&own, |sink| sink.i64(1_250)).unwrap_err().to_string();
    assert!(error.contains("round"), "{error}");
}

#[test]
fn intervals_with_seconds_keep_all() {
    let Some(connection) = connection() else { return };
    connection.execute("CREATE TABLE t (v interval day to second, c char(2))").unwrap();
    let shape: Shape = "[{v: duration, c: text}]".parse().unwrap();
    let whole = r#"[{"v":"PT1.5S","c":"de"}]"#;
    load(&connection, "t", &shape, whole).unwrap();
    assert_eq!(json(&connection, "SELECT * FROM t").unwrap().replace(": ", ":").replace(", ", ","), whole);
}

#[test]
fn json_keeps_its_text() {
    let Some(connection) = connection() else { return };
    let shape: Shape = "[{v: any}]".parse().unwrap();
    connection.execute("CREATE TABLE t (v json)").unwrap();
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    let whole = format!("[{{\"v\":{{\"b\":1.5,\"a\":{deep},\"b2\":12345678901234567890123}}}}]");
    load(&connection, "t", &shape, &whole).unwrap();
    assert_eq!(json(&connection, "SELECT v FROM t").unwrap(), whole);
}
