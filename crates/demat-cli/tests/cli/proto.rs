//! Protocol Buffers, with their types as options.

use crate::run::Folder;

const FILE: &str = r#"
syntax = "proto3";
package todo;
import "state.proto";
import "google/protobuf/timestamp.proto";

message Task {
  int64 id = 1;
  string title = 2;
  State state = 3;
  repeated sint32 marks = 4;
  Task parent = 5;
  google.protobuf.Timestamp due = 6;
  oneof who { string name = 7; int64 number = 8; }
  map<string, double> costs = 9;
}
"#;
const STATE: &str = "syntax = \"proto3\"; package todo; enum State { OPEN = 0; DONE = 1; }";
const TASK: &str = r#"{"id":1,"title":"Room","state":"DONE","marks":[-1,2],"parent":{"id":2,"title":"","state":"OPEN","marks":[],"costs":{}},"due":"2026-02-03T04:05:06Z","who":{"name":"me"},"costs":{"a":1.5}}"#;

fn folder() -> Folder {
    Folder::with(&[("todo.proto", FILE), ("state.proto", STATE), ("task.json", TASK)])
}

#[test]
fn a_message_goes_there_and_back() {
    let folder = folder();
    folder.run("copy task.json task.pb --shape todo.proto:todo.Task").ok();
    let bytes = std::fs::read(folder.path("task.pb")).unwrap();
    assert!(bytes.starts_with(b"\x08\x01\x12\x04Room\x18\x01\x22\x02\x01\x04\x2a\x02\x08\x02"), "{bytes:?}");
    folder.run("copy task.pb back.json --shape todo.proto:Task").ok();
    assert_eq!(folder.read("back.json").trim_end(), TASK);
}

#[test]
fn many_messages_stand_behind_their_lengths() {
    let folder = folder();
    let rows = "{\"id\":1,\"title\":\"a\",\"state\":\"OPEN\",\"marks\":[],\"costs\":{}}\n\
                {\"id\":2,\"title\":\"b\",\"state\":7,\"marks\":[],\"costs\":{}}\n";
    folder.write("tasks.ndjson", rows);
    folder.run("copy tasks.ndjson tasks.pb.gz --shape todo.proto:todo.Task").ok();
    let out = folder.run("copy tasks.pb.gz - --to ndjson --shape [todo.proto:todo.Task]");
    let expected = "{\"id\":1,\"title\":\"a\",\"state\":\"OPEN\",\"marks\":[],\"costs\":{}}\n\
                    {\"id\":2,\"title\":\"b\",\"state\":7,\"marks\":[],\"costs\":{}}\n";
    // Fields that are zero come after the others.
    let sorted = |text: &str| -> Vec<Vec<char>> {
        let sorted = |line: &str| {
            let mut letters: Vec<char> = line.chars().collect();
            letters.sort_unstable();
            letters
        };
        text.lines().map(sorted).collect()
    };
    assert_eq!(sorted(&out.out), sorted(expected), "{}", out.out);
    let head = folder.run("head -n 1 tasks.pb.gz --shape [todo.proto:todo.Task]");
    assert_eq!(head.out.lines().count(), 1);
}

#[test]
fn the_shape_of_other_places_is_a_definition_too() {
    let folder = Folder::with(&[("people.csv", "name,born\nAda,1815\n")]);
    folder.run("copy people.csv people.pb --infer").ok();
    let schema = folder.run("schema people.csv --infer --to proto");
    folder.write("people.proto", &schema.out);
    let back = folder.run("copy people.pb - --to csv --shape [people.proto]");
    assert_eq!(back.out.replace('\r', ""), "name,born\nAda,1815\n", "{}", schema.out);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = folder();
    folder.write("bad.proto", "syntax = \"proto3\";\nmessage A {\n  int32 a 1;\n}\n");
    folder.write("bad.pb", "\x12\x05ab");
    for (arguments, says) in [
        ("copy bad.pb - --to json", "the shape has to be given"),
        ("schema bad.pb", "the shape has to be given"),
        ("copy bad.pb - --to json --shape todo.proto:Tusk", "there is no message `Tusk`; there is `todo.Task`"),
        ("copy bad.pb - --to json --shape bad.proto", "bad.proto: "),
        ("copy bad.pb - --to json --shape bad.proto", "(line 3, column 11)"),
        ("copy bad.pb - --to json --shape none.proto", "none.proto: "),
        ("copy bad.pb - --to json --shape todo.proto", "expected 5 bytes, found `2`"),
        ("copy bad.pb - --to json --shape todo.proto", "$.title"),
    ] {
        let out = folder.run(arguments);
        assert_ne!(out.code, Some(0), "{arguments}");
        assert!(out.err.contains(says), "{arguments}: {}", out.err);
    }
}

#[test]
fn canonical_json_is_as_the_specification_has_it() {
    let folder = folder();
    folder.run("copy task.json task.pb --shape todo.proto:todo.Task").ok();
    folder.run("copy task.pb canonical.json --shape todo.proto:todo.Task --mapping canonical").ok();
    let canonical = r#"{"id":"1","title":"Room","state":"DONE","marks":[-1,2],"parent":{"id":"2"},"due":"2026-02-03T04:05:06Z","name":"me","costs":{"a":1.5}}"#;
    assert_eq!(folder.read("canonical.json").trim_end(), canonical);
    folder.run("copy canonical.json again.pb --shape todo.proto:todo.Task --mapping canonical").ok();
    assert_eq!(std::fs::read(folder.path("again.pb")).unwrap(), std::fs::read(folder.path("task.pb")).unwrap());

    // Several messages, as lines and as length-prefixed messages.
    folder.write("tasks.ndjson", "{\"id\":\"1\",\"state\":1}\n{\"title\":\"b\",\"marks\":[]}\n");
    folder.run("copy tasks.ndjson tasks.pb --shape todo.proto:todo.Task --mapping canonical").ok();
    let out = folder.run("copy tasks.pb - --to ndjson --shape [todo.proto:todo.Task] --mapping canonical");
    assert_eq!(out.out, "{\"id\":\"1\",\"state\":\"DONE\"}\n{\"title\":\"b\"}\n");
}

#[test]
fn what_canonical_json_does_not_know_is_refused_unless_told_otherwise() {
    let folder = folder();
    folder.write("more.json", r#"{"id":"1","more":{"a":[1]},"state":"LATER"}"#);
    let refused = folder.run("copy more.json - --to proto --shape todo.proto:todo.Task --mapping canonical");
    assert!(refused.err.contains("unknown field `more`"), "{}", refused.err);
    folder.run("copy more.json more.pb --shape todo.proto:todo.Task --mapping canonical --ignore-unknown").ok();
    assert_eq!(std::fs::read(folder.path("more.pb")).unwrap(), b"\x08\x01");
    for (command, message) in [
        ("copy more.json more.pb --shape todo.proto:todo.Task --ignore-unknown", "`--ignore-unknown` applies only"),
        ("copy more.json more.pb --mapping canonical", "needs a message type"),
        ("copy more.pb more.csv --shape todo.proto:Task --mapping canonical", "applies only if json"),
    ] {
        let refused = folder.run(command);
        assert!(refused.err.contains(message), "{command}: {}", refused.err);
    }
}
