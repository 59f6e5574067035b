//! Safe code can't make arrays that are damaged: the parts are tested here, whole columns in Python.

use super::Integrity;
use super::indices::{Span, keys, offsets, rising, views_of_lists};
use super::text::{all, views};
use arrow_array::builder::{ListBuilder, MapBuilder, StringBuilder, StringDictionaryBuilder, StringViewBuilder};
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{ArrayRef, Int8Array, RecordBatch, StringArray, StructArray};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::{DataType, Field};
use proptest::prelude::*;
use std::sync::Arc;

#[test]
fn offsets_rise_within_the_data() {
    assert_eq!(offsets(&[0, 2, 2, 5], 5).unwrap(), Span { start: 0, len: 5 });
    assert_eq!(offsets(&[3i64, 4], 5).unwrap(), Span { start: 3, len: 1 });
    assert_eq!(offsets::<i32>(&[], 0).unwrap(), Span { start: 0, len: 0 });
    assert_eq!(offsets(&[7], 0).unwrap(), Span { start: 0, len: 0 });
    for wrong in [&[0, 2, 1, 5][..], &[-1, 5], &[0, 6], &[5, 0], &[0, -1]] {
        let error = offsets(wrong, 5).unwrap_err().to_string();
        assert!(error.starts_with("expected offsets that rise within"), "{error}");
    }
}

#[test]
fn lists_by_view_are_within_the_items() {
    assert_eq!(views_of_lists(&[4, 1, 9], &[1, 2, 0], 9).unwrap(), Span { start: 1, len: 4 });
    assert_eq!(views_of_lists::<i32>(&[], &[], 9).unwrap().len, 0);
    for (offset, size) in [(-1, 1), (0, -1), (0, 10), (10, 0), (i64::MAX, i64::MAX)] {
        assert!(views_of_lists(&[offset], &[size], 9).is_err(), "{offset} {size}");
    }
}

#[test]
fn keys_have_values() {
    assert!(keys(&Int8Array::from(vec![0, 2]), 3).is_ok());
    for wrong in [-1, 3, i8::MIN] {
        let error = keys(&Int8Array::from(vec![0, wrong]), 3).unwrap_err().to_string();
        assert_eq!(error, format!("expected a key of an Arrow dictionary, found {wrong} at value 1"));
        // What a null holds is not looked at.
        let nulls = NullBuffer::from(vec![true, false]);
        assert!(keys(&Int8Array::new(vec![0, wrong].into(), Some(nulls)), 3).is_ok());
    }
}

#[test]
fn run_ends_rise() {
    assert!(rising::<Int32Type>(&[1, 2, 9]).is_ok());
    for wrong in [&[0, 1][..], &[-1, 1], &[1, 1], &[2, 1]] {
        assert!(rising::<Int32Type>(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn text_is_utf8_value_by_value() {
    let two = "é".as_bytes();
    assert!(all(&[0, 2], two, None).is_ok());
    // Both are UTF-8 as a whole, and the second one is not value by value.
    let error = all(&[0, 1, 2], two, None).unwrap_err().to_string();
    assert_eq!(error, "expected UTF-8 in an Arrow column of text, found other bytes at value 0");
    assert!(all(&[0, 1], b"\xFF", None).is_err());
    assert!(all(&[1, 2], b"\xFFa\xFF", None).is_ok(), "a slice");
    assert!(all(&[0, 1, 2], b"\xFFa", Some(&NullBuffer::from(vec![false, true]))).is_ok(), "a null");
    assert!(all(&[0, 1, 2], b"\xFFa", Some(&NullBuffer::from(vec![true, false]))).is_err());
}

fn view(len: u32, buffer: u32, offset: u32) -> u128 {
    u128::from(len) | u128::from(buffer) << 64 | u128::from(offset) << 96
}

#[test]
fn views_stay_within_their_buffers() {
    let buffers = [Buffer::from(b"a text of more than twelve bytes \xFF".as_slice())];
    assert!(views(&[view(32, 0, 0), view(0, 7, 7)], &buffers, None, true).is_ok());
    for wrong in [view(35, 0, 0), view(13, 1, 0), view(13, 0, 30), view(u32::MAX, 0, u32::MAX)] {
        assert!(views(&[wrong], &buffers, None, false).is_err());
        assert!(views(&[wrong], &buffers, Some(&NullBuffer::new_null(1)), false).is_ok());
    }
    assert!(views(&[view(34, 0, 0)], &buffers, None, false).is_ok());
    assert!(views(&[view(34, 0, 0)], &buffers, None, true).is_err());
    let inline = 1 | 0xFF << 32;
    assert!(views(&[inline], &buffers, None, true).is_err());
    assert!(views(&[inline], &buffers, None, false).is_ok());
    // Behind the value anything may be.
    assert!(views(&[1 | 0xFF61 << 32], &buffers, None, true).is_ok());
}

proptest! {
    #[test]
    fn text_is_as_the_standard_library_says(
        parts in prop::collection::vec(prop::collection::vec(prop::sample::select(b"a\xC3\xA9\xFF".as_slice()), 0..4), 0..20)
    ) {
        let mut ends = vec![0];
        let mut bytes = Vec::new();
        for part in &parts {
            bytes.extend_from_slice(part);
            ends.push(i32::try_from(bytes.len()).unwrap());
        }
        let is_text = parts.iter().all(|part| core::str::from_utf8(part).is_ok());
        prop_assert_eq!(all(&ends, &bytes, None).is_ok(), is_text);
    }
}

fn whole() -> RecordBatch {
    let mut lists = ListBuilder::new(StringViewBuilder::new());
    lists.append_value([Some("a"), None, Some("a text of more than twelve bytes")]);
    lists.append_null();
    let mut maps = MapBuilder::new(None, StringBuilder::new(), StringDictionaryBuilder::<Int8Type>::new());
    maps.keys().append_value("ä");
    maps.values().append_value("ö");
    maps.append(true).unwrap();
    maps.append(false).unwrap();
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("é"), None]));
    let record = StructArray::from(vec![(Arc::new(Field::new("b", DataType::Utf8, true)), texts)]);
    let columns: [(&str, ArrayRef); 3] =
        [("lists", Arc::new(lists.finish())), ("maps", Arc::new(maps.finish())), ("record", Arc::new(record))];
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn whole_columns_pass_batch_by_batch_and_in_slices() {
    let batch = whole();
    let mut integrity = Integrity::default();
    for _ in 0..3 {
        integrity.check(&batch).unwrap();
        integrity.check(&batch.slice(1, 1)).unwrap();
        integrity.check(&batch.slice(1, 0)).unwrap();
    }
}
