use crate::Definitions;

const KEPT: &str = "...\"(unknown)\"@4294967295:map(text, bytes)";

fn exact(text: &str) -> String {
    let definitions = Definitions::from_text(text).unwrap_or_else(|error| panic!("{error}"));
    let shape = definitions.exact_shape(&definitions.messages()[0]).unwrap_or_else(|error| panic!("{error}"));
    shape.to_string()
}

#[test]
fn nothing_is_zero_that_did_not_come() {
    assert_eq!(
        exact(
            "syntax = 'proto2'; message A { required int32 a = 1; optional sint32 b = 2 [default = 5]; repeated E c = 3;
             oneof d { fixed32 e = 4; E f = 5; } extensions 100 to 200; map<sint32, E> g = 6; optional group H = 7 {} }
             enum E { option allow_alias = true; X = 1; Y = 1; } extend A { optional int64 x = 100; }"
        ),
        format!(
            "A{{a:int32 #proto:required, b:int32? #proto:sint32, c:[enum E(X = 1, Y = 1) | int32]? #proto:expanded \
             #proto:closed, d@536870913:union(e@4:uint32 #proto:fixed32, f@5:E | int32 #proto:closed)? #proto:oneof, \
             g@6:map(int32, E | int32)? #proto:\"key sint32\" #proto:closed, h@7:H{{{KEPT}}}? #proto:group \
             #proto:\"text_name H\", \"[x]\"@100:int64?, {KEPT}}}"
        )
    );
}

#[test]
fn googles_own_are_records_that_say_which() {
    let text = "syntax = 'proto3'; import 'google/protobuf/timestamp.proto'; import 'google/protobuf/wrappers.proto';
                message A { google.protobuf.Timestamp a = 1; google.protobuf.BoolValue b = 2 [json_name = 'bee']; }";
    assert_eq!(
        exact(text),
        format!(
            "A{{a:Timestamp{{seconds:int64? #proto:implicit #proto:\"json timestamp\", nanos:int32? #proto:implicit, \
             {KEPT}}}?, b:BoolValue{{value:bool? #proto:implicit #proto:\"json wrapper\", {KEPT}}}? \
             #proto:\"json_name bee\", {KEPT}}}"
        )
    );
    let definitions = Definitions::from_text(text).unwrap();
    let types = definitions.types();
    assert!(types("google.protobuf.Timestamp").is_some() && types("google.protobuf.Timestam").is_none());
}

#[test]
fn names_of_the_text_format_are_notes() {
    let text =
        "syntax = 'proto2'; message M { reserved 'old', 'gone'; repeated group MultiWord = 1 { optional int32 a = 1; }
                oneof o { group Own = 2 {} M m = 3; } optional N n = 4; } message N {}";
    let shape = Definitions::from_text(text).unwrap().exact_shape("M").unwrap().to_string();
    assert!(shape.contains("#proto:group #proto:\"text_name MultiWord\""), "{shape}");
    assert!(shape.contains("#proto:group #proto:\"text_name Own\""), "{shape}");
    assert_eq!(shape.matches("text_name").count(), 2, "{shape}");
    assert!(shape.contains("map(text, bytes) #proto:\"reserved old\" #proto:\"reserved gone\""), "{shape}");
}
