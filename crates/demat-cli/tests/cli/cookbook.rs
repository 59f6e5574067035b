//! Runs the commands of the cookbook as they are written there, one after the other.

use super::run::Folder;
use std::path::Path;
use std::process::Command;

/// Returns the folder with the files that the cookbook describes.
fn folder() -> Folder {
    let folder = Folder::with(&[
        ("people.csv", "name,age,city,born\nAda,36,London,1815-12-10\nBob,17,Paris,2009-01-02\nEve,52,London,\n"),
        (
            "people.ndjson",
            "{\"id\":1,\"name\":\"Ada\",\"age\":36,\"address\":{\"city\":\"London\",\"zip\":\"N1\"},\"tags\":[\"math\"]}\n\
             {\"id\":2,\"name\":\"Bob\",\"age\":17,\"address\":{\"city\":\"Paris\",\"zip\":\"75\"},\"tags\":[]}\n\
             {\"id\":3,\"name\":\"Eve\",\"age\":52,\"address\":null,\"tags\":[\"keys\",\"math\"]}\n",
        ),
        (
            "api.json",
            "{\"meta\":{\"total\":2},\"data\":{\"items\":[{\"id\":1,\"price\":9.5},{\"id\":2,\"price\":20}]}}",
        ),
        (
            "catalog.xml",
            "<catalog><book><title>Emma</title><year>1815</year></book>\
             <book><title>Ulysses</title><year>1922</year></book></catalog>",
        ),
        ("quoted.ndjson", "{\"id\":\"1\",\"price\":\"9.5\",\"sold\":\"yes\"}\n"),
        ("old.csv", "id,title,done\n1,Clean room,false\n2,Check post,false\n"),
        ("new.csv", "id,title,done\n1,Clean room,true\n3,Cook,false\n"),
    ]);
    folder.write("latin.csv", b"name\nZo\xEB\n");
    std::fs::create_dir(folder.path("logs")).unwrap();
    let line = |status: u16, ms: u16| {
        format!("{{\"at\":\"2026-01-02T03:04:05Z\",\"status\":{status},\"path\":\"/api/x\",\"ms\":{ms}}}\n")
    };
    folder.write("logs/1.ndjson", line(500, 12) + &line(200, 120));
    folder.write("logs/2.ndjson", line(200, 7));
    folder
}

#[test]
fn fifty_commands_run() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cookbook.md")).unwrap();
    let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("$ demat ")).collect();
    assert_eq!(commands.len(), 50);
    let folder = folder();
    for command in commands {
        let line = format!("'{}' {command}", env!("CARGO_BIN_EXE_demat"));
        let done = Command::new("sh").args(["-c", &line]).current_dir(folder.path("")).output().unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{command}: {told}");
    }
    for (file, content) in [
        ("adults.ndjson", "Eve"),
        ("london.csv", "name,age,city,born\nAda,36,London,1815-12-10\nEve,52,London,\n"),
        ("young.csv", "name,age,city,born\nBob,17,Paris,2009-01-02\n"),
        ("names.csv", "name\nBob\n"),
        ("homeless.ndjson", "\"name\":\"Eve\""),
        ("cities.ndjson", "{\"id\":1,\"address\":{\"city\":\"London\"}}\n"),
        ("renamed.csv", "who,age,city,birthday\n"),
        ("items.csv", "id,price\n1,9.5\n2,20.0\n"),
        ("tags.json", "[\"math\",\"keys\",\"math\"]\n"),
        ("books.ndjson", "{\"title\":\"Ulysses\",\"year\":1922}\n"),
        ("slow.csv", "120,logs/1.ndjson\n"),
        ("both.csv", "3,Cook,false,new.csv\n"),
        ("cities.json", "[{\"city\":\"London\",\"n\":2},{\"city\":\"Paris\",\"n\":1}]\n"),
        ("numbers.ndjson", "{\"id\":1,\"price\":9.5,\"sold\":true}\n"),
        ("utf8.csv", "name\nZoë\n"),
    ] {
        assert!(folder.read(file).contains(content), "{file}: {}", folder.read(file));
    }
}
