//! The fast path, and parallel parts, give the same as the source alone.

use crate::tests::round::json_of;
use crate::whole::of_parts;
use crate::{Bordered, Columns, Options};
use arrow_array::RecordBatch;
use demat_core::{Result, Shape, Source, Unknown};
use demat_formats::proto::{Proto, ProtoSource, write_varint};
use proptest::prelude::*;

const SHAPE: &str = "
    name @6 : text, address @3 : int #proto:fixed32, id @9 : int64, far @300 : int #proto:sint64, part @10 : float,
    half @11 : float32, raw @12 : bytes
";

/// Reads row by row, without the fast path.
fn slowly(bytes: &[u8], shape: &Shape) -> Result<Vec<RecordBatch>> {
    let mut columns = Columns::new(shape)?;
    let mut source = ProtoSource::new(bytes);
    source.list()?;
    columns.records(&mut source, usize::MAX)?;
    Ok(vec![columns.finish()?])
}

fn same(bytes: &[u8], shape: &str) {
    let shape: Shape = shape.parse().unwrap();
    let list = shape.clone().list();
    let slow = slowly(bytes, &shape).and_then(|batches| json_of(batches, &list));
    for parts in [1, 2, 3, 7] {
        let quick = of_parts(bytes, &Proto::default(), &shape, &Options::default(), parts);
        match (&slow, quick.and_then(|batches| json_of(batches, &list))) {
            (Ok(slow), Ok(quick)) => assert_eq!(slow, &quick, "{parts}"),
            (Err(slow), Err(quick)) => {
                assert_eq!(slow.to_string(), quick.to_string(), "{parts}");
                assert_eq!((slow.path(), slow.position()), (quick.path(), quick.position()), "{parts}");
            }
            (slow, quick) => panic!("{parts}: {slow:?} and {quick:?}"),
        }
    }
}

fn tag(out: &mut Vec<u8>, number: u64, wire: u64) {
    write_varint(out, number << 3 | wire);
}

fn text(out: &mut Vec<u8>, number: u64, text: &[u8]) {
    tag(out, number, 2);
    write_varint(out, text.len() as u64);
    out.extend_from_slice(text);
}

/// Returns a message with its length: an unwanted number, and all wanted fields.
fn message(row: u64, name: &[u8], unwanted: u64) -> Vec<u8> {
    let mut out = Vec::new();
    tag(&mut out, 1, 0);
    write_varint(&mut out, unwanted);
    text(&mut out, 2, &[8, 1, 8, 2, 8, 3]);
    tag(&mut out, 3, 5);
    out.extend_from_slice(&(row as u32).wrapping_mul(77_777_777).to_le_bytes());
    text(&mut out, 6, name);
    tag(&mut out, 9, 0);
    write_varint(&mut out, row.wrapping_sub(3));
    tag(&mut out, 10, 1);
    out.extend_from_slice(&(f64::from(row as u32) / 3.0).to_le_bytes());
    tag(&mut out, 11, 5);
    out.extend_from_slice(&(f32::from(row as u16) / 3.0).to_le_bytes());
    text(&mut out, 12, &row.to_be_bytes());
    tag(&mut out, 300, 0);
    write_varint(&mut out, row * 5);
    with_length(&out)
}

fn with_length(message: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    write_varint(&mut out, message.len() as u64);
    out.extend_from_slice(message);
    out
}

/// The other tests would also pass if the fast path were never taken.
#[test]
fn all_but_the_first_of_messages_that_are_alike_go_the_short_way() {
    let rows: Vec<u8> = (200..1000).flat_map(|row| message(row, b"a name", 7)).collect();
    let len = message(200, b"a name", 7).len();
    let mut columns = Columns::new(&SHAPE.parse().unwrap()).unwrap();
    let mut habit = columns.habit().unwrap();
    habit.learn(&rows[..len]);
    assert_eq!(habit.rows(columns.builders(), &rows, len, len + 1, usize::MAX), (2 * len, 1));
    assert_eq!(habit.rows(columns.builders(), &rows, 2 * len, usize::MAX, 300), (302 * len, 300));
    assert_eq!(habit.rows(columns.builders(), &rows, 302 * len, usize::MAX, usize::MAX), (rows.len(), 498));
    assert!(Columns::new(&"a:int?, b:[int]".parse().unwrap()).unwrap().habit().is_none());
}

/// If no message has a known layout, it reads many rows from the source before it tries again.
#[test]
fn where_it_does_not_pay_it_pauses() {
    let columns = Columns::new(&SHAPE.parse().unwrap()).unwrap();
    let mut habit = columns.habit().unwrap();
    let pauses: Vec<usize> = (0..20).map(|_| habit.pause()).collect();
    assert!(pauses.iter().filter(|rows| **rows > 1).count() >= 2, "{pauses:?}");
    assert_eq!(pauses[..4], [1; 4]);
}

