//! Files of Minecraft, if available: read and written back byte for byte.

use super::*;
use crate::snbt::{Snbt, SnbtSink};

fn file(name: &str) -> Option<Vec<u8>> {
    testing::suite_file(&format!("nbt/{name}"))
}

/// The files, how each is encoded, and whether its variant can't be detected.
const FILES: [(&str, Variant, bool); 10] = [
    ("1.17.1.chunk", Variant::Java, false),
    ("21w44a-test1.nbt", Variant::Java, false),
    ("bigtest.nbt", Variant::Java, false),
    ("bigtest.nbt.gz", Variant::Java, false),
    ("biome_definitions.le.nbt", Variant::BedrockNetwork, false),
    ("block_states.lev.nbt", Variant::BedrockNetwork, false),
    ("chunk1.14.nbt", Variant::Java, false),
    ("emptyComp.nbt", Variant::BedrockNetwork, true),
    ("level.dat", Variant::Bedrock, false),
    ("unicode.chunk", Variant::Java, false),
];

#[test]
fn every_file_comes_back_byte_for_byte() {
    for (name, variant, told) in FILES {
        let Some(packed) = file(name) else { return };
        let bytes = Packing::of(&packed).map_or(packed.clone(), |packing| packing.unpack(&packed, 1 << 30).unwrap());
        let is_sequence = name.starts_with("block_states");
        let root = if is_sequence { Root::Named } else { Root::Entry };
        let variant_told = told.then_some(variant);
        let read = ReadOptions { variant: variant_told, root, ..ReadOptions::default() };
        let write = WriteOptions { variant, root, sequence: is_sequence, ..WriteOptions::default() };
        for size in [64, 1000, 1 << 16, 1 << 20] {
            assert!(copied(&packed, size, &read, write.clone()).unwrap() == bytes, "{name} by {size}");
        }
        skipped(&bytes, &ReadOptions { root, ..of(variant) }).unwrap();
        // Copies it to Java's variant and to text, and back.
        let java = WriteOptions { variant: Variant::Java, ..write.clone() };
        let as_java = copied(&packed, 1 << 20, &read, java.clone()).unwrap();
        assert!(
            copied(&as_java, 1 << 20, &ReadOptions { variant: Some(Variant::Java), ..read }, write).unwrap() == bytes
        );
        if !is_sequence {
            let mut text = SnbtSink::new(Output::new(Vec::new(), Keep), &WriteOptions::default(), Some(2));
            let mut window = Window::new(&*as_java);
            let plain = ReadOptions { root, ..of(Variant::Java) };
            copy_stream(&mut window, &mut Nbt::new(plain), &Shape::Any, &mut text, &mut Stop).unwrap();
            let text = text.into_output().into_parts().0;
            let mut back = sink(java);
            copy_stream(&mut Window::new(&*text), &mut Snbt::default(), &Shape::Any, &mut back, &mut Stop).unwrap();
            assert!(back.into_output().into_parts().0 == as_java, "{name} as text");
        }
    }
}

#[test]
fn bigtest_has_its_values() {
    let Some(bytes) = file("bigtest.nbt.gz") else { return };
    let value = read_with(&bytes, &Shape::Any, &ReadOptions::default()).unwrap();
    assert_eq!(value.get("longTest"), Some(&int(i64::MAX)));
    assert_eq!(value.get("shortTest"), Some(&int(32767)));
    assert_eq!(value.get("byteTest"), Some(&int(127)));
    assert_eq!(value.get("stringTest"), Some(&text("HELLO WORLD THIS IS A TEST STRING \u{c5}\u{c4}\u{d6}!")));
    assert_eq!(value.get("listTest (long)"), Some(&Value::List((11..16).map(int).collect())));
    let name = "byteArrayTest (the first 1000 values of (n*n*255+n*7)%100, starting with n=0 (0, 62, 34, 16, 8, ...))";
    let bytes: Vec<u8> = (0..1000u32).map(|n| ((n * n * 255 + n * 7) % 100) as u8).collect();
    assert_eq!(value.get(name), Some(&Value::Bytes(bytes.into())));
}

#[test]
fn a_file_that_is_cut_off_or_changed_does_no_harm() {
    for (name, variant, _) in FILES {
        let Some(packed) = file(name) else { return };
        let bytes = Packing::of(&packed).map_or(packed.clone(), |packing| packing.unpack(&packed, 1 << 30).unwrap());
        for end in (0..bytes.len()).step_by(bytes.len() / 50 + 1) {
            let part = Part { last: false, ..Part::whole(&bytes[..end]) };
            let _ = NbtSource::over(part, &of(variant)).skip();
            let cut = skipped(&bytes[..end], &of(variant));
            // A sequence may end after any compound.
            assert!(cut.is_err() || name.starts_with("block_states"), "{name} {end}");
            let mut changed = bytes.clone();
            changed[end] ^= 0x55;
            let _ = read_with(&changed, &Shape::Any, &ReadOptions::default());
        }
    }
}
