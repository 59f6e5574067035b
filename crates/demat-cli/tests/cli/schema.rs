//! `demat schema`.

use crate::run::Folder;

#[test]
fn shapes_of_records() {
    let folder = Folder::with(&[
        ("a.json", "[{\"id\":1,\"t\":\"x\"},{\"id\":2.5,\"t\":null,\"l\":[1]}]"),
        ("b.ndjson", "{\"id\":1}\n{\"id\":2}\n"),
        ("c.json", "{\"id\":1}"),
        ("d.csv", "id,t\n1,x\n2,\n"),
        ("e.json", "[1,2]"),
    ]);
    assert_eq!(folder.run("schema a.json").ok(), "id:float, t:text?, l:[int]?, !\n");
    assert_eq!(folder.run("schema a.json --sample 1").ok(), "id:int, t:text, !\n");
    assert_eq!(folder.run("schema b.ndjson").ok(), "id:int, !\n");
    assert_eq!(folder.run("schema c.json").ok(), "id:int, !\n");
    assert_eq!(folder.run("schema d.csv").ok(), "id:text?, t:text?, !\n");
    assert_eq!(folder.run("schema d.csv --infer").ok(), "id:int, t:text?, !\n");
    assert_eq!(folder.run("schema d.csv --infer --sample all").ok(), "id:int, t:text?, !\n");
    assert_eq!(folder.run("schema e.json").ok(), "int\n");
}

/// A format that holds nothing but text is inferred as the cells of a table are.
#[test]
fn texts_of_a_document_are_inferred_as_cells() {
    let item = "<item><id>1</id><at>2020-01-01</at><tag>1</tag><tag>2</tag></item>";
    let folder = Folder::with(&[("a.xml", &format!("<r>{item}{item}</r>"))]);
    assert_eq!(folder.run("schema a.xml").ok(), "id:text, at:text, tag:[text], !\n");
    assert_eq!(folder.run("schema a.xml --infer").ok(), "id:int, at:date, tag:[int], !\n");
    let line = "{\"id\":1,\"at\":\"2020-01-01\",\"tag\":[1,2]}\n";
    assert_eq!(folder.run("copy a.xml --to ndjson --infer").ok(), line.repeat(2));
}

#[test]
fn what_it_prints_can_be_given() {
    let folder = Folder::with(&[("a.csv", "id,t\n1,x\n")]);
    let shape = folder.run("schema a.csv --infer").ok();
    folder.write("a.shape", shape);
    assert_eq!(folder.run("copy a.csv --to ndjson --shape @a.shape").ok(), "{\"id\":1,\"t\":\"x\"}\n");
}

#[test]
fn a_long_input_is_sampled_in_windows() {
    let folder = Folder::new();
    let mut text: String = (0..100_000).map(|i| format!("{{\"id\":{i}}}\n")).collect();
    text.push_str("{\"id\":1,\"late\":\"x\"}\n");
    assert_eq!(folder.feed("schema --from ndjson --sample all", &text).ok(), "id:int, late:text?, !\n");
    assert_eq!(folder.feed("schema --from ndjson", &text).ok(), "id:int, !\n");
}

#[test]
fn errors_have_their_place() {
    let folder = Folder::with(&[("a.ndjson", "{\"id\":1}\n{\"id\":}\n")]);
    assert_eq!(
        folder.run("schema a.ndjson").failed(1),
        "error: expected a value, found `}` at `$[1]` (a.ndjson, record 2, line 2, column 7)\n  2 | {\"id\":}\n    |       ^\n"
    );
}
