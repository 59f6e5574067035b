use super::super::xorshift::Xorshift;
use super::{decode, decode_url, encode};

fn encoded(bytes: &[u8]) -> String {
    let mut text = String::new();
    encode(bytes, &mut text);
    text
}

#[test]
fn the_vectors_of_rfc_4648() {
    for (bytes, text) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ] {
        assert_eq!(encoded(bytes.as_bytes()), text);
        assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        assert_eq!(decode_url(text).as_deref(), Some(bytes.as_bytes()));
        assert_eq!(decode_url(text.trim_end_matches('=')).as_deref(), Some(bytes.as_bytes()));
    }
}

#[test]
fn every_length_goes_there_and_back() {
    let mut random = Xorshift::new(17);
    for length in 0..2_000_usize {
        let bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        let text = encoded(&bytes);
        assert_eq!(text.len(), length.div_ceil(3) * 4);
        assert_eq!(decode(&text).as_ref(), Some(&bytes));
        let url = text.replace('+', "-").replace('/', "_");
        assert_eq!(decode_url(&url).as_ref(), Some(&bytes));
        assert_eq!(decode_url(url.trim_end_matches('=')).as_ref(), Some(&bytes));
    }
}

/// Of all texts of one group, exactly those are accepted that the encoder produces.
#[test]
fn each_run_of_bytes_has_one_text() {
    let characters = b"ABQZagwz0189+/-_= \n";
    let mut passed = 0;
    for a in characters {
        for b in characters {
            for c in characters {
                for d in characters {
                    let text = String::from_utf8(vec![*a, *b, *c, *d]).unwrap();
                    if let Some(bytes) = decode(&text) {
                        assert_eq!(encoded(&bytes), text);
                        passed += 1;
                    }
                }
            }
        }
    }
    assert!(passed > 10_000);
}

#[test]
fn refuses_what_is_not_strict() {
    for text in [
        "=", "==", "===", "====", "A", "AA", "AAA", "AA=", "A===", "AAAAA", "AA==AA==", "AA=A", "=AAA", "AB==", "AAB=",
        "Zg==\n", " Zg==", "Zm 9v", "-_8=", "Zg==Zg==", "é===", "AA\0=", "AAAA====", "AAAA==",
    ] {
        assert_eq!(decode(text), None, "{text:?}");
    }
    for text in ["=", "A", "AB", "AAB", "AB==", "AAAAA", "AA=", "A===", "+/8=", "+/8", "AA=A", "AAAA=", "AAAA===="] {
        assert_eq!(decode_url(text), None, "{text:?}");
    }
}

#[test]
fn appends_to_what_is_there() {
    let mut text = "data:".to_owned();
    encode(&[0; 3], &mut text);
    assert_eq!(text, "data:AAAA");
}

#[test]
fn spoiled_texts_never_panic() {
    let mut random = Xorshift::new(18);
    for _ in 0..30_000 {
        let text = random.spoil("Zm9vYmFyZm9vYg==");
        if let Some(bytes) = decode(&text) {
            assert_eq!(encoded(&bytes), text);
        }
        let _ = decode_url(&text);
    }
}
