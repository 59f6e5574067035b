//! Runs the command in a temporary folder.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder to run the command in.
pub(crate) struct Folder(TempDir);

/// The outcome of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Returns a folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        for (name, content) in files {
            folder.write(name, content);
        }
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Returns the names of all files, including hidden ones.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Returns the command in this folder, with an empty standard input.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_demat"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env("TERM", "xterm");
        command
    }

    /// Runs the command; arguments are separated by spaces.
    pub(crate) fn run(&self, arguments: &str) -> Outcome {
        self.run_with(&words(arguments), b"")
    }

    /// Runs the command with this standard input.
    pub(crate) fn feed(&self, arguments: &str, input: impl AsRef<[u8]>) -> Outcome {
        self.run_with(&words(arguments), input.as_ref())
    }

    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        outcome(self.output(arguments, input))
    }

    pub(crate) fn output(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            // The command may end before it has read everything.
            scope.spawn(move || drop(stdin.write_all(input)));
            child.wait_with_output().unwrap()
        })
    }
}

impl Outcome {
    /// Checks that the run succeeded. Returns its standard output.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "out: {}", self.out);
        self.out
    }

    /// Checks that the run failed with this code and wrote nothing to standard output. Returns its standard error.
    #[track_caller]
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(code), ""), "err: {}", self.err);
        self.err
    }
}

pub(crate) fn outcome(output: Output) -> Outcome {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Outcome { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn words(arguments: &str) -> Vec<&str> {
    arguments.split_whitespace().collect()
}
