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

/// Decodes digit by digit.
fn slowly(text: &str) -> Option<Vec<u8>> {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.strip_suffix("==").or(text.strip_suffix('=')).unwrap_or(text);
    let padding = text.len() - digits.len();
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for digit in digits.chars() {
        bits = bits << 6 | u32::try_from(alphabet.find(digit)?).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    let whole = text.len().is_multiple_of(4) && count < 6 && padding * 2 == count;
    (whole && bits == 0).then_some(bytes)
}

#[test]
fn decodes_as_digit_by_digit() {
    let mut random = Xorshift::new(19);
    let mut passed = 0;
    for round in 0..40_000 {
        let bytes: Vec<u8> = (0..round % 50).map(|_| random.next() as u8).collect();
        let text = encoded(&bytes);
        let text = if round % 4 == 0 { text } else { random.spoil(&text) };
        let found = decode(&text);
        assert_eq!(found, slowly(&text), "{text:?}");
        passed += usize::from(found.is_some());
    }
    assert!((10_000..39_000).contains(&passed), "{passed}");
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