/// An input of many messages is split between two of them, and not within one.
#[test]
fn a_row_of_messages_is_found_in_the_middle() {
    let starts: Vec<usize> = (0..1000)
        .scan(0, |at, row| {
            let begin = *at;
            *at += message(row, format!("name {row}").as_bytes(), row).len();
            Some(begin)
        })
        .collect();
    let rows: Vec<u8> = (0..1000).flat_map(|row| message(row, format!("name {row}").as_bytes(), row)).collect();
    for from in (0..rows.len()).step_by(97) {
        let found = Proto::default().border(&rows, from, &demat_core::Record::fixed("", &[], &[], Unknown::Ignore));
        let next = starts.iter().position(|start| *start >= from).unwrap_or(starts.len());
        let index = found.and_then(|found| starts.iter().position(|start| *start == found));
        assert_eq!(index.is_some(), next + 16 < starts.len() || found.is_some(), "{from}");
        assert!(index.is_none_or(|index| (next..next + 18).contains(&index)), "{from}: {index:?} for {next}");
    }
    assert_eq!(Proto::default().border(&[0; 5000], 0, &demat_core::Record::fixed("", &[], &[], Unknown::Ignore)), None);
}

#[test]
fn messages_that_are_alike_and_some_that_are_not() {
    let rows = |count: u64| (0..count).flat_map(|row| message(row, format!("name {row:07}").as_bytes(), row % 90));
    same(&rows(2000).collect::<Vec<_>>(), SHAPE);
    same(&rows(1).collect::<Vec<_>>(), SHAPE);
    same(&[], SHAPE);
    let names = ["", "a", "sixteen bytes ..", "more than sixteen bytes", "Ärger mit Umlauten", "ä"];
    let mixed = (0..3000_u64).flat_map(|row| {
        let name = names[(row * row / 7 % 6) as usize];
        message(row << (row % 50), name.as_bytes(), 1 << (row % 60))
    });
    same(&mixed.collect::<Vec<_>>(), SHAPE);
    same(&rows(500).collect::<Vec<_>>(), "name @6 : text");
    same(&rows(500).collect::<Vec<_>>(), "name @6 : text?, other @7 : int?");
    same(&rows(500).collect::<Vec<_>>(), "other @7 : int = 7, raw @12 : bytes");
}

#[test]
fn a_field_that_comes_again_does_not_come_or_is_another_is_the_sources_matter() {
    let odd: [fn(&mut Vec<u8>); 5] = [
        |out| text(out, 6, b"again and again"),
        |out| tag(out, 6, 0),
        |out| text(out, 6, b"\xff bad text"),
        |out| out.extend_from_slice(&[0x80; 11]),
        |out| text(out, 3, b"wrong wire"),
    ];
    for odd in odd {
        for place in [0_u64, 1, 2, 499, 998, 999] {
            let rows = (0..1000_u64).flat_map(|row| {
                let mut inner = Vec::new();
                tag(&mut inner, 3, 5);
                inner.extend_from_slice(&[1, 2, 3, 4]);
                text(&mut inner, 6, b"a short text");
                if row == place {
                    odd(&mut inner);
                }
                with_length(&inner)
            });
            same(&rows.collect::<Vec<_>>(), "address @3 : int #proto:fixed32, name @6 : text");
        }
    }
}

#[test]
fn a_value_that_is_bad_in_a_message_like_all_others_is_the_error_of_that_one() {
    for place in [3_u64, 300, 511, 999] {
        let name =
            |row| if row == place { b"\xff\xfe 7 bytes".to_vec() } else { format!("name {row:05}").into_bytes() };
        let rows = (0..1000).flat_map(|row| message(row, &name(row), 7)).collect::<Vec<_>>();
        same(&rows, SHAPE);
        let error = of_parts(&rows, &Proto::default(), &SHAPE.parse().unwrap(), &Options::default(), 2).unwrap_err();
        assert_eq!(error.path(), format!("$[{place}].name"));
        assert_eq!(error.position().record, Some(place + 1));
    }
}

#[test]
fn rows_of_messages_within_messages_are_no_rows() {
    let inner: Vec<u8> = (0..400).flat_map(|row| message(row, b"inside", 7)).collect();
    let rows = (0..20_u64).flat_map(|row| {
        let mut out = Vec::new();
        text(&mut out, 20, &inner);
        text(&mut out, 6, format!("outside {row}").as_bytes());
        with_length(&out)
    });
    same(&rows.collect::<Vec<_>>(), "name @6 : text");
    let zeros = (0..50_u64).flat_map(|row| {
        let mut out = Vec::new();
        text(&mut out, 20, &[0; 3000]);
        text(&mut out, 6, format!("outside {row}").as_bytes());
        with_length(&out)
    });
    same(&zeros.collect::<Vec<_>>(), "name @6 : text");
}

#[test]
fn what_is_cut_is_refused_alike() {
    let rows: Vec<u8> = (0..300).flat_map(|row| message(row, b"twelve bytes", 7)).collect();
    for cut in 0..120 {
        same(&rows[..rows.len() - cut], SHAPE);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_what_the_source_says(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        same(&bytes, "name @6 : text?, id @1 : int?");
        let mut rows: Vec<u8> = (0..40).flat_map(|row| message(row, b"twelve bytes", 7)).collect();
        for (place, byte) in places {
            let place = place.index(rows.len());
            rows[place] = byte;
        }
        same(&rows, SHAPE);
    }
}
