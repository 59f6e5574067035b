use super::super::xorshift::Xorshift;
use super::Uuid;

#[test]
fn random_bytes_go_there_and_back_in_every_spelling() {
    let mut random = Xorshift::new(15);
    for _ in 0..20_000 {
        let value = u128::from(random.next()) << 64 | u128::from(random.next());
        let uuid = Uuid(value.to_be_bytes());
        let text = uuid.to_string();
        assert_eq!(text.replace('-', ""), format!("{value:032x}"));
        for spelling in [text.clone(), text.to_uppercase(), format!("{value:032x}"), format!("{value:032X}")] {
            assert_eq!(Uuid::parse(&spelling), Some(uuid), "{spelling}");
        }
    }
}

#[test]
fn borders() {
    assert_eq!(Uuid([0; 16]).to_string(), "00000000-0000-0000-0000-000000000000");
    assert_eq!(Uuid([255; 16]).to_string(), "ffffffff-ffff-ffff-ffff-ffffffffffff");
    assert!(Uuid([0; 16]) < Uuid([255; 16]));
}

#[test]
fn refuses_other_spellings() {
    for text in [
        "",
        "f81d4fae",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf61",
        "f81d4fae-7dec-11d0-a76500a0c91e6bf6",
        "f81d4fae7-dec-11d0-a765-00a0c91e6bf6",
        "f81d4fae_7dec_11d0_a765_00a0c91e6bf6",
        "g81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
        "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "f81d4fae7dec11d0a76500a0c91e6b-6",
        "----00000000000000000000000000000000",
        "é81d4fae-7dec-11d0-a765-00a0c91e6bf",
    ] {
        assert_eq!(Uuid::parse(text), None, "{text:?}");
    }
}

#[test]
fn spoiled_texts_never_panic() {
    let mut random = Xorshift::new(16);
    for _ in 0..20_000 {
        let text = random.spoil("f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
        if let Some(uuid) = Uuid::parse(&text) {
            assert_eq!(uuid.to_string(), text.to_lowercase());
        }
    }
}
