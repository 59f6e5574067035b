//! Property tests of bounds and encodings.

use crate::format::collation::Collation;
use crate::format::key::{self, Front, KeyColumn};
use crate::format::local::Local;
use crate::format::sql::has_word;
use crate::format::{serial, varint};
use proptest::prelude::*;

/// Returns a record with one value: null, an integer, a float, text or bytes.
fn record(value: &(u8, i64, String)) -> Vec<u8> {
    let (kind, number, text) = value;
    let real = f64::from(i32::try_from(*number % 5).unwrap()) / 2.0;
    let (serial, len) = serial::of_int(*number);
    let (serial, bytes) = match kind % 5 {
        0 => (serial::NULL, Vec::new()),
        1 => (serial, number.to_be_bytes()[8 - len..].to_vec()),
        2 => (serial::REAL, real.to_be_bytes().to_vec()),
        3 => (serial::of_text(text.len()), text.clone().into_bytes()),
        _ => (serial::of_blob(text.len()), text.clone().into_bytes()),
    };
    let mut record = vec![varint::len(serial) as u8 + 1];
    varint::push(serial, &mut record);
    record.extend(bytes);
    record
}

proptest! {
    #[test]
    fn fronts_are_in_the_order_of_the_keys(
        one in (any::<u8>(), -3i64..3, "[a-b\\x00A ]{0,18}"),
        other in (any::<u8>(), -3i64..3, "[a-b\\x00A ]{0,18}"),
        alike in any::<bool>(),
        tail in "[a\\x00]{0,3}",
        collation in prop::sample::select(&[Collation::Binary, Collation::NoCase, Collation::RTrim][..]),
        descending in any::<bool>(),
    ) {
        // Texts with a common prefix are the interesting case.
        let other = if alike { (one.0, one.1, format!("{}{tail}", one.2)) } else { other };
        let column = KeyColumn { collation, descending };
        let (one, other) = (record(&one), record(&other));
        let (a, b) = (Front::of(column, &one), Front::of(column, &other));
        let order = key::compare(&[column], &one, &other);
        prop_assert!(a == b || a.cmp(&b) == order);
        prop_assert!(a != b || !a.is_whole(column) || order.is_eq());
    }

    #[test]
    fn varints_come_back(bits in 0u32..=64, value in any::<u64>()) {
        let value = value.checked_shr(bits).unwrap_or(0);
        let mut bytes = Vec::new();
        varint::push(value, &mut bytes);
        prop_assert_eq!(bytes.len(), varint::len(value));
        prop_assert_eq!(varint::read(&bytes), Some((value, bytes.len())));
        let mut exact = [0x55; 12];
        prop_assert_eq!(varint::write_exactly(value, &mut exact), bytes.len());
        prop_assert!(exact.starts_with(&bytes) && exact[bytes.len()..].iter().all(|byte| *byte == 0x55));
        for cut in 0..bytes.len() {
            prop_assert_eq!(varint::read(&bytes[..cut]), None);
        }
    }

    #[test]
    fn integers_come_back(bits in 0u32..64, value in any::<i64>()) {
        let value = value >> bits;
        let (serial, len) = serial::of_int(value);
        prop_assert_eq!(serial::size(serial), Some(len as u64));
        prop_assert_eq!(serial::int(serial, &value.to_be_bytes()[8 - len..]), Some(value));
        // A shorter type would not suffice.
        if len > 1 {
            let shorter = if len == 8 { 48 } else if len == 6 { 32 } else { 8 * (len as u32 - 1) };
            prop_assert_ne!(value << (64 - shorter) >> (64 - shorter), value);
        }
    }

    #[test]
    fn what_stays_in_a_page_fits_it(bits in 9u32..=16, len in 0usize..300_000) {
        let size = 1 << bits;
        // A cell of an index has a child, a varint, an overflow page and a pointer besides, and three of them fit:
        // 64/255 of the largest pages is a little more than a quarter.
        let third = (size - 12) / 3 - (4 + 9 + 4 + 2);
        for (local, room) in [(Local::of_table(size), size - 35), (Local::of_index(size), third)] {
            let stays = local.stays(len);
            prop_assert!(stays <= len && stays <= room);
            prop_assert!(stays == len || len > local.most());
        }
    }
}

#[test]
fn keywords_are_found_outside_of_quotes() {
    assert!(has_word("CREATE TABLE t(a check(a))", "CHECK"));
    assert!(has_word("'it''s' Check", "CHECK"));
    for sql in
        ["'check'", "\"check\"", "[check]", "`check`", "-- check\n", "/* check */", "checks", "x_check", "'check"]
    {
        assert!(!has_word(sql, "CHECK"), "{sql}");
    }
    assert!(has_word("-- no\ncheck", "CHECK"));
    assert!(has_word("/* no */check", "CHECK"));
}
