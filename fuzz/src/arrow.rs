use crate::shapes::choose;
use demat_arrow::{ArrowSource, Batches, Columns, ColumnsSink, IpcBatches, shape};
use demat_core::{Nothing, Result, Shape};
use demat_formats::json::{Json, JsonSource};
use demat_formats::stream::Window;

/// Bytes that may be Arrow's are read or refused: never a panic, and no value that can't be asked for.
pub fn arrow_ipc(bytes: &[u8]) {
    let Ok(batches) = IpcBatches::new(bytes) else { return };
    let Ok(own) = shape(batches.schema()) else { return };
    let mut read = Vec::new();
    for batch in batches {
        let Ok(batch) = batch else { break };
        read.push(batch);
    }
    for shape in [&own, &Shape::Any] {
        let _ = demat_core::copy(&mut ArrowSource::new(read.iter().cloned().map(Ok)), shape, &mut Nothing);
    }
}

/// Columns are the same through windows of every size, asked for and told.
pub fn json_columns(bytes: &[u8]) {
    let (own, text) = choose(bytes);
    let mut sink = ColumnsSink::new(Vec::new());
    let told = demat_core::copy(&mut JsonSource::new(text), &own, &mut sink);
    let Ok(columns) = Columns::new(&own) else { return };
    let through = |size| -> Result<Vec<_>> {
        let window = Window::with_size(text, size);
        Batches::new(window, Json::default(), Columns::new(columns.shape())?).collect()
    };
    let whole = through(1 << 20);
    for size in [1, 2, 7, 64] {
        match (&whole, through(size)) {
            (Ok(whole), Ok(other)) => assert_eq!(whole, &other, "{size}"),
            (Err(whole), Err(other)) => assert_eq!(whole.to_string(), other.to_string(), "{size}"),
            (whole, other) => panic!("{size}: {whole:?} and {other:?}"),
        }
    }
    if let (Ok(whole), Ok(())) = (whole, told) {
        assert_eq!(sink.into_drain(), whole);
    }
}
