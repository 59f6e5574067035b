//! Counts that are known late.

use super::*;

fn nested(outer: usize, inner: usize, known: bool, commits: bool) -> Vec<u8> {
    told(WriteOptions::default(), |sink| testing::nested(sink, outer, inner, known, commits)).unwrap()
}

#[test]
fn counts_are_put_in_at_the_end() {
    for (outer, inner) in [(0, 0), (1, 0), (23, 23), (23, 24), (24, 23), (24, 24), (17, 300), (300, 17), (70_000, 1)] {
        let late = nested(outer, inner, false, false);
        assert_eq!(late, nested(outer, inner, true, false), "{outer} {inner}");
        assert_eq!(late, nested(outer, inner, true, true), "{outer} {inner}");
        let header: &[u8] = match outer {
            0..24 => &[0x80 | outer as u8],
            24..256 => &[0x98, outer as u8],
            256..65_536 => &[0x99, (outer >> 8) as u8, outer as u8],
            _ => &[0x9a, 0, (outer >> 16) as u8, (outer >> 8) as u8, outer as u8],
        };
        assert!(late.starts_with(header));
        assert_eq!(written(&read(&late, "any").unwrap(), &Shape::Any, WriteOptions::default()).unwrap(), late);
        // A list that is committed item by item goes on to a break. Its items have their counts.
        let endless = nested(outer, inner, false, true);
        if outer > 0 {
            assert_eq!(endless, [b"\x9f", &late[header.len()..], b"\xff"].concat());
        }
        assert_eq!(read(&endless, "any").unwrap(), read(&late, "any").unwrap());
    }
}

#[test]
fn open_containers_go_on_to_a_break() {
    let bytes = told(WriteOptions::default(), |sink| {
        sink.begin_map(None)?;
        sink.key("a")?;
        sink.begin_list(Some(2))?;
        sink.item()?;
        // This one ends before the commit, and needs a longer header.
        sink.begin_list(None)?;
        for _ in 0..30 {
            sink.item()?;
            sink.null()?;
        }
        sink.end_list()?;
        sink.item()?;
        sink.begin_list(Some(1))?;
        sink.item()?;
        sink.begin_list(None)?;
        sink.commit()?;
        sink.item()?;
        sink.rollback()?;
        sink.item()?;
        sink.null()?;
        sink.end_list()?;
        sink.end_list()?;
        sink.end_list()?;
        sink.end_map()
    })
    .unwrap();
    assert_eq!(bytes, [&b"\xbf\x61a\x82\x98\x1e"[..], &[0xf6; 30], b"\x81\x9f\xf6\xff\xff"].concat());
    skipped(&bytes).unwrap();
}

#[test]
fn nesting_costs_no_more_than_its_bytes() {
    for options in [WriteOptions::default(), DETERMINISTIC] {
        // Every header is widened.
        let bytes = told(options, |sink| testing::widened(sink, 1000, 24)).unwrap();
        assert_eq!(bytes.len(), 1000 * (2 + 23) + 1);
        skipped(&bytes).unwrap();
    }
}

#[test]
fn a_rollback_takes_back_counts_too() {
    for options in [WriteOptions::default(), DETERMINISTIC] {
        let bytes = told(options, |sink| testing::rolled_back(sink)).unwrap();
        let items: Vec<usize> = crate::cbor::decode::<Vec<Vec<u64>>>(&bytes).unwrap().iter().map(Vec::len).collect();
        assert_eq!(items, (0..40).step_by(2).collect::<Vec<_>>());
    }
}

#[test]
fn a_list_that_ends_after_a_rollback_is_patched_again() {
    for options in [WriteOptions::default(), DETERMINISTIC] {
        assert_eq!(told(options, |sink| testing::rolled_back_list(sink)).unwrap(), b"\x82\xf6\xf5");
    }
}

#[test]
fn an_announced_count_may_be_wrong_in_memory() {
    for (announced, count) in [(3, 2), (3, 40), (40, 3), (70_000, 2)] {
        for options in [WriteOptions::default(), DETERMINISTIC] {
            let bytes = told(options, |sink| testing::announced_wrongly(sink, announced, count)).unwrap();
            assert_eq!(crate::cbor::decode::<Vec<Vec<Option<u8>>>>(&bytes).unwrap(), [vec![None; count]]);
        }
    }
}

#[test]
fn a_header_that_has_left_must_be_right() {
    testing::refuses_a_wrong_count(&WriteOptions::default());
}
