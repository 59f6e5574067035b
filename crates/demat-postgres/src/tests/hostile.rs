//! Streams that break the format.

use super::{Kept, as_json, column};
use crate::column_type::{ColumnType, TypeClass};
use crate::rows::{RowColumn, Rows};
use crate::table::{Column, Table};
use crate::{CopyRows, Pieces, RowSource, TableSink, record_of};
use demat_core::{Error, Result, Shape, copy};
use demat_formats::json::JsonSource;
use proptest::prelude::*;
use std::sync::Arc;

const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// The columns of all built-in types, and two arrays.
fn columns() -> Vec<RowColumn> {
    let oids = [
        16, 17, 20, 21, 23, 25, 26, 114, 650, 700, 701, 829, 869, 1_082, 1_083, 1_114, 1_184, 1_186, 1_700, 2_950,
        3_802,
    ];
    let mut columns: Vec<_> = oids.iter().map(|oid| column(&format!("c{oid}"), *oid)).collect();
    for item in [23, 3_802] {
        let class = TypeClass::Array(Arc::new(column("item", item).own));
        columns.push(RowColumn { name: format!("a{item}"), own: ColumnType { oid: 1, name: "array".into(), class } });
    }
    columns
}

fn read(bytes: &[u8], columns: Vec<RowColumn>) -> Result<String> {
    let shape = Shape::record(record_of(&columns)?).list();
    as_json(&mut RowSource::new(CopyRows::new(bytes, columns)), &shape)
}

fn stream(parts: &[&[u8]]) -> Vec<u8> {
    [&[HEADER], parts].concat().concat()
}

