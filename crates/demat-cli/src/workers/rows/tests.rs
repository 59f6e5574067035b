//! Tests of tables' rows.

use super::{Head, begin, is_row};
use demat_formats::csv::Dialect;
use std::fs::{self, File};

#[test]
fn the_first_row_is_found() {
    let head = |text: &str| Head::within(text.as_bytes().to_vec(), &Dialect::default());
    let found = |bytes: &str, cells, end| Some(Head { bytes: bytes.as_bytes().to_vec(), cells, end });
    assert_eq!(head("a,b\r\n1,2\n"), found("a,b\r\n", 2, 5));
    assert_eq!(head("\n\n\"a\n\"\"b\",c\n1,2\n"), found("\n\n\"a\n\"\"b\",c\n", 2, 12));
    assert_eq!(head("\u{feff}a\n1"), found("\u{feff}a\n", 1, 5));
    for no_end in ["", "a,b", "\"a\n", "\"a\"x\n", "a\rb"] {
        assert_eq!(head(no_end), None, "{no_end:?}");
    }
    let bare = Dialect { header: false, ..Dialect::default() };
    assert_eq!(Head::within(b"1,2\n".to_vec(), &bare), Some(Head { bytes: Vec::new(), cells: 2, end: 4 }));
}

#[test]
fn a_row_is_told_from_the_inside_of_a_cell() {
    let dialect = Dialect::default();
    assert!(is_row(b"1,\"a,\nb\",3\n", 0, 3, &dialect));
    assert!(!is_row(b"1,\"a,\nb\",3\n", 0, 2, &dialect));
    assert!(!is_row(b"1,2", 0, 2, &dialect));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let text = "inside\nstill\"\n3,\"x\"\n";
    fs::write(&path, text).unwrap();
    let mut file = File::open(path).unwrap();
    assert_eq!(begin(&mut file, 0, text.len() as u64, 2, &dialect).unwrap(), 14);
    let none = Dialect { quote: None, ..dialect };
    assert_eq!(begin(&mut file, 0, text.len() as u64, 2, &none).unwrap(), 0);
}
