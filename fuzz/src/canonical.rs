//! Canonical JSON of Protocol Buffers.

use demat_core::{Result, Shape, copy};
use demat_formats::canonical::{Canonical, CanonicalSink, CanonicalSource, Mapping, ReadOptions, Types};
use demat_formats::json::{Json, JsonSink, JsonSource, WriteOptions};
use demat_formats::proto::{ProtoSink, ProtoSource};
use demat_formats::stream::{Stop, Window};
use demat_formats::{Keep, Output};
use std::sync::Arc;

const SHAPE: &str = "Task{a_b:int64? #proto:implicit, b:text?, c:[int32]? #proto:sint32, d:map(uint64, Task)?, \
    e:(enum E(X, Y, Z = 1) | int32)? #proto:closed, f@99:union(g@16:float, h@17:Task, i@18:bytes)? #proto:oneof, \
    j@19:Timestamp{seconds:int64? #proto:implicit #proto:\"json timestamp\", nanos:int32? #proto:implicit}?, \
    k@20:Duration{seconds:int64? #proto:implicit #proto:\"json duration\", nanos:int32? #proto:implicit}?, \
    l@21:FieldMask{paths:[text]? #proto:\"json field_mask\"}?, \
    m@22:Value{kind@9:union(null_value@1:(enum NullValue(NULL_VALUE = 0) | int32), number_value@2:float, \
    string_value@3:text, bool_value@4:bool, struct_value@5:Struct{fields:map(text, Value)? #proto:\"json struct\"}, \
    list_value@6:ListValue{values:[Value]? #proto:\"json list\"})? #proto:oneof #proto:\"json value\"}?, \
    n@23:Any{type_url:text? #proto:implicit #proto:\"json any\", value:bytes? #proto:implicit}?, \
    o@24:[FloatValue{value:float32? #proto:implicit #proto:\"json wrapper\"}]?, p@25:map(text, E | int32)?, \
    ...\"(unknown)\"@4294967295:map(text, bytes)}";

/// What was read is written and read again as the same; a window of any size reads what the whole does.
pub fn canonical_json(bytes: &[u8]) {
    let Some((first, json)) = bytes.split_first() else { return };
    let shape: Shape = SHAPE.parse().expect("a shape");
    let types: Types = Arc::new(|name| (name == "Task").then(|| SHAPE.parse().expect("a shape")));
    let mapping = Arc::new(Mapping::new(&shape).expect("a mapping").with_types(types));
    let options = ReadOptions { ignore_unknown: first & 1 == 1 };
    let once = read(json, &mapping, options);
    // Not all that is read can be written: values that say nothing, numbers that are too large.
    if let Ok(once) = &once
        && let Ok(text) = written(once, &mapping)
    {
        let again = read(&text, &mapping, ReadOptions::default()).expect("what was written is read");
        assert_eq!(written(&again, &mapping).expect("what was written is written again"), text);
    }
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    let mut window = Window::with_size(json, usize::from(first >> 1) + 1);
    let mut format = Canonical::new(Json::default(), mapping, options);
    let copied = demat_formats::stream::copy(&mut window, &mut format, &shape, &mut sink, &mut Stop);
    match (copied, once) {
        (Ok(_), Ok(once)) => assert_eq!(sink.into_output().into_parts().0, once),
        (Err(_), Err(_)) => {}
        (windowed, whole) => panic!("windowed: {windowed:?}, whole: {whole:?}"),
    }
}

fn read(json: &[u8], mapping: &Arc<Mapping>, options: ReadOptions) -> Result<Vec<u8>> {
    let mut source = CanonicalSource::new(JsonSource::new(json), Arc::clone(mapping), options);
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    copy(&mut source, mapping.shape(), &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn written(bytes: &[u8], mapping: &Arc<Mapping>) -> Result<Vec<u8>> {
    let json = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let mut sink = CanonicalSink::new(json, Arc::clone(mapping));
    copy(&mut ProtoSource::new(bytes), mapping.shape(), &mut sink)?;
    Ok(sink.into_inner().into_output().into_parts().0)
}
