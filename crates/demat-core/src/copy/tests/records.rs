use super::{INT, copied, int, list, map, map_of, plain, record, refused, text};
use crate::{Copier, ErrorKind, Field, Nothing, Record, Shape, Unknown, Value, ValueSource};

#[test]
fn fields_come_in_any_order_and_many() {
    for count in [1usize, 2, 8, 9, 63, 64, 65, 127, 128, 129, 1000] {
        let names: Vec<String> = (0..count).map(|i| format!("f{i}")).collect();
        let shape = record(names.iter().map(|name| (name.as_str(), INT)));
        for step in [1usize, 7, count - 1] {
            // A step that is coprime to the count visits all.
            let order: Vec<usize> = (0..count).map(|i| i * step.max(1) % count).collect();
            let mut seen = order.clone();
            seen.sort_unstable();
            seen.dedup();
            if seen.len() < count {
                continue;
            }
            let value = map(order.iter().map(|&i| (names[i].as_str(), int(i as i64))));
            let told: String = order.iter().map(|i| format!(",f{i}={i}")).collect();
            assert_eq!(copied(&value, &shape).unwrap(), format!("({told})"));
        }
        // Without any one of them the record is refused; with one of them twice the last one wins.
        for missing in [0, count / 2, count - 1] {
            let without = map((0..count).filter(|i| *i != missing).map(|i| (names[i].as_str(), int(0))));
            refused(&without, &shape, &format!("expected field `f{missing}`, found nothing"));
            let twice = map((0..count).map(|i| (names[i].as_str(), int(0))).chain([(names[missing].as_str(), int(1))]));
            let told: String = (0..count).filter(|i| *i != missing).map(|i| format!(",f{i}=0")).collect();
            assert_eq!(copied(&twice, &shape).unwrap(), format!("({told},f{missing}=1)"), "{count} fields");
        }
    }
    assert_eq!(copied(&map([]), &record([])).unwrap(), "()");
}

#[test]
fn unknown_fields_are_left_out_refused_or_kept() {
    let value = map([("x", list([int(1)])), ("a", int(2)), ("y", map([("z", int(3))]))]);
    assert_eq!(copied(&value, &record([("a", INT)])).unwrap(), "(,a=2)");
    let forbid = Shape::record(plain([("a", INT)]).with_unknown(Unknown::Forbid));
    let error = refused(&value, &forbid, "unknown field `x`; the fields are `a`");
    assert_eq!(error.kind(), ErrorKind::Constraint);
    assert_eq!(copied(&map([("a", int(1))]), &forbid).unwrap(), "(,a=1)");
    for keep in [0, 1] {
        let mut fields = vec![("a", INT)];
        fields.insert(keep, ("rest", map_of(Shape::Text, Shape::Any)));
        let kept = Shape::record(plain(fields).with_unknown(Unknown::Keep(keep)));
        assert_eq!(copied(&value, &kept).unwrap(), "(,+x=[,1],a=2,+y={,\"z\":3})");
        // The field for unknown keys has no key of its own.
        let own = map([("rest", int(1)), ("a", int(2)), ("rest", int(3))]);
        assert_eq!(copied(&own, &kept).unwrap(), "(,a=2,+rest=3)");
        assert_eq!(copied(&map([("a", int(2))]), &kept).unwrap(), "(,a=2)");
    }
    let typed = Shape::record(plain([("rest", map_of(Shape::Text, INT))]).with_unknown(Unknown::Keep(0)));
    refused(&map([("x", int(1)), ("y", text("2"))]), &typed, "expected `int`, found `text` \"2\" at `$.y`");
    let nested = Shape::record(plain([("rest", map_of(Shape::Text, INT.list()))]).with_unknown(Unknown::Keep(0)));
    let value = map([("x", list([])), ("y z", list([int(1), text("2")]))]);
    refused(&value, &nested, "expected `int`, found `text` \"2\" at `$[\"y z\"][1]`");
}

#[test]
fn missing_fields_have_their_defaults_or_are_left_out_or_refused() {
    let fields = vec![
        Field::new("a", 1, INT),
        Field::new("b", 2, INT).with_default(int(7)),
        Field::new("c", 3, INT.optional()),
        Field::new("d", 4, INT.list()).with_default(list([int(1), int(2)])),
        Field::new("e", 5, Shape::Text).with_required(false),
    ];
    let shape = Shape::record(Record::new("", fields).unwrap());
    assert_eq!(copied(&map([("a", int(1))]), &shape).unwrap(), "(,a=1,b=7,d=[,1,2])");
    let all = map([("e", text("t")), ("d", list([])), ("c", Value::Null), ("b", int(2)), ("a", int(1))]);
    assert_eq!(copied(&all, &shape).unwrap(), "(,e=\"t\",d=[],c=null,b=2,a=1)");
    let error =
        refused(&list([map([("b", int(1))])]), &shape.clone().list(), "expected field `a`, found nothing at `$[0]`");
    assert_eq!(error.kind(), ErrorKind::Constraint);
    refused(&map([("a", Value::Null)]), &shape, "expected `int`, found `null` at `$.a`");
}

#[test]
fn aliases_are_read_and_never_written() {
    let field = Field::new("a", 1, INT).with_key("A").with_aliases(vec!["x".into(), "y".into()]);
    let shape = Shape::record(Record::new("", vec![field]).unwrap());
    for key in ["A", "x", "y"] {
        assert_eq!(copied(&map([(key, int(1))]), &shape).unwrap(), "(,A=1)");
    }
    refused(&map([("a", int(1))]), &shape, "expected field `A`, found nothing");
    assert_eq!(copied(&map([("x", int(1)), ("A", int(2)), ("y", int(3))]), &shape).unwrap(), "(,A=3)");
}

#[test]
fn repeats_win_last_at_every_level_or_are_refused() {
    let inner = record([("x", Shape::Any), ("y", Shape::Any)]);
    let outer = record([("a", inner.list()), ("b", Shape::Any)]);
    let pair = |x: i64| map([("x", int(0)), ("y", int(x)), ("x", int(x))]);
    let value = map([("a", int(-1)), ("b", map([("k", int(1)), ("k", int(2))])), ("a", list([pair(1), pair(2)]))]);
    assert!(copied(&value, &outer).is_err(), "the first value was asked for, and is no list");
    let value = map([("a", list([])), ("b", map([("k", int(1)), ("k", int(2))])), ("a", list([pair(1), pair(2)]))]);
    assert_eq!(copied(&value, &outer).unwrap(), "(,b={,\"k\":2},a=[,(,y=1,x=1),(,y=2,x=2)])");
    let mut source = ValueSource::new(&value).refusing_repeats();
    let error = Copier::new(outer).run_all(&mut source, &mut Nothing).unwrap_err();
    assert_eq!(error.to_string(), "repeated key `k` at `$.b`");
}
