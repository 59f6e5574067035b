use crate::Definitions;

const TEXT: &str = r#"
// An edition, and no syntax.
edition = "2023";
package p;
option features.field_presence = IMPLICIT;
message A {
  int32 a = 1;
  int32 b = 2 [features.field_presence = EXPLICIT, default = 7];
  int32 c = 3 [features.field_presence = LEGACY_REQUIRED];
  repeated int32 d = 4;
  repeated int32 e = 5 [features.repeated_field_encoding = EXPANDED];
  A f = 6 [features.message_encoding = DELIMITED];
  Open g = 7;
  Closed h = 8;
  map<string, A> i = 9;
  string j = 10 [features.field_presence = EXPLICIT, default = "[default = 'x'] // no comment"];
  reserved k, l;
  reserved 20 to 30;
}
enum Open { NONE = 0; ONE = 1; }
enum Closed { option features.enum_type = CLOSED; CLOSED_NONE = 0; }
"#;

const SHAPE: &str = "A{a:int32, b:int32 = 7, c:int32 #proto:required, d:[int32], e:[int32] #proto:expanded, \
                     f:A? #proto:group, g:enum Open(NONE, ONE) | int32, h:enum Closed(CLOSED_NONE), i:map(text, A), \
                     j:text = \"[default = 'x'] // no comment\"}";

#[test]
fn features_mean_what_they_say() {
    let shape = Definitions::from_text(TEXT).unwrap().shape("A").unwrap();
    assert_eq!(shape.to_string(), SHAPE);
}

#[test]
fn what_a_file_says_counts_for_its_own_messages_only() {
    let text = "edition = '2024'; message A { option features.message_encoding = DELIMITED; A a = 1;
                B b = 2 [features.message_encoding = LENGTH_PREFIXED]; int32 c = 3; } message B { B a = 1; }";
    let text = text.replace("option features.message_encoding = DELIMITED;", "");
    let shape = Definitions::from_text(&text).unwrap().shape("A").unwrap();
    assert_eq!(shape.to_string(), "A{a:A?, b:B{a:B?}?, c:int32?}");
}

/// Returns a descriptor set with a file `a.proto` of this edition, whose message `A` has a field `a = 1` with implicit
/// presence.
fn set(edition: u8) -> Vec<u8> {
    let block = |tag: u8, inner: &[u8]| [&[tag, inner.len() as u8], inner].concat();
    // FieldOptions.features (21): FeatureSet.field_presence (1) = IMPLICIT (2).
    let options = block(0x42, &[0xaa, 0x01, 2, 8, 2]);
    let field = [&b"\x0a\x01a\x18\x01\x20\x01\x28\x05"[..], &options].concat();
    let message = [&b"\x0a\x01A"[..], &block(0x12, &field)].concat();
    let edition = [0x70, edition, 7];
    let file = [&b"\x0a\x07a.proto"[..], &block(0x22, &message), b"\x62\x08editions", &edition].concat();
    block(0x0a, &file)
}

#[test]
fn descriptor_sets_have_editions_too() {
    // 1000 is the edition 2023.
    let shape = Definitions::from_descriptor_set(&set(0xe8)).unwrap().shape("A").unwrap();
    assert_eq!(shape.to_string(), "A{a:int32}");
    let error = Definitions::from_descriptor_set(&set(0xff)).unwrap_err().to_string();
    assert_eq!(error, "`a.proto` is of an edition that is not known; those of 2023 and 2024 are");
}

#[test]
fn imports_are_of_editions_too() {
    let folder = std::env::temp_dir().join(format!("demat-editions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.proto"), TEXT).unwrap();
    std::fs::write(folder.join("b.proto"), "syntax = 'proto3'; import 'a.proto'; message B { p.A a = 1; }").unwrap();
    let shape = Definitions::from_file(folder.join("b.proto"), &[]).unwrap().shape("B").unwrap();
    assert_eq!(shape.to_string(), format!("B{{a:{SHAPE}?}}"));
    std::fs::remove_dir_all(&folder).unwrap();
}
