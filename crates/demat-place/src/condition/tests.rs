use super::compare::is_like;
use super::{Condition, Test, Where};
use demat_core::{ErrorKind, Shape, Value, ValueSource, copy};
use proptest::prelude::*;

#[test]
fn patterns_are_those_of_sql() {
    for (text, pattern, like) in [
        ("", "", true),
        ("", "%", true),
        ("a", "", false),
        ("abc", "a%", true),
        ("abc", "%C", true),
        ("abc", "a_c", true),
        ("abc", "a_", false),
        ("aXbXc", "%x%x%", true),
        ("mississippi", "m%iss%ip%", true),
        ("mississippi", "m%iss%iz%", false),
        ("50%", r"50\%", true),
        ("500", r"50\%", false),
        ("a_c", r"a\_c", true),
        ("abc", r"a\_c", false),
        (r"a\c", r"a\\c", true),
        ("abc", r"a\bc", true),
    ] {
        assert_eq!(is_like(text, pattern), like, "{text} {pattern}");
    }
}

const SHAPE: &str = "id: int, title: text, part: float?, done: bool?, due: date?, by: {name: text, age: int?}?, \
                     \"a.b\": int?, tags: [text] = [], kind: enum(red, blue)?, any: any?, price: decimal?, raw: bytes?";

const RECORDS: [&str; 4] = [
    r#"{"id":1,"title":"Clean room","part":0.5,"done":true,"due":"2026-01-02","by":{"name":"Ada","age":36},"any":3}"#,
    r#"{"id":-2,"title":"it's 100%","done":false,"a.b":7,"by":{"name":"Bob"},"kind":"blue","any":"3","price":"1.50"}"#,
    r#"{"id":18446744073709551615,"title":"","part":-1.5,"tags":["x"],"any":[3],"raw":"AAE="}"#,
    r#"{"id":4,"title":"clean up","done":null,"due":"2025-12-31","by":null,"any":null}"#,
];

fn record() -> demat_core::Record {
    let shape: Shape = SHAPE.parse().unwrap();
    shape.row().unwrap().get().clone()
}

fn read(text: &str, shape: &Shape) -> Value {
    let plain: Value = demat_formats::json::decode(text.as_bytes()).unwrap();
    Value::decode_as(&mut ValueSource::new(&plain), shape).unwrap()
}

/// Returns the numbers of the records that are chosen, from 1.
fn chosen(condition: &str) -> Vec<usize> {
    let condition: Where = condition.parse().unwrap_or_else(|error| panic!("{condition}: {error}"));
    let shape = SHAPE.parse().unwrap();
    let found = [false, true].map(|as_read| {
        let bound = condition.bound(&record(), as_read).unwrap_or_else(|error| panic!("{condition}: {error}"));
        let mut sink = bound.sink();
        let holds = |(_, text): &(usize, &&str)| {
            copy(&mut ValueSource::new(&read(text, &shape)), bound.shape(), &mut sink).unwrap();
            sink.holds()
        };
        (1..).zip(&RECORDS).filter(holds).map(|(number, _)| number).collect::<Vec<_>>()
    });
    assert_eq!(found[0], found[1], "{condition}: read in the shape, and as what they are");
    found[0].clone()
}

