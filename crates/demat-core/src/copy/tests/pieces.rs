//! Copies that stop and continue: wherever the window ends, the output is the same.

use super::cut::Cut;
use super::transcript::Transcript;
use super::{INT, copied, int, list, map, map_of, plain, record, text};
use crate::{
    Copier, Enum, Error, Field, Progress, Record, Ref, Result, Shape, Signal, Source, Tag, Union, UnionRef, Unknown,
    Value, Variant,
};
use proptest::prelude::*;

/// Copies as a driver does, with windows of a number of calls, which grow if one brings no progress.
fn in_pieces(value: &Value, shape: &Shape, windows: &[(usize, bool)]) -> Result<String> {
    let mut sink = Transcript::default();
    let mut copier = Copier::new(shape.clone());
    copier.open_list();
    let mut windows = windows.iter().cycle();
    let (mut begun, mut least) = (false, 0);
    'window: loop {
        let (questions, deeper) = windows.next().copied().unwrap_or((1, false));
        let mut source = Cut::new(value, questions.max(least));
        if begun {
            source.reset(copier.mark());
        } else {
            copier.begin(&source);
            begun = true;
        }
        let mark = copier.mark();
        loop {
            match copier.run(&mut source, &mut sink) {
                Ok(Progress::Unit) => {}
                Ok(Progress::Done) => break 'window,
                Err(error) if error.signal() == Some(Signal::Incomplete) => break,
                Err(error) if error.signal() == Some(Signal::Repeated) => {
                    copier.rewind(&mut source, &mut sink)?;
                    copier.go_carefully();
                }
                Err(error) => return Err(error),
            }
        }
        copier.rewind_sink(&mut sink)?;
        if copier.mark() != mark {
            least = 0;
        } else if !deeper || !copier.open_deeper() {
            least = questions.max(least) * 3 / 2 + 1;
        }
    }
    crate::Sink::finish(&mut sink)?;
    assert!(copier.is_done());
    Ok(sink.whole())
}

fn cases() -> Vec<(Value, Shape)> {
    let variants = vec![
        Variant::new("int", 1, INT),
        Variant::new("none", 2, Shape::Null),
        Variant::new("list", 3, Shape::Any.list()),
    ];
    let union = |tag| Shape::Union(UnionRef::new(Union::new("", variants.clone(), tag)));
    let named = |name: &'static str, fields: Vec<Field>| {
        let names = Enum::new("", vec![(name.into(), 1)]);
        let tag = Field::new("kind", 1, Shape::Enum(Ref::new(names)));
        Variant::new(name, 1, Shape::record(Record::new("", [tag].into_iter().chain(fields).collect()).unwrap()))
    };
    let by_field = vec![named("circle", vec![Field::new("r", 2, INT.list())]), named("dot", vec![])];
    let by_field = Shape::Union(UnionRef::new(Union::new("", by_field, Tag::Field("kind".into()))));
    let defaults = Record::new(
        "",
        vec![
            Field::new("a", 1, INT),
            Field::new("b", 2, INT.list()).with_default(list([int(7)])),
            Field::new("c", 3, Shape::Any).with_required(false),
        ],
    );
    let keep = plain([("a", INT), ("rest", map_of(Shape::Text, Shape::Any))]).with_unknown(Unknown::Keep(1));
    let tuple = Shape::Tuple(Ref::Shared(vec![Ref::new(INT), Ref::new(Shape::Any), Ref::new(INT.list())].into()));
    let long: Vec<String> = (0..40).map(|i| format!("key{i}")).collect();
    vec![
        (list((0..30).map(int)), INT.list()),
        (int(5), INT),
        (list([list([list([]), list([int(1), list([])])]), list([]), int(2)]), Shape::Any),
        (map(long.iter().map(|key| (key.as_str(), map([(key.as_str(), list([int(1)]))])))), Shape::Any),
        (map(long.iter().map(|key| (key.as_str(), int(1)))), record(long.iter().map(|key| (key.as_str(), INT)))),
        (
            list((0..5).map(|i| map([("a", int(i)), ("b", list([int(i), int(i)]))]))),
            Shape::record(defaults.unwrap()).list(),
        ),
        (
            list([map([("x", list([int(1)])), ("a", int(1)), ("y", map([("a", int(2))]))]), map([("a", int(3))])]),
            Shape::record(keep).list(),
        ),
        (list([map([("int", int(1))]), text("none"), map([("list", list([list([int(1)])]))])]), union(Tag::Key).list()),
        (
            list([map([("k", text("int")), ("v", int(1))]), map([("v", list([int(1)])), ("k", text("list"))])]),
            union(Tag::pair("k", "v").unwrap()).list(),
        ),
        (list([int(1), Value::Null, list([map([("a", int(1))])])]), union(Tag::None).list()),
        (
            list([map([("r", list([int(1), int(2)])), ("kind", text("circle"))]), map([("kind", text("dot"))])]),
            by_field.list(),
        ),
        (list([list([int(1), map([("a", int(1))]), list([int(2), int(3)])])]), tuple.list()),
        (Value::Map(vec![(int(1), list([int(1)])), (int(2), list([]))]), map_of(INT, INT.list())),
        (
            map([("a", Value::Null), ("b", map([("c", list([int(1)]))]))]),
            record([("a", INT.optional()), ("b", record([("c", INT.list())]).optional())]),
        ),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_told_does_not_depend_on_the_windows(windows in prop::collection::vec((0usize..60, any::<bool>()), 1..12)) {
        for (value, shape) in cases() {
            let whole = copied(&value, &shape).unwrap();
            prop_assert_eq!(in_pieces(&value, &shape, &windows).unwrap(), whole);
        }
    }

    #[test]
    fn repeats_win_last_in_whatever_is_held_whole(windows in prop::collection::vec(0usize..60, 1..12)) {
        let windows: Vec<(usize, bool)> = windows.into_iter().map(|questions| (questions, false)).collect();
        let inner = |n| map([("a", int(0)), ("b", int(n)), ("a", int(n))]);
        for shape in [Shape::Any, record([("a", Shape::Any), ("b", Shape::Any)]).list()] {
            let value = list([inner(1), map([("b", inner(2)), ("a", list([inner(3)])), ("b", inner(4))]), inner(5)]);
            prop_assert_eq!(in_pieces(&value, &shape, &windows).unwrap(), copied(&value, &shape).unwrap());
        }
    }

    #[test]
    fn errors_are_the_same_in_pieces(windows in prop::collection::vec((0usize..40, any::<bool>()), 1..12), at in 0usize..20) {
        let value = list((0..20).map(|i| map([("a", list([int(i), if i == at as i64 { text("x") } else { int(1) }]))])));
        let shape = record([("a", INT.list())]).list();
        let whole = copied(&value, &shape).unwrap_err();
        prop_assert_eq!(in_pieces(&value, &shape, &windows).unwrap_err().to_string(), whole.to_string());
    }
}

