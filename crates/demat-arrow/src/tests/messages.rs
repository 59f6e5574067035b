//! Messages of scalars through a window, beside the slow twin: row by row from the source.

use crate::{Batches, Columns};
use arrow_array::RecordBatch;
use demat_core::{Error, Shape};
use demat_formats::proto::{Proto, write_varint};
use demat_formats::stream::Window;
use proptest::prelude::*;

const SHAPES: [&str; 5] = [
    "a@1:int64, b@2:text, c@3:bool",
    "c@3:bool, d@4:float, e@5:float32, b@2:text? = null, a@1:int32",
    "a@1:int8, b@2:text = \"none\", f@6:uint64",
    "f@6:uint16?, a@1:int64 = 5, c@3:bool? = true",
    "a@1:[int], c@3:bool",
];

fn collected(bytes: &[u8], shape: &str, size: usize, is_quick: bool) -> (Vec<RecordBatch>, Option<Error>) {
    let shape: Shape = shape.parse().unwrap();
    let columns = Columns::new(&shape).unwrap();
    let window = Window::with_size(bytes, size);
    let batches = if is_quick {
        Batches::bordered(window, Proto::default(), columns)
    } else {
        Batches::new(window, Proto::default(), columns)
    };
    let (mut found, mut failed) = (Vec::new(), None);
    for batch in batches.with_batches(7, usize::MAX) {
        match batch {
            Ok(batch) => found.push(batch),
            Err(error) => failed = Some(error),
        }
    }
    (found, failed)
}

fn same(bytes: &[u8], shape: &str) {
    for size in [1, 16, 100_000] {
        let (slow, why) = collected(bytes, shape, size, false);
        let (quick, also) = collected(bytes, shape, size, true);
        assert_eq!(slow, quick, "{shape}");
        let told = |error: &Error| (error.to_string(), error.path(), error.position());
        assert_eq!(why.as_ref().map(told), also.as_ref().map(told), "{shape}");
    }
}

/// A field of a message, nearly always of the type that shapes have.
fn field() -> impl Strategy<Value = Vec<u8>> {
    let varint = |number: u64, value: u64| {
        let mut out = vec![(number << 3) as u8];
        write_varint(&mut out, value);
        out
    };
    let fixed = |number: u8, wire: u8, bytes: &[u8]| [&[number << 3 | wire][..], bytes].concat();
    prop_oneof![
        6 => (0..200_u64).prop_map(move |value| varint(1, value)),
        1 => any::<u64>().prop_map(move |value| varint(1, value)),
        6 => "[aä]{0,3}".prop_map(|text| [&[0x12, text.len() as u8][..], text.as_bytes()].concat()),
        1 => Just(vec![0x12, 1, 0xff]),
        6 => (0..2_u64).prop_map(move |value| varint(3, value)),
        3 => any::<[u8; 8]>().prop_map(move |bytes| fixed(4, 1, &bytes)),
        3 => any::<[u8; 4]>().prop_map(move |bytes| fixed(5, 5, &bytes)),
        3 => any::<u64>().prop_map(move |value| varint(6, value)),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => Just(vec![0x7a, 2, 8, 1]),
    ]
}

proptest! {
    #[test]
    fn rows_are_those_of_the_source(
        shape in 0..SHAPES.len(),
        rows in prop::collection::vec(prop::collection::vec(field(), 0..5), 0..30),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        let mut bytes = Vec::new();
        for row in rows {
            let message = row.concat();
            write_varint(&mut bytes, message.len() as u64);
            bytes.extend(message);
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        same(&bytes, SHAPES[shape]);
    }
}

/// The other test would also pass if the fast path were never taken.
#[test]
fn scalars_go_the_short_way() {
    let bytes: Vec<u8> = (0..100).flat_map(|row| [4, 0x18, row % 2, 8, row]).collect();
    let mut columns = Columns::new(&SHAPES[0].parse().unwrap()).unwrap();
    let mut quick = columns.message_rows().unwrap();
    assert_eq!(quick.rows(columns.builders(), &bytes, 0, 60), (300, 60));
    assert_eq!(quick.rows(columns.builders(), &bytes, 300, usize::MAX), (500, 40));
    assert!(Columns::new(&SHAPES[4].parse().unwrap()).unwrap().message_rows().is_none());
}
