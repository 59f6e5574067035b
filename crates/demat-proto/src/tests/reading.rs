use crate::Definitions;

fn shape(text: &str) -> String {
    let definitions = Definitions::from_text(text).unwrap_or_else(|error| panic!("{error}"));
    definitions.shape(&definitions.messages()[0]).unwrap_or_else(|error| panic!("{error}")).to_string()
}

#[test]
fn every_scalar_has_its_form() {
    let text = "syntax = 'proto3'; message A {
        double a = 1; float b = 2; int32 c = 3; int64 d = 4; uint32 e = 5; uint64 f = 6; sint32 g = 7; sint64 h = 8;
        fixed32 i = 9; fixed64 j = 10; sfixed32 k = 11; sfixed64 l = 12; bool m = 13; string n = 14; bytes o = 15;
    }";
    assert_eq!(
        shape(text),
        "A{a:float, b:float32, c:int32, d:int64, e:uint32, f:uint64, g:int32 #proto:sint32, h:int64 #proto:sint64, \
         i:uint32 #proto:fixed32, j:uint64 #proto:fixed64, k:int32 #proto:sfixed32, l:int64 #proto:sfixed64, \
         m:bool, n:text, o:bytes}"
    );
}

#[test]
fn presence_is_as_the_syntax_says() {
    assert_eq!(
        shape(
            "syntax = 'proto3'; message A { int32 a = 1; optional int32 b = 2; B c = 3; repeated int32 d = 4; message B {} }"
        ),
        "A{a:int32, b:int32?, c:B{}?, d:[int32]}"
    );
    assert_eq!(
        shape(
            "syntax = 'proto2'; message A { required int32 a = 1; optional int32 b = 2; optional int32 c = 3 [default = 5];
             repeated int32 d = 4; repeated int32 e = 5 [packed = true]; optional string f = 6 [default = \"x\\\"y\"];
             optional group G = 7 { optional bool h = 1; } }"
        ),
        "A{a:int32 #proto:required, b:int32?, c:int32 = 5, d:[int32] #proto:expanded, e:[int32], f:text = \"x\\\"y\", \
         g:G{h:bool?}? #proto:group #proto:\"text_name G\"}"
    );
}

#[test]
fn types_refer_to_each_other_and_to_themselves() {
    assert_eq!(
        shape(
            "syntax = 'proto3'; package p.q; message A { A a = 1; B b = 2; repeated B c = 3; } message B { A a = 1; map<string, B> d = 2; }"
        ),
        "A{a:A?, b:B{a:A?, d:map(text, B)}?, c:[B]}"
    );
    // Two messages with the same name.
    assert_eq!(
        shape(
            "syntax = 'proto3'; message A { B.C c = 1; D.C d = 2; } message B { message C {} } message D { message C {} }"
        ),
        "A{c:C{}?, d:D_C{}?}"
    );
}

#[test]
fn enums_of_proto3_are_open() {
    let text = "message A { E e = 1; repeated E f = 2; } enum E { option allow_alias = true; X = 0; Y = 0; Z = -1; }";
    assert_eq!(shape(&format!("syntax = 'proto3'; {text}")), "A{e:enum E(X, Z = -1) | int32, f:[E | int32]}");
    let text = text.replace("E e", "optional E e");
    assert_eq!(shape(&format!("syntax = 'proto2'; {text}")), "A{e:enum E(X, Z = -1)?, f:[E] #proto:expanded}");
}

#[test]
fn oneofs_are_unions_of_the_records_own_numbers() {
    assert_eq!(
        shape("syntax = 'proto3'; message A { int32 a = 1; oneof b { int32 c = 3; A d = 2; } string e = 5; }"),
        "A{a:int32, b@536870912:union(c@3:int32, d:A)? #proto:oneof, e@5:text}"
    );
}

#[test]
fn googles_own_types_are_kinds() {
    assert_eq!(
        shape(
            "syntax = 'proto3'; import 'google/protobuf/timestamp.proto'; import 'google/protobuf/duration.proto';
             import 'google/protobuf/struct.proto'; message A { google.protobuf.Timestamp a = 1;
             google.protobuf.Duration b = 2; google.protobuf.Value c = 3; google.protobuf.Struct d = 4; }"
        ),
        "A{a:instant?, b:duration?, c:any, d:Struct{fields:map(text, any) #proto:\"json struct\"}?}"
    );
}

