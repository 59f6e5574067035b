//! One encoding of each value.

use super::*;

fn rewritten(bytes: &[u8]) -> Vec<u8> {
    written(&read(bytes, "any").unwrap(), &Shape::Any, DETERMINISTIC).unwrap()
}

#[test]
fn keys_stand_in_the_order_of_their_bytes() {
    // The order of RFC 8949, section 4.2.1, without the keys that are lists.
    let sorted = [&b"\x0a"[..], b"\x18\x64", b"\x20", b"\x61z", b"\x62aa", b"\xf4"];
    let map = |order: &[usize]| {
        let entries = order.iter().flat_map(|index| [sorted[*index], &[*index as u8]].concat());
        [0xa6].into_iter().chain(entries).collect::<Vec<u8>>()
    };
    let wanted = map(&[0, 1, 2, 3, 4, 5]);
    for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]] {
        assert_eq!(rewritten(&map(&order)), wanted);
    }
    // Within each other, with counts that need more bytes.
    let entries: Vec<u8> =
        (0..30_u8).rev().flat_map(|key| [0x18, 100 + key, 0xa2, 0x61, b'b', 0x02, 0x61, b'a', 0x01]).collect();
    let bytes = [&b"\xbf"[..], &entries, b"\xff"].concat();
    let entries: Vec<u8> =
        (0..30_u8).flat_map(|key| [0x18, 100 + key, 0xa2, 0x61, b'a', 0x01, 0x61, b'b', 0x02]).collect();
    assert_eq!(rewritten(&bytes), [&b"\xb8\x1e"[..], &entries].concat());
}

#[test]
fn numbers_and_lengths_have_the_shortest_form() {
    for (bytes, wanted) in [
        ("fb3ff8000000000000", "f93e00"),
        ("fb3ff199999999999a", "fb3ff199999999999a"),
        ("fb40f86a0000000000", "fa47c35000"),
        ("fa7fc00001", "f97e00"),
        ("fb7ff8000000000001", "f97e00"),
        ("fb8000000000000000", "f98000"),
        ("fbfff0000000000000", "f9fc00"),
        ("fa33800000", "f90001"),
        ("1b0000000000000005", "05"),
        ("c249000000000000000005", "05"),
        ("9f01ff", "8101"),
        ("7f61616162ff", "626162"),
        ("b800", "a0"),
        ("f7", "f6"),
        ("d9d9f701", "01"),
        ("c48220 1896", "c48220 1896"),
    ] {
        assert_eq!(rewritten(&bytes_of(bytes)), bytes_of(wanted), "{bytes}");
    }
    let narrow = told(DETERMINISTIC, |sink| sink.float32(1.5)).unwrap();
    assert_eq!(narrow, b"\xf9\x3e\x00");
}

#[test]
fn a_key_stands_once() {
    let twice = told(DETERMINISTIC, |sink| {
        sink.begin_map(Some(3))?;
        for (key, value) in [(2.0, 1), (1.0, 2), (2.0, 3)] {
            sink.entry()?;
            sink.float(key)?;
            sink.value()?;
            sink.u64(value)?;
        }
        sink.end_map()
    });
    assert_eq!(twice.unwrap(), b"\xa2\xf9\x3c\x00\x02\xf9\x40\x00\x03");
}

/// Writes a map of maps in pieces, with a commit and a rollback at each step. `ends` says whether containers that were
/// open at the last commit are closed, taken back and closed again.
fn in_pieces(ends: bool) -> Vec<u8> {
    told(DETERMINISTIC, |sink| {
        sink.begin_map(None)?;
        for outer in (0..30_u64).rev() {
            sink.entry()?;
            sink.u64(outer)?;
            sink.value()?;
            sink.begin_map(Some(1))?;
            for inner in ["b", "a", "b"] {
                sink.key(inner)?;
                sink.u64(outer)?;
                sink.commit()?;
                sink.key("lost")?;
                sink.begin_list(None)?;
                sink.rollback()?;
            }
            if ends {
                sink.end_map()?;
                if outer == 0 {
                    sink.end_map()?;
                }
                sink.rollback()?;
            }
            sink.end_map()?;
        }
        sink.end_map()
    })
    .unwrap()
}

#[test]
fn what_is_taken_back_leaves_nothing() {
    let entries: Vec<u8> = (0..30_u8)
        .flat_map(|key| {
            let number = if key < 24 { vec![key] } else { vec![0x18, key] };
            [&*number, b"\xa2\x61a", &number, b"\x61b", &number].concat()
        })
        .collect();
    let wanted = [&b"\xb8\x1e"[..], &entries].concat();
    assert_eq!(in_pieces(false), wanted);
    assert_eq!(in_pieces(true), wanted);
}

#[test]
fn records_leave_the_memory_when_their_list_has_a_count() {
    let shape = "[{text: text}]".parse().unwrap();
    assert!(testing::drained_early(&DETERMINISTIC, &shape, Some(100)) > 400_000);
    assert_eq!(testing::drained_early(&DETERMINISTIC, &shape, None), 0);
}