/// With the smallest windows, with and without opening deeper containers: a window may end at any call.
#[test]
fn a_window_may_end_at_any_question() {
    for (value, shape) in cases() {
        let whole = copied(&value, &shape).unwrap();
        for first in 0..80 {
            for deeper in [false, true] {
                assert_eq!(in_pieces(&value, &shape, &[(first, deeper), (1, deeper), (3, deeper)]).unwrap(), whole);
            }
        }
    }
}

#[test]
fn the_units_are_the_items_of_the_outermost_list() {
    let value = list((0..4).map(|i| list([int(i)])));
    let (mut copier, mut sink) = (Copier::new(INT.list().list()), Transcript::default());
    let mut source = crate::ValueSource::new(&value);
    copier.begin(&source);
    copier.open_list();
    let mut seen = Vec::new();
    loop {
        let progress = copier.run(&mut source, &mut sink).unwrap();
        seen.push((copier.records(), copier.record(), copier.in_list()));
        if progress == Progress::Done {
            break;
        }
    }
    let during: Vec<_> = (0..5).map(|i| (Some(i), Some(i + 1), true)).collect();
    assert_eq!(seen[..5], during);
    assert_eq!(seen[5..], [(None, None, false)]);
    assert_eq!(sink.commits, 6);
}

#[test]
fn an_item_is_passed_over_and_leaves_nothing_behind() {
    let value = list([list([int(1)]), list([int(2), text("x")]), list([int(3)])]);
    let (mut copier, mut sink) = (Copier::new(INT.list().list()), Transcript::default());
    let mut source = Cut::new(&value, usize::MAX);
    copier.begin(&source);
    copier.open_list();
    let mut errors: Vec<Error> = Vec::new();
    loop {
        match copier.run(&mut source, &mut sink) {
            Ok(Progress::Done) => break,
            Ok(Progress::Unit) => {}
            Err(error) => {
                assert!(copier.in_list());
                assert_eq!(copier.record(), Some(2));
                errors.push(error);
                copier.rewind(&mut source, &mut sink).unwrap();
                assert!(copier.pass_over(&mut source, &mut sink).unwrap().is_some());
            }
        }
    }
    crate::Sink::finish(&mut sink).unwrap();
    assert_eq!(sink.rollbacks, 1);
    assert_eq!(sink.whole(), "[,[,1],[,3]]");
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].path(), "$[1][1]");
}
