use super::{Argument, Vocabulary, Word};
use crate::{Fit, Shape};

const SIDES: &[&str] = &["left", "right"];
const TAPE: Vocabulary = Vocabulary { joins: true, ..ALONE };
const ALONE: Vocabulary = Vocabulary::new(
    "tape",
    &[
        Word::new("left").without(SIDES),
        Word::new("right").without(SIDES).on(Fit::INTS.anywhere()),
        Word::new("near").with(Argument::Optional("a name")).without(&["left"]),
        Word::new("speed").with(Argument::OneOf(&["slow", "fast"])),
        Word::new("label").repeated().with(Argument::Rest("a text")),
        Word::new("at").with(Argument::OptionalRest("numbers")),
    ],
);

fn refused(notes: &[&str]) -> String {
    TAPE.refusal(notes).map(|refusal| refusal.to_string()).unwrap_or_default()
}

#[test]
fn words_are_accepted_alone_and_with_commas() {
    for notes in [
        &["left"][..],
        &["right", "near"],
        &["right, near here , speed fast"],
        &[" near here"],
        &["at"],
        &["at 3 4"],
        &["label a, left"],
        &["label a", "label b"],
        &["left", "left"],
        &["left, label left, right"],
        &[],
    ] {
        assert_eq!(refused(notes), "", "{notes:?}");
    }
}

#[test]
fn other_words_are_refused() {
    let known = "; its notes are left, right, near (or with a name), speed with one of slow fast, label with a text, \
                 at (or with numbers)";
    for (note, part) in [
        ("", ""),
        (" ", ""),
        ("up", "up"),
        ("Left", "Left"),
        ("left,", ""),
        ("left, ,right", ""),
        ("left 3", "left 3"),
        ("near a b", "near a b"),
        ("speed", "speed"),
        ("speed faster", "speed faster"),
        ("label", "label"),
        ("label ", "label"),
        ("lef\u{e9}t", "lef\u{e9}t"),
    ] {
        assert_eq!(refused(&[note]), format!("`{part}` is no note for tape{known}"), "{note:?}");
    }
}

#[test]
fn contradictions_are_refused_in_one_note_and_in_several() {
    let exclusive = "`right` and `left` exclude each other as notes for tape";
    assert_eq!(refused(&["left, right"]), exclusive);
    assert_eq!(refused(&["left", "speed slow", "right"]), exclusive);
    // One of the words says so, in either order.
    assert_eq!(refused(&["near", "left"]), "`left` and `near` exclude each other as notes for tape");
    assert_eq!(refused(&["left", "near"]), "`near` and `left` exclude each other as notes for tape");
    assert_eq!(refused(&["near a", "near b"]), "two different notes `near` for tape");
    assert_eq!(refused(&["label x"; 17]), "more notes for tape than a field can have");
}

#[test]
fn words_for_other_values_are_refused() {
    let refused = |note: &str, shape: &str| {
        let shape: Shape = shape.parse().expect("a shape");
        TAPE.refusal_for(&[note], &shape).map(|refusal| refusal.to_string()).unwrap_or_default()
    };
    assert_eq!(refused("near, right", "text?"), "`right` is for ints, not for text");
    assert_eq!(refused("right", "[[text]]"), "`right` is for ints, not for list");
    for shape in ["int", "int8?", "[[int]]", "map(text, int)", "(text, int)", "any", "int | text", "[any]"] {
        assert_eq!(refused("right", shape), "", "{shape}");
    }
    assert_eq!(refused("left", "text"), "");
}

#[test]
fn words_with_commas_are_one_note_only_where_the_place_joins_them() {
    let refusal = ALONE.refusal_for(&["right, near"], &Shape::Any).map(|refusal| refusal.to_string());
    assert_eq!(refusal.as_deref(), Some("`right, near` is several notes for tape; each is a note by itself"));
    assert!(ALONE.refusal_for(&["right", "near"], &Shape::Any).is_none());
    assert!(ALONE.refusal(&["right, near"]).is_none());
}

#[test]
fn the_compiler_says_the_same() {
    const ACCEPTED: bool = TAPE.refusal(&["right, near"]).is_none();
    const { assert!(ACCEPTED) };
    assert_eq!((TAPE.count("left"), TAPE.count("right, label a, b")), (1, 2));
    let refusal = TAPE.refusal(&["\u{fc}p"]).expect("it is no word");
    let panic = std::panic::catch_unwind(|| refusal.panic()).expect_err("it always does");
    let text = panic.downcast_ref::<String>().expect("a text");
    assert!(text.starts_with("`??p` is no note for tape; its notes are left, right, near"), "{text}");
}
