//! Counts that are known late.

use super::*;

/// A list of lists of unknown lengths.
fn nested(outer: usize, inner: usize, known: bool) -> Vec<u8> {
    told(|sink| {
        sink.begin_list(known.then_some(outer))?;
        for _ in 0..outer {
            sink.item()?;
            sink.begin_map(None)?;
            for at in 0..inner {
                sink.entry()?;
                sink.u64(at as u64)?;
                sink.value()?;
                sink.null()?;
            }
            sink.end_map()?;
            sink.commit()?;
        }
        sink.end_list()
    })
    .unwrap()
}

#[test]
fn headers_have_the_smallest_form() {
    for (outer, inner) in [(0, 0), (1, 0), (15, 15), (15, 16), (16, 15), (16, 16), (17, 300), (300, 17), (70_000, 1)] {
        let late = nested(outer, inner, false);
        assert_eq!(late, nested(outer, inner, true), "{outer} {inner}");
        let header: &[u8] = match outer {
            0..16 => &[0x90 | outer as u8],
            16..65_536 => &[0xdc, (outer >> 8) as u8, outer as u8],
            _ => &[0xdd, 0, (outer >> 16) as u8, (outer >> 8) as u8, outer as u8],
        };
        assert!(late.starts_with(header));
        assert_eq!(written(&read(&late, "any").unwrap(), &Shape::Any).unwrap(), late);
    }
}

#[test]
fn nesting_costs_no_more_than_its_bytes() {
    // Each level has sixteen items, the last of which is the next level: every header is widened.
    let levels = 1000;
    let bytes = told(|sink| {
        for _ in 0..levels {
            sink.begin_list(None)?;
            for _ in 0..15 {
                sink.item()?;
                sink.null()?;
            }
            sink.item()?;
        }
        sink.null()?;
        (0..levels).try_for_each(|_| sink.end_list())
    })
    .unwrap();
    assert_eq!(bytes.len(), levels * (3 + 15) + 1);
    skipped(&bytes).unwrap();
}

#[test]
fn a_rollback_takes_back_counts_too() {
    let bytes = told(|sink| {
        sink.begin_list(None)?;
        for at in 0..40_u64 {
            sink.item()?;
            sink.begin_list(None)?;
            for _ in 0..at {
                sink.item()?;
                sink.u64(at)?;
            }
            sink.end_list()?;
            if at % 2 == 0 { sink.commit()? } else { sink.rollback()? }
        }
        sink.end_list()
    })
    .unwrap();
    let items: Vec<String> =
        crate::msgpack::decode::<Vec<Vec<u64>>>(&bytes).unwrap().iter().map(|item| format!("{}", item.len())).collect();
    assert_eq!(items, (0..40).step_by(2).map(|at| at.to_string()).collect::<Vec<_>>());
}

#[test]
fn a_list_that_ends_after_a_rollback_is_patched_again() {
    let bytes = told(|sink| {
        sink.begin_list(Some(2))?;
        sink.item()?;
        sink.null()?;
        sink.commit()?;
        sink.end_list()?;
        sink.rollback()?;
        sink.item()?;
        sink.bool(true)?;
        sink.end_list()
    })
    .unwrap();
    assert_eq!(bytes, b"\x92\xc0\xc3");
}

#[test]
fn an_announced_count_may_be_wrong_in_memory() {
    for (announced, count) in [(3, 2), (3, 40), (40, 3), (70_000, 2)] {
        let bytes = told(|sink| {
            sink.begin_list(Some(1))?;
            sink.item()?;
            sink.begin_list(Some(announced))?;
            for _ in 0..count {
                sink.item()?;
                sink.null()?;
            }
            sink.end_list()?;
            sink.end_list()
        })
        .unwrap();
        assert_eq!(crate::msgpack::decode::<Vec<Vec<Option<u8>>>>(&bytes).unwrap(), [vec![None; count]]);
    }
}
