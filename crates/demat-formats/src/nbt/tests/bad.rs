//! Invalid documents: which are refused, and at which position.

use super::*;
use demat_core::{ErrorKind, Signal};

/// Returns a document with every tag.
pub(super) fn all_tags() -> Vec<u8> {
    b"\x0a\0\x02hi\x01\0\x01a\x01\x02\0\x01b\0\x01\x03\0\x01c\0\0\0\x01\x04\0\x01d\0\0\0\0\0\0\0\x01\x05\0\x01e\x3f\0\0\0\
        \x06\0\x01f\x3f\xf0\0\0\0\0\0\0\x07\0\x01g\0\0\0\x02\x01\x02\x08\0\x01h\0\x04\xc0\x80ab\
        \x09\0\x01i\x0a\0\0\0\x02\x01\0\0\x01\0\0\x0b\0\x01j\0\0\0\x01\0\0\0\x01\x0c\0\x01k\0\0\0\x01\0\0\0\0\0\0\0\x01\0"
        .to_vec()
}

#[test]
fn a_document_that_is_cut_off_is_refused_at_every_byte() {
    let java = all_tags();
    for variant in VARIANTS {
        let options = WriteOptions { variant, name: "hi".into(), ..WriteOptions::default() };
        let bytes = copied(&java, 64, &of(Variant::Java), options).unwrap();
        read_with(&bytes, &Shape::Any, &of(variant)).unwrap();
        for end in 0..bytes.len() {
            let error = read_with(&bytes[..end], &Shape::Any, &of(variant)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Syntax, "{variant:?} {end}: {error}");
            assert_eq!(error.position().offset, Some(end as u64), "{variant:?} {end}: {error}");
            assert!(skipped(&bytes[..end], &of(variant)).is_err(), "{end}");
            assert!(copied(&bytes[..end], 3, &of(variant), WriteOptions::default()).is_err(), "{end}");
            let part = Part { last: false, ..Part::whole(&bytes[..end]) };
            let signal = NbtSource::over(part, &of(variant)).skip().as_ref().err().and_then(Error::signal);
            assert_eq!(signal, Some(Signal::Incomplete), "{end}");
        }
    }
    for end in 0..java.len() {
        assert!(read_with(&java[..end], &Shape::Any, &ReadOptions::default()).is_err(), "found out: {end}");
    }
}

#[test]
fn unknown_tags_are_refused() {
    for tag in (0..=0xff).filter(|tag| !(1..=12).contains(tag)) {
        for bytes in [vec![tag], vec![tag, 0, 0], vec![10, 0, 0, tag, 0, 0], vec![9, 0, 0, tag, 0, 0, 0, 1, 0]] {
            if bytes == [10, 0, 0, 0, 0, 0] {
                continue;
            }
            let error = read(&bytes, "any").unwrap_err();
            assert!(error.to_string().starts_with("expected a tag from 1 to 12, found "), "{bytes:x?} {error}");
            assert!(skipped(&bytes, &of(Variant::Java)).is_err());
        }
    }
}

#[test]
fn lengths_that_are_negative_or_lie_are_refused() {
    for tag in [7u8, 11, 12] {
        for count in [-1, i32::MIN, i32::MAX, 1 << 24, 1000] {
            let bytes = [&[tag, 0, 0][..], &count.to_be_bytes(), &[0; 20]].concat();
            for shape in ["any", "[int]"] {
                assert_eq!(read(&bytes, shape).unwrap_err().kind(), ErrorKind::Syntax, "{tag} {count}");
            }
            assert!(skipped(&bytes, &of(Variant::Java)).is_err());
        }
    }
    for item in 1u8..=12 {
        for count in [-1, i32::MIN, i32::MAX] {
            let bytes = [&[9, 0, 0, item][..], &count.to_be_bytes(), &[0; 30]].concat();
            assert!(read(&bytes, "any").is_err(), "{item} {count}");
            assert!(skipped(&bytes, &of(Variant::Java)).is_err());
        }
    }
    assert_eq!(refusal(b"\x09\0\0\x03\xff\xff\xff\xff", "any"), "expected a count from 0, found `-1` (byte 4)");
    let error = refusal(b"\x08\0\0\0\x05ab", "any");
    assert_eq!(error, "expected text of length 5, found 2 bytes and the end of input (byte 7)");
    // Network lengths have 32 bits.
    for bytes in
        [&b"\x08\0\xff\xff\xff\xff\x0f"[..], b"\x08\0\xff\xff\xff\xff\x1f", b"\x09\0\x03\xff\xff\xff\xff\xff\x01"]
    {
        assert!(read_with(bytes, &Shape::Any, &of(Variant::BedrockNetwork)).is_err());
    }
}

