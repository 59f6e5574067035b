mod reading;
mod writing;

use super::{CanonicalSink, CanonicalSource, Mapping, ReadOptions, Types};
use crate::json::{JsonSink, JsonSource, WriteOptions};
use crate::proto::{ProtoSink, ProtoSource};
use crate::{Keep, Output};
use demat_core::{Result, Shape, Sink, copy};
use std::sync::Arc;

/// Google's well-known types, as exact shapes describe them.
const KNOWN: &str = "a:Timestamp{seconds:int64? #proto:implicit #proto:\"json timestamp\", nanos:int32? #proto:implicit}?, \
    b:Duration{seconds:int64? #proto:implicit #proto:\"json duration\", nanos:int32? #proto:implicit}?, \
    c:FieldMask{paths:[text]? #proto:\"json field_mask\"}?, \
    d:Struct{fields:map(text, Value{kind@9:union(null_value@1:(enum NullValue(NULL_VALUE = 0) | int32), \
    number_value@2:float, string_value@3:text, bool_value@4:bool, struct_value@5:Struct, \
    list_value@6:ListValue{values:[Value]? #proto:\"json list\"})? #proto:oneof #proto:\"json value\"})? \
    #proto:\"json struct\"}?, \
    e:Value?, f:ListValue?, g:Int64Value{value:int64? #proto:implicit #proto:\"json wrapper\"}?, \
    h:Any{type_url:text? #proto:implicit #proto:\"json any\", value:bytes? #proto:implicit}?, \
    i:[Value]?, j:NullValue | int32 #proto:implicit, k:StringValue{value:text? #proto:implicit #proto:\"json wrapper\"}?";

fn known() -> Mapping {
    let shape: Shape = KNOWN.replace("j:NullValue | int32", "j:(NullValue | int32)?").parse().unwrap();
    let types: Types = Arc::new(|name| match name {
        "p.Task" => Some("Task{task_id:int32? #proto:implicit, inner@2:Task?}".parse().unwrap()),
        "p.Time" => Some(
            "Timestamp{seconds:int64? #proto:implicit #proto:\"json timestamp\", nanos:int32? #proto:implicit}"
                .parse()
                .unwrap(),
        ),
        _ => None,
    });
    Mapping::new(&shape).unwrap().with_types(types)
}

fn mapping(shape: &str) -> Arc<Mapping> {
    Arc::new(Mapping::new(&shape.parse().unwrap_or_else(|error| panic!("{shape}: {error}"))).unwrap())
}

fn to_json(bytes: &[u8], mapping: &Arc<Mapping>) -> Result<String> {
    let json = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let mut sink = CanonicalSink::new(json, Arc::clone(mapping));
    copy(&mut ProtoSource::new(bytes), mapping.shape(), &mut sink)?;
    Ok(String::from_utf8(sink.into_inner().into_output().into_parts().0).unwrap())
}

fn from_json_with(json: &str, mapping: &Arc<Mapping>, ignore_unknown: bool) -> Result<Vec<u8>> {
    let source = JsonSource::new(json.as_bytes());
    let mut source = CanonicalSource::new(source, Arc::clone(mapping), ReadOptions { ignore_unknown });
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    copy(&mut source, mapping.shape(), &mut sink as &mut dyn Sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn from_json(json: &str, mapping: &Arc<Mapping>) -> Result<Vec<u8>> {
    from_json_with(json, mapping, false)
}

/// Converts JSON to a message and back.
fn again(json: &str, mapping: &Arc<Mapping>) -> String {
    let bytes = from_json(json, mapping).unwrap_or_else(|error| panic!("{json}: {error}"));
    to_json(&bytes, mapping).unwrap_or_else(|error| panic!("{json}: {error}"))
}

fn refused(json: &str, mapping: &Arc<Mapping>, message: &str) {
    let error = from_json(json, mapping).err().unwrap_or_else(|| panic!("{json}")).to_string();
    assert!(error.contains(message), "{json}: {error}");
}
