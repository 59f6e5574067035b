use demat_core::{Nothing, Record, Shape, Source, copy};
use demat_formats::json::JsonSource;
use demat_postgres::{Column, ColumnType, CopyRows, RowColumn, RowSource, RowWriter, Table, TableSink, record_of};
use std::sync::Arc;

/// A stream of binary COPY, of any bytes: it is read or refused, and what is read as JSON is written and read again as the
/// same JSON.
pub fn postgres_copy(bytes: &[u8]) {
    let Ok(json) = json_of(bytes) else { return };
    let columns: Vec<_> = columns()
        .into_iter()
        .map(|RowColumn { name, own }| Column {
            name,
            own,
            dimensions: 1,
            not_null: false,
            default: None,
            identity: false,
            generated: false,
        })
        .collect();
    let (name, quoted) = ("t".to_string(), "t".to_string());
    let table = Table { name, quoted, columns, key: Vec::new(), unique: Vec::new(), view: false };
    let mut sink = TableSink::new(Arc::new(table), Kept(HEADER.to_vec()));
    // Floats that are not finite, and arrays of more dimensions than one, are no JSON of this shape.
    if copy(&mut JsonSource::new(&json), &shape(), &mut sink).is_err() {
        return;
    }
    let mut written = sink.into_writer().0;
    written.extend_from_slice(&[0xFF, 0xFF]);
    assert_eq!(json_of(&written).expect("what was written is read"), json);
}

const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// A column of most kinds.
fn columns() -> Vec<RowColumn> {
    let array = ColumnType::built_in(23).map(|item| item.array(1_007));
    let types = [17, 20, 25, 701, 869, 1_082, 1_184, 1_186, 1_700, 2_950, 3_802].map(ColumnType::built_in);
    let own = types.into_iter().chain([array]).flatten();
    own.enumerate().map(|(index, own)| RowColumn { name: format!("c{index}"), own }).collect()
}

fn shape() -> Shape {
    Shape::record(record_of(&columns()).unwrap_or_else(|_| Record::fixed("", &[], &[], demat_core::Unknown::Ignore)))
        .list()
}

fn json_of(bytes: &[u8]) -> demat_core::Result<Vec<u8>> {
    let mut source = RowSource::new(CopyRows::new(bytes, columns()));
    // All that is skipped is refused as well where it is read.
    let mut skipped = RowSource::new(CopyRows::new(bytes, columns()));
    let well_formed = skipped.list().and_then(|_| {
        while skipped.item()? {
            skipped.skip()?;
        }
        skipped.end()
    });
    let mut sink = demat_formats::json::JsonSink::new(
        demat_formats::Output::new(Vec::new(), demat_formats::Keep),
        demat_formats::json::WriteOptions::default(),
    );
    let read = copy(&mut source, &shape(), &mut sink);
    assert!(read.is_err() || well_formed.is_ok());
    let _ = copy(&mut RowSource::new(CopyRows::new(bytes, columns())), &Shape::Any, &mut Nothing);
    read.map(|()| sink.into_output().into_parts().0)
}

struct Kept(Vec<u8>);

impl RowWriter for Kept {
    fn write(&mut self, _: &Arc<[usize]>, rows: &[u8], _: u64) -> demat_core::Result<()> {
        self.0.extend_from_slice(rows);
        Ok(())
    }

    fn finish(&mut self) -> demat_core::Result<()> {
        Ok(())
    }
}
