//! Drains that show what leaves the memory, and checks with them.

use super::{Tested, read};
use crate::{Drain, Output, To};
use demat_core::{Result, Shape, Sink, Value};
use std::cell::RefCell;

/// A file that a test can look at while it is written.
pub(crate) struct Watched<'f>(pub(crate) &'f RefCell<Vec<u8>>);

impl Drain for Watched<'_> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.0.borrow_mut().append(buffer);
        Ok(())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A file whose bytes can be overwritten.
pub(crate) struct Patched<'f>(pub(crate) &'f RefCell<Vec<u8>>);

impl Drain for Patched<'_> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        Watched(self.0).drain(buffer)
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
    fn can_patch(&self) -> bool {
        true
    }
    fn patch(&mut self, back: u64, bytes: &[u8]) -> Result<()> {
        let mut file = self.0.borrow_mut();
        let at = file.len() - usize::try_from(back).unwrap();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }
}

/// Writes a list of 100 records with a text of 5000 bytes each. Returns how many bytes were drained before its end.
pub(crate) fn drained_early<T: Tested>(tested: &T, shape: &Shape, len: Option<usize>) -> usize {
    let file = RefCell::default();
    let mut sink = tested.sink(Output::new(Vec::new(), Watched(&file)));
    sink.begin(shape).unwrap();
    sink.begin_list(len).unwrap();
    for _ in 0..100 {
        sink.item().unwrap();
        sink.begin_map(None).unwrap();
        sink.key("text").unwrap();
        sink.text(&"x".repeat(5000)).unwrap();
        sink.end_map().unwrap();
        sink.commit().unwrap();
    }
    let drained = file.borrow().len();
    sink.end_list().unwrap();
    sink.finish().unwrap();
    drop(sink);
    let Value::List(items) = read(tested.reader(), &file.borrow(), shape).unwrap() else { panic!("no list") };
    assert_eq!(items.len(), 100);
    drained
}

/// Checks that a list which announced three items and drained that count can't end after one.
pub(crate) fn refuses_a_wrong_count<T: Tested>(tested: &T) {
    let mut file = Vec::new();
    let mut sink = tested.sink(Output::new(Vec::new(), To(&mut file)));
    sink.begin_list(Some(3)).unwrap();
    sink.item().unwrap();
    sink.bytes(&vec![0; 100_000]).unwrap();
    sink.commit().unwrap();
    let error = sink.end_list().unwrap_err();
    assert!(error.to_string().starts_with("3 items were announced and written so, but 1 came"), "{error}");
}
