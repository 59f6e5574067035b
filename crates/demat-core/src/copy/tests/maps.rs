use super::{INT, copied, int, list, map, map_of, refused, text};
use crate::{Enum, Ref, Shape, Value};

#[test]
fn keys_are_of_any_scalar_kind() {
    let numbers = Value::Map(vec![(int(1), text("a")), (int(-2), text("b"))]);
    assert_eq!(copied(&numbers, &map_of(INT, Shape::Text)).unwrap(), "{,1:\"a\",-2:\"b\"}");
    assert_eq!(copied(&numbers, &Shape::Any).unwrap(), "{,1:\"a\",-2:\"b\"}");
    let mixed = Value::Map(vec![
        (Value::Bool(true), int(1)),
        (Value::Null, int(2)),
        (Value::Float(0.5), int(3)),
        (text("x"), int(4)),
    ]);
    assert_eq!(copied(&mixed, &Shape::Any).unwrap(), "{,true:1,null:2,0.5:3,\"x\":4}");
    let names = Shape::Enum(Ref::new(Enum::new("", vec![("x".into(), 1), ("y".into(), 2)])));
    assert_eq!(
        copied(&map([("y", int(1)), ("x", int(2))]), &map_of(names.clone(), INT)).unwrap(),
        "{,\"y\":1,\"x\":2}"
    );
    refused(&map([("z", int(1))]), &map_of(names, INT), "expected `x` or `y`, found `z`");
    let list_key = Value::Map(vec![(list([]), int(1))]);
    assert!(copied(&list_key, &Shape::Any).is_err());
    assert!(copied(&list_key, &map_of(INT.list(), INT)).is_err());
}

#[test]
fn keys_of_other_kinds_repeat_too() {
    let value = || {
        Value::Map(vec![
            (int(1), text("a")),
            (text("1"), text("b")),
            (Value::Bool(true), text("c")),
            (text("true"), text("d")),
            (int(1), text("e")),
            (Value::Bool(true), text("f")),
        ])
    };
    let told = "{,\"1\":\"b\",\"true\":\"d\",1:\"e\",true:\"f\"}";
    assert_eq!(copied(&value(), &Shape::Any).unwrap(), told);
    assert_eq!(copied(&value(), &map_of(Shape::Any, Shape::Text)).unwrap(), told);
    assert_eq!(copied(&list([value(), value()]), &Shape::Any).unwrap(), format!("[,{told},{told}]"));
    let distinct = Value::Map((0..100).flat_map(|id| [(int(id), int(0)), (text(&id.to_string()), int(1))]).collect());
    assert_eq!(copied(&distinct, &Shape::Any).unwrap().matches(',').count(), 200);
}

#[test]
fn text_keys_are_compared_in_maps_of_every_size() {
    for count in [2usize, 24, 25, 26, 49, 50, 51, 500] {
        let names: Vec<String> = (0..count).map(|i| i.to_string()).collect();
        for again in [0, count / 2, count - 1] {
            let twice = names.iter().map(|name| (name.as_str(), int(0))).chain([(names[again].as_str(), int(1))]);
            let told: String = (0..count).filter(|i| *i != again).map(|i| format!(",\"{i}\":0")).collect();
            let told = format!("{{{told},\"{again}\":1}}");
            assert_eq!(copied(&map(twice), &map_of(Shape::Text, INT)).unwrap(), told, "{count}, {again}");
        }
    }
    // Equal keys in maps beside, above and below do not repeat.
    let inner = || map([("a", int(1)), ("b", int(2))]);
    let value = map([("a", inner()), ("b", map([("a", inner()), ("b", inner())])), ("c", list([inner(), inner()]))]);
    assert_eq!(copied(&value, &Shape::Any).unwrap().matches("\"a\":1").count(), 5);
}

#[test]
fn a_large_map_goes_on_comparing_after_what_is_nested_in_it() {
    let large = |offset: usize| {
        let names: Vec<String> = (0..60).map(|i| (i + offset).to_string()).collect();
        names
    };
    let (outer, inner) = (large(0), large(30));
    let nested = || map(inner.iter().map(|name| (name.as_str(), int(1))));
    let mut entries: Vec<(&str, Value)> = outer.iter().map(|name| (name.as_str(), nested())).collect();
    assert_eq!(copied(&map(entries.clone()), &Shape::Any).unwrap().matches('{').count(), 61);
    entries.push((outer[40].as_str(), int(7)));
    let told = copied(&map(entries), &Shape::Any).unwrap();
    assert_eq!((told.matches('{').count(), told.ends_with("\"40\":7}")), (60, true));
}
