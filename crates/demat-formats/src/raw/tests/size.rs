//! No larger than what a format without any names needs: here as `postcard` 1.0 writes it.

/// LEB128.
fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Three messages of an int and a text, a list of floats and one of ints, as `postcard` writes them: fields one after the
/// other, ints as zigzag varints, lengths as varints.
fn postcard(messages: &[(i64, &str)], floats: &[f64], ints: &[i64]) -> Vec<u8> {
    let mut out = Vec::new();
    let int = |value: i64, out: &mut Vec<u8>| varint((value << 1 ^ value >> 63).cast_unsigned(), out);
    varint(messages.len() as u64, &mut out);
    for (id, text) in messages {
        int(*id, &mut out);
        varint(text.len() as u64, &mut out);
        out.extend_from_slice(text.as_bytes());
    }
    varint(floats.len() as u64, &mut out);
    for float in floats {
        out.extend_from_slice(&float.to_le_bytes());
    }
    varint(ints.len() as u64, &mut out);
    for value in ints {
        int(*value, &mut out);
    }
    out
}

type Message<'a> = (i64, &'a str);

#[test]
fn a_record_is_no_larger_than_postcards_and_a_fingerprint() {
    let messages: [Message<'_>; 3] = [(1, "Clean the room"), (-200, ""), (1 << 40, "a longer text")];
    for len in [0, 1, 10, 100, 126] {
        let floats: Vec<f64> = (0..len).map(|at| f64::from(at) / 3.0).collect();
        let ints: Vec<i64> = (0..len).map(|at| i64::from(at) * 1_000_003 - 5).collect();
        let bytes = crate::raw::encode(&(messages.to_vec(), floats.clone(), ints.clone())).unwrap();
        let peer = postcard(&messages, &floats, &ints);
        assert_eq!(bytes[8..], peer, "{len}");
    }
    // A list of 127 or more has a byte more at most.
    let ints: Vec<i64> = (0..10_000).collect();
    let bytes = crate::raw::encode(&(messages.to_vec(), vec![0.5; 127], ints.clone())).unwrap();
    assert!(bytes.len() <= 8 + 2 + postcard(&messages, &[0.5; 127], &ints).len());
}