#[test]
fn lengths_that_lie_are_refused() {
    let int = || vec![column("a", 23)];
    let one: &[u8] = &[0, 1, 0, 0, 0, 4, 0, 0, 0, 7];
    let end: &[u8] = &[0xFF, 0xFF];
    assert_eq!(read(&stream(&[one, end]), int()).unwrap(), r#"[{"a":7}]"#);
    for (parts, expected) in [
        (&[one][..], "within row 2"),
        (&[&one[..7]], "within row 1"),
        (&[&[0, 1, 0x7F, 0xFF, 0xFF, 0xFF]], "2147483647 bytes"),
        (&[&[0, 1, 0x3F, 0xFF, 0xFF, 0xFF, 1]], "within row 1"),
        (&[&[0, 1, 0xFF, 0xFF, 0xFF, 0xFE]], "-2 bytes"),
        (&[&[0, 2]], "2 values"),
        (&[&[0x80, 0]], "-32768 values"),
        (&[&[0, 1, 0, 0, 0, 3, 1, 2, 3], end], "no value of its type"),
        (&[&[0, 1, 0, 0, 0, 5, 1, 2, 3, 4, 5], end], "no value of its type"),
        (&[one, end, one], "follow"),
    ] {
        let error = read(&stream(parts), int()).unwrap_err().to_string();
        assert!(error.contains(expected), "{parts:?}: {error}");
    }
    for (bytes, expected) in [
        (&b""[..], "end within"),
        (b"PGCOPY\n\xff\r\n\0\0\0\x01\0\0\0\0", "end within"),
        (b"PGCOPX\n\xff\r\n\0\0\0\0\0\0\0\0\0\xff\xff", "not in the binary format"),
        (b"PGCOPY\n\xff\r\n\0\0\x01\0\0\0\0\0\0\xff\xff", "does not know"),
        (b"PGCOPY\n\xff\r\n\0\0\0\0\0\xff\xff\xff\xff\xff\xff", "too long"),
    ] {
        let error = read(bytes, int()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn arrays_that_lie_are_refused() {
    let array = |cell: &[u8]| {
        let len = (cell.len() as u32).to_be_bytes();
        let mut row = vec![0, 1];
        row.extend_from_slice(&len);
        row.extend_from_slice(cell);
        row.extend_from_slice(&[0xFF, 0xFF]);
        let class = TypeClass::Array(Arc::new(column("item", 23).own));
        read(
            &stream(&[&row]),
            vec![RowColumn { name: "a".into(), own: ColumnType { oid: 1, name: "a".into(), class } }],
        )
    };
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>();
    assert_eq!(array(&words(&[1, 0, 23, 1, 1, 4, 7])).unwrap(), r#"[{"a":[7]}]"#);
    for cell in [
        words(&[]),
        words(&[7, 0, 23]),
        words(&[1, 0, 25, 1, 1, 4, 7]),
        words(&[1, 0, 23, 2, 1, 4, 7]),
        words(&[1, 0, 23, u32::MAX, 1, 4, 7]),
        words(&[2, 0, 23, u32::MAX, 1, u32::MAX, 1]),
        words(&[2, 0, 23, 0, 1, u32::MAX, 1, 4, 7]),
        words(&[1, 0, 23, 1, 1, 8, 7]),
        words(&[1, 0, 23, 1, 1, 0x7FFF_FFFF, 7]),
        words(&[1, 0, 23, 1, 1, 4, 7, 7]),
        words(&[0, 0, 23, 1]),
    ] {
        assert!(array(&cell).is_err(), "{cell:?}");
    }
}

/// Gives bytes a few at a time.
struct Slow<'b>(&'b [u8], usize);

impl Pieces for Slow<'_> {
    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool> {
        let len = self.1.min(self.0.len());
        into.extend_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len > 0)
    }
}

proptest! {
    #[test]
    fn no_stream_does_harm(
        rows in proptest::collection::vec(
            proptest::collection::vec(proptest::option::of(proptest::collection::vec(any::<u8>(), 0..20)), 23), 0..4),
        change in proptest::option::of((any::<prop::sample::Index>(), any::<u8>())),
        piece in 1..40_usize,
    ) {
        let mut bytes = HEADER.to_vec();
        for row in &rows {
            bytes.extend_from_slice(&(row.len() as u16).to_be_bytes());
            for cell in row {
                let len = cell.as_ref().map_or(-1, |cell| i32::try_from(cell.len()).unwrap());
                bytes.extend_from_slice(&len.to_be_bytes());
                bytes.extend_from_slice(cell.as_deref().unwrap_or_default());
            }
        }
        bytes.extend_from_slice(&[0xFF, 0xFF]);
        if let Some((at, byte)) = change {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let whole = read(&bytes, columns()).map_err(|error: Error| error.to_string());
        let shape = Shape::record(record_of(&columns()).unwrap()).list();
        let mut source = RowSource::new(CopyRows::new(Slow(&bytes, piece), columns()));
        let slow = as_json(&mut source, &shape).map_err(|error| error.to_string());
        prop_assert_eq!(whole, slow);
        // Cells as they are, whatever they hold.
        let mut plain = CopyRows::new(&*bytes, columns());
        while let Ok(true) = plain.step() {}
    }

    /// What the sink writes, the source reads.
    #[test]
    fn rows_come_back(values in proptest::collection::vec(
        (any::<i64>(), proptest::option::of(any::<bool>()), ".{0,8}", proptest::collection::vec(proptest::option::of(any::<i32>()), 0..5)), 0..9,
    ), piece in 1..50_usize) {
        let item = column("item", 23).own;
        let types = [
            ("a", column("a", 20).own),
            ("b", column("b", 16).own),
            ("c", column("c", 3_802).own),
            ("d", ColumnType { oid: 1_007, name: "integer[]".into(), class: TypeClass::Array(Arc::new(item)) }),
        ];
        let columns = types.iter().map(|(name, own)| Column {
            name: (*name).to_string(), own: own.clone(), dimensions: 0, not_null: false, default: None, identity: false, generated: false,
        }).collect();
        let table = Table {
            name: "t".into(), quoted: "t".into(), columns, key: Vec::new(), unique: Vec::new(), view: false,
        };
        let rows: Vec<_> = values.iter().map(|(a, b, c, d)| {
            let d: Vec<_> = d.iter().map(|d| d.map_or("null".to_string(), |d| d.to_string())).collect();
            let c = String::from_utf8(demat_formats::json::encode(&c.as_str()).unwrap()).unwrap();
            let b = b.map_or("null", |b| if b { "true" } else { "false" });
            format!("{{\"a\":{a},\"b\":{b},\"c\":{{\"x\":[{c}]}},\"d\":[{}]}}", d.join(","))
        }).collect();
        let whole = format!("[{}]", rows.join(","));
        let shape: Shape = "[{a: int64, b: bool?, c: any, d: [int32?]}]".parse().unwrap();
        let mut sink = TableSink::new(Arc::new(table), Kept::default());
        copy(&mut JsonSource::new(whole.as_bytes()), &shape, &mut sink).unwrap();
        let kept = sink.into_writer();
        prop_assert_eq!(kept.count, values.len() as u64);
        let bytes = stream(&[&kept.rows, &[0xFF, 0xFF]]);
        let columns = types.iter().map(|(name, own)| RowColumn { name: (*name).to_string(), own: own.clone() }).collect();
        let mut source = RowSource::new(CopyRows::new(Slow(&bytes, piece), columns));
        prop_assert_eq!(as_json(&mut source, &shape).unwrap(), whole);
    }
}

#[test]
fn a_server_that_speaks_nonsense_is_an_error() {
    use crate::{Address, Connection};
    use std::io::{Read, Write};
    for answer in [
        &b""[..],
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"R\x7f\xff\xff\xff\0\0\0\0",
        b"R\0\0\0\x02",
        b"R\xff\xff\xff\xff\0\0\0\0",
        b"R\0\0\0\x08\0\0\0\x63",
        b"R\0\0\0\x08\0\0\0\0E\0\0\0\x04",
        b"R\0\0\0\x08\0\0\0\0S\0\0\0\x06ab",
        b"R\0\0\0\x08\0\0\0\0K\0\0\0\x05a",
    ] {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let answering = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1_024]).unwrap();
            let _ = stream.write_all(answer);
        });
        let url = format!("postgresql://a@127.0.0.1:{port}/x?sslmode=disable");
        let error = Connection::open(&Address::parse(&url).unwrap()).unwrap_err();
        assert_eq!(error.kind(), demat_core::ErrorKind::Io, "{error}");
        answering.join().unwrap();
    }
}
