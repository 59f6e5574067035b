//! Runs the README's commands as they are written there.

use super::run::Folder;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn every_command_of_the_readme_runs() {
    let folder = Folder::with(&[
        ("tasks.json", "[{\"id\":1,\"title\":\"Clean room\"},{\"id\":2,\"title\":\"Check post\"}]"),
        ("access.ndjson", "{\"ip\":\"::1\",\"ms\":3,\"path\":\"/\"}\n"),
        ("people.csv", "name,born,active\nAda,1815-12-10,false\n"),
    ]);
    folder.run("copy access.ndjson access.ndjson.gz").ok();
    folder.run("copy tasks.json tasks.db").ok();
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("$ demat ")).collect();
    assert!(commands.len() >= 3, "the README has lost its examples");
    for command in commands {
        if command.starts_with("serve ") {
            serves(&folder, command.split(" #").next().unwrap());
            continue;
        }
        let line = format!("'{}' {command}", env!("CARGO_BIN_EXE_demat"));
        let done = Command::new("sh").args(["-c", &line]).current_dir(folder.path("")).output().unwrap();
        assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
    }
    assert_eq!(folder.read("tasks.csv"), "id,title\n1,Clean room\n2,Check post\n");
    folder.run("copy people.ndjson.zst people.ndjson").ok();
    assert_eq!(folder.read("people.ndjson"), "{\"name\":\"Ada\",\"born\":\"1815-12-10\",\"active\":false}\n");
    let shape = readme.lines().find(|line| line.starts_with("id:int, title:text")).unwrap();
    let run = folder.run_with(&["copy", "-", "-", "--from", "json", "--to", "csv", "--shape", shape], b"[]");
    assert!(run.failed(1).contains("tags"), "a list in a cell needs --flatten");
}

/// Starts a server, and stops it with a signal.
fn serves(folder: &Folder, command: &str) {
    let mut serving = Command::new(env!("CARGO_BIN_EXE_demat"))
        .args(command.split_whitespace())
        .args(["--port", "0"])
        .current_dir(folder.path(""))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    BufReader::new(serving.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert!(said.starts_with("serving "), "{command}: {said}");
    Command::new("kill").args(["-TERM", &serving.id().to_string()]).status().unwrap();
    assert!(serving.wait().unwrap().success(), "{command}");
}
