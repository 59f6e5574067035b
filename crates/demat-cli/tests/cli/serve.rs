//! `demat serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

fn demat() -> Command {
    Command::new(env!("CARGO_BIN_EXE_demat"))
}

struct Serving {
    child: Child,
    address: String,
}

impl Serving {
    fn new(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_demat"))
            .args(["serve", "-p", "0"])
            .args(arguments)
            .env("DEMAT_TOKEN", "")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
        let address = said.split("http://").nth(1).unwrap_or_else(|| panic!("{said}"));
        let address = address.split('/').next().unwrap().to_string();
        Self { child, address }
    }

    fn get(&self, target: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_database_is_served_until_it_is_told_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tasks.db");
    std::fs::write(folder.path().join("t.csv"), "id,title\n1,a\n2,b\n").unwrap();
    let place = format!("{}#tasks", path.display());
    demat().args(["copy", folder.path().join("t.csv").to_str().unwrap(), &place, "--infer"]).output().unwrap();
    let mut serving = Serving::new(&[path.to_str().unwrap()]);
    assert!(serving.get("/tasks?id=2").ends_with(r#"[{"id":2,"title":"b"}]"#));
    assert!(serving.get("/-/").contains("<!doctype html>"));
    let killed = Command::new("kill").args(["-TERM", &serving.child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(serving.child.wait().unwrap().code(), Some(0));
    let one = Serving::new(&[&place, "--readonly", "--no-browser"]);
    assert!(one.get("/tasks/1/title").ends_with("\"a\""));
    assert!(one.get("/-/").starts_with("HTTP/1.1 404"));
    assert!(one.get("/").starts_with("HTTP/1.1 404"));
}

#[test]
fn what_can_not_be_served_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tasks.db");
    std::fs::write(folder.path().join("t.csv"), "id\n1\n").unwrap();
    let file = folder.path().join("t.csv");
    demat().args(["copy", file.to_str().unwrap(), path.to_str().unwrap()]).output().unwrap();
    let refused = |arguments: &[&str]| {
        let told = demat().arg("serve").args(arguments).env_remove("DEMAT_TOKEN").output().unwrap();
        (told.status.code(), String::from_utf8(told.stderr).unwrap())
    };
    let path = path.to_str().unwrap();
    assert_eq!(refused(&["nothing.db"]).0, Some(3));
    assert_eq!(refused(&[&format!("{path}#nothing")]).0, Some(1));
    assert_eq!(refused(&[file.to_str().unwrap()]).0, Some(3));
    let (code, said) = refused(&[path, "--host", "0.0.0.0"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("DEMAT_TOKEN"), "{said}");
}

#[test]
fn an_environment_is_served_by_its_collections() {
    let folder = tempfile::tempdir().unwrap();
    let (table, place) = (folder.path().join("t.csv"), format!("lmdb:{}", folder.path().join("env").display()));
    std::fs::write(&table, "id,title\n1,a\n2,b\n").unwrap();
    let target = format!("{place}#tasks");
    demat().args(["copy", table.to_str().unwrap(), &target, "--infer"]).output().unwrap();
    for place in [&place, &target] {
        let serving = Serving::new(&[place, "--readonly"]);
        let answer = serving.get("/tasks?id=2");
        assert!(answer.ends_with(r#"[{"id":2,"title":"b"}]"#), "{answer}");
        assert!(answer.contains("etag: "), "{answer}");
        assert!(serving.get("/tasks/1").ends_with(r#"{"id":1,"title":"a"}"#));
    }
}

#[test]
fn urls_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tasks.db");
    std::fs::write(folder.path().join("t.csv"), "id,title\n1,a\n2,b\n").unwrap();
    let place = format!("{}#tasks", path.display());
    demat().args(["copy", folder.path().join("t.csv").to_str().unwrap(), &place, "--infer"]).output().unwrap();
    let serving = Serving::new(&[path.to_str().unwrap()]);
    let run = |arguments: &[&str]| {
        let done = demat().args(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (done.status.code(), text(&done.stdout), text(&done.stderr))
    };
    let url = format!("http://{}/tasks", serving.address);
    let query = format!("{url}?format=csv");
    assert_eq!(
        run(&["copy", &url, "-", "--to", "csv", "--where", "id > 1"]),
        (Some(0), "id,title\n2,b\n".into(), String::new())
    );
    assert_eq!(run(&["head", &query, "-n", "1"]).1, "{\"id\":\"1\",\"title\":\"a\"}\n");
    assert_eq!(run(&["diff", &url, &place, "--key", "id"]), (Some(0), String::new(), String::new()));
    let missing = run(&["copy", &format!("{url}/99"), "-"]);
    assert_eq!((missing.0, missing.2.contains("the server answers 404")), (Some(3), true), "{}", missing.2);
    for (arguments, says) in [
        (&["schema", &*url][..], "a URL is read by `copy`, `head` and `diff`"),
        (&["copy", &*url, &*place, "-o", "x.json"], "can only be the one source"),
    ] {
        let refused = run(arguments);
        assert!(refused.0 == Some(2) && refused.2.contains(says), "{}", refused.2);
    }
    let nobody = run(&["copy", "http://127.0.0.1:1/x.json", "-"]);
    assert!(nobody.0 == Some(3) && nobody.2.contains("the server can't be reached"), "{}", nobody.2);
}

#[test]
fn a_file_that_nobody_changes_is_served_without_locks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b%?#.db");
    std::fs::write(folder.path().join("t.csv"), "id,title\n1,a\n2,b\n").unwrap();
    let there = folder.path().join("tasks.db");
    let place = format!("{}#tasks", there.display());
    demat().args(["copy", folder.path().join("t.csv").to_str().unwrap(), &place, "--infer"]).output().unwrap();
    std::fs::rename(&there, &path).unwrap();
    let before = std::fs::read(&path).unwrap();
    let serving = Serving::new(&[path.to_str().unwrap(), "--immutable"]);
    assert!(serving.get("/tasks?id=2").ends_with(r#"[{"id":2,"title":"b"}]"#));
    let mut stream = TcpStream::connect(&serving.address).unwrap();
    write!(stream, "DELETE /tasks/1 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");
    let mut files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["a b%?#.db", "t.csv"], "it writes nothing beside the file");
    drop(serving);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // What is in a log only would not be seen.
    std::fs::write(folder.path().join("a b%?#.db-wal"), "x").unwrap();
    let told = demat().arg("serve").arg(&path).arg("--immutable").output().unwrap();
    let said = String::from_utf8(told.stderr).unwrap();
    assert_eq!(told.status.code(), Some(1), "{said}");
    assert!(said.contains("write-ahead log"), "{said}");
    let told = demat().args(["serve", &format!("lmdb:{}", folder.path().display()), "--immutable"]).output().unwrap();
    assert_eq!(told.status.code(), Some(2));
}
