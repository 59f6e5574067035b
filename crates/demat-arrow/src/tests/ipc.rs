use super::round::json_of;
use crate::{Columns, ColumnsSink, IpcBatches, IpcDrain, IpcForm, shape};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use demat_core::{ErrorKind, Result, Shape, Source};
use demat_formats::json::JsonSource;

pub(super) const SHAPE: &str = "a:int64?, b:[{c:text, d:map(text, int8)?}], e:{f:(int8, int8)?, g:any}, h:date?, i:enum(x, y)?, \
    j:union(p:int, q), k:decimal, l:float32, m:bytes, n:uint64, o:int100, p:instant, q:duration, r:uuid, s:time, t:uint5, u:null";
pub(super) const JSON: &str = r#"[{"a":null,"b":[{"c":"x","d":{"k":1,"l":2}},{"c":"","d":null}],"e":{"f":[1,2],"g":{"deep":[1,{"x":null}]}},"h":"2020-02-29","i":"y","j":{"p":7},"k":1.50,"l":0.5,"m":"AAEC","n":18446744073709551615,"o":-12345678901234567890123,"p":"2020-01-01T00:00:00Z","q":"PT1S","r":"00112233-4455-6677-8899-aabbccddeeff","s":"01:02:03","t":31,"u":null},{"a":1,"b":[],"e":{"f":null,"g":"z"},"h":null,"i":null,"j":"q","k":0,"l":-5.0,"m":"","n":1,"o":1,"p":"0001-01-01T00:00:00Z","q":"-P1D","r":"00000000-0000-0000-0000-000000000000","s":"23:59:59.999999","t":0,"u":null}]"#;

fn written(form: IpcForm) -> Vec<u8> {
    let own = SHAPE.parse::<Shape>().unwrap().list();
    let mut sink = ColumnsSink::new(IpcDrain::new(Vec::new(), form)).with_batches(1, usize::MAX);
    let mut window = demat_formats::stream::Window::new(JSON.as_bytes());
    let mut json = demat_formats::json::Json::default();
    demat_formats::stream::copy(&mut window, &mut json, &own, &mut sink, &mut demat_formats::stream::Stop).unwrap();
    sink.into_drain().into_writer().unwrap()
}

fn read(bytes: &[u8]) -> Result<String> {
    let batches = IpcBatches::new(bytes)?;
    let own = shape(batches.schema())?;
    json_of(batches.collect::<Result<_>>()?, &own)
}

#[test]
fn both_forms_come_back_with_their_shape() {
    for form in [IpcForm::File, IpcForm::Stream] {
        let bytes = written(form);
        let batches = IpcBatches::new(&bytes[..]).unwrap();
        assert_eq!(shape(batches.schema()).unwrap(), SHAPE.parse::<Shape>().unwrap().list());
        assert_eq!(batches.count(), 2);
        assert_eq!(read(&bytes).unwrap(), JSON);
    }
}

#[test]
fn no_rows_have_a_schema() {
    let mut sink = ColumnsSink::new(IpcDrain::new(Vec::new(), IpcForm::File));
    demat_core::copy(&mut JsonSource::new(b"[]"), &"[{a:int}]".parse().unwrap(), &mut sink).unwrap();
    assert_eq!(read(&sink.into_drain().into_writer().unwrap()).unwrap(), "[]");
}

#[test]
fn a_file_that_is_cut_is_refused_at_every_byte() {
    let bytes = written(IpcForm::File);
    for cut in (0..bytes.len()).step_by(61) {
        assert!(read(&bytes[..cut]).is_err(), "{cut} of {}", bytes.len());
    }
}

#[test]
fn other_bytes_are_refused() {
    for bytes in [&b""[..], b"FEA1....", b"[{\"a\":1}]", b"PAR1\0\0\0\0\0", b"ARROW1\0\0"] {
        let error = IpcBatches::new(bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{error}");
    }
}

#[test]
fn damaged_bytes_are_errors_and_no_panics() {
    let good = written(IpcForm::Stream);
    for at in (0..good.len()).step_by(7) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        // It may be another valid stream, usually with other numbers.
        let _ = read(&bad);
    }
}

/// Returns a stream of one column with compressed buffers.
fn packed(codec: CompressionType) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(Some(codec)).unwrap();
    let mut columns = Columns::new(&"a:int64".parse().unwrap()).unwrap();
    let text = format!("[{}]", vec![r#"{"a":7}"#; 1000].join(","));
    let mut source = JsonSource::new(text.as_bytes());
    source.list().unwrap();
    columns.records(&mut source, usize::MAX).unwrap();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), columns.schema(), options).unwrap();
    writer.write(&columns.finish().unwrap()).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn packed_columns_that_claim_to_be_huge_are_refused() {
    for codec in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        let good = packed(codec);
        assert!(read(&good).unwrap().starts_with(r#"[{"a":7},{"a":7}"#));
        let size = 8000_i64.to_le_bytes();
        let at = good.windows(8).position(|window| window == size).unwrap();
        for claimed in [1_i64 << 40, i64::MAX, 1 << 33] {
            let mut bad = good.clone();
            bad[at..at + 8].copy_from_slice(&claimed.to_le_bytes());
            assert_eq!(read(&bad).unwrap_err().kind(), ErrorKind::Syntax);
        }
    }
}
