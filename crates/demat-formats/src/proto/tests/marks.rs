//! Marks: after a reset, the same values follow as after the mark.

use super::{ProtoSource, shape, written};
use demat_core::{Shape, Source, Unknown};

/// Reads a value by its shape. At each step it may go back by a reset and read on from there.
fn walk(source: &mut ProtoSource<'_>, shape: &Shape, again: &mut dyn FnMut() -> bool, out: &mut Vec<String>) {
    if again() {
        let mark = source.mark();
        let mut dropped = Vec::new();
        walk(source, shape, &mut || false, &mut dropped);
        source.reset(mark);
    }
    match shape {
        Shape::Option(inner) => {
            if source.null().unwrap() {
                out.push("null".into());
            } else {
                walk(source, inner, again, out);
            }
        }
        Shape::Record(record) => {
            let record = record.get();
            source.record(&record).unwrap();
            let mut expected = 0;
            while let Some(index) = source.field(&record, expected).unwrap() {
                out.push(format!(".{index}"));
                if record.unknown() == Unknown::Keep(index) {
                    let key = source.text().unwrap().to_string();
                    source.value().unwrap();
                    out.push(format!("{key} {:?}", source.bytes().unwrap()));
                } else {
                    walk(source, record.fields()[index].shape(), again, out);
                }
                expected = index + 1;
            }
        }
        Shape::List(item) => {
            source.list().unwrap();
            while source.item().unwrap() {
                walk(source, item, again, out);
            }
            out.push("]".into());
        }
        Shape::Map(key, value) => {
            source.map().unwrap();
            while source.entry().unwrap() {
                walk(source, key, again, out);
                source.value().unwrap();
                walk(source, value, again, out);
            }
            out.push("}".into());
        }
        Shape::Union(union) => {
            let union = union.get();
            let index = source.choose(&union).unwrap();
            out.push(format!("#{index}"));
            let shape = union.variants()[index].shape();
            if *shape != Shape::Null {
                walk(source, shape, again, out);
            }
            source.chosen(&union, index, true).unwrap();
        }
        Shape::Int(_) => out.push(source.i64().unwrap().to_string()),
        Shape::Text => out.push(source.text().unwrap().to_string()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn at_any_value() {
    let shape = shape(
        "[{a:int, b:[int], c:[text], d:{e:int?, f:[{g:text}]}, h:map(text, {i:int}), \
         j:union(k: int, l: [text]), m:union(n@20: int, o@21: {p:text}) #proto:oneof, ...rest@30:map(text, any)}]",
    );
    let json = r#"[{"a":1,"b":[1,2,3],"c":["x","y"],"d":{"e":4,"f":[{"g":"q"},{"g":"r"}]},"h":{"s":{"i":1},"t":{"i":2}},
        "j":{"l":["u","v"]},"m":{"o":{"p":"w"}}},
        {"a":0,"b":[],"c":[],"d":{"f":[]},"h":{},"j":{"k":1},"m":{"n":2}}]"#;
    let ordered = written(&shape, json).unwrap();
    // The first message once more, with scattered fields.
    let mut scattered = ordered[1..=usize::from(ordered[0])].to_vec();
    for more in [
        &b"\x10\x09"[..],                             // another number of the list
        b"\x1a\x01z",                                 // another text of the list
        b"\x22\x04\x12\x02\x0a\x00",                  // another piece of the message
        b"\x2a\x05\x0a\x01s\x12\x00",                 // another entry of the map
        b"\x2a\x09\x0a\x01u\x12\x02\x08\x05\x12\x00", // one whose value is in two pieces
        b"\x50\x01",                                  // an unknown field
        b"\x10\x0a",
    ] {
        scattered.extend_from_slice(more);
    }
    let mut stream = Vec::new();
    super::super::write_varint(&mut stream, scattered.len() as u64);
    stream.extend_from_slice(&scattered);
    stream.extend_from_slice(&ordered);
    for bytes in [&ordered, &stream] {
        let mut plain = Vec::new();
        walk(&mut ProtoSource::new(bytes), &shape, &mut || false, &mut plain);
        for every in 1..12 {
            let mut count = 0;
            let mut again = || {
                count += 1;
                count % every == 0
            };
            let mut found = Vec::new();
            walk(&mut ProtoSource::new(bytes), &shape, &mut again, &mut found);
            assert_eq!(found, plain, "every {every}");
        }
    }
}
