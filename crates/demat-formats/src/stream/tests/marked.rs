//! A byte order mark at the start of a place counts as bytes, but not as a column.

use crate::stream::{Base, Counter};
use demat_core::Position;

const TEXT: &[u8] = b"\xEF\xBB\xBFab\xEF\xBB\xBFc\nd";

fn place(position: Position) -> (u64, u64, u64) {
    (position.offset.unwrap_or(0), position.line.unwrap_or(0), position.column.unwrap_or(0))
}

#[test]
fn only_the_first_one_is_no_column() {
    let places = [(3, (1, 1)), (4, (1, 2)), (5, (1, 3)), (8, (1, 4)), (9, (1, 5)), (10, (2, 1))];
    for (at, (line, column)) in places {
        assert_eq!(place(Base::default().position(TEXT, at)), (at as u64, line, column));
    }
}

#[test]
fn a_counter_says_the_same_in_any_order() {
    let counter = Counter::default();
    for at in [5, 3, 9, 8, 10, 4, 10, 3, 0, 5] {
        assert_eq!(counter.position(&Base::default(), TEXT, at), Base::default().position(TEXT, at));
    }
}

#[test]
fn a_window_further_on_goes_on_from_there() {
    for cut in [3, 4, 5, 8, 10] {
        let base = Base::default().after(&TEXT[..cut]);
        let counter = Counter::default();
        for at in [10, 8, 9] {
            let Some(own) = usize::checked_sub(at, cut) else { continue };
            assert_eq!(base.position(&TEXT[cut..], own), Base::default().position(TEXT, at));
            assert_eq!(counter.position(&base, &TEXT[cut..], own), Base::default().position(TEXT, at));
        }
    }
}
