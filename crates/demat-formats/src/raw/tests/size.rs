//! No larger than what the crate `postcard` writes, and the fingerprint.

type Message<'a> = (i64, &'a str);
/// Messages, floats and ints. As a tuple, it has the bytes of a record in both formats.
type Record<'a> = (Vec<Message<'a>>, Vec<f64>, Vec<i64>);

const FINGERPRINT: usize = 8;

/// Returns the bytes of raw without the fingerprint, and those of `postcard`.
fn both(record: &Record<'_>) -> (Vec<u8>, Vec<u8>) {
    (crate::raw::encode(record).unwrap().split_off(FINGERPRINT), postcard::to_stdvec(record).unwrap())
}

#[test]
fn the_nested_record_of_the_benches_has_postcards_bytes() {
    let messages = vec![
        (1_124_312_542, "This is a test of simple byte serialization for us all"),
        (0, ""),
        (-1, "ANother string"),
    ];
    let floats = ["1.0", "-0.000001", "1000000000000000.0101010"].map(|text| text.parse().unwrap()).to_vec();
    let ints = vec![1, 2, 3, 4, 5, -1, -2, -4, 1425, 0];
    let (raw, postcard) = both(&(messages, floats, ints));
    assert_eq!(raw, postcard);
    assert_eq!(raw.len(), 116);
}

#[test]
fn short_lists_have_postcards_bytes() {
    let messages: Vec<Message<'_>> = vec![(1, "Clean the room"), (-200, ""), (1 << 40, "a longer text")];
    for len in [0, 1, 10, 100, 126] {
        let floats = (0..len).map(|at| f64::from(at) / 3.0).collect();
        let ints = (0..len).map(|at| i64::from(at) * 1_000_003 - 5).collect();
        let (raw, postcard) = both(&(messages.clone(), floats, ints));
        assert_eq!(raw, postcard, "{len}");
    }
}

#[test]
fn a_long_list_has_a_byte_more_at_most() {
    let (raw, postcard) = both(&(Vec::new(), vec![0.5; 127], (0..10_000).collect()));
    assert!(raw.len() <= postcard.len() + 2, "{} and {}", raw.len(), postcard.len());
}
