use super::{OnError, Records, Window};
use crate::json::Json;
use crate::ndjson::Ndjson;
use demat_core::{Error, Result};
use std::io::Read;

/// A reader that returns one byte at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
        buffer[0] = *first;
        self.0 = rest;
        Ok(1)
    }
}

fn json(text: &str, size: usize) -> Result<Vec<Vec<i64>>> {
    Records::new(Window::with_size(Trickle(text.as_bytes()), size), Json::default()).collect()
}

#[test]
fn records_come_through_windows_of_any_size() {
    let text =
        format!("\u{feff} [{}] \n", (0..200).map(|i| format!("[{i}, {}]", i * 7)).collect::<Vec<_>>().join(" , "));
    for size in [1, 2, 3, 7, 64, 100_000] {
        let records = json(&text, size).unwrap();
        assert_eq!(records.len(), 200);
        assert_eq!(records[199], [199, 1393]);
    }
}

#[test]
fn what_was_good_before_a_bad_record_is_given_first() {
    let window = Window::new(&b"[1]\n[2]\n[x]\n[4]\n"[..]);
    let mut records = Records::<_, _, Vec<i64>>::new(window, Ndjson::default());
    assert_eq!(records.next().unwrap().unwrap(), [1]);
    assert_eq!(records.next().unwrap().unwrap(), [2]);
    let error = records.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "expected a value, found `x` at `$[2][0]` (record 3, line 3, column 2)");
    assert!(records.next().is_none());
}

#[test]
fn what_follows_the_list_is_refused_and_what_is_cut_is() {
    for size in [1, 100] {
        assert_eq!(json("[] x", size).unwrap_err().to_string(), "expected end of input, found `x` (line 1, column 4)");
        let error = json("[[1], [2", size).unwrap_err();
        assert_eq!(error.reason(), "expected `,` or `]`, found end of input");
        assert_eq!(json("{}", size).unwrap_err().reason(), "expected `list`, found `record`");
        assert_eq!(json("", size).unwrap_err().reason(), "expected a value, found end of input");
    }
}

/// Keeps what is refused.
#[derive(Default)]
struct Kept(Vec<(String, Vec<u8>)>);

impl OnError for &mut Kept {
    fn goes_on(&mut self, _: &Error) -> bool {
        true
    }

    fn reject(&mut self, error: Error, bytes: &[u8]) -> Result<()> {
        self.0.push((error.path(), bytes.to_vec()));
        Ok(())
    }
}

#[test]
fn refused_records_are_left_out_whatever_the_window() {
    for size in [1, 3, 1000] {
        let mut kept = Kept::default();
        let lines = b"[1]\n[2, \"x\"]\nnonsense\n[3, 4]\n{}\n";
        let window = Window::with_size(Trickle(lines), size);
        let records = Records::<_, _, Vec<i64>>::new(window, Ndjson::default()).or_else(&mut kept);
        assert_eq!(records.collect::<Result<Vec<_>>>().unwrap(), [vec![1], vec![3, 4]]);
        let refused = kept.0.iter().map(|(path, data)| (path.as_str(), data.trim_ascii_end()));
        let expected: [(&str, &[u8]); 3] = [("$[1][1]", b"[2, \"x\"]"), ("$[2]", b"nonsense"), ("$[4]", b"{}")];
        assert_eq!(refused.collect::<Vec<_>>(), expected);

        let mut kept = Kept::default();
        let window = Window::with_size(Trickle(b"[[1], [2, \"x\"], {\"a\": [[]]}, [3]]"), size);
        let records = Records::<_, _, Vec<i64>>::new(window, Json::default()).or_else(&mut kept);
        assert_eq!(records.collect::<Result<Vec<_>>>().unwrap(), [vec![1], vec![3]]);
        assert_eq!(kept.0.len(), 2);
        assert_eq!(kept.0[1].1, b"{\"a\": [[]]}");
    }
}

#[test]
fn a_record_without_an_end_ends_the_iteration() {
    let mut kept = Kept::default();
    let window = Window::new(&b"[[1], [\"x\"], [2"[..]);
    let mut records = Records::<_, _, Vec<i64>>::new(window, Json::default()).or_else(&mut kept);
    assert_eq!(records.next().unwrap().unwrap(), [1]);
    assert!(records.next().unwrap().is_err());
    assert!(records.next().is_none());
    assert_eq!(kept.0.len(), 1);
}

#[test]
fn what_takes_a_refused_record_may_end_the_iteration() {
    struct Ends;
    impl OnError for Ends {
        fn goes_on(&mut self, _: &Error) -> bool {
            true
        }
        fn reject(&mut self, error: Error, _: &[u8]) -> Result<()> {
            Err(error)
        }
    }
    let window = Window::new(&b"1\n\"x\"\n2\n"[..]);
    let mut records = Records::<_, _, i64>::new(window, Ndjson::default()).or_else(Ends);
    assert_eq!(records.next().unwrap().unwrap(), 1);
    assert_eq!(records.next().unwrap().unwrap_err().path(), "$[1]");
    assert!(records.next().is_none());
}