#[test]
fn comparisons_hold_by_the_kind_of_the_field() {
    for (condition, wanted) in [
        ("id = 1", &[1][..]),
        ("id==1", &[1]),
        ("id <> 1", &[2, 3, 4]),
        ("id != 1", &[2, 3, 4]),
        ("id<-1", &[2]),
        ("id <= 1.5", &[1, 2]),
        ("id >= 18446744073709551615", &[3]),
        ("id in (1, 4)", &[1, 4]),
        ("id not in (1, 4)", &[2, 3]),
        ("id between -2 and 1", &[1, 2]),
        ("id not between -2 and 1", &[3, 4]),
        ("part < .5", &[3]),
        ("part >= +5e-1", &[1]),
        ("title like 'clean%'", &[1, 4]),
        ("title LIKE \"%100\\%\"", &[2]),
        ("title not like '%e%'", &[2, 3]),
        ("title contains 'S 1'", &[2]),
        ("title = 'it''s 100%'", &[2]),
        ("title = ''", &[3]),
        ("title > 'a'", &[2, 4]),
        ("done", &[1]),
        ("not done", &[2]),
        ("done = FALSE", &[2]),
        ("done is null", &[3, 4]),
        ("done is not null", &[1, 2]),
        ("due = 2026-01-02", &[1]),
        ("due < '2026-01-01'", &[4]),
        ("kind = 'blue'", &[2]),
        ("kind = 1", &[2]),
        ("kind in (0, 'blue')", &[2]),
        ("kind != 0", &[2]),
        ("by.name = 'Ada'", &[1]),
        ("by.age > 30", &[1]),
        ("by.age is null", &[2, 3, 4]),
        ("by is null", &[3, 4]),
        ("by is not null and by.age is null", &[2]),
        ("a.b = 7", &[2]),
        ("`a.b` = 7", &[2]),
        ("tags is not null", &[1, 2, 3, 4]),
        ("any = 3", &[1]),
        ("any = '3'", &[2]),
        ("any <> 3", &[2, 3]),
        ("any in (3, '3')", &[1, 2]),
        ("any is null", &[4]),
        ("price = 1.5", &[2]),
        ("raw = 'AAE='", &[3]),
    ] {
        // Kinds that JSON lacks are text if they are read as what they are, so this reads typed values both times.
        assert_eq!(chosen(condition), wanted, "{condition}");
    }
}

#[test]
fn parts_are_joined_as_in_sql() {
    for (condition, wanted) in [
        ("id = 1 or id = 4 and title = 'x'", &[1][..]),
        ("(id = 1 or id = 4) and title like 'clean u%'", &[4]),
        ("not (id = 1 or id = 4)", &[2, 3]),
        ("not not id = 1", &[1]),
        ("NOT id = 1 AND NOT id = 4", &[2, 3]),
        // Null is neither true nor false.
        ("done = true or id > 2", &[1, 3, 4]),
        ("not (done = true and id = 4)", &[1, 2, 3]),
        ("not (done <> true)", &[1]),
        ("done = true or not done = true", &[1, 2]),
        ("part > 0 and id = 2 or part is null", &[2, 4]),
    ] {
        assert_eq!(chosen(condition), wanted, "{condition}");
    }
}

#[test]
fn a_broken_condition_says_where() {
    for (condition, column, says) in [
        ("", 1, "expected the name of a field, found end of the condition"),
        ("id", 3, ""),
        ("id =", 5, "expected a value, found end of the condition"),
        ("id = 1 id = 2", 8, "expected `and`, `or` or the end of the condition, found `id`"),
        ("id 1", 4, "expected a comparison, `and`, `or` or the end of the condition, found `1`"),
        ("id = open", 6, "expected a value; text stands in quotes, found `open`"),
        ("id = null", 6, "expected a value (`is null` compares with null), found `null`"),
        ("id is 3", 7, "expected `null` or `not null`, found `3`"),
        ("id not 3", 8, "expected `like`, `contains`, `in` or `between`, found `3`"),
        ("id in 3", 7, "expected `(`, found `3`"),
        ("id in ()", 8, "expected a value, found `)`"),
        ("id in (1 2)", 10, "expected `,` or `)`, found `2`"),
        ("id between 1 or 2", 14, "expected `and`, found `or`"),
        ("(id = 1", 8, "expected `and`, `or` or `)`, found end of the condition"),
        ("id = 'x", 6, "expected another `'`, found end of the condition"),
        ("é = 1 and\n  id % 3", 6, "expected a name, a value or an operator, found `%`"),
        ("3 = id", 1, "expected the name of a field, found `3`"),
        ("and = 3", 1, "expected the name of a field, found `and`"),
        ("a. = 3", 4, "expected the name of a field, found `=`"),
        ("title like 'a\\'", 12, "the pattern ends with a backslash"),
    ] {
        let parsed = condition.parse::<Where>();
        if says.is_empty() {
            parsed.unwrap();
            continue;
        }
        let error = parsed.unwrap_err();
        assert!(error.reason().starts_with(says), "{condition}: {error}");
        assert_eq!((error.kind(), error.position().column), (ErrorKind::Syntax, Some(column)), "{condition}");
    }
}

