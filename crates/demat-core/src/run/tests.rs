use crate::{Basic, Field, Kind, Next, Nothing, Record, Result, Shape, Sink, Source, Value, ValueSource, Wanted};
use std::borrow::Cow;

fn text(text: &'static str) -> Value {
    Value::Text(Cow::Borrowed(text))
}

fn record() -> Record {
    let keys = ["a", "b", "c", "d"].into_iter().zip(1..);
    Record::new("R", keys.map(|(key, number)| Field::new(key, number, Shape::Any)).collect()).expect("a record")
}

const WANTED: [Wanted; 4] = [
    Wanted { kind: Kind::Bool, null: false },
    Wanted { kind: Kind::Int, null: true },
    Wanted::NOTHING,
    Wanted { kind: Kind::Text, null: false },
];

/// The indices of the fields in runs of at most `memory`, and of those that are left to the caller.
fn fields(value: &Value, memory: usize) -> Result<(Vec<usize>, Vec<usize>)> {
    let record = record();
    let mut source = ValueSource::new(value);
    source.record(&record)?;
    let (mut runs, mut others, mut expected) = (Vec::new(), Vec::new(), 0);
    let mut into = vec![(0, Basic::Null); memory];
    loop {
        let (count, next) = source.field_run(&record, expected, &WANTED, &mut into)?;
        runs.extend(into[..count].iter().map(|(index, _)| *index));
        expected = runs.last().map_or(0, |index| index + 1);
        match next {
            Next::More => {}
            Next::Value(index) => {
                source.skip()?;
                others.push(index);
            }
            Next::End => {
                source.end()?;
                return Ok((runs, others));
            }
        }
    }
}

#[test]
fn fields_that_fit_are_a_run_and_others_are_left() {
    let whole = [("a", Value::Bool(true)), ("b", Value::Null), ("c", Value::Int(1.into())), ("d", text("x"))];
    let other = [("d", text("x")), ("x", text("unknown")), ("a", Value::Int(1.into())), ("b", Value::Float(0.5))];
    let [whole, other] = [whole, other].map(|map| Value::Map(map.map(|(key, value)| (text(key), value)).into()));
    for memory in 1..4 {
        assert_eq!(fields(&whole, memory).expect("a record"), (vec![0, 1, 3], vec![2]), "{memory}");
        // One out of order, one that is no int.
        assert_eq!(fields(&other, memory).expect("a record"), (vec![3], vec![0, 1]), "{memory}");
    }
}

#[test]
fn items_that_fit_are_a_run() {
    let items = [Value::Int(1.into()), Value::Int(2.into()), text("x"), Value::Int(3.into())];
    let list = Value::List(items.into());
    let mut source = ValueSource::new(&list);
    source.list().expect("a list");
    let mut into = [Basic::Null; 3];
    let wanted = Wanted { kind: Kind::Int, null: false };
    assert_eq!(source.item_run(wanted, &mut into[..1]).expect("items"), (1, Next::More));
    assert_eq!(source.item_run(wanted, &mut into).expect("items"), (1, Next::Value(1)));
    assert_eq!(into[0], Basic::I64(2));
    // The caller reads the item, and goes on.
    assert_eq!(&*source.text().expect("text"), "x");
    assert_eq!(source.item_run(wanted, &mut into).expect("items"), (1, Next::End));
    source.end().expect("the end");
}

/// Refuses floats.
#[derive(Default)]
struct Texts(String);

impl Sink for Texts {
    crate::forward! { self => Nothing; null bool int text containers marks }
    fn float(&mut self, value: f64) -> Result<()> {
        self.0 += "float";
        Err(crate::Error::expected("no float", value.to_string()))
    }
}

#[test]
fn an_error_has_the_place_of_its_value() {
    let values = [Basic::I64(1), Basic::Text("x"), Basic::Float(0.5), Basic::Null];
    assert_eq!(Texts::default().item_run(&values).expect_err("refused").0, 2);
    assert_eq!(Texts::default().field_run(&record(), 0, &values).expect_err("refused").0, 2);
    assert!(Texts::default().item_run(&values[..2]).is_ok());
}
