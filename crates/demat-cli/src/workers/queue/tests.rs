//! Tests of the queue.

use super::Queue;
use crate::failure::Failure;
use crate::workers::part::Part;
use crate::workers::piece::{Kept, Piece};
use crate::workers::span::Span;
use demat_core::{Error, ErrorKind};
use demat_place::Summary;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

fn parts(count: u64) -> Vec<Part> {
    let part = |index| Part {
        source: 0,
        span: Span { start: index * 10, end: index * 10 + 10 },
        whole: false,
        header: Arc::from([]),
        cells: None,
        rows: index + 1 < count,
        taken: 0,
        joins: 1,
        gone: false,
    };
    (0..count).map(part).collect()
}

fn done(part: &Part) -> Piece {
    let records = part.span.end - part.span.start;
    Piece { result: Ok(Summary { records, rejected: 0, written: true, read: 0 }), ..Piece::failed(Failure::usage("")) }
}

fn failed(error: Error) -> Piece {
    Piece { refused: Kept::default(), ..Piece::failed(error.into()) }
}

/// Runs a queue with some workers; returns the parts in order, as far as they came.
fn run(count: u64, workers: usize, copy: impl Fn(&Part) -> Piece + Sync) -> (Vec<(u64, u64, bool)>, usize) {
    let told = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&told);
    let queue = Queue::new(parts(count), workers, move |_, _| {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let came = thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| queue.serve(&copy));
        }
        let mut came = Vec::new();
        while let Some((part, piece)) = queue.next() {
            came.push((part.span.start, part.span.end, piece.result.is_ok()));
            if piece.result.is_err() {
                break;
            }
        }
        queue.stop();
        came
    });
    (came, told.load(Ordering::Relaxed))
}

#[test]
fn parts_come_in_their_order() {
    let (came, told) = run(100, 3, done);
    assert_eq!(came, (0..100).map(|index| (index * 10, index * 10 + 10, true)).collect::<Vec<_>>());
    assert_eq!(told, 0);
}

#[test]
fn a_part_whose_worker_panics_is_copied_once_more() {
    let seen = Mutex::new(Vec::new());
    let once = |part: &Part| {
        let mut seen = seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let is_new = !seen.contains(&part.span.start);
        seen.push(part.span.start);
        drop(seen);
        assert!(!(is_new && part.span.start == 20), "on purpose");
        done(part)
    };
    let (came, told) = run(5, 2, once);
    assert_eq!((came.len(), came[2], told), (5, (20, 30, true), 1));
    let always = |part: &Part| {
        assert!(part.span.start != 20, "on purpose");
        done(part)
    };
    let (came, told) = run(5, 2, always);
    assert_eq!((came.len(), came[2], told), (3, (20, 30, false), 1));
}

#[test]
fn a_part_that_ends_within_a_cell_takes_the_next_ones() {
    // The cell that begins in the second part ends at byte 75.
    let copy = |part: &Part| {
        if part.span.start == 10 && part.span.end < 75 {
            return failed(Error::mismatch(ErrorKind::Syntax, "quote", "end of input"));
        }
        // What begins within the cell may be read as anything.
        if part.span.start > 10 && part.span.start < 75 {
            return failed(Error::new(ErrorKind::Syntax, "nonsense"));
        }
        done(part)
    };
    let (came, _) = run(10, 3, copy);
    assert_eq!(came, [(0, 10, true), (10, 90, true), (90, 100, true)]);
    let never = |part: &Part| match part.span.start {
        0 => done(part),
        _ => failed(Error::mismatch(ErrorKind::Syntax, "quote", "end of input")),
    };
    let (came, _) = run(10, 3, never);
    assert_eq!(came, [(0, 10, true), (10, 100, false)]);
}

#[test]
fn the_first_error_in_order_counts() {
    let copy = |part: &Part| match part.span.start {
        50 | 30 => failed(Error::new(ErrorKind::Type, "no")),
        _ => done(part),
    };
    for workers in 1..5 {
        assert_eq!(run(20, workers, copy).0.last(), Some(&(30, 40, false)));
    }
}