#[test]
fn size_and_depth_are_limited() {
    let deep = format!("{}id = 1{}", "(".repeat(64), ")".repeat(64));
    assert_eq!(chosen(&deep), [1]);
    for bad in [format!("({deep})"), "not ".repeat(65) + "id = 1"] {
        assert_eq!(bad.parse::<Where>().unwrap_err().kind(), ErrorKind::Limit);
    }
    let many = vec!["id = 1"; 256].join(" or ");
    assert_eq!(chosen(&many), [1]);
    assert_eq!((many + " or id = 1").parse::<Where>().unwrap_err().kind(), ErrorKind::Limit);
    let path = format!("{} = 1", vec!["a"; 66].join("."));
    assert_eq!(path.parse::<Where>().unwrap_err().kind(), ErrorKind::Limit);
    let values = format!("id in ({})", vec!["1"; 257].join(","));
    assert_eq!(values.parse::<Where>().unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn what_can_not_be_compared_is_refused() {
    for (condition, says) in [
        ("tilte = 'x'", "there is no field `tilte`; there are `id`, `title`, "),
        ("tilte = 'x'", "; did you mean `title`?"),
        ("by.nam = 'x'", "there is no field `nam`; there are `name`, `age`; did you mean `name`?"),
        ("title.x = 1", "`title` is a text, which has no field `x`"),
        ("id = 'x'", "`x` is no value of `id`"),
        ("id = '3'", "`id` is of shape int, and '3' is text: it stands without quotes"),
        ("done = 'true'", "`done` is of shape bool, and 'true' is text: it stands without quotes"),
        ("title = 3", "`title` is text, and 3 is not: text stands in quotes"),
        ("title in ('a', true)", "`title` is text, and true is not"),
        ("title", "`title` is text, and true is not"),
        ("kind = 'green'", "`green` is no value of `kind`: it is `red` or `blue`"),
        ("kind in ('red', 7)", "`7` is no value of `kind`"),
        ("kind < 3", "`kind` is enum, and 3 is not: text stands in quotes"),
        ("id", "`true` is no value of `id`"),
        ("due = 2026-13-01", "`2026-13-01` is no value of `due`"),
        ("due > 3", "`3` is no value of `due`"),
        ("tags = 'x'", "`tags` is a list, which can only be compared with null"),
        ("by = 'x'", "`by` is a record, which can only be compared with null"),
        ("done like 't%'", "`done` is no text, and has nothing to be like"),
    ] {
        let error = condition.parse::<Where>().unwrap().bound(&record(), false).unwrap_err();
        assert!(error.reason().contains(says), "{condition}: {error}");
        assert_eq!(error.kind(), ErrorKind::Constraint);
    }
}

#[test]
fn records_are_those_of_a_list() {
    let condition: Where = "id = 1".parse().unwrap();
    let bound = |shape: &str| condition.bound_to(&shape.parse().unwrap(), false);
    assert_eq!(bound("[{id: int}]").unwrap().unwrap().shape().to_string(), "id:int");
    let nullable = bound("[{id: int}?]").unwrap().unwrap();
    let mut sink = nullable.sink();
    copy(&mut ValueSource::new(&Value::Null), nullable.shape(), &mut sink).unwrap();
    assert!(!sink.holds());
    assert!(bound("any").unwrap().is_none() && bound("[any]").unwrap().is_none());
    assert!(bound("id: int").unwrap_err().reason().contains("records are chosen from a list, and this is a record"));
    assert!(bound("[int]").unwrap_err().reason().contains("these are values of shape int"));
}

#[test]
fn values_compare_by_what_they_are() {
    let shape: Shape = "n: int?, f: float?, td: duration?, dec: decimal?".parse().unwrap();
    let record = shape.row().unwrap().get().clone();
    for (row, condition, holds) in [
        (r#"{"n":9007199254740993}"#, "n > 9007199254740992.0", true),
        (r#"{"n":9007199254740993}"#, "n = 9007199254740992.0", false),
        (r#"{"n":9007199254740993}"#, "n = 9007199254740993.0", true),
        (r#"{"n":5}"#, "n > 4.99999999999999999999", true),
        (r#"{"n":5}"#, "n < 1e400", true),
        (r#"{"f":9007199254740992.0}"#, "f < 9007199254740993", true),
        (r#"{"f":9007199254740992.0}"#, "f = 9007199254740993", false),
        (r#"{"f":0.1}"#, "f = 0.1", true),
        (r#"{"f":0.1}"#, "f >= +.1", true),
        (r#"{"f":-0.0}"#, "f = 0", true),
        (r#"{"td":"PT59S"}"#, "td > 'PT100S'", false),
        (r#"{"td":"PT2M"}"#, "td = 'PT120S'", true),
        (r#"{"td":"P10D"}"#, "td > 'PT59S'", true),
        (r#"{"td":"-P1D"}"#, "td < 'PT0S'", true),
        (r#"{"dec":"1.10"}"#, "dec = 1.1", true),
        (r#"{"dec":"10"}"#, "dec > +9", true),
    ] {
        let condition: Where = condition.parse().unwrap();
        let value = read(row, &shape);
        assert_eq!(condition.chooses(&value), holds, "{condition} of {row}");
        let bound = condition.bound(&record, false).unwrap();
        let mut sink = bound.sink();
        copy(&mut ValueSource::new(&value), bound.shape(), &mut sink).unwrap();
        assert_eq!(sink.holds(), holds, "{condition} of {row}, by the sink");
    }
}

#[test]
fn ints_and_floats_have_one_order() {
    let mut values: Vec<Value> =
        [-0.0, 0.0, 0.5, 9_007_199_254_740_992.0, 9_007_199_254_740_994.0, f64::NAN, -f64::NAN, f64::INFINITY]
            .map(Value::Float)
            .to_vec();
    values.extend([0i64, 1, 9_007_199_254_740_993, i64::MAX].map(|int| Value::Int(int.into())));
    let order = |one: &Value, other: &Value| super::compare(Some(one), Some(other));
    for one in &values {
        for other in &values {
            assert_eq!(order(one, other), order(other, one).reverse(), "{one:?} {other:?}");
            for third in &values {
                if order(one, other).is_le() && order(other, third).is_le() {
                    assert!(order(one, third).is_le(), "{one:?} {other:?} {third:?}");
                }
            }
        }
    }
}

/// Writes a condition on one field.
fn written(condition: &Condition) -> String {
    let Condition { field, test, values } = condition;
    let sign = match test {
        Test::Eq => "=",
        Test::Ne => "<>",
        Test::Lt => "<",
        Test::Le => "<=",
        Test::Gt => ">",
        _ => ">=",
    };
    format!("`{field}` {sign} {}", values[0])
}

proptest! {
    /// The sink and its fast comparisons against the condition on a value in memory.
    #[test]
    fn the_sink_decides_as_each_condition_does(
        parts in prop::collection::vec((0..2_usize, 0..6_usize, -3..5_i64), 1..5),
        all in any::<bool>(),
    ) {
        let tests = [Test::Eq, Test::Ne, Test::Lt, Test::Le, Test::Gt, Test::Ge];
        let condition = |(field, test, value): &(usize, usize, i64)| Condition {
            field: ["id", "part"][*field].to_string(),
            test: tests[*test],
            values: vec![value.to_string()],
        };
        let conditions: Vec<_> = parts.iter().map(condition).collect();
        let text = conditions.iter().map(written).collect::<Vec<_>>().join(if all { " and " } else { " or " });
        let shape: Shape = SHAPE.parse().unwrap();
        let wanted: Vec<_> = (1..).zip(RECORDS).filter(|(_, record)| {
            let value = read(record, &shape);
            let mut holds = conditions.iter().map(|own| own.holds(value.get(&own.field)));
            if all { holds.all(|holds| holds) } else { holds.any(|holds| holds) }
        }).map(|(number, _)| number).collect();
        prop_assert_eq!(chosen(&text), wanted, "{}", text);
    }

    /// Any text is a condition or an error with a position in it; nothing panics.
    #[test]
    fn any_text_is_read_or_refused(text in "([a-c.`'\"()<>=!,0-9é \n-]|and|or|not|in|is|null|like|between){0,30}") {
        match text.parse::<Where>() {
            Ok(condition) => prop_assert_eq!(condition.to_string(), text),
            Err(error) => {
                let position = error.position();
                let lines = text.split('\n').count() as u64;
                prop_assert!(position.line.is_some_and(|line| line <= lines), "{}", error);
                prop_assert!(position.column.is_some(), "{}", error);
            }
        }
    }
}
