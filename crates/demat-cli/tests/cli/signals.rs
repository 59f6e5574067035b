//! Interruption by signals.

use crate::run::Folder;
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Returns a command with default signal handling, as from a terminal. If these tests run in the background, their
/// child processes would inherit ignored signals.
fn listening(program: &str) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,HUP", program]);
    command
}

/// Starts a copy that waits for more input, with its temporary file created.
fn waiting(folder: &Folder) -> (Child, ChildStdin) {
    let mut command = listening(env!("CARGO_BIN_EXE_demat"));
    command.args(["copy", "-", "out.json", "--from", "ndjson"]).current_dir(folder.path(""));
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{\"id\":1}\n").unwrap();
    until("there is a temporary file", || folder.names().iter().any(|name| name.ends_with(".demat-tmp")));
    (child, input)
}

fn until(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(20), "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn ended(child: &mut Child) -> ExitStatus {
    let mut status = None;
    until("it ends", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.unwrap()
}

#[test]
fn signals_leave_no_temporary_file() {
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let folder = Folder::with(&[("out.json", "old")]);
        let (mut child, _input) = waiting(&folder);
        kill(&child, name);
        assert_eq!(ended(&mut child).signal(), Some(number));
        assert_eq!(folder.names(), ["out.json"], "{name}");
        assert_eq!(folder.read("out.json"), "old");
    }
}

#[test]
fn a_shell_counts_130() {
    let folder = Folder::new();
    let script = format!("{} copy - out.json --from ndjson; echo $?", env!("CARGO_BIN_EXE_demat"));
    let mut sh = listening("sh");
    sh.args(["-c", &script]).current_dir(folder.path("")).process_group(0);
    let mut sh = sh.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = sh.stdin.take().unwrap();
    input.write_all(b"1\n").unwrap();
    until("there is a temporary file", || !folder.names().is_empty());
    let children = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", sh.id())).unwrap_or_default();
    let Some(child) = children.split_whitespace().next() else {
        // Not every system lists child processes. Then this can't be tested, and the shell must end.
        sh.kill().unwrap();
        sh.wait().unwrap();
        return;
    };
    assert!(Command::new("kill").args(["-INT", child]).status().unwrap().success());
    let out = sh.wait_with_output().unwrap().stdout;
    assert_eq!(String::from_utf8_lossy(&out), "130\n");
}

#[test]
fn a_kill_leaves_the_old_file() {
    let folder = Folder::with(&[("out.json", "old")]);
    let (mut child, _input) = waiting(&folder);
    child.kill().unwrap();
    assert_eq!(ended(&mut child).signal(), Some(9));
    assert_eq!(folder.read("out.json"), "old");
}

/// A command that was started to run in the background (`nohup`) continues.
#[test]
fn signals_that_are_ignored_stay_ignored() {
    let folder = Folder::new();
    let script = format!("trap '' HUP INT; exec {} copy - out.json --from ndjson", env!("CARGO_BIN_EXE_demat"));
    let mut sh = Command::new("sh");
    sh.args(["-c", &script]).current_dir(folder.path(""));
    let mut sh = sh.stdin(Stdio::piped()).spawn().unwrap();
    let mut input = sh.stdin.take().unwrap();
    input.write_all(b"1\n").unwrap();
    until("there is a temporary file", || !folder.names().is_empty());
    kill(&sh, "-HUP");
    kill(&sh, "-INT");
    std::thread::sleep(Duration::from_millis(100));
    drop(input);
    assert_eq!(ended(&mut sh).code(), Some(0));
    assert_eq!(folder.read("out.json"), "[1]\n");
}
