use super::{Choice, Decide};
use crate::json::Json;
use crate::ndjson::Ndjson;
use crate::stream::{OnError, Stop, Summary, Window, Windowed, copy_chosen, copy_repaired};
use demat_core::scalar::Int;
use demat_core::{Error, Result, Shape, Sink, Value, ValueSink, ValueSource, forward};

/// Chooses records whose `n` is odd.
#[derive(Default)]
struct Odd {
    nothing: demat_core::Nothing,
    odd: bool,
}

impl Sink for Odd {
    forward! { self => self.nothing; null bool float text containers marks }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.odd = value.to_i64().is_some_and(|own| own % 2 == 1);
        Ok(())
    }
}

impl Decide for Odd {
    fn holds(&self) -> bool {
        self.odd
    }
}

/// Leaves refused records out.
#[derive(Default)]
struct Skip(Vec<String>);

impl OnError for Skip {
    fn goes_on(&mut self, _: &Error) -> bool {
        true
    }
    fn reject(&mut self, error: Error, _: &[u8]) -> Result<()> {
        self.0.push(error.to_string());
        Ok(())
    }
}

fn shape() -> Shape {
    "n: int".parse().unwrap()
}

fn chosen<F: Windowed>(
    format: &mut F,
    text: &str,
    size: usize,
    on_error: &mut dyn OnError,
) -> Result<(String, Summary)> {
    let (mut odd, mut sink) = (Odd::default(), ValueSink::default());
    let mut choice = Choice::new(shape(), &mut odd);
    let mut window = Window::with_size(text.as_bytes(), size);
    let summary = copy_chosen(&mut window, format, &Shape::Any, &mut sink, on_error, Some(&mut choice))?;
    Ok((format!("{:?}", sink.whole()), summary))
}

/// Reads text without a choice.
fn value(text: &str) -> Value {
    let mut sink = ValueSink::default();
    let mut window = Window::new(text.as_bytes());
    copy_chosen(&mut window, &mut Json::default(), &Shape::Any, &mut sink, &mut Stop, None).unwrap();
    sink.whole()
}

#[test]
fn records_are_chosen_whatever_the_window() {
    let records: Vec<_> = (0..40).map(|n| format!("{{\"t\":\"{}\",\"n\":{n}}}", "x".repeat(n))).collect();
    let odd: Vec<_> = records.iter().skip(1).step_by(2).cloned().collect();
    let wanted = format!("{:?}", value(&format!("[{}]", odd.join(","))));
    for size in [16, 64, 100, 4096] {
        let text = format!("[{}]", records.join(","));
        let (found, summary) = chosen(&mut Json::default(), &text, size, &mut Stop).unwrap();
        assert_eq!((&found, summary), (&wanted, Summary { records: 20, rejected: 0 }), "{size}");
        let (found, _) = chosen(&mut Ndjson::default(), &records.join("\n"), size, &mut Stop).unwrap();
        assert_eq!(found, wanted, "{size}");
    }
    let (none, summary) = chosen(&mut Json::default(), "[]", 16, &mut Stop).unwrap();
    assert_eq!((&*none, summary.records), ("List([])", 0));
}

#[test]
fn the_last_of_repeated_keys_decides() {
    let (found, _) = chosen(&mut Json::default(), "[{\"n\":1,\"n\":2},{\"n\":2,\"n\":3}]", 16, &mut Stop).unwrap();
    assert_eq!(found, format!("{:?}", value("[{\"n\":3}]")));
}

#[test]
fn a_field_that_does_not_fit_refuses_the_record() {
    let text = "[{\"n\":1},{\"n\":\"x\"},{\"n\":2},{},{\"n\":3}]";
    let error = chosen(&mut Json::default(), text, 16, &mut Stop).unwrap_err();
    assert_eq!((error.path(), error.position().record), ("$[1].n".to_string(), Some(2)));
    let mut skip = Skip::default();
    let (found, summary) = chosen(&mut Json::default(), text, 16, &mut skip).unwrap();
    assert_eq!(found, format!("{:?}", value("[{\"n\":1},{\"n\":3}]")));
    assert_eq!((summary, skip.0.len()), (Summary { records: 2, rejected: 2 }, 2));
    assert!(skip.0[1].contains("expected field `n`"), "{:?}", skip.0);
}

#[test]
fn a_place_that_is_no_list_has_no_records_to_choose() {
    for text in ["{\"n\":1}", "7", &format!("{{\"l\":[{}1]}}", "1,".repeat(500))] {
        let error = chosen(&mut Json::default(), text, 64, &mut Stop).unwrap_err();
        assert!(error.to_string().contains("records are chosen from a list"), "{text}: {error}");
    }
}

#[test]
fn sources_without_a_window_choose_alike() {
    let list = value("[{\"n\":1},{\"n\":2},{\"n\":3}]");
    let (mut odd, mut sink) = (Odd::default(), ValueSink::default());
    let mut choice = Choice::new(shape(), &mut odd);
    let mut source = ValueSource::new(&list);
    copy_repaired(&mut source, &Shape::Any, &mut sink, &mut Stop, Some(&mut choice), None).unwrap();
    assert_eq!(sink.whole(), value("[{\"n\":1},{\"n\":3}]"));
}