#[test]
fn a_list_of_ends_has_no_items() {
    assert_eq!(read(b"\x09\0\0\0\0\0\0\0", "any").unwrap(), Value::List(vec![]));
    for count in [1, i32::MAX] {
        let bytes = [&b"\x09\0\0\0"[..], &count.to_be_bytes()].concat();
        assert!(refusal(&bytes, "any").contains("an end as each of the list's items"));
        assert!(skipped(&bytes, &of(Variant::Java)).is_err());
    }
}

#[test]
fn text_that_is_none_is_refused() {
    for bad in [&b"\xff"[..], b"\xf0\x9f\x98\x80", b"\xed\xa0\xbd", b"\xc0\x81", b"\xe2\x82"] {
        let bytes = [b"\x08\0\0\0", &[bad.len() as u8][..], bad].concat();
        assert!(refusal(&bytes, "any").contains("text in modified UTF-8"), "{bad:x?}");
        assert!(skipped(&bytes, &of(Variant::Java)).is_err());
        let name = [b"\x0a\0\0\x01\0", &[bad.len() as u8][..], bad, b"\0\0"].concat();
        assert!(refusal(&name, "any").contains("text in modified UTF-8"), "{bad:x?}");
    }
    assert!(read_with(b"\x08\0\0\x02\0\xc0\x80", &Shape::Any, &of(Variant::Bedrock)).is_err());
    let smile = read_with(b"\x08\0\0\x04\0\xf0\x9f\x98\x80", &Shape::Any, &of(Variant::Bedrock)).unwrap();
    assert_eq!(smile, text("😀"));
    assert_eq!(read(b"\x08\0\0\0\x06\xed\xa0\xbd\xed\xb8\x80", "text").unwrap(), smile);
}

#[test]
fn the_depth_is_512() {
    let lists = |levels: usize| [&b"\x09\0\0"[..], &b"\x09\0\0\0\x01".repeat(levels - 1), b"\0\0\0\0\0"].concat();
    let compounds = |levels: usize| [&b"\x0a\0\0"[..], &b"\x0a\0\0".repeat(levels - 1), &vec![0; levels]].concat();
    for document in [lists as fn(usize) -> Vec<u8>, compounds] {
        read(&document(512), "any").unwrap();
        skipped(&document(512), &of(Variant::Java)).unwrap();
        for error in
            [read(&document(513), "any").unwrap_err(), skipped(&document(513), &of(Variant::Java)).unwrap_err()]
        {
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        }
        let deeper = ReadOptions { depth: 1000, ..of(Variant::Java) };
        read_with(&document(1000), &Shape::Any, &deeper).unwrap();
        // An array does not count as a level.
        assert!(skipped(&document(100_000), &of(Variant::Java)).is_err());
    }
    let mut value = Value::List(vec![]);
    for _ in 0..511 {
        value = Value::List(vec![value]);
    }
    written(&value, "any").unwrap();
    assert_eq!(written(&Value::List(vec![value]), "any").unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn what_follows_is_refused() {
    assert_eq!(refusal(b"\x01\0\0\x05\x01", "any"), "expected end of input, found byte 0x01 (byte 4)");
    assert_eq!(refusal(b"\x0a\0\0\0\0", "any"), "expected end of input, found byte 0x00 (byte 4)");
}

#[test]
fn repeated_names_are_refused_on_request() {
    let bytes = b"\x0a\0\0\x01\0\x01a\x01\x01\0\x01a\x02\0";
    assert_eq!(read(bytes, "any").unwrap(), map(&[("a", int(2))]));
    let options = ReadOptions { repeated_keys: RepeatedKeys::Refuse, ..of(Variant::Java) };
    let error = read_with(bytes, &Shape::Any, &options).unwrap_err();
    assert!(error.to_string().starts_with("the key `a` stands here again"), "{error}");
}

#[test]
fn too_long_is_refused() {
    let long = "x".repeat(65_536);
    assert!(written(&text(&long), "text").unwrap_err().to_string().contains("longer than NBT can say: 65535"));
    assert!(written(&map(&[(&long, int(1))]), "any").is_err());
    written(&text(&long[1..]), "text").unwrap();
    let network = WriteOptions { variant: Variant::BedrockNetwork, ..WriteOptions::default() };
    written_with(&text(&long), &Shape::Text, network).unwrap();
}
