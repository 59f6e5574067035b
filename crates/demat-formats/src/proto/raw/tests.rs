use super::{EIGHT, FOUR, LEN, RawField, VARINT, group_content, length, read, repeats};

#[test]
fn every_wire_type_has_its_end() {
    for (bytes, wire, at, end) in [
        (&[0x08, 0x96, 0x01, 0x55][..], VARINT, 1, 3),
        (&[0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x55], EIGHT, 1, 9),
        (&[0x0a, 2, b'a', b'b', 0x55], LEN, 1, 4),
        (&[0x0d, 1, 2, 3, 4, 0x55], FOUR, 1, 5),
        // A group with a varint and another group. Their end tags are part of them.
        (&[0x0b, 0x10, 1, 0x13, 0x14, 0x0c, 0x55], super::BEGIN, 1, 6),
    ] {
        assert_eq!(read(bytes, 0), Some(RawField { number: 1, wire, tag: 0, at, end }), "{bytes:?}");
        for cut in 0..end {
            assert_eq!(read(&bytes[..cut], 0), None, "{bytes:?} {cut}");
        }
    }
}

#[test]
fn tags_have_up_to_five_bytes() {
    let highest = [0xfa, 0xff, 0xff, 0xff, 0x0f, 0];
    assert_eq!(read(&highest, 0).map(|field| (field.number, field.at, field.end)), Some(((1 << 29) - 1, 5, 6)));
    assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0x7f, 0], 0), None);
    assert_eq!(read(&[0x8a, 0x80, 0x80, 0x80, 0x80, 0x00, 0], 0), None);
    // Number 0, an end tag without a group, and undefined wire types.
    for tag in [0x02, 0x0c, 0x0e, 0x0f] {
        assert_eq!(read(&[tag, 0, 0, 0, 0], 0), None, "{tag}");
    }
}

#[test]
fn groups_end_with_their_own_number() {
    let group = [0x0b, 0x10, 1, 0x0c];
    let field = read(&group, 0).unwrap();
    assert_eq!(group_content(&group, field), (1, 3));
    assert_eq!(read(&[0x0b, 0x14], 0), None);
    let deep: Vec<u8> = [[0x0b; 200], [0x0c; 200]].concat();
    assert_eq!(read(&deep, 0), None);
    assert!(read(&deep[150..250], 0).is_some());
}

#[test]
fn lengths_are_bounded_by_the_message() {
    assert_eq!(length(&[5], 0), Some((5, 1)));
    assert_eq!(length(&[0x80, 0x01], 0), Some((128, 2)));
    assert_eq!(length(&[], 0), None);
    assert_eq!(read(&[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], 0), None);
}

#[test]
fn items_of_one_length_are_counted() {
    for (len, count) in [(1, 0), (1, 1), (3, 7), (3, 100), (14, 129), (20, 40), (0, 300)] {
        let item = [&[0x0a, len as u8][..], &vec![b'x'; len]].concat();
        let mut bytes = item.repeat(count + 1);
        let first = read(&bytes, 0).unwrap();
        assert_eq!(repeats(&bytes, first), count, "{len} {count}");
        // Another field, or the same field with another length, does not count.
        for other in [0x12, 0x0a] {
            bytes.truncate((count + 1) * item.len());
            bytes.extend([other, len as u8 + 1]);
            bytes.extend(vec![0x0a; 40]);
            assert_eq!(repeats(&bytes, first), count, "{len} {count} {other}");
        }
    }
}
