use crate::proto::varint::{unzigzag, varint_len, zigzag};
use crate::proto::{read_varint, write_varint};

/// Numbers around every length.
fn numbers() -> impl Iterator<Item = u64> {
    let borders = (0..64).map(|bits| 1_u64 << bits);
    borders.flat_map(|border| {
        [border.wrapping_sub(1), border, border + 1, border.wrapping_neg(), border.wrapping_neg() - 1]
    })
}

#[test]
fn every_length_comes_back() {
    for number in numbers() {
        let mut bytes = Vec::new();
        write_varint(&mut bytes, number);
        assert_eq!(bytes.len(), varint_len(number), "{number}");
        assert_eq!(read_varint(&bytes), Some((number, bytes.len())));
        // With other bytes behind it, as in a message.
        for behind in [0, 0x7f, 0x80, 0xff] {
            assert_eq!(read_varint(&[&bytes[..], &[behind; 9]].concat()), Some((number, bytes.len())), "{number}");
        }
        for end in 0..bytes.len() {
            assert_eq!(read_varint(&bytes[..end]), None, "{number} {end}");
        }
    }
    assert_eq!(read_varint(&[0x80; 11]), None);
    assert_eq!(read_varint(&[0x80; 20]), None);
    // Only one bit of the tenth byte counts.
    let long = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0];
    assert_eq!(read_varint(&long), Some((u64::MAX, 10)));
    assert_eq!(read_varint(&long[..10]), Some((u64::MAX, 10)));
    // A redundant encoding, longer than necessary.
    assert_eq!(read_varint(&[0x81, 0x80, 0x00]), Some((1, 3)));
}

#[test]
fn signs_come_back() {
    for number in numbers().map(u64::cast_signed) {
        assert_eq!(unzigzag(zigzag(number)), number);
    }
    assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
}
