//! The ways that are there to be fast, beside their slow twins.

use super::*;
use demat_core::scalar::Int;
use demat_core::{Field, Record, Token};

#[test]
fn a_token_is_that_of_the_asking_twin() {
    let values = [
        "00",
        "17",
        "1818",
        "1bffffffffffffffff",
        "20",
        "3b7fffffffffffffff",
        "3bffffffffffffffff",
        "f4",
        "f6",
        "f7",
        "f93c00",
        "fa3fc00000",
        "fb3ff8000000000000",
        "6161",
        "7f6161ff",
        "4101",
        "5f4101ff",
        "80",
        "9fff",
        "a0",
        "bfff",
        "c11a00000000",
        "c249010000000000000000",
        "c34101",
        "d81800",
        "1c",
        "f800",
        "e0",
        "19",
    ];
    for hex in values {
        let bytes = [b"\x82".to_vec(), bytes_of(hex), b"\x01".to_vec()].concat();
        let [mut fast, mut slow] = [(); 2].map(|()| CborSource::new(&bytes));
        for source in [&mut fast, &mut slow] {
            source.list().unwrap();
            assert!(source.item().unwrap());
        }
        let found = fast.take().map(|token| format!("{token:?}")).map_err(|error| error.to_string());
        let twin = Token::by_asking(&mut slow).map(|token| format!("{token:?}")).map_err(|error| error.to_string());
        assert_eq!(found, twin, "{hex}");
        assert_eq!(fast.mark(), slow.mark(), "{hex}");
    }
}

#[test]
fn fields_are_found_in_every_form_of_their_keys() {
    let fields = ["a", "a_key_of_16_bytes", "a key that is longer than 23 bytes", "z"];
    let record = Record::new("R", fields.iter().zip(1..).map(|(key, at)| Field::new(*key, at, Shape::Any)).collect());
    let record = record.unwrap();
    let short = |key: &str| [&[0x60 | key.len() as u8], key.as_bytes()].concat();
    let long = |key: &str| [&[0x78, key.len() as u8], key.as_bytes()].concat();
    let chunks = |key: &str| [b"\x7f".to_vec(), long(key), b"\xff".to_vec()].concat();
    for form in [&short as &dyn Fn(&str) -> Vec<u8>, &long, &chunks] {
        for order in [[0, 1, 2, 3], [3, 1, 0, 2]] {
            let mut bytes = b"\xa5\x61x\x80".to_vec();
            for index in order {
                let key = fields[index];
                bytes.extend(if key.len() > 23 { long(key) } else { form(key) });
                bytes.push(index as u8);
            }
            let mut source = CborSource::new(&bytes);
            source.record(&record).unwrap();
            for (expected, index) in order.into_iter().enumerate() {
                assert_eq!(source.field(&record, expected).unwrap(), Some(index));
                assert_eq!(source.i64().unwrap(), i64::try_from(index).unwrap());
            }
            assert_eq!(source.field(&record, 4).unwrap(), None);
            source.end().unwrap();
        }
    }
}

#[test]
fn a_key_is_stepped_over_only_if_it_is_this_one() {
    let field = Field::new("ab", 1, Shape::Any);
    for (bytes, found) in [
        (&b"\xa1\x62ab\x01"[..], true),
        (b"\xbf\x62ab\x01\xff", true),
        (b"\xa1\x62ac\x01", false),
        (b"\xa1\x63abc\x01", false),
        (b"\xa1\x78\x02ab\x01", false),
        (b"\xa0", false),
        (b"\xbf\xff", false),
    ] {
        let mut source = CborSource::new(bytes);
        source.map().unwrap();
        let before = source.mark();
        assert_eq!(source.key_is("ab", field.token()), found, "{bytes:?}");
        if found {
            assert_eq!(source.i64().unwrap(), 1);
            assert!(!source.entry().unwrap());
        } else {
            assert_eq!(source.mark(), before);
        }
    }
}

#[test]
fn ints_as_bytes_are_those_of_their_digits() {
    for digits in ["18446744073709551616", "-18446744073709551617", &"9".repeat(80), &format!("-{}", "7".repeat(200))] {
        let int = Int::from_digits(digits).unwrap();
        let by_digits = told(WriteOptions::default(), |sink| sink.int(&int)).unwrap();
        let mut source = CborSource::new(&by_digits);
        assert_eq!(source.try_i64().unwrap(), None);
        let (bytes, negative) = source.int_bytes().unwrap().unwrap();
        source.end().unwrap();
        let by_bytes = told(WriteOptions::default(), |sink| sink.int_bytes(&bytes, negative).map(|_| ())).unwrap();
        assert_eq!(by_bytes, by_digits);
        assert!(CborSource::new(&by_digits).i64().unwrap_err().to_string().contains(digits));
    }
    for hex in ["00", "3bffffffffffffffff", "6131", "c100"] {
        let bytes = bytes_of(hex);
        let mut source = CborSource::new(&bytes);
        assert_eq!(source.int_bytes().unwrap(), None, "{hex}");
        assert_eq!(source.mark().offset, 0);
    }
    assert_eq!(CborSource::new(&bytes_of("3bffffffffffffffff")).try_i64().unwrap(), None);
    assert_eq!(CborSource::new(&bytes_of("3b7fffffffffffffff")).try_i64().unwrap(), Some(i64::MIN));
    let long = [b"\xc2\x59\x20\x00".to_vec(), vec![1; 0x2000]].concat();
    assert!(CborSource::new(&long).int_bytes().is_err());
}
