//! Hostile input must not cause a panic, unlimited recursion, or more than linear time.

use super::{parse, refuse};
use crate::{ErrorKind, Shape};
use proptest::prelude::*;
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::time::Duration;

/// Nested brackets, with what precedes them, is in the middle, and follows.
const NESTS: [(&str, &str, &str); 9] = [
    ("[", "int", "]"),
    ("(", "int", ",)"),
    ("(", "int", ")"),
    ("{a:", "int", "}"),
    ("N{a:", "int", "}"),
    ("map(int, ", "int", ")"),
    ("union(a:", "int", ")"),
    ("union U[](a:", "int", ")"),
    ("(int | [", "int", "])?"),
];

fn nest(levels: usize, (open, middle, close): (&str, &str, &str)) -> String {
    open.repeat(levels) + middle + &close.repeat(levels)
}

/// On a thread with the default stack size, although unoptimised frames are large.
#[test]
fn brackets_nest_to_the_limit_and_no_further() {
    let deep = || {
        for parts in NESTS {
            let own = parts.0.chars().filter(|c| "[({".contains(*c)).count();
            let brackets = if parts.0.contains("[](") { 1 } else { own };
            let shape = parse(&nest(256 / brackets, parts));
            assert_eq!(parse(&shape.to_string()), shape, "{parts:?}");
            assert_eq!(refuse(&nest(256 / brackets + 1, parts)).kind(), ErrorKind::Limit, "{parts:?}");
        }
        for (open, close) in [("[", "]"), ("{1:", "}")] {
            let text = format!("a: any = {}", nest(257, (open, "1", close)));
            assert_eq!(refuse(&text).kind(), ErrorKind::Limit);
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(deep).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn ten_megabytes_of_brackets_are_a_limit_error() {
    for (open, ..) in NESTS {
        let text = open.repeat(10_000_000 / open.len());
        assert_eq!(refuse(&text).kind(), ErrorKind::Limit, "{open}");
    }
}

/// The processor time that this thread has had: what else the machine does is not in it.
fn processor_time() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(tv_sec.cast_unsigned(), u32::try_from(tv_nsec).unwrap())
}

fn time(text: &str) -> Duration {
    let start = processor_time();
    let _ = text.parse::<Shape>();
    processor_time() - start
}

/// 32 times the text takes about 32 times as long; quadratic time would be 1,024 times. The best of five runs counts.
#[test]
fn time_is_linear() {
    let families: [fn(usize) -> String; 6] = [
        |n| (0..n).map(|i| format!("T{i}")).map(|t| format!("{t}{{a:int}}, ")).fold("(".into(), |a: String, b| a + &b),
        |n| format!("enum({})", (0..n).fold(String::new(), |all, i| all + &format!("n{i}, "))),
        |n| format!("union({})", (0..n).fold(String::new(), |all, i| all + &format!("n{i}, "))),
        |n| format!("a:any = [{}]", "1, ".repeat(n)),
        |n| format!("\"{}\": int", "\\n".repeat(n)),
        |n| format!("int{}", " | int".repeat(n)),
    ];
    for family in families {
        let best = |n: usize| (0..5).map(|_| time(&family(n))).min().unwrap_or_default();
        let (short, long) = (best(2_000), best(64_000));
        assert!(long < short * 200, "{}: {short:?}, {long:?}", family(3));
    }
}

proptest! {
    #[test]
    fn garbage_is_read_or_refused(text in "[a-z\\[\\](){}:,|?!@=.\"\\\\ 0-9-]{0,40}") {
        if let Ok(shape) = text.parse::<Shape>() {
            prop_assert_eq!(parse(&shape.to_string()), shape);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        if let Ok(shape) = text.parse::<Shape>() {
            prop_assert_eq!(parse(&shape.to_string()), shape);
        }
    }

    /// Random sequences of valid tokens get further than random text.
    #[test]
    fn pieces_are_read_or_refused(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..30)) {
        let text = pieces.join(" ");
        if let Ok(shape) = text.parse::<Shape>() {
            prop_assert_eq!(parse(&shape.to_string()), shape);
        }
    }
}

const PIECES: &[&str] = &[
    "int",
    "a",
    "b",
    "A",
    ":",
    ",",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "?",
    "|",
    "union",
    "enum",
    "map(",
    "...",
    "!",
    "@",
    "7",
    "=",
    "null",
    "\"\"",
    "\"x\"",
    "date",
    "-1.5",
    "union[]",
    "union[kind]",
    "union A[k, v](",
    "A{",
    "a:int",
    "a:A",
];
