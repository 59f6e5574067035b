use super::round::json_of;
use crate::{ColumnsSink, ParquetBatches, ParquetDrain, shape};
use demat_core::{ErrorKind, Result, Shape};
use demat_formats::json::JsonSource;
use std::io::{Seek, Write};

const SHAPE: &str = "a:int64?, b:[{c:text, d:map(text, int8)?}], e:{f:(int8, int8)?, g:any}, h:date?, i:enum(x, y)?, \
    j:union(p:int, q), k:decimal, l:float32, m:bytes, n:uint64, o:int100, p:instant, q:duration, r:uuid, s:time, t:uint5, u:null";
const JSON: &str = r#"[{"a":null,"b":[{"c":"x","d":{"k":1,"l":2}},{"c":"","d":null}],"e":{"f":[1,2],"g":{"deep":[1,{"x":null}]}},"h":"2020-02-29","i":"y","j":{"p":7},"k":1.50,"l":0.5,"m":"AAEC","n":18446744073709551615,"o":-12345678901234567890123,"p":"2020-01-01T00:00:00Z","q":"PT1S","r":"00112233-4455-6677-8899-aabbccddeeff","s":"01:02:03","t":31,"u":null},{"a":1,"b":[],"e":{"f":null,"g":"z"},"h":null,"i":null,"j":"q","k":0,"l":-5.0,"m":"","n":1,"o":1,"p":"0001-01-01T00:00:00Z","q":"-P1D","r":"00000000-0000-0000-0000-000000000000","s":"23:59:59.999999","t":0,"u":null}]"#;

fn written(own: &str, json: &str) -> Result<Vec<u8>> {
    let own = own.parse::<Shape>().unwrap().list();
    let mut sink = ColumnsSink::new(ParquetDrain::new(Vec::new()));
    demat_core::copy(&mut JsonSource::new(json.as_bytes()), &own, &mut sink)?;
    sink.into_drain().into_writer()
}

fn open(bytes: &[u8]) -> Result<ParquetBatches> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    ParquetBatches::new(file)
}

fn read(bytes: &[u8]) -> Result<String> {
    let batches = open(bytes)?;
    let own = shape(batches.schema())?;
    json_of(batches.collect::<Result<_>>()?, &own)
}

#[test]
fn it_comes_back_with_its_shape() {
    let bytes = written(SHAPE, JSON).unwrap();
    let batches = open(&bytes).unwrap();
    assert_eq!((batches.rows(), shape(batches.schema()).unwrap()), (2, SHAPE.parse::<Shape>().unwrap().list()));
    assert_eq!(read(&bytes).unwrap(), JSON);
    assert_eq!(read(&written("a:int", "[]").unwrap()).unwrap(), "[]");
}

#[test]
fn what_it_has_no_form_for_is_refused() {
    let error = written("a:{}", r#"[{"a":{}}]"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Encode, "{error}");
}

#[test]
fn damaged_files_are_refused() {
    let good = written(SHAPE, JSON).unwrap();
    for cut in (0..good.len()).step_by(37) {
        assert_eq!(read(&good[..cut]).unwrap_err().kind(), ErrorKind::Syntax, "{cut}");
    }
    for at in (0..good.len()).step_by(5) {
        let mut bad = good.clone();
        bad[at] ^= 0x55;
        let _ = read(&bad);
    }
    assert_eq!(read(b"PAR1 and no more").unwrap_err().kind(), ErrorKind::Syntax);
}
