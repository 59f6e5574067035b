//! Fields in another order, missing ones, and rollbacks.

use super::*;

const SHAPE: &str = "T{a: int, b: {c: int, d: text, e: [int]}, f: text?}";

#[test]
fn fields_come_in_any_order() {
    let ordered = encoded(r#"{"a": 1, "b": {"c": 2, "d": "x", "e": [1]}, "f": "y"}"#, SHAPE);
    for json in [
        r#"{"f": "y", "b": {"e": [1], "d": "x", "c": 2}, "a": 1}"#,
        r#"{"b": {"d": "x", "c": 2, "e": [1]}, "a": 1, "f": "y"}"#,
        r#"{"b": {"c": 2, "d": "x", "e": [1]}, "f": "y", "a": 1}"#,
    ] {
        let mut sink = sink();
        let shape = shape(SHAPE);
        copy(&mut crate::json::JsonSource::new(json.as_bytes()), &shape, &mut sink).unwrap();
        assert_eq!(sink.into_output().into_parts().0[8..], ordered, "{json}");
    }
}

#[test]
fn a_field_comes_once_and_always() {
    let record = shape("{a: int, b: int}");
    let Shape::Record(record) = &record else { panic!("no record") };
    let record = record.get();
    let tell = |fields: &[usize]| {
        told("{a: int, b: int}", |sink| {
            sink.begin_record(&record)?;
            for (value, index) in (0..).zip(fields) {
                sink.field(&record, *index)?;
                sink.i64(value)?;
            }
            sink.end_record(&record)
        })
    };
    assert_eq!(tell(&[0, 1]).unwrap(), b"\x00\x02");
    assert_eq!(tell(&[1, 0]).unwrap(), b"\x02\x00");
    assert_eq!(tell(&[0]).unwrap_err().to_string(), "expected field `b`, found nothing");
    assert_eq!(tell(&[0, 1, 0]).unwrap_err().to_string(), "the field `a` comes again");
    assert_eq!(tell(&[0, 1, 1]).unwrap_err().to_string(), "the field `b` comes again");
}

#[test]
fn unknown_fields_are_kept_in_their_map() {
    let keeping = demat_core::Record::new(
        "T",
        vec![
            demat_core::Field::new("a", 1, shape("int")),
            demat_core::Field::new("rest", 2, shape("map(text, any)")).with_required(false),
            demat_core::Field::new("z", 3, shape("int")),
        ],
    );
    let keeping = Shape::record(keeping.unwrap().with_unknown(demat_core::Unknown::Keep(1)));
    let mut bytes = Vec::new();
    for json in [r#"{"x": 1, "a": 2, "y": "q", "z": 3}"#, r#"{"a": 2, "x": 1, "y": "q", "z": 3}"#] {
        let mut sink = sink();
        copy(&mut crate::json::JsonSource::new(json.as_bytes()), &keeping, &mut sink).unwrap();
        bytes = sink.into_output().into_parts().0;
        assert_eq!(bytes[8..], *b"\x04\x02\x01x\x02\x02\x01y\x04\x01q\x06", "{json}");
    }
    let mut json = crate::json::JsonSink::new(Output::new(Vec::new(), Keep), crate::json::WriteOptions::default());
    let mut format = Raw::new(&ReadOptions::default()).unwrap();
    format.begin(&keeping).unwrap();
    copy(&mut format.whole(Part::whole(&bytes)), &keeping, &mut json).unwrap();
    assert_eq!(json.into_output().into_parts().0, br#"{"a":2,"x":1,"y":"q","z":3}"#);
}

#[test]
fn what_is_rolled_back_leaves_nothing() {
    let shape = shape("[{a: int?, b: [text]}]");
    let Shape::List(item) = &shape else { panic!("no list") };
    let Shape::Record(record) = &**item else { panic!("no record") };
    let record = record.get();
    let mut sink = sink();
    sink.begin(&shape).unwrap();
    sink.begin_list(None).unwrap();
    for round in 0..300 {
        sink.commit().unwrap();
        for kept in [false, true] {
            sink.item().unwrap();
            sink.begin_record(&record).unwrap();
            sink.field(&record, 1).unwrap();
            sink.begin_list(None).unwrap();
            sink.item().unwrap();
            sink.text("x").unwrap();
            if kept {
                sink.end_list().unwrap();
                sink.field(&record, 0).unwrap();
                sink.i64(round).unwrap();
                sink.end_record(&record).unwrap();
            } else {
                sink.rollback().unwrap();
            }
        }
    }
    sink.end_list().unwrap();
    sink.finish().unwrap();
    let bytes = sink.into_output().into_parts().0;
    let Value::List(items) = read_as(&bytes, &shape, &ReadOptions::default()).unwrap() else { panic!("no list") };
    assert_eq!(items.len(), 300);
    assert_eq!(items[7].get("a"), Some(&Value::Int(7.into())));
}
