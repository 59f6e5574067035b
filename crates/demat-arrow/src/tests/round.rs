//! Round trips from JSON to columns and back.

use super::columns;
use crate::{ArrowSource, ColumnsSink, shape};
use arrow_array::RecordBatch;
use demat_core::{Decode, Result, Shape, Value};
use demat_formats::json::{JsonSink, JsonSource, WriteOptions};
use demat_formats::{Keep, Output};

/// Returns the rows as JSON, by their shape.
pub(crate) fn json_of(batches: Vec<RecordBatch>, shape: &Shape) -> Result<String> {
    let mut source = ArrowSource::new(batches.into_iter().map(Ok));
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    demat_core::copy(&mut source, shape, &mut sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

/// Checks the round trip: with the shape, with the schema's shape, without one, and through a sink.
fn round(own: &str, json: &str) {
    let batch = columns(own, json).unwrap_or_else(|error| panic!("{own}: {error}"));
    let own = own.parse::<Shape>().unwrap().list();
    let read = shape(batch.schema_ref()).unwrap();
    assert_eq!(read, own);
    assert_eq!(json_of(vec![batch.clone()], &own).unwrap(), json);
    assert_eq!(json_of(vec![batch.clone()], &Shape::Any).unwrap(), json);
    let (first, second) =
        (batch.slice(0, batch.num_rows() / 2), batch.slice(batch.num_rows() / 2, batch.num_rows().div_ceil(2)));
    assert_eq!(json_of(vec![first.clone(), batch.slice(0, 0), second.clone()], &own).unwrap(), json);
    let mut sink = ColumnsSink::new(Vec::new());
    demat_core::copy(&mut ArrowSource::new([Ok(first), Ok(second)]), &own, &mut sink).unwrap();
    assert_eq!(sink.into_drain(), std::slice::from_ref(&batch));
    let value = Value::decode(&mut ArrowSource::new([Ok(batch)])).unwrap();
    let Value::List(rows) = value else { panic!("the rows are a list") };
    assert_eq!(rows.len(), 2);
}

#[test]
fn scalars_come_back() {
    round(
        "a:bool, b:int8, c:uint64, d:int100, e:float, f:float32, g:text, h:decimal, i:date, j:time, k:instant, k2:datetime, l:duration, \
         m:uuid, n:bytes, o:enum(p, q)",
        r#"[{"a":true,"b":-128,"c":18446744073709551615,"d":-123456789012345678901234567890,"e":0.1,"f":0.5,"g":"é\n","h":1.50,"i":"0001-01-01","j":"23:59:59.999999","k":"9999-12-31T23:59:59.999999Z","k2":"9999-12-31T23:59:59.999999","l":"-PT0.5S","m":"00112233-4455-6677-8899-aabbccddeeff","n":"AAEC","o":"q"},{"a":false,"b":127,"c":0,"d":0,"e":-1e+300,"f":0.25,"g":"","h":-1e5,"i":"9999-12-31","j":"00:00:00","k":"0001-01-01T00:00:00Z","k2":"0001-01-01T00:00:00","l":"P1D","m":"ffffffff-ffff-ffff-ffff-ffffffffffff","n":"","o":"p"}]"#,
    );
}

#[test]
fn nulls_come_back() {
    round(
        "a:bool?, b:int8?, e:float?, g:text?, h:decimal?, i:date?, k:instant?, m:uuid?, n:bytes?, o:enum(p, q)?, r:[int]?, s:{t:int}?, u:(int, int)?, v:map(text, int)?, w:any",
        r#"[{"a":null,"b":null,"e":null,"g":null,"h":null,"i":null,"k":null,"m":null,"n":null,"o":null,"r":null,"s":null,"u":null,"v":null,"w":null},{"a":true,"b":1,"e":1.0,"g":"x","h":5,"i":"2000-01-01","k":"2000-01-01T00:00:00Z","m":"ffffffff-ffff-ffff-ffff-ffffffffffff","n":"AA==","o":"p","r":[],"s":{"t":1},"u":[1,2],"v":{},"w":1}]"#,
    );
}

#[test]
fn containers_come_back() {
    round(
        "a:[[int?]], b:[{x:[text], y:{z:int?}?}?], c:map(text, [map(text, int)]), d:(float32, float32), e:(int, text, any), f:any",
        r#"[{"a":[[1,null],[]],"b":[{"x":["p"],"y":{"z":null}},null,{"x":[],"y":null}],"c":{"k":[{"l":1,"m":2},{}],"o":[]},"d":[1.0,2.0],"e":[1,"x",{"y":[null]}],"f":{"deep":[1,{"er":"\u0001"}]}},{"a":[],"b":[],"c":{},"d":[0.5,-0.5],"e":[2,"",false],"f":[]}]"#,
    );
}

#[test]
fn recursion_and_unions_come_back() {
    round(
        "Node{v:int, u:union[kind](a:{x:int}, b), w:union(p:int, q), next:Node?}",
        r#"[{"v":1,"u":{"kind":"a","x":1},"w":{"p":2},"next":{"v":2,"u":{"kind":"b"},"w":"q","next":null}},{"v":3,"u":{"kind":"b"},"w":"q","next":null}]"#,
    );
}

#[test]
fn maps_from_numbers_come_back_by_their_shape() {
    let (own, json) = ("a:map(int, text), b:map(date, int8?)", r#"[{"a":{"1":"x","-2":"y"},"b":{"2020-01-01":null}}]"#);
    let batch = columns(own, json).unwrap();
    assert_eq!(json_of(vec![batch], &own.parse::<Shape>().unwrap().list()).unwrap(), json);
}

#[test]
fn fields_that_were_kept_come_back_beside_the_others() {
    use demat_core::{Field, Record, Ref, Unknown};
    let rest = Shape::Map(Ref::new(Shape::Text), Ref::new(Shape::Any));
    let fields = vec![Field::new("a", 1, "int64".parse().unwrap()), Field::new("rest", 2, rest).with_required(false)];
    let own = Shape::record(Record::new("", fields).unwrap().with_unknown(Unknown::Keep(1))).list();
    let json = r#"[{"a":2,"x":1,"y":[3]},{"a":4},{"a":6,"rest":{"x":7},"z":null}]"#;
    let mut sink = ColumnsSink::new(Vec::new());
    demat_core::copy(&mut JsonSource::new(json.as_bytes()), &own, &mut sink).unwrap();
    let batches = sink.into_drain();
    assert_eq!(json_of(batches.clone(), &own).unwrap(), json);
    assert_eq!(
        json_of(batches, &Shape::Any).unwrap(),
        r#"[{"a":2,"rest":{"x":1,"y":[3]}},{"a":4,"rest":{}},{"a":6,"rest":{"rest":{"x":7},"z":null}}]"#
    );
}
