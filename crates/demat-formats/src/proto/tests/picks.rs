//! Pickers and projectors, beside their slow twin: a copy of the same fields from a source.

use super::{shape, written};
use crate::codec::{Codec as _, Scalar};
use crate::proto::{ProtoCodec, ProtoSource, read_varint, write_varint};
use demat_core::{Record, Result, Shape, Source as _, Unknown, Value, copy};
use proptest::prelude::*;

/// The fields of a record, which ignores all others.
fn chosen(fields: &str) -> Record {
    shape(fields).row().unwrap().get().clone().with_unknown(Unknown::Ignore)
}

/// The slow twin.
fn copied(record: &Record, bytes: &[u8]) -> Result<Value> {
    let mut source = ProtoSource::new(bytes);
    let value = Value::build(|sink| copy(&mut source, &Shape::record(record.clone()), sink))?;
    source.end()?;
    Ok(value)
}

/// The value of each field, as a text that tells NaNs, too.
fn fields(record: &Record, value: &Value) -> Vec<String> {
    record.fields().iter().map(|field| format!("{:?}", value.get(field.key()))).collect()
}

/// Returns what the picker reads; `None` if it gives up.
fn picked(record: &Record, bytes: &[u8]) -> Option<Vec<String>> {
    let mut values = vec![Scalar::Absent; record.fields().len()];
    if !ProtoCodec.picker(record)?.pick(bytes, &mut values) {
        return None;
    }
    let value = Value::build(|sink| {
        sink.begin_record(record)?;
        values.iter().enumerate().try_for_each(|(index, value)| value.tell(record, index, sink))?;
        sink.end_record(record)
    });
    Some(fields(record, &value.unwrap()))
}

/// Checks that fields are read as by the source, if they are read at all.
fn same(record: &Record, bytes: &[u8]) -> std::result::Result<(), TestCaseError> {
    let slow = copied(record, bytes);
    if let Some(quick) = picked(record, bytes) {
        prop_assert_eq!(quick, fields(record, slow.as_ref().unwrap()));
    }
    if let Some(projector) = ProtoCodec.projector(record) {
        let mut part = vec![7];
        projector.project(bytes, &mut part);
        let (len, begin) = read_varint(&part[1..]).unwrap();
        prop_assert_eq!(part.len() as u64, 1 + begin as u64 + len);
        match (slow, copied(record, &part[1 + begin..])) {
            (Ok(slow), Ok(quick)) => prop_assert_eq!(fields(record, &slow), fields(record, &quick)),
            (Err(slow), Err(quick)) => {
                prop_assert_eq!((slow.reason(), slow.path()), (quick.reason(), quick.path()));
            }
            (slow, quick) => prop_assert!(false, "{:?} and {:?}", slow, quick),
        }
    }
    Ok(())
}

/// The other tests would also pass if all pickers gave up.
#[test]
fn scalars_are_read_without_a_source() {
    let task = "id@1:int64, title@2:text, done@3:bool, part@4:float?, half@70:float32, low@5:int8 = 7, key@6:uint64, \
                sint@8:int #proto:sint32, far@9:int64 #proto:fixed64, due@10:bool? = null";
    let json = r#"{"id":-1,"title":"ä","done":true,"half":0.5,"low":-3,"key":18446744073709551615,"sint":-9,"far":4}"#;
    let bytes = written(&shape(task), json).unwrap();
    let record = chosen(task);
    let read = picked(&record, &bytes).unwrap();
    assert_eq!(read, fields(&record, &copied(&record, &bytes).unwrap()));
    let few = chosen("half@70:float32, done@3:bool");
    assert_eq!(picked(&few, &bytes).unwrap(), ["Some(Float(0.5))", "Some(Bool(true))"]);
    assert_eq!(picked(&few, b"").unwrap(), ["Some(Float(0.0))", "Some(Bool(false))"]);
    let mut part = Vec::new();
    ProtoCodec.projector(&few).unwrap().project(&bytes, &mut part);
    assert_eq!(part, b"\x08\x18\x01\xb5\x04\0\0\0\x3f");
}

#[test]
fn what_only_the_source_knows_is_left_to_it() {
    for fields in ["a:[int]", "a:{b:int}", "a:any", "a:map(text, int)", "a:date", "a:text = \"x\" #proto:required"] {
        let quick = ProtoCodec.picker(&chosen(fields)).is_some_and(|picker| picker.pick(b"", &mut [Scalar::Null]));
        assert!(!quick, "{fields}");
    }
    let record = chosen("id@1:int64, title@2:text");
    for bytes in [
        &b"\x08\x01\x08\x02"[..],
        b"\x12\x01\xff",
        b"\x12\x05a",
        b"\x0d\0\0\0\0",
        b"\x1b\x1c",
        b"\x08",
        b"\x1f\0",
        b"\0\0",
    ] {
        assert_eq!(picked(&record, bytes), None, "{bytes:?}");
        same(&record, bytes).unwrap();
    }
}

const SHAPES: [&str; 6] = [
    "a@1:int64, b@2:text, c@3:bool",
    "b@2:text?, a@1:int = 5, d@4:float, e@17:float32",
    "a@1:int8, c@3:bool? = true, e@17:uint32 #proto:fixed32",
    "a@1:int #proto:sint64, b@2:bytes, d@4:[float]",
    "b@2:{a@1:int64}, a@1:[int]",
    "a@1:uint64, c@3:int64 #proto:required, b@2:text = \"none\"",
];

/// A field of a message: its number, and a value in any wire type.
fn field() -> impl Strategy<Value = Vec<u8>> {
    let number = prop_oneof![1..6_u64, Just(17), Just(1000)];
    let value = prop_oneof![
        prop_oneof![0..3_u64, any::<u64>()].prop_map(|value| (0, value, Vec::new())),
        prop_oneof![
            "[aä]{0,3}".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..4),
            prop::collection::vec(any::<u8>(), 100..200),
            prop::collection::vec(Just(b'a'), 100..200),
            Just(vec![8, 3])
        ]
        .prop_map(|bytes| (2, 0, bytes)),
        any::<[u8; 4]>().prop_map(|bytes| (5, 0, bytes.to_vec())),
        any::<[u8; 8]>().prop_map(|bytes| (1, 0, bytes.to_vec())),
        Just((3, 0, Vec::new())),
    ];
    (number, value).prop_map(|(number, (wire, varint, bytes))| {
        let mut out = Vec::new();
        write_varint(&mut out, number << 3 | wire);
        match wire {
            0 => write_varint(&mut out, varint),
            2 => write_varint(&mut out, bytes.len() as u64),
            _ => {}
        }
        out.extend(bytes);
        if wire == 3 {
            write_varint(&mut out, number << 3 | 4);
        }
        out
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn fields_are_those_of_a_copy(
        shape in 0..SHAPES.len(),
        fields in prop::collection::vec(field(), 0..7),
        damage in prop::option::weighted(0.3, (any::<prop::sample::Index>(), any::<u8>())),
    ) {
        let mut bytes = fields.concat();
        if let Some((at, byte)) = damage.filter(|_| !bytes.is_empty()) {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        same(&chosen(SHAPES[shape]), &bytes)?;
    }
}
