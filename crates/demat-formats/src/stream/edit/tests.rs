use super::{Change, Edited, Found, edit_at};
use crate::cbor::Cbor;
use crate::json::Json;
use crate::msgpack::Msgpack;
use crate::ndjson::Ndjson;
use crate::stream::{RecordPath, Window, Windowed};
use crate::{cbor, msgpack};
use demat_core::{Copier, Error, ErrorKind, Progress, Result, Shape, Source, Value, ValueSink};

/// Puts these bytes in the place of records that are true.
struct Truths(Vec<u8>);

impl Change for Truths {
    fn change(&mut self, mut source: &mut dyn Source<'_>, _: &Found<'_>) -> Result<Option<Vec<u8>>> {
        let mut sink = ValueSink::default();
        let mut copier = Copier::new(Shape::Any);
        copier.begin(&source);
        while copier.run(&mut source, &mut sink)? == Progress::Unit {}
        Ok((sink.whole() == Value::Bool(true)).then(|| self.0.clone()))
    }
}

fn edited<F: Windowed>(
    format: &mut F,
    lines: bool,
    at: &str,
    bytes: &[u8],
    size: usize,
    new: &[u8],
) -> Result<(Vec<u8>, Edited)> {
    let at: RecordPath = at.parse().unwrap();
    let mut window = Window::with_size(bytes, size);
    let mut out = Vec::new();
    let write = &mut |piece: &[u8]| {
        out.extend_from_slice(piece);
        Ok(())
    };
    let done = edit_at(&mut window, format, (&at, lines), &Shape::Any, &mut Truths(new.to_vec()), None, write)?;
    Ok((out, done))
}

#[test]
fn all_other_bytes_stay() {
    let long = " [1.50, \"\\u0041\"] , ".repeat(200);
    let text = format!("\u{feff}\n{{\"a\" :[ true,{long}true ,\t{{\"b\": 1e5}}, \"true\",true], \"true\": true}} \n\n");
    for size in [16, 100, 100_000] {
        let (out, done) = edited(&mut Json::default(), false, "$.a[*]", text.as_bytes(), size, b"{\"now\":0}").unwrap();
        let expected = text
            .replace("[ true", "[ {\"now\":0}")
            .replace(", true ,", ", {\"now\":0} ,")
            .replace(",true]", ",{\"now\":0}]");
        assert_eq!(String::from_utf8(out).unwrap(), expected, "{size}");
        assert_eq!(done, Edited { records: 205, changed: 3 });
    }
}

#[test]
fn lines_keep_their_ends() {
    let text = b"true\r\n  1 \n\n\ttrue \n[ ]\ntrue";
    let (out, done) = edited(&mut Ndjson::default(), true, "$[*]", text, 16, b"{}").unwrap();
    assert_eq!((&out[..], done.records), (&b"{}\r\n  1 \n\n\t{} \n[ ]\n{}"[..], 5));
}

#[test]
fn binary_values_of_other_lengths() {
    let list = Value::List(vec![Value::Bool(true), Value::Text("as it is".into()), Value::Bool(true)]);
    let packed = msgpack::encode(&list).unwrap();
    let (out, _) = edited(&mut Msgpack::default(), false, "$[*]", &packed, 16, b"\xA3new").unwrap();
    assert_eq!(out, [&b"\x93\xA3new"[..], &packed[2..packed.len() - 1], b"\xA3new"].concat());
    let packed = cbor::encode(&list).unwrap();
    let (out, _) = edited(&mut Cbor::default(), false, "$[*]", &packed, 16, b"\x63new").unwrap();
    assert_eq!(out, [&b"\x83\x63new"[..], &packed[2..packed.len() - 1], b"\x63new"].concat());
}

#[test]
fn what_can_not_be_read_is_told_with_its_place() {
    let error = edited(&mut Json::default(), false, "$.a[*]", b"{\"a\": [1, 2, tru]}", 16, b"0").unwrap_err();
    assert_eq!((error.position().record, error.position().offset), (Some(3), Some(16)), "{error}");
    let error = edited(&mut Json::default(), false, "$.b[*]", b"{\"a\": []}", 16, b"0").unwrap_err();
    assert!(error.to_string().contains('b'), "{error}");
    // Also behind the records.
    edited(&mut Json::default(), false, "$.a[*]", b"{\"a\": [true]} x", 16, b"0").unwrap_err();
}

#[test]
fn errors_of_the_change_and_of_the_output_end_it() {
    struct Fails;
    impl Change for Fails {
        fn change(&mut self, _: &mut dyn Source<'_>, record: &Found<'_>) -> Result<Option<Vec<u8>>> {
            assert_eq!((record.bytes, record.number), (&b"[7]"[..], 1));
            Err(Error::new(ErrorKind::Constraint, "not this one"))
        }
    }
    let run = |change: &mut dyn Change, fails: bool| {
        let write = &mut |_: &[u8]| if fails { Err(Error::new(ErrorKind::Io, "full")) } else { Ok(()) };
        let at = RecordPath::items();
        let mut window = Window::new(&b"[[7], true]"[..]);
        edit_at(&mut window, &mut Json::default(), (&at, false), &Shape::Any, change, None, write)
            .unwrap_err()
            .to_string()
    };
    let refused = run(&mut Fails, false);
    assert!(refused.contains("not this one") && refused.contains("record 1"), "{refused}");
    assert!(run(&mut Truths(b"1".to_vec()), true).contains("full"));
}
