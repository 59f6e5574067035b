use super::tape::Tape;
use super::{Inference, options, value};

#[test]
fn items_are_counted_and_have_one_shape() {
    let mut inference = Inference::new(options());
    let list = value("[{\"a\": 1}, {\"a\": 2.5}, {\"b\": 1}]");
    assert_eq!(inference.observe_items(&mut Tape::new(&list), 2).ok(), Some(2));
    assert_eq!(inference.shape().to_string(), "[{a:float}]");
    assert_eq!(inference.observe_items(&mut Tape::new(&list), 9).ok(), Some(3));
    assert_eq!(inference.shape().to_string(), "[{a:float?, b:int?}]");
}

#[test]
fn a_value_that_is_no_list_is_one() {
    let mut inference = Inference::new(options());
    assert_eq!(inference.observe_items(&mut Tape::new(&value("{\"a\": 1}")), 9).ok(), Some(1));
    assert_eq!(inference.shape().to_string(), "a:int");
}

/// Wherever the window ends, exactly the complete items are observed.
#[test]
fn a_window_may_end_anywhere() {
    let tape = Tape::new(&value("[{\"a\": 1}, {\"a\": [{\"b\": 2}]}, {\"a\": 2, \"c\": 3}]"));
    let shapes = ["[any]", "[{a:int}]", "[{a:any}]", "[{a:any, c:int?}]"];
    let mut before = 0;
    for cut in 0..=tape.len() {
        let mut inference = Inference::new(options());
        let observed = inference.observe_items(&mut tape.clone().cut(cut), 9).expect("the items so far");
        assert!(observed >= before && observed <= 3);
        before = observed;
        assert_eq!(inference.shape().to_string(), if cut == 0 { "any" } else { shapes[observed] });
    }
    assert_eq!(before, 3);
}
