use super::{both, refuses};

#[test]
fn a_list_is_messages_behind_their_lengths() {
    both("[{a:int, b:text}]", r#"[{"a":1,"b":"x"},{"a":0,"b":""}]"#, b"\x05\x08\x01\x12\x01x\0");
    both("[{a:int}]", "[]", b"");
    let long = "x".repeat(300);
    let mut bytes = b"\xaf\x02\x0a\xac\x02".to_vec();
    bytes.extend_from_slice(long.as_bytes());
    bytes.extend_from_slice(b"\x03\x0a\x01y");
    both("[{a:text}]", &format!(r#"[{{"a":"{long}"}},{{"a":"y"}}]"#), &bytes);
    both("[union(x: int, y: text)]", r#"[{"x":1},{"y":"z"}]"#, b"\x02\x08\x01\x03\x12\x01z");
}

#[test]
fn a_stream_that_is_cut_off_says_where() {
    refuses("[{a:int}]", b"\x02\x08\x01\x02\x08", "expected 2 bytes, found `1` (byte 3)");
    refuses("[{a:int}]", b"\x02\x08\x01\x80", "expected a whole varint, found the end of what it stands in (byte 3)");
}

#[test]
fn it_is_read_through_windows_of_any_size() {
    use crate::json::{JsonSink, WriteOptions};
    use crate::proto::Proto;
    use crate::stream::{Stop, Window, copy};
    let shape = super::shape("[{a:int, b:[text], c:{d:int}?}]");
    let rows: Vec<_> =
        (1..50).map(|i| format!(r#"{{"a":{i},"b":["{}"],"c":{{"d":{}}}}}"#, "x".repeat(i), i * i)).collect();
    let json = format!("[{}]", rows.join(","));
    let bytes = super::written(&shape, &json).unwrap();
    for size in [1, 2, 3, 7, 64, 200, 10_000] {
        let mut sink = JsonSink::new(crate::Output::new(Vec::new(), crate::Keep), WriteOptions::default());
        let mut window = Window::with_size(&bytes[..], size);
        copy(&mut window, &mut Proto::default(), &shape, &mut sink, &mut Stop).unwrap();
        let text = sink.into_output().into_parts().0;
        assert_eq!(String::from_utf8(text).unwrap(), json, "{size}");
    }
}
