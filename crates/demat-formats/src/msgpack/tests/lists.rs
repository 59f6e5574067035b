//! Counts that are known late.

use super::*;

fn nested(outer: usize, inner: usize, known: bool) -> Vec<u8> {
    told(|sink| testing::nested(sink, outer, inner, known, true)).unwrap()
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
    // Every header is widened.
    let bytes = told(|sink| testing::widened(sink, 1000, 16)).unwrap();
    assert_eq!(bytes.len(), 1000 * (3 + 15) + 1);
    skipped(&bytes).unwrap();
}

#[test]
fn a_rollback_takes_back_counts_too() {
    let bytes = told(|sink| testing::rolled_back(sink)).unwrap();
    let items: Vec<usize> = crate::msgpack::decode::<Vec<Vec<u64>>>(&bytes).unwrap().iter().map(Vec::len).collect();
    assert_eq!(items, (0..40).step_by(2).collect::<Vec<_>>());
}

#[test]
fn a_list_that_ends_after_a_rollback_is_patched_again() {
    assert_eq!(told(|sink| testing::rolled_back_list(sink)).unwrap(), b"\x92\xc0\xc3");
}

#[test]
fn an_announced_count_may_be_wrong_in_memory() {
    for (announced, count) in [(3, 2), (3, 40), (40, 3), (70_000, 2)] {
        let bytes = told(|sink| testing::announced_wrongly(sink, announced, count)).unwrap();
        assert_eq!(crate::msgpack::decode::<Vec<Vec<Option<u8>>>>(&bytes).unwrap(), [vec![None; count]]);
    }
}
