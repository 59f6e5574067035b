use super::of;
use crate::columnar::arrow::{FIRST, form};
use crate::columnar::file_name;
use crate::{Format, Place, WriteOptions};
use demat_arrow::{ColumnsSink, IpcBatches, IpcForm};
use demat_core::Shape;
use demat_formats::To;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// A writer that shows what was written so far.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<u8>>>);

impl Write for Seen {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns the sizes of the batches for a number of rows.
fn batches(name: Option<&str>, rows: usize) -> Vec<usize> {
    let seen = Seen::default();
    let mut sink = of(Format::ARROW, &WriteOptions::of(Format::ARROW), To(seen.clone()), name).unwrap();
    let shape: Shape = "[{a: int64, b: text}]".parse().unwrap();
    sink.begin(&shape).unwrap();
    sink.begin_list(None).unwrap();
    for (row, number) in (0..rows).zip(0i64..) {
        sink.item().unwrap();
        sink.begin_map(None).unwrap();
        sink.key("a").unwrap();
        sink.i64(number).unwrap();
        sink.key("b").unwrap();
        sink.text("some text").unwrap();
        sink.end_map().unwrap();
        sink.commit().unwrap();
        if row == 2 * FIRST {
            // A stream has passed on its first rows already.
            assert_eq!(seen.0.lock().unwrap().len() > FIRST * 16, name.is_none());
        }
    }
    sink.end_list().unwrap();
    sink.finish().unwrap();
    drop(sink);
    let bytes = seen.0.lock().unwrap().clone();
    let batches = IpcBatches::new(&bytes[..]).unwrap();
    batches.map(|batch| batch.unwrap().num_rows()).collect()
}

#[test]
fn a_stream_begins_with_few_rows_and_a_file_has_many_in_each_batch() {
    let usual = ColumnsSink::<Vec<_>>::ROWS;
    assert_eq!(usual, 64 * FIRST);
    let grown: usize = (0..6).map(|times| FIRST << times).sum();
    let streamed = batches(None, grown + 2 * usual + 7);
    assert_eq!(streamed, [1024, 2048, 4096, 8192, 16384, 32768, usual, usual, 7]);
    assert_eq!(batches(Some("a.arrow"), usual + 7), [usual, 7]);
    assert_eq!(batches(None, 3), [3]);
    let form = |name: &str| form(file_name(&Place::File(PathBuf::from(name))).as_deref());
    assert_eq!(
        (form("a.arrow"), form("a.arrows"), form("a.arrows.zst")),
        (IpcForm::File, IpcForm::Stream, IpcForm::Stream)
    );
}