#[test]
fn faults_say_where_they_are() {
    for (text, message) in [
        ("syntax = 'proto3'; message A { int32 a = 1; int32 b = 1; }", "1"),
        ("syntax = 'proto3';\nmessage A {\n  Missing a = 5;\n}", "(line 3, column 3)"),
        ("syntax = 'proto3';\nmessage A {\n  int32 a 5;\n}", "(line 3, column 11)"),
        ("syntax = 'proto3';\nmessage A {\n  reserved 5;\n  int32 a = 5;\n}", "(line 3, column 12)"),
        ("syntax = 'proto3'; import 'nowhere.proto';", "nowhere.proto"),
        ("edition = '1999'; message A {}", "(line 1, column 1)"),
        ("edition = '2023'; message A { required int32 a = 1; }", "required"),
    ] {
        let error = Definitions::from_text(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let definitions =
        Definitions::from_text("syntax = 'proto3'; package p; message A {} message B { message A {} }").unwrap();
    assert_eq!(definitions.messages(), ["p.A", "p.B", "p.B.A"]);
    assert_eq!(definitions.shape("A").unwrap_err().to_string(), "`A` can be `p.A` or `p.B.A`: say which");
    assert_eq!(
        definitions.shape("C").unwrap_err().to_string(),
        "there is no message `C`; there is `p.A`, `p.B`, `p.B.A`"
    );
    let reserved = Definitions::from_text("syntax = 'proto3'; message A { reserved 'a'; int32 a = 5; }").unwrap();
    assert_eq!(reserved.shape("A").unwrap_err().to_string(), "the name `a` is reserved in `A`");
    assert!(Definitions::from_descriptor_set(b"?").is_err());
}

#[test]
fn what_is_written_is_read_as_the_same() {
    use crate::to_proto;
    let text = "Task{id:int64, state:enum State(STATE_OPEN, STATE_DONE = 2) | int32, at:instant?, tags:[text], \
                by:map(int32, {b:bytes?}) #proto:\"key sint32\", parent:Task?, kind:union(a: int32, b: float)?, \
                more:any, z@20:[uint32] #proto:fixed32 #proto:expanded}";
    let shape: demat_core::Shape = text.parse().unwrap();
    let file = to_proto(&shape, "p").unwrap();
    let again = Definitions::from_text(&file).unwrap_or_else(|error| panic!("{file}{error}")).shape("Task").unwrap();
    assert_eq!(
        again.to_string(),
        "Task{id:int64, state:enum State(STATE_OPEN, STATE_DONE = 2) | int32, at:instant?, tags:[text], \
         by:map(int32, TaskBy{b:bytes?}) #proto:\"key sint32\", parent:Task?, \
         kind:TaskKind{value@536870912:union(a:int32, b:float)? #proto:oneof}?, more:any, \
         z@20:[uint32] #proto:fixed32 #proto:expanded}",
        "{file}"
    );
}

#[test]
fn oneofs_can_stand_apart_and_come_together_again() {
    use crate::to_proto;
    let text = "syntax = 'proto3'; package p; message A { int32 a = 1; oneof b { sint32 c = 3; A d = 2; } optional int32 e = 5; }";
    let definitions = Definitions::from_text(text).unwrap();
    let apart = definitions.shape_apart(None).unwrap();
    assert_eq!(
        apart.to_string(),
        "A{a:int32, d:A? #proto:\"in b\", c:int32? #proto:sint32 #proto:\"in b\", e@5:int32?}"
    );
    assert_eq!(definitions.shape_apart(Some("p.A")).unwrap(), apart);
    assert!(definitions.shape_apart(Some("B")).is_err());
    let file = to_proto(&apart, "p").unwrap();
    assert_eq!(
        file,
        "syntax = \"proto3\";\npackage p;\n\nmessage A {\n  int32 a = 1;\n  oneof b {\n    A d = 2;\n    sint32 c = 3;\n  }\n  \
         optional int32 e = 5;\n}\n"
    );
    assert_eq!(Definitions::from_text(&file).unwrap().shape_apart(None).unwrap().to_string(), apart.to_string());
}
