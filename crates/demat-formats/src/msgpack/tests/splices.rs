//! Values in pieces: copied bytes, and new values between them.

use super::*;
use crate::Splice;
use crate::binary::testing::Patched;
use demat_core::Record;
use std::cell::RefCell;

fn record() -> Record {
    let Shape::Record(record) = "{a: int, b: text}".parse().unwrap() else { panic!("no record") };
    Record::new("Record", record.get().fields().to_vec()).unwrap()
}

/// Returns the map with `old` entries, after `new` fields were added.
fn grown(old: &[u8], new: usize) -> Vec<u8> {
    let record = record();
    told(|sink| {
        assert!(sink.open_splice("msgpack", old)?);
        let begin = sink.begin_growing(old)?;
        sink.piece(&old[begin..]);
        for _ in 0..new {
            sink.new_field(&record, 0, false)?;
            sink.i64(1)?;
            sink.end_told();
        }
        sink.end_growing()?;
        sink.close_splice();
        Ok(())
    })
    .unwrap()
}

fn map_of(header: &[u8], count: usize) -> Vec<u8> {
    [header, &b"\xa1a\x01".repeat(count)].concat()
}

#[test]
fn headers_count_new_fields() {
    assert_eq!(grown(b"\x80", 1), b"\x81\xa1a\x01");
    assert_eq!(grown(b"\x81\xa1x\xc0", 2), b"\x83\xa1x\xc0\xa1a\x01\xa1a\x01");
    assert_eq!(grown(&map_of(b"\x8f", 15), 1), map_of(b"\xde\0\x10", 16));
    assert_eq!(grown(&map_of(b"\xde\0\x10", 16), 1), map_of(b"\xde\0\x11", 17));
    assert_eq!(grown(&map_of(b"\xdf\0\0\xff\xff", 65_535), 1), map_of(b"\xdf\0\x01\0\0", 65_536));
    assert_eq!(grown(&map_of(b"\xde\xff\xff", 65_535), 1), map_of(b"\xdf\0\x01\0\0", 65_536));
}

#[test]
fn headers_in_longer_forms_stay_unless_the_count_changes() {
    let long = map_of(b"\xdf\0\0\0\x02", 2);
    assert_eq!(grown(&long, 0), long);
    assert_eq!(grown(&long, 1), map_of(b"\x83", 3));
}

#[test]
fn other_values_are_no_records_in_pieces() {
    let refused = |format: &str, bytes: &[u8], options: WriteOptions| {
        let output = Output::new(Vec::new(), Keep);
        !MsgpackSink::new(output, options).open_splice(format, bytes).unwrap()
    };
    let sequence = WriteOptions { sequence: true, ..WriteOptions::default() };
    assert!(refused("json", b"\x80", WriteOptions::default()));
    assert!(refused("msgpack", b"\xd4\x05\x00", WriteOptions::default()));
    assert!(refused("msgpack", b"", WriteOptions::default()));
    assert!(refused("msgpack", b"\x80", sequence));
    assert!(!refused("msgpack", b"\x80", WriteOptions::default()));
}

#[test]
fn a_record_of_a_sequence_has_scalars_between_pieces() {
    let sequence = WriteOptions { sequence: true, ..WriteOptions::default() };
    let written = testing::told(&sequence, |sink| {
        sink.begin_list(None)?;
        for _ in 0..2 {
            sink.item()?;
            assert!(sink.open_splice("msgpack", b"\x81\xa1x\x05")?);
            sink.piece(b"\x81\xa1x");
            sink.begin_list(None)?;
            sink.item()?;
            sink.i64(6)?;
            sink.end_list()?;
            sink.close_splice();
        }
        sink.item()?;
        assert!(sink.i64(1).is_err());
        sink.end_list()
    });
    assert_eq!(written.unwrap(), b"\x81\xa1x\x91\x06\x81\xa1x\x91\x06");
}

#[test]
fn a_field_that_is_taken_back_does_not_count() {
    let record = record();
    let written = told(|sink| {
        sink.open_splice("msgpack", b"\x80")?;
        sink.begin_growing(b"\x80")?;
        for (kept, value) in [(false, "a"), (true, "b"), (false, "c")] {
            let begin = sink.pause();
            sink.new_field(&record, 1, false)?;
            let first = sink.pause();
            sink.begin_list(None)?;
            for _ in 0..20 {
                sink.item()?;
                sink.text(value)?;
                sink.commit()?;
            }
            sink.end_list()?;
            let second = sink.pause();
            sink.begin_list(None)?;
            for _ in 0..20 {
                sink.item()?;
                sink.text(if kept { "other" } else { value })?;
            }
            sink.end_list()?;
            assert_eq!(sink.is_repeated(first, second), !kept);
            sink.take_back(second);
            if !kept {
                sink.take_back(begin);
            }
            for _ in 0..3 {
                sink.resume();
            }
        }
        sink.end_growing()?;
        sink.close_splice();
        Ok(())
    });
    assert_eq!(written.unwrap(), [b"\x81\xa1b\xdc\0\x14", &b"\xa1b".repeat(20)[..]].concat());
}

#[test]
fn a_growing_record_stays_in_memory_or_is_patched() {
    let (record, text) = (record(), "x".repeat(100_000));
    let tell = |sink: &mut dyn Splice| -> Result<()> {
        sink.begin_list(None)?;
        for _ in 0..3 {
            sink.item()?;
            sink.open_splice("msgpack", b"\x81\xa1x\x05")?;
            let begin = sink.begin_growing(b"\x81\xa1x\x05")?;
            sink.piece(&b"\x81\xa1x\x05"[begin..]);
            sink.new_field(&record, 1, false)?;
            sink.text(&text)?;
            sink.commit()?;
            sink.end_growing()?;
            sink.close_splice();
            sink.commit()?;
        }
        sink.end_list()?;
        sink.finish()
    };
    let held = testing::told(&WriteOptions::default(), |sink| tell(sink)).unwrap();
    let file = RefCell::default();
    tell(&mut MsgpackSink::new(Output::new(Vec::new(), Patched(&file)), WriteOptions::default())).unwrap();
    let patched = file.take();
    assert!(held.starts_with(b"\x93\x82\xa1x\x05\xa1b\xdb"));
    assert_eq!(patched[..10], *b"\xdd\0\0\0\x03\xdf\0\0\0\x02");
    assert_eq!(read(&patched, "any").unwrap(), read(&held, "any").unwrap());
}

#[test]
fn a_rollback_ends_a_splice() {
    let sequence = WriteOptions { sequence: true, ..WriteOptions::default() };
    let written = testing::told(&sequence, |sink| {
        sink.begin_list(None)?;
        sink.commit()?;
        sink.item()?;
        sink.open_splice("msgpack", b"\x80")?;
        sink.begin_growing(b"\x80")?;
        sink.rollback()?;
        sink.item()?;
        assert!(sink.i64(1).is_err());
        sink.rollback()?;
        sink.end_list()
    });
    assert_eq!(written.unwrap(), b"");
}
